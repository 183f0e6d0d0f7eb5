/**
 * An export as SMILES: a line for each docked ligand, its structure and its id, which is a library that can be docked again. The
 * structure is the one that was sent, where that was SMILES: the one that was docked has its charges at the pH already.
 */
import type { DockedRow } from '../results/rows.ts';

/** The bytes of the file, page by page. */
export async function* smilesFile(pages: AsyncIterable<readonly DockedRow[]>): AsyncGenerator<Uint8Array> {
  for await (const rows of pages) {
    const lines = rows.map((row) => `${row.smiles_input ?? row.smiles_docked ?? '*'}\t${row.ligand_id}\n`);
    yield Buffer.from(lines.join(''), 'utf8');
  }
}
