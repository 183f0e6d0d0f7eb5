/** Entries of the archive of structures. */
import { EntitySchema } from 'typeorm';

import { bigint, integer, json, nullable, primary, text, time, uuid, writeTime } from './columns.ts';

/** A revision of an entry as it was fetched. */
export interface DepositedStructure {
  /** The id in small letters. */
  pdbId: string;
  sha256: string;
  byteSize: number;
  storageKey: string;
  fetchedAt: Date;
}

/** Table `deposited_structures`. */
export const DepositedStructureEntity = new EntitySchema<DepositedStructure>({
  name: 'DepositedStructure',
  tableName: 'deposited_structures',
  columns: {
    pdbId: primary(text),
    sha256: primary(text),
    byteSize: bigint,
    storageKey: text,
    fetchedAt: writeTime,
  },
});

/** The last look at the archive for an entry. */
export interface StructureImport {
  pdbId: string;
  /** ABSENT: the archive has no such entry. UNREACHABLE: it did not answer with the entry. */
  state: 'FETCHING' | 'DONE' | 'ABSENT' | 'UNREACHABLE';
  /** The newest revision that was ever fetched. */
  sha256: string | null;
  /** The account that asked for the look. */
  accountId: string;
  askedAt: Date;
  endedAt: Date | null;
}

/** Table `structure_imports`. */
export const StructureImportEntity = new EntitySchema<StructureImport>({
  name: 'StructureImport',
  tableName: 'structure_imports',
  columns: {
    pdbId: primary(text),
    state: text,
    sha256: nullable(text),
    accountId: uuid,
    askedAt: writeTime,
    endedAt: nullable(time),
  },
});

/** Facts of a structure file. */
export interface StoredStructureFacts {
  sha256: string;
  format: string;
  /** The version of the reading. */
  reader: number;
  facts: unknown;
  madeAt: Date;
}

/** Table `structure_facts`. */
export const StructureFactsEntity = new EntitySchema<StoredStructureFacts>({
  name: 'StructureFacts',
  tableName: 'structure_facts',
  columns: {
    sha256: primary(text),
    format: primary(text),
    reader: primary(integer),
    facts: json,
    madeAt: writeTime,
  },
});
