/** SMILES as libraries have them. Whether a SMILES is sound is judged where the ligand is prepared. */
import { hash } from 'node:crypto';

import { LONGEST_SMILES } from './record.ts';

/** The headings of a column of SMILES. Of several the first kind is read, because canonical SMILES are often without stereo. */
const SMILES_HEADINGS = [/^iso(meric)?[ _-]?smiles$/i, /^smiles$/i, /^canonical[ _-]?smiles$/i] as const;

/** Any other heading with the word, such as Ligand SMILES, cxsmiles or Smiles_String. */
const WITH_THE_WORD = /smiles/i;
/** Other headings of the first column of a SMILES file. */
const STRUCTURES = /^(structures?|molecules?|mol|compounds?)$/i;

/** Whether the first text of a SMILES file is the heading of its column; none of these words can be a SMILES. */
export function isSmilesHeading(text: string): boolean {
  return WITH_THE_WORD.test(text) || STRUCTURES.test(text);
}

/** The column of SMILES by its heading; -1 where there is none, or where several may be meant. */
export function smilesColumn(headings: readonly string[]): number {
  for (const kind of SMILES_HEADINGS) {
    const column = headings.findIndex((heading) => kind.test(heading));
    if (column !== -1) return column;
  }
  const [only, ...others] = headings.flatMap((heading, column) =>
    WITH_THE_WORD.test(heading) ? [column] : [],
  );
  return only === undefined || others.length > 0 ? -1 : only;
}

/** Atoms, bonds, branches and rings, one after the other: what stands in a SMILES and in hardly a heading. */
const TOKENS = /^(?:Br|Cl|[BCNOPSFIbcnops*]|\[[^\]\s]+\]|%\d\d|%\(\d{1,5}\)|[0-9()=#$:/\\.~@+<>-])*/;
/** The extension of ChemAxon behind a SMILES, such as `|&1:1|`. */
const EXTENSION = /^\|([^|]*)\|\s*/;

/** Whether a text may be a SMILES, so that a table whose first cell it is has no headings. */
export function looksLikeSmiles(text: string): boolean {
  return text !== '' && text.length <= LONGEST_SMILES && soundLength(text) === text.length;
}

/** How many characters a text has before the first one that stands in no SMILES there. */
function soundLength(text: string): number {
  return TOKENS.exec(text)?.[0].length ?? 0;
}

/** Cuts the extension of ChemAxon off the text behind a SMILES; the extension tells what an isomer is meant to stand for. */
export function withoutExtension(text: string): { readonly text: string; readonly extension: string } {
  const [whole = '', extension = ''] = EXTENSION.exec(text) ?? [];
  return { text: text.slice(whole.length), extension };
}

/** Why a text is no SMILES that can be docked; null when it may be one. */
export function smilesFault(smiles: string): string | null {
  if (smiles === '') return 'The record has no SMILES.';
  if (smiles.length > LONGEST_SMILES)
    return `The record has a SMILES of ${smiles.length} characters; ${LONGEST_SMILES} are the most.`;
  if (!/^[\x21-\x7e]+$/.test(smiles)) return 'The SMILES has blanks or letters that no SMILES has.';
  const sound = soundLength(smiles);
  if (sound === smiles.length) return null;
  const sign = smiles.charAt(sound);
  if (sign === ',' || sign === ';')
    return `The SMILES has "${sign}" in it. Where that stands between the columns, call the file .csv.`;
  const what = sign === '[' ? 'a bracket that is never closed' : `"${sign}"`;
  return `The text is no SMILES: its character ${sound + 1} is ${what}.`;
}

/** The digest of a structure. */
export function structureSha256(structure: Uint8Array | string): string {
  return hash('sha256', structure);
}
