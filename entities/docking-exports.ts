/** Exports of results: what was asked for, over which ligands, and the file that was made of them. */
import { EntitySchema } from 'typeorm';

import {
  boolean,
  defaulted,
  insertTime,
  integer,
  json,
  nullable,
  primary,
  text,
  time,
  uuid,
} from './columns.ts';

/** A file of the results of a batch or a run. The id follows from account, request and ligands, so the same request has one row. */
export interface DockingExport {
  id: string;
  accountId: string;
  userId: string;
  /** Either the batch or the run is null. */
  batchId: string | null;
  runId: string | null;
  format: 'csv' | 'sdf' | 'parquet' | 'smi';
  /** The choice, the order and the filters as they were asked for (`ExportQuery`). */
  query: unknown;
  /** The ligands that were there when the export was asked for (`IncludedRun[]`). */
  included: unknown;
  state: 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  /** How many results the export has. */
  resultCount: number;
  /** Whether every job had ended, so that nothing was missing. */
  complete: boolean;
  artifactId: string | null;
  failureCode: string | null;
  failureMessage: string | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  /** When what attempts had left in the store was removed. */
  sweptAt: Date | null;
}

/** Table `docking_exports`. */
export const DockingExportEntity = new EntitySchema<DockingExport>({
  name: 'DockingExport',
  tableName: 'docking_exports',
  columns: {
    id: primary(uuid),
    accountId: uuid,
    userId: uuid,
    batchId: nullable(uuid),
    runId: nullable(uuid),
    format: text,
    query: json,
    included: json,
    state: defaulted(text, "'QUEUED'"),
    resultCount: integer,
    complete: boolean,
    artifactId: nullable(uuid),
    failureCode: nullable(text),
    failureMessage: nullable(text),
    createdAt: insertTime,
    startedAt: nullable(time),
    finishedAt: nullable(time),
    sweptAt: nullable(time),
  },
});
