/**
 * Asks for an export. The id follows from the account, the request and the ligands that have ended by now, so the same request is the same
 * export, also of two requests at once, and a request after more results is another one. The row comes first; a workflow that could
 * not be started is started by a repeat of the request or by the sweep. An export that has failed is made anew by the same request.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5 } from 'uuid';

import type { Diversity } from '../../../adapters/chemistry/chemistry.ts';
import type { JobWorkflows } from '../../../adapters/temporal/client.ts';
import type { Actor } from '../../../domain/access.ts';
import type { CreateExportRequest, ExportQuery } from '../../../domain/docking-exports.ts';
import { AppError } from '../../../domain/errors.ts';
import { canonicalSha256 } from '../../../tools/canonical.ts';
import { inTransaction } from '../../transaction.ts';
import { jobsOf } from '../results/list.ts';
import { matchedLigands } from '../results/pattern.ts';
import type { Patterns } from '../results/pattern.ts';
import { scopeOfResults } from '../results/scope.ts';
import type { DockedRow } from '../results/rows.ts';
import type { ResultScope } from '../results/scope.ts';
import { countIncluded, dockedPages, presentLigands, withDocked } from './included.ts';
import type { ExportSource, IncludedRun } from './included.ts';
import { readExport } from './read.ts';
import type { DockingExportResponse } from '../../../domain/answers.ts';

/** Says that an export could not be started yet. */
interface ExportLog {
  warn(facts: object, text: string): void;
}

export interface ExportDependencies {
  readonly db: DataSource;
  readonly patterns: Patterns;
  readonly diversity: Pick<Diversity, 'picks'>;
  readonly workflows: Pick<JobWorkflows, 'startExport'>;
  readonly log: ExportLog;
}

/** Namespace of the ids of exports. */
const EXPORT_IDS = '5b1a2a0e-6a53-5c0e-9a55-3f0c1f6f7d42';
/** Raised when the same request makes another file, so that the file of before is not answered. */
const FILE_VERSION = 3;

const ASK = `
  insert into docking_exports as e (id, account_id, user_id, batch_id, run_id, format, query, included, result_count, complete)
  values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10)
  on conflict (id) do update set state = 'QUEUED', failure_code = null, failure_message = null, started_at = null, finished_at = null,
    swept_at = null where e.state = 'FAILED'
  returning xmax <> 0 as anew`;

/** Asks for an export. @throws NOT_FOUND, NOTHING_TO_EXPORT. */
export async function createExport(
  deps: ExportDependencies,
  actor: Actor,
  of: { readonly kind: ResultScope['kind']; readonly id: string },
  { format, ...asked }: CreateExportRequest,
): Promise<DockingExportResponse> {
  const { db } = deps;
  // Whether all has ended is read before the ligands, so that an export never says of too few that they are all.
  const scope = await scopeOfResults(db, actor, of.kind, of.id);
  if (scope.runs.some(({ runId, jobId }) => runId === jobId))
    throw new AppError(
      'NOT_FOUND',
      'The job was submitted by itself and has no run: its table and its poses are among its outputs.',
    );
  const query = format === 'sdf' ? { poses: 'best' as const, ...asked } : asked;
  const ligands = await matching(deps, scope, asked.smarts);
  const present = await inTransaction(
    db,
    async (tx) => {
      const found = { scope, format, query, included: ligands(await presentLigands(tx, scope)) };
      return { source: found, results: await countIncluded(tx, found) };
    },
    { isolation: 'REPEATABLE READ' },
  );
  if (present.results === 0) throw nothing(present.source);
  const { source, results } =
    asked.diverse === undefined ? present : await picked(deps, present.source, asked.diverse);
  const id = idOf(actor, of, source);
  const [row] = await db.query<{ anew: boolean }[]>(ASK, [
    id,
    actor.accountId,
    actor.userId,
    of.kind === 'batch' ? of.id : null,
    of.kind === 'run' ? of.id : null,
    format,
    JSON.stringify(query),
    JSON.stringify(source.included),
    results,
    scope.final,
  ]);
  const input = { exportId: id, accountId: actor.accountId, format, results };
  // The workflow of an export that has just failed may still be closing, and would take no further work.
  await startExport(deps, input, row?.anew === true ? 'anew' : 'once');
  return readExport(db, actor, id);
}

/** Leaves the docked ligands whose molecules have the pattern, so that whoever writes the file needs no pattern. */
async function matching(
  { db, patterns }: ExportDependencies,
  scope: ResultScope,
  smarts: string | undefined,
): Promise<(included: readonly IncludedRun[]) => readonly IncludedRun[]> {
  if (smarts === undefined) return (included) => included;
  const found = await matchedLigands(db, patterns, jobsOf(scope), smarts);
  return (included) => withDocked(included, found);
}

/** Leaves of the docked ligands so many that differ most from each other. @throws SERVICE_UNAVAILABLE. */
async function picked(
  { db, diversity }: Pick<ExportDependencies, 'db' | 'diversity'>,
  source: ExportSource,
  count: number,
): Promise<{ readonly source: ExportSource; readonly results: number }> {
  const rows: DockedRow[] = [];
  for await (const page of dockedPages(db, source)) rows.push(...page);
  const picks = await diversity.picks(
    rows.map((row) => row.smiles_docked ?? ''),
    count,
  );
  if (picks === null) {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'Molecules cannot be compared at the moment. Repeat the request shortly, or leave diverse out.',
    );
  }
  const chosen = picks.flatMap((place) => rows[place] ?? []);
  const left = { ...source, included: withDocked(source.included, chosen) };
  const results = await countIncluded(db, left);
  if (results === 0) throw nothing(left);
  return { source: left, results };
}

/** Starts the workflow of an export; one that runs or has ended makes nothing twice. */
async function startExport(
  { workflows, log }: Pick<ExportDependencies, 'workflows' | 'log'>,
  ...start: Parameters<JobWorkflows['startExport']>
): Promise<void> {
  const [input] = start;
  try {
    await workflows.startExport(...start);
  } catch (error) {
    log.warn({ err: error, exportId: input.exportId }, 'an export was not started, and will be by the sweep');
  }
}

function idOf(
  { accountId }: Pick<Actor, 'accountId'>,
  of: { readonly kind: ResultScope['kind']; readonly id: string },
  { scope, format, query, included }: ExportSource,
): string {
  const request = {
    version: FILE_VERSION,
    ...of,
    format,
    query: distinct(query),
    included,
    final: scope.final,
  };
  return uuidv5(canonicalSha256(request), uuidv5(accountId, EXPORT_IDS));
}

/** The query with each interaction once and in one order, as they are looked for. */
function distinct(query: ExportQuery): ExportQuery {
  if (query.interaction === undefined) return query;
  return { ...query, interaction: [...new Set(query.interaction)].sort() };
}

function nothing({ scope, format, included }: ExportSource): AppError {
  const isEmpty = included.every(({ docked, others }) => docked === '{}' && others === '{}');
  const noDocked = included.every(({ docked }) => docked === '{}');
  const words = isEmpty
    ? 'No ligand has ended yet.'
    : (format === 'sdf' || format === 'smi') && noDocked
      ? 'No ligand is docked, so there are neither poses nor molecules; ask for csv or parquet to get the failures.'
      : 'Results are there, and none passes the filters.';
  const later = scope.final ? '' : ' The work is still going on.';
  return new AppError('NOTHING_TO_EXPORT', `${words}${later}`);
}
