/** The catalogue of databases: which sequences the operator keeps for all customers, and where their files are. */
import { EntitySchema } from 'typeorm';

import { bigint, insertTime, json, nullable, primary, text, time, uuid } from './columns.ts';

/** One entry of the catalogue; only its removal is ever written again. */
export interface CatalogueEntry {
  id: string;
  name: string;
  type: 'prot' | 'nucl';
  version: string;
  /** A day of the calendar, YYYY-MM-DD. */
  date: string;
  /** SHA-256 of the one file, or of the lines `{sha256}  {name}` of all files, sorted by name. */
  checksum: string;
  letters: number;
  sequences: number;
  /** Name, key, size and digest of each file. */
  files: unknown;
  addedAt: Date;
  /** Set when the entry was removed or replaced; the sweep removes its files later. */
  removedAt: Date | null;
}

/** Table `databases`. */
export const DatabaseEntity = new EntitySchema<CatalogueEntry>({
  name: 'Database',
  tableName: 'databases',
  columns: {
    id: primary(uuid),
    name: text,
    type: text,
    version: text,
    date: text,
    checksum: text,
    letters: bigint,
    sequences: bigint,
    files: json,
    addedAt: insertTime,
    removedAt: nullable(time),
  },
});
