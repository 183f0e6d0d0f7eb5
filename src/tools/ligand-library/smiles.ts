/** SMILES as libraries have them. Whether a SMILES is sound is judged where the ligand is prepared. */
import { createHash } from 'node:crypto';

import { LONGEST_SMILES } from './record.ts';

/** The headings of a column of SMILES. Of several the first kind is read, because canonical SMILES are often without stereo. */
const SMILES_HEADINGS = [/^iso(meric)?[ _-]?smiles$/i, /^smiles$/i, /^canonical[ _-]?smiles$/i] as const;

/** Whether a text is the heading of a column of SMILES. */
export function isSmilesHeading(text: string): boolean {
  return SMILES_HEADINGS.some((heading) => heading.test(text));
}

/** The column of SMILES by its heading; -1 where there is none. */
export function smilesColumn(headings: readonly string[]): number {
  for (const kind of SMILES_HEADINGS) {
    const column = headings.findIndex((heading) => kind.test(heading));
    if (column !== -1) return column;
  }
  return -1;
}

/** Atoms, bonds, branches and rings, one after the other: what stands in a SMILES and in hardly a heading. */
const TOKENS = /^(?:Br|Cl|[BCNOPSFIbcnops*]|\[[^\]\s]+\]|%\d\d|[0-9()=#$:/\\.~@+-])+$/;

/** Whether a text may be a SMILES, so that a table whose first cell it is has no headings. */
export function looksLikeSmiles(text: string): boolean {
  return text.length <= LONGEST_SMILES && TOKENS.test(text);
}

/** Why a text is no SMILES that can be docked; null when it may be one. */
export function smilesFault(smiles: string): string | null {
  if (smiles === '') return 'The record has no SMILES.';
  if (smiles.length > LONGEST_SMILES)
    return `The record has a SMILES of ${smiles.length} characters; ${LONGEST_SMILES} are the most.`;
  return /^[\x21-\x7e]+$/.test(smiles) ? null : 'The SMILES has blanks or letters that no SMILES has.';
}

/** The digest of a structure. */
export function structureSha256(structure: Uint8Array | string): string {
  return createHash('sha256').update(structure).digest('hex');
}
