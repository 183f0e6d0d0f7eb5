/** A row of the catalogue of databases with every column set. */
import { v7 as uuidv7 } from 'uuid';

import type { CatalogueEntry } from '../../entities/databases.ts';

/** An entry that was removed. */
export const CATALOGUE_ENTRY: CatalogueEntry = {
  ...{ id: uuidv7(), name: 'decoys', type: 'prot', version: '1', date: '2026-11-22' },
  ...{ letters: Number.MAX_SAFE_INTEGER, sequences: 1, checksum: 'a'.repeat(64) },
  files: [{ fileName: 'decoys.fasta', storageKey: 'databases/x', byteSize: 1, sha256: 'a'.repeat(64) }],
  addedAt: new Date('2026-02-03T04:05:06.789Z'),
  removedAt: new Date('2026-02-04T04:05:06.789Z'),
};
