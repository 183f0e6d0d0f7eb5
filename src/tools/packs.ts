/** The packs of the tools. Two tools may share a pack. */
import type { PackDefinition } from '../packs/pack.ts';
import type { Tool } from './tool.ts';

/** Each pack once, in the order of the tools, with its other versions behind it. */
export function packsOf(tools: readonly Tool[]): readonly PackDefinition[] {
  const packs = tools.flatMap(({ pack }) =>
    pack === null ? [] : [pack, ...Object.values(pack.versions ?? {})],
  );
  return packs.filter((pack, index) => packs.indexOf(pack) === index);
}
