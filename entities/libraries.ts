/** Ligand libraries that were indexed, and their records. */
import { EntitySchema } from 'typeorm';

import {
  bigint,
  defaulted,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  textArray,
  time,
  uuid,
} from './columns.ts';

/** A stored ligand library, or a list of a request, of which every record is known. */
export interface LigandLibrary {
  id: string;
  accountId: string;
  /** `list`: the ligands were sent as a list, and there is no file. */
  format: 'smi' | 'csv' | 'sdf' | 'list';
  /** The digest of the file as it was stored, packed or not, or of the list. */
  sha256: string;
  /** The version of the reader that made the index. */
  reader: number;
  /** The unpacked copy, of which instances read ranges; null for a list. */
  storageKey: string | null;
  byteSize: number | null;
  contentSha256: string | null;
  recordCount: number;
  /** The records that equal none before them. */
  taskCount: number;
  /** The records from which no ligand can be read. */
  unreadableCount: number;
  /** The names of further columns or tags, in the order in which the file has them first. */
  propertyNames: string[];
  /** Columns or tags that do not stay with the ligands, in whole or in part; null where all stay. */
  losses: unknown;
  /** When the library was opened last. */
  usedAt: Date;
  createdAt: Date;
}

/** Table `ligand_libraries`. */
export const LigandLibraryEntity = new EntitySchema<LigandLibrary>({
  name: 'LigandLibrary',
  tableName: 'ligand_libraries',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    format: text,
    sha256: text,
    reader: integer,
    storageKey: nullable(text),
    byteSize: nullable(bigint),
    contentSha256: nullable(text),
    recordCount: integer,
    taskCount: integer,
    unreadableCount: integer,
    propertyNames: defaulted(textArray, "'{}'"),
    losses: nullable(json),
    usedAt: defaulted(time, 'now()'),
    createdAt: insertTime,
  },
});

/** A record of a library. */
export interface LigandLibraryRecord {
  libraryId: string;
  /** The place of the record among the records of the library, counted from 0. */
  ordinal: number;
  ligandId: string;
  label: string;
  /** The line of the file on which the record begins; null in a list. */
  line: number | null;
  /** The bytes of the structure in the unpacked copy, the end not included, and their digest. */
  startByte: number | null;
  endByte: number | null;
  contentSha256: string | null;
  /** The digest by which equal records are found. */
  structureSha256: string;
  heavyAtoms: number | null;
  /** The SMILES as it was given, where the record is one. */
  smiles: string | null;
  /** The ordinal of the first record with an equal structure; null for that record itself. */
  sameAs: number | null;
  /** Why no ligand can be read from the record. */
  fault: string | null;
  /** Source and preparation of a ligand of a list. */
  source: unknown;
  /** Further columns or tags, by name. */
  properties: unknown;
}

/** Table `ligand_library_records`. */
export const LigandLibraryRecordEntity = new EntitySchema<LigandLibraryRecord>({
  name: 'LigandLibraryRecord',
  tableName: 'ligand_library_records',
  columns: {
    libraryId: primary(uuid),
    ordinal: primary(integer),
    ligandId: text,
    label: text,
    line: nullable(integer),
    startByte: nullable(bigint),
    endByte: nullable(bigint),
    contentSha256: nullable(text),
    structureSha256: text,
    heavyAtoms: nullable(integer),
    smiles: nullable(text),
    sameAs: nullable(integer),
    fault: nullable(text),
    source: nullable(json),
    properties: defaulted(json, "'{}'"),
  },
});
