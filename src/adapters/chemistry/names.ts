/**
 * Ordinary names of drugs and reagents that the dictionary of components has under other names or not at all, from `names.tsv`. A row
 * has its names, the SMILES as the name is usually meant (a racemate without labels), the InChIKey, and where the structure was checked.
 */
import { readFileSync } from 'node:fs';

import type { KnownMolecule, KnownMolecules } from './chemistry.ts';
import { foldName } from './dictionary.ts';

/** The rows of the table. */
export function readNames(): KnownMolecule[] {
  const lines = readFileSync(new URL('./names.tsv', import.meta.url), 'utf8').split('\n');
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [names = '', smiles = '', inchiKey = '', source = ''] = line.split('\t');
      return { names: names.split('; '), smiles, inchiKey, source };
    });
}

/** Opens the table. */
export function openNames(): KnownMolecules {
  const rows = readNames();
  const byName = new Map(rows.flatMap((row) => row.names.map((name) => [foldName(name), row] as const)));
  const byKey = new Map(rows.map((row) => [row.inchiKey, row]));
  return {
    byName: (text) => byName.get(foldName(text)) ?? null,
    byInchiKey: (key) => byKey.get(key) ?? null,
  };
}
