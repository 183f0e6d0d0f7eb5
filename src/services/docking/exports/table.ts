/**
 * An export as a table: one row for each id of the library, docked ligands first. The columns are those of a result as it is
 * answered, then the further columns or tags of the library under a prefix, so that none is taken for a column of ours.
 */
import { DESCRIPTOR_NUMBERS } from '../../../domain/descriptors.ts';
import { resultIdOf } from '../../../domain/docking-ids.ts';
import { costOfState } from '../../../domain/docking-results.ts';
import type { Queryable } from '../../transaction.ts';
import type { DockedRow, OtherRow } from '../results/rows.ts';
import { dockedPages, otherPages, ranksOfIncluded } from './included.ts';
import type { ExportSource } from './included.ts';

/** A value of a cell. */
export type CellValue = string | number | null;

/** A ligand of an export. */
export type ExportedRow =
  | { readonly part: 'docked'; readonly row: DockedRow; readonly rank: number | null }
  | { readonly part: 'others'; readonly row: OtherRow; readonly rank: null };

/** A column: its name, what its values are, and how a value is made of a row. */
export interface ExportColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'number';
  of(row: ExportedRow): CellValue;
}

/** The beginning of the names of the library's own columns. */
export const INPUT_PREFIX = 'input_';

const text = (name: string, of: ExportColumn['of']): ExportColumn => ({ name, type: 'text', of });
const ofDocked =
  (value: (row: DockedRow) => CellValue): ExportColumn['of'] =>
  (one) =>
    one.part === 'docked' ? value(one.row) : null;
const ofOther =
  (value: (row: OtherRow) => CellValue): ExportColumn['of'] =>
  (one) =>
    one.part === 'others' ? value(one.row) : null;
const integer = (name: string, value: (row: DockedRow) => CellValue): ExportColumn => ({
  name,
  type: 'integer',
  of: ofDocked(value),
});
const number = (name: string, value: (row: DockedRow) => CellValue): ExportColumn => ({
  name,
  type: 'number',
  of: ofDocked(value),
});

/** The columns of an export of these runs, with those of the library in the order of its file. */
export function columnsOf(source: ExportSource, propertyNames: readonly string[]): readonly ExportColumn[] {
  const runs = new Map(source.scope.runs.map(({ jobId, runId }) => [jobId, runId]));
  return [
    { name: 'rank', type: 'integer', of: ({ rank }) => rank },
    text('ligand_id', ({ row }) => row.ligand_id),
    text('label', ({ row }) => row.label),
    text('status', (one) => (one.part === 'docked' ? 'SUCCEEDED' : one.row.state)),
    number('best_affinity_kcal_mol', (row) => row.best_affinity_kcal_mol),
    number('ligand_efficiency', (row) => row.ligand_efficiency),
    number('size_independent_efficiency', (row) => row.size_independent_efficiency),
    integer('pose_count', (row) => row.pose_count),
    integer('plausible_pose_count', (row) => row.plausible_pose_count),
    integer('heavy_atoms', (row) => row.heavy_atoms),
    integer('formal_charge', (row) => row.formal_charge),
    text('smiles_input', (one) => (one.part === 'docked' ? one.row.smiles_input : one.row.smiles)),
    text(
      'smiles_docked',
      ofDocked((row) => row.smiles_docked),
    ),
    ...DESCRIPTOR_NUMBERS.map(({ name, column, isWhole }) =>
      (isWhole ? integer : number)(column, (row) => row.descriptors?.[name] ?? null),
    ),
    text(
      'alerts',
      ofDocked((row) => listed(row.descriptors?.alerts ?? [])),
    ),
    text(
      'scaffold',
      ofDocked((row) => row.descriptors?.scaffold ?? null),
    ),
    number('second_affinity_kcal_mol', (row) => row.second_affinity_kcal_mol),
    integer('second_rank', (row) => row.second_rank),
    text(
      'key_interactions',
      ofDocked((row) => listed(row.key_interactions ?? [])),
    ),
    integer('cluster', (row) => row.cluster),
    integer('states_docked', (row) => row.states?.each.length ?? null),
    number('state_cost_kcal_mol', (row) => costOfState(row.states)),
    text('warnings', ofDocked(warningCodes)),
    text(
      'failure_code',
      ofOther((row) => row.failure_code),
    ),
    text(
      'failure_message',
      ofOther((row) => row.failure_message),
    ),
    text('run_id', ({ row }) => runs.get(row.job_id) ?? null),
    text('result_id', ({ row }) => resultIdOf(row.job_id, row.place)),
    text(
      'cached_from_result_id',
      ofDocked((row) => row.cached_from_result_id),
    ),
    { name: 'library_line', type: 'integer', of: ({ row }) => row.line },
    ...propertyNames.map((name) => text(`${INPUT_PREFIX}${name}`, ({ row }) => propertyOf(row, name))),
  ];
}

/** The codes of a ligand's warnings, each once and in the order of ranking.csv; null for none. */
export function warningCodes({ warnings }: DockedRow): string | null {
  return listed([...new Set(warnings.map(({ code }) => code))].sort());
}

function listed(texts: readonly string[]): string | null {
  return texts.length === 0 ? null : texts.join('; ');
}

/** All rows in pages: docked ligands in the asked order, then the others by id. */
export async function* tablePages(
  db: Queryable,
  source: ExportSource,
): AsyncGenerator<readonly ExportedRow[]> {
  const ranks = await ranksOfIncluded(db, source);
  for await (const rows of dockedPages(db, source))
    yield rows.map((row) => ({ part: 'docked', row, rank: ranks.get(row.ligand_id) ?? null }));
  for await (const rows of otherPages(db, source))
    yield rows.map((row) => ({ part: 'others', row, rank: null }));
}

function propertyOf({ properties }: DockedRow | OtherRow, name: string): string | null {
  return properties !== null && Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
}
