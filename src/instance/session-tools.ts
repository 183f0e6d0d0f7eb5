/** The tools of an instance, with the Python side and the packs of its machine put in. */
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findPack } from '../packs/find.ts';
import { sessionEnvironmentOf } from '../packs/pack.ts';
import type { InstalledPack, PackDefinition, PackPlaces } from '../packs/pack.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { SessionCommand, Tool, ToolInstallation } from '../tools/tool.ts';
import { ToolMissingError } from './repeat.ts';
import type { SessionTool } from './slots.ts';

/** Places of the Python side and of the packs on this machine. */
export interface SessionPlaces extends ToolInstallation {
  readonly packs: PackPlaces;
}

/** How long a pack that is gone is waited for, and how often it is looked for meanwhile. */
export interface PackPatience {
  readonly waitMs: number;
  readonly lookMs: number;
}

/** Folders beside that of the programs in which their libraries and helpers lie. */
const LIBRARIES = ['lib', 'lib64', 'libexec'];

/** An operator who installs a pack anew removes it first, and jobs that run do not fail by that. */
const PATIENCE: PackPatience = { waitMs: 20_000, lookMs: 1_000 };

/** Finds the tool of a claim, with the variant of its programs; null for a tool that this version does not have. */
export type FindSessionTool = (id: string, variant?: string | null) => SessionTool | null;

/** Answers by which an instance finds the tool of a claim; null for a tool that this version does not have. */
export function findSessionTool(
  tools: ToolRegistry,
  places: SessionPlaces,
  patience: PackPatience = PATIENCE,
): FindSessionTool {
  const locate = createPackLocator(places.packs, patience);
  return (id, variant = null) => {
    const tool = tools.lookUp(id);
    if (tool === null) return null;
    return {
      id: tool.about.id,
      startsAhead: tool.work.startsAhead,
      session: (workFolder, signal, vcpus) =>
        sessionOf(tool, {
          workFolder,
          installation: { ...places, vcpus },
          locate: (pack) => locate(pack, variant, signal),
        }),
    };
  };
}

interface SessionOrder {
  readonly workFolder: string;
  readonly installation: ToolInstallation;
  readonly locate: (pack: PackDefinition) => Promise<InstalledPack>;
}

async function sessionOf(
  tool: Tool,
  { workFolder, installation, locate }: SessionOrder,
): Promise<SessionCommand> {
  if (tool.pack === null) return tool.work.session(workFolder, installation);
  const pack = await locate(tool.pack);
  // A pack with an environment of its own brings the interpreter; without one the session needs no packages.
  const { python, programs } = pack;
  const own = { ...installation, python: python ?? installation.python, programs };
  const command = tool.work.session(workFolder, own);
  const env = { ...command.env, ...sessionEnvironmentOf(pack) };
  return { ...command, env, reads: [...command.reads, ...(await foldersOf(pack))] };
}

/** Lists the folders of a pack's programs, and of the libraries beside them where others have installed it. */
async function foldersOf({ folder, programs }: InstalledPack): Promise<readonly string[]> {
  const files = Object.values(programs);
  const real = await Promise.all(files.map((file) => realpath(file)));
  const places = [...files, ...real].map((file) => dirname(file));
  return [
    folder,
    ...places,
    ...places.flatMap((place) => LIBRARIES.map((name) => join(dirname(place), name))),
  ];
}

/**
 * Finds packs for sessions. A pack that is gone is waited for once, from the moment when it was first missed: the tasks
 * of a job that come afterwards fail at once, so that ten thousand of them do not wait one after the other.
 */
function createPackLocator(
  packs: PackPlaces,
  { waitMs, lookMs }: PackPatience,
): (pack: PackDefinition, variant: string | null, signal: AbortSignal) => Promise<InstalledPack> {
  const missedAt = new Map<string, number>();
  return async (definition, variant, signal) => {
    const { name, title, version } = definition;
    for (;;) {
      // The host has read and run the pack; the sizes of its files tell whether the pack is still there.
      const { pack } = await findPack(definition, packs, { isKnownGood: true, variant });
      if (pack !== null) {
        missedAt.delete(name);
        return pack;
      }
      const now = performance.now();
      const since = missedAt.get(name) ?? now;
      missedAt.set(name, since);
      // Customers read these words. The fault of the pack, and its place, are in the log of the host.
      if (now - since >= waitMs)
        throw new ToolMissingError(
          `The programs of ${title} ${variant ?? version} are not installed on the machine any more.`,
        );
      await sleep(lookMs, undefined, { signal });
    }
  };
}
