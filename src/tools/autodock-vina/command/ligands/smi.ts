/** SMILES files: a SMILES and a name on each line, blanks between them. */
import { smilesDraft } from './draft.ts';
import type { LigandDraft } from './draft.ts';

/** Reads a SMILES file. A first line of headings, empty lines and lines that start with # are skipped. */
export function readSmi(text: string): LigandDraft[] {
  const drafts: LigandDraft[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    const line = raw.trim();
    // No SMILES starts with #: a bond needs an atom before it.
    if (line === '' || line.startsWith('#')) continue;
    const [smiles = '', ...rest] = line.split(/[\t ]+/);
    const isHeading = drafts.length === 0 && /^(canonical_?|isomeric_?)?smiles$/i.test(smiles);
    if (!isHeading) drafts.push(smilesDraft(smiles, rest.join(' '), index + 1));
  }
  return drafts;
}
