/**
 * Interactions of poses, and the contacts by which results are filtered. A contact names a type of interaction and a residue of
 * the receptor; the contacts of a result say in which of its modes each of them is, so that a filter asks for modes that have
 * several contacts at once.
 */

/** The types of interactions by their names in the contract. */
export const INTERACTION_TYPES = [
  'hydrogen_bond',
  'salt_bridge',
  'metal_coordination',
  'halogen_bond',
  'pi_stacking',
  'pi_cation',
  'water_bridge',
  'hydrophobic',
] as const;

/** A type of interaction. */
export type InteractionType = (typeof INTERACTION_TYPES)[number];

/** A residue of the receptor by its author's numbering; without an insertion code that code is empty. */
export interface InteractionResidue {
  readonly chain: string;
  readonly residue: number;
  readonly insertionCode: string;
  readonly residueName: string;
}

/** One interaction of a pose, as a result has it. */
export interface PoseInteraction {
  readonly type: InteractionType;
  /** The ligand's side of a hydrogen bond; other types have no role. */
  readonly ligandRole?: 'donor' | 'acceptor';
  readonly receptor: InteractionResidue & { readonly atom: string };
  /** Indices into the atoms of the pose's SDF, from 0. */
  readonly ligandAtoms: readonly number[];
  readonly distanceAngstrom: number;
  readonly angleDegrees: number | null;
  /** The water of a water bridge; other types have none. */
  readonly water?: InteractionResidue & { readonly distanceAngstrom: number };
}

/** In which of thirteen modes of a result a contact is. */
export interface ContactModes {
  readonly contact: string;
  /** Block 0 has modes 1 to 13, block 1 modes 14 to 26. */
  readonly block: number;
  /** Four bits a mode, of which the lowest is set. */
  readonly modes: number;
}

/** How many modes a block has: as many as have room in a number that is exact. */
export const MODES_PER_BLOCK = 13;
/** A mode counts up to seven contacts in its four bits, and the eighth bit is free to mark a mode that passes. */
export const MOST_CONTACTS = 7;
const BITS_PER_MODE = 4n;
const HIGHEST_BIT = 8n;

/** The contact of an interaction, such as `hydrogen_bond:A:GLN725`. */
export function contactOf({
  type,
  receptor,
}: {
  readonly type: string;
  readonly receptor: InteractionResidue;
}): string {
  const { chain, residueName, residue, insertionCode } = receptor;
  return `${type}:${chain}:${residueName}${residue}${insertionCode}`;
}

/** The contacts of a pose that bind in a direction, each once, so all but hydrophobic ones; null where none are known. */
export function keyInteractions(interactions: readonly PoseInteraction[] | null): string[] | null {
  if (interactions === null) return null;
  const key = interactions.filter(({ type }) => type !== 'hydrophobic').map(contactOf);
  return [...new Set(key)].sort();
}

/** The contacts of a result with the modes that have them, by contact and block. */
export function contactModes(
  poses: readonly { readonly mode: number; readonly interactions: readonly PoseInteraction[] | null }[],
): readonly ContactModes[] {
  const blocks = new Map<string, Map<number, bigint>>();
  for (const { mode, interactions } of poses) {
    const block = Math.floor((mode - 1) / MODES_PER_BLOCK);
    const bit = 1n << (BITS_PER_MODE * BigInt((mode - 1) % MODES_PER_BLOCK));
    for (const interaction of interactions ?? []) {
      const contact = contactOf(interaction);
      const modes = blocks.get(contact) ?? new Map<number, bigint>();
      modes.set(block, (modes.get(block) ?? 0n) | bit);
      blocks.set(contact, modes);
    }
  }
  return [...blocks].flatMap(([contact, modes]) =>
    [...modes].map(([block, bits]) => ({ contact, block, modes: Number(bits) })),
  );
}

/**
 * Computes the number to add to a sum over contacts so that the highest bit of a mode is set just where the mode has at least
 * `least` of them, and the mask of these bits.
 */
export function threshold(least: number): { readonly added: number; readonly mask: number } {
  let [added, mask] = [0n, 0n];
  for (let mode = 0n; mode < BigInt(MODES_PER_BLOCK); mode += 1n) {
    added |= (HIGHEST_BIT - BigInt(least)) << (BITS_PER_MODE * mode);
    mask |= HIGHEST_BIT << (BITS_PER_MODE * mode);
  }
  return { added: Number(added), mask: Number(mask) };
}

/** The modes that a sum, with its threshold added, marks as passing; the best first. */
export function passingModes(block: number, marked: number): readonly number[] {
  const bits = BigInt(marked);
  return Array.from({ length: MODES_PER_BLOCK }, (_, mode) => mode).flatMap((mode) =>
    (bits >> (BITS_PER_MODE * BigInt(mode))) & HIGHEST_BIT ? [block * MODES_PER_BLOCK + mode + 1] : [],
  );
}
