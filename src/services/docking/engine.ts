/** The tool that works on the ligands of a run or batch. */
import { AppError } from '../../domain/errors.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Tool, ToolScreening } from '../../tools/tool.ts';

/** A tool that serves runs and batches. */
export type Engine = Tool & { readonly screening: ToolScreening };

/**
 * The engine of this name, or the one that customers get where nothing is said.
 * @throws UNSUPPORTED_SIMULATOR for a tool that docks nothing, or is not registered.
 */
export function engineOf(tools: ToolRegistry, name?: string): Engine {
  const engines = tools.ids().flatMap((id) => {
    const tool = tools.find(id);
    return isEngine(tool) ? [tool] : [];
  });
  const offered = engines.filter(({ about }) => about.audience === 'customers');
  const wanted = name === undefined ? offered[0] : byName(engines, tools.canonical(name));
  if (wanted !== undefined) return wanted;
  throw new AppError(
    'UNSUPPORTED_SIMULATOR',
    `engine: no such engine docks here. Use one of: ${offered.map(({ about }) => about.id).join(', ')}.`,
  );
}

function byName(engines: readonly Engine[], id: string): Engine | undefined {
  return engines.find(({ about }) => about.id === id);
}

function isEngine(tool: Tool): tool is Engine {
  return tool.screening !== undefined;
}
