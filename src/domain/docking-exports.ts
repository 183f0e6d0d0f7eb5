/** Exports of docking results as they are asked for and answered. */
import type { ResultQuery } from './docking-lists.ts';

/** The formats of exports. */
export const EXPORT_FORMATS = ['csv', 'sdf', 'parquet', 'smi'] as const;

/** One of these. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** States of an export. */
export const EXPORT_STATES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED'] as const;

/** One of these. */
export type ExportState = (typeof EXPORT_STATES)[number];

/** Statuses of ligands in an export; a ligand that waits or runs is in none. */
export const EXPORTED_STATUSES = ['SUCCEEDED', 'FAILED', 'CANCELLED'] as const;

/** Modes of each ligand in an SDF. */
export const EXPORTED_POSES = ['best', 'all'] as const;

/** Selection of the exported results, and their order. */
export interface ExportQuery extends Omit<ResultQuery, 'limit' | 'cursor' | 'status'> {
  readonly status?: (typeof EXPORTED_STATUSES)[number];
  /** Number of docked ligands, the first in the order, without any others. */
  readonly topN?: number;
  /** Number of these that differ most from each other, the first in the order among them. */
  readonly diverse?: number;
  readonly poses?: (typeof EXPORTED_POSES)[number];
}

/** POST …/export. */
export interface CreateExportRequest extends ExportQuery {
  readonly format: ExportFormat;
}
