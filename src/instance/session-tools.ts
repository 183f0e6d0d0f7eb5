/** The tools of an instance, with the Python side and the packs of its machine put in. */
import { findPack } from '../packs/find.ts';
import { sessionEnvironmentOf } from '../packs/pack.ts';
import type { InstalledPack, PackDefinition, PackPlaces } from '../packs/pack.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionCommand, Tool, ToolInstallation } from '../tools/tool.ts';
import type { SessionTool } from './slots.ts';

/** Where the Python side and the packs of this machine are. */
export interface SessionPlaces extends ToolInstallation {
  readonly packs: PackPlaces;
}

/** Answers by which an instance finds the tool of a claim; null for a tool that this version does not have. */
export function findSessionTool(
  tools: ToolRegistry,
  places: SessionPlaces,
): (id: string) => SessionTool | null {
  return (id) => {
    const tool = tools.lookUp(id);
    if (tool === null) return null;
    return {
      id: tool.about.id,
      startsAhead: tool.work.startsAhead,
      session: (workFolder) => sessionOf(tool, workFolder, places),
    };
  };
}

/** @throws Error when the pack is not there, which the instance reports as its own fault and not as the task's. */
async function sessionOf(tool: Tool, workFolder: string, places: SessionPlaces): Promise<SessionCommand> {
  if (tool.pack === null) return tool.work.session(workFolder, places);
  const pack = await locate(tool.pack, places.packs);
  // A pack with an environment of its own brings the interpreter; without one the session needs no packages.
  const command = tool.work.session(workFolder, { ...places, python: pack.python ?? places.python });
  return { ...command, env: { ...command.env, ...sessionEnvironmentOf(pack) } };
}

async function locate(definition: PackDefinition, packs: PackPlaces): Promise<InstalledPack> {
  // The host has read and run the pack; the sizes of its files tell whether the pack is still there.
  const { pack, problem } = await findPack(definition, packs, { isKnownGood: true });
  if (pack === null) throw new Error(problem.message);
  return pack;
}
