/** The tools of an instance, with the Python side of its machine put in. */
import type { ToolRegistry } from '../tools/registry.ts';
import type { ToolInstallation } from '../tools/tool.ts';
import type { SessionTool } from './slots.ts';

/** Answers by which an instance finds the tool of a claim; null for a tool that this version does not have. */
export function findSessionTool(
  tools: ToolRegistry,
  installation: ToolInstallation,
): (id: string) => SessionTool | null {
  return (id) => {
    const tool = tools.lookUp(id);
    if (tool === null) return null;
    const { about, work } = tool;
    return {
      id: about.id,
      startsAhead: work.startsAhead,
      session: (workFolder) => work.session(workFolder, installation),
    };
  };
}
