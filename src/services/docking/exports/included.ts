/**
 * The ligands of an export: those that have ended when the export is asked for. They are kept as the ordinals of each job, in ranges, so
 * that ten thousand ligands are a few bytes, and what is written later is what was counted, however many results have
 * arrived meanwhile. Filters are applied to these ligands by the statements of the lists.
 */
import type { ExportFormat, ExportQuery } from '../../../domain/docking-exports.ts';
import type { Queryable } from '../../transaction.ts';
import { dockedParameters, filtersDocked, jobsOf, othersParameters } from '../results/list.ts';
import {
  INCLUDED_COUNT,
  INCLUDED_OTHERS,
  INCLUDED_OTHERS_COUNT,
  INCLUDED_PAGES,
  INCLUDED_RANKS,
  PRESENT_LIGANDS,
} from '../results/page-sql.ts';
import type { DockedRow, OtherRow } from '../results/rows.ts';
import type { ResultScope } from '../results/scope.ts';

/** The ligands of one job, as multiranges of ordinals such as `{[0,12),[13,20)}`. */
export interface IncludedRun {
  readonly jobId: string;
  readonly docked: string;
  readonly others: string;
}

/** The request, the jobs, and the ligands of an export. */
export interface ExportSource {
  readonly scope: ResultScope;
  readonly format: ExportFormat;
  readonly query: ExportQuery;
  readonly included: readonly IncludedRun[];
}

const PAGE = 1_000;
/** More than a batch has ligands. */
const ALL = 1_000_000;

/** The ligands that have ended by now. */
export async function presentLigands(tx: Queryable, scope: ResultScope): Promise<readonly IncludedRun[]> {
  const rows = await tx.query<{ job_id: string; docked: string; others: string }[]>(PRESENT_LIGANDS, [
    jobsOf(scope),
  ]);
  return rows.map(({ job_id: jobId, docked, others }) => ({ jobId, docked, others }));
}

/** Narrows the docked ligands of an export to these. None that has ended since is among them, which the statements see to. */
export function withDocked(
  included: readonly IncludedRun[],
  ligands: readonly { readonly job_id: string; readonly ordinal: number }[],
): readonly IncludedRun[] {
  const byJob = Map.groupBy(ligands, (ligand) => ligand.job_id);
  return included.map((run) => {
    const ranges = (byJob.get(run.jobId) ?? []).map(({ ordinal }) => `[${ordinal},${ordinal + 1})`);
    return { ...run, docked: `{${ranges.join(',')}}` };
  });
}

/** The scope of the docked ligands: of records with one structure the first alone, where those are wanted that differ most. */
function scopeOfDocked({ scope, query }: ExportSource): ResultScope {
  return query.diverse === undefined ? scope : { ...scope, hasRepeated: false };
}

/** How many results the export has. */
export async function countIncluded(tx: Queryable, source: ExportSource): Promise<number> {
  const { scope, query } = source;
  const most = query.topN ?? ALL;
  const docked = wantsDocked(source)
    ? await tx.query<{ count: number }[]>(INCLUDED_COUNT, [
        ...dockedParameters(scopeOfDocked(source), { ...query, sort: 'ligandId' }, null, most),
        setsOf(source, 'docked'),
      ])
    : [];
  const others = wantsOthers(source)
    ? await tx.query<{ count: number }[]>(INCLUDED_OTHERS_COUNT, [
        ...othersParameters(scope, query, null, ALL),
        setsOf(source, 'others'),
      ])
    : [];
  return (docked[0]?.count ?? 0) + (others[0]?.count ?? 0);
}

/** Docked ligands in the asked order, in pages of so many, which never pass the number that was asked for. */
export async function* dockedPages(
  db: Queryable,
  source: ExportSource,
  size = PAGE,
): AsyncGenerator<readonly DockedRow[]> {
  if (!wantsDocked(source)) return;
  const { query } = source;
  const scope = scopeOfDocked(source);
  let left = query.topN ?? ALL;
  let after: { readonly key: number; readonly ligandId: string } | null = null;
  while (left > 0) {
    const most = Math.min(size, left);
    const rows: DockedRow[] = await db.query(INCLUDED_PAGES[query.sort], [
      ...dockedParameters(scope, query, after, most),
      setsOf(source, 'docked'),
    ]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < most) return;
    after = { key: last.key, ligandId: last.ligand_id };
    left -= rows.length;
  }
}

/** Ligands that have ended without poses, by their ids, in pages. */
export async function* otherPages(db: Queryable, source: ExportSource): AsyncGenerator<readonly OtherRow[]> {
  if (!wantsOthers(source)) return;
  const { scope, query } = source;
  let after: { readonly ligandId: string } | null = null;
  for (;;) {
    const rows: OtherRow[] = await db.query(INCLUDED_OTHERS, [
      ...othersParameters(scope, query, after, PAGE),
      setsOf(source, 'others'),
    ]);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = { ligandId: last.ligand_id };
  }
}

/** The rank of each docked ligand among all docked ligands that the export was asked for with, whatever is filtered. */
export async function ranksOfIncluded(
  db: Queryable,
  source: ExportSource,
): Promise<ReadonlyMap<string, number>> {
  const { scope } = source;
  const parameters = [jobsOf(scope), scope.libraryId, setsOf(source, 'docked')];
  const rows = await db.query<{ ligand_id: string; rank: number }[]>(INCLUDED_RANKS, parameters);
  return new Map(rows.map(({ ligand_id, rank }) => [ligand_id, rank]));
}

function wantsDocked({ query }: ExportSource): boolean {
  return query.status === undefined || query.status === 'SUCCEEDED';
}

/** Poses and SMILES are of docked ligands alone, and so are the best of a number, those that differ most, and what filters of poses leave. */
function wantsOthers({ format, query }: ExportSource): boolean {
  const isTable = format === 'csv' || format === 'parquet';
  return isTable && query.topN === undefined && query.diverse === undefined && !filtersDocked(query);
}

/** The ordinals of each job, in the order of the scope's jobs. A run that began after the export was asked for has none. */
function setsOf({ scope, included }: ExportSource, part: 'docked' | 'others'): readonly string[] {
  const byJob = new Map(included.map((run) => [run.jobId, run[part]]));
  return jobsOf(scope).map((jobId) => byJob.get(jobId) ?? '{}');
}
