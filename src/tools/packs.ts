/** The packs of the tools, of which two may share one, and the pack of the machine that all of them run in. */
import { bubblewrapPack } from '../packs/bubblewrap.ts';
import type { PackDefinition } from '../packs/pack.ts';
import type { Tool } from './tool.ts';

/** Each pack once: those of the tools in their order, and the sandbox's. */
export function packsOf(tools: readonly Tool[]): readonly PackDefinition[] {
  const packs = tools.flatMap(({ pack }) => (pack === null ? [] : [pack]));
  return [...packs.filter((pack, index) => packs.indexOf(pack) === index), bubblewrapPack];
}
