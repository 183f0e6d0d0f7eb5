/**
 * Results of a batch or a run, also while it runs: a page reads what is committed at that moment, in one snapshot, so a ligand is
 * on it as soon as its commit is through, and on no page twice by moving between two statements. Docked ligands come in the
 * asked order, then those that are not docked by their ids. A rank is that among all docked ligands, whatever is filtered.
 */
import type { DataSource } from 'typeorm';

import type { Actor } from '../../../domain/access.ts';
import { descriptorPath } from '../../../domain/descriptors.ts';
import { passingModes, threshold } from '../../../domain/docking-interactions.ts';
import type { ResultQuery } from '../../../domain/docking-lists.ts';
import { validationOf } from '../../../domain/docking-validation.ts';
import { encodeCursor, foreignCursor, readCursor, scopeOf } from '../../cursor.ts';
import { inSnapshot } from '../../transaction.ts';
import type { Queryable } from '../../transaction.ts';
import {
  DOCKED_PAGES,
  DOCKED_PAGES_OF_ONE,
  DOCKED_PAGES_PLAIN,
  FILES,
  MATCHED,
  OTHERS_OF_ONE,
  OTHERS_OF_RUN,
  OTHERS_PAGE,
  OTHERS_PLAIN,
  RANKS,
  RANKS_OF_RUN,
  VALIDATIONS,
} from './page-sql.ts';
import { matchedLigands } from './pattern.ts';
import type { Patterns } from './pattern.ts';
import { presentDocked, presentFile, presentOther, taskKey } from './rows.ts';
import type { Belongings, DockedRow, FileRow, OtherRow } from './rows.ts';
import { scopeOfResults } from './scope.ts';
import type { ResultScope } from './scope.ts';
import type { Answers } from '../../../domain/answers.ts';

type ResultListResponse = Answers['listDockingRunResults'];
type ResultRecord = Answers['getDockingResult']['result'];

/** Filters of a page of docked ligands; a list never names one ligand, and a single result does. */
export type DockedQuery = Omit<ResultQuery, 'limit' | 'cursor'> & {
  readonly ligandId?: string;
  /** The results whose molecules have the pattern of the query. */
  readonly matched?: readonly string[];
};

/** Place behind which a page begins: a docked ligand, or one that is not docked. */
interface Place {
  readonly part: 'docked' | 'others';
  readonly key: number;
  readonly ligandId: string;
}

/** A row of a page. */
export type PageRow =
  | { readonly part: 'docked'; readonly row: DockedRow }
  | { readonly part: 'others'; readonly row: OtherRow };

const LIST = 'docking-results';

/** Lists results. @throws NOT_FOUND, VALIDATION_ERROR. */
export async function listResults(
  { db, patterns }: { readonly db: DataSource; readonly patterns: Patterns },
  actor: Actor,
  of: { readonly kind: ResultScope['kind']; readonly id: string },
  query: ResultQuery,
): Promise<ResultListResponse> {
  const cursors = scopeOf(LIST, actor, { ...query, ...of });
  const place = readCursor(cursors, query.cursor, ['text', 'number', 'text']);
  const after = place === null ? null : placeIn(place);
  const matched = await matchedBySmarts(db, patterns, actor, of, query);
  return inSnapshot(db, async (tx) => {
    const scope = await scopeOfResults(tx, actor, of.kind, of.id);
    const rows = await pageAfter(tx, scope, { ...query, ...matched }, after);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return {
      results: await present(tx, scope, query, page),
      final: scope.final,
      nextCursor:
        rows.length > query.limit && last !== undefined ? encodeCursor(cursors, placeOf(last)) : null,
      uiLinks: scope.links,
    };
  });
}

/** The results that have the pattern of the query, looked for before a connection is taken for the page. */
async function matchedBySmarts(
  db: DataSource,
  patterns: Patterns,
  actor: Actor,
  of: { readonly kind: ResultScope['kind']; readonly id: string },
  { smarts }: ResultQuery,
): Promise<Pick<DockedQuery, 'matched'>> {
  if (smarts === undefined) return {};
  const scope = await scopeOfResults(db, actor, of.kind, of.id);
  const ligands = await matchedLigands(db, patterns, jobsOf(scope), smarts);
  return { matched: ligands.map(({ id }) => id) };
}

/** One row more than the page has, where there are more. */
async function pageAfter(
  tx: Queryable,
  scope: ResultScope,
  query: ResultQuery & DockedQuery,
  after: Place | null,
): Promise<readonly PageRow[]> {
  const most = query.limit + 1;
  const areMixed = query.sort === 'ligandId';
  const wantsDocked = query.status === undefined || query.status === 'SUCCEEDED';
  const docked =
    wantsDocked && (areMixed || after?.part !== 'others')
      ? await dockedAfter(tx, scope, query, after, most)
      : [];
  const isFull = !areMixed && docked.length === most;
  const others =
    isFull || filtersDocked(query)
      ? []
      : await othersAfter(tx, scope, query, areMixed || after?.part === 'others' ? after : null, most);
  const rows: PageRow[] = [
    ...docked.map((row) => ({ part: 'docked' as const, row })),
    ...others.map((row) => ({ part: 'others' as const, row })),
  ];
  if (areMixed) rows.sort((a, b) => (a.row.ligand_id < b.row.ligand_id ? -1 : 1));
  return rows.slice(0, most);
}

/** Whether the query has a filter that only docked ligands pass. */
export function filtersDocked({
  affinityAtMost,
  warning,
  interaction,
  descriptor,
  smarts,
}: Pick<ResultQuery, 'affinityAtMost' | 'warning' | 'interaction' | 'descriptor' | 'smarts'>): boolean {
  return [affinityAtMost, warning, interaction, descriptor, smarts].some((filter) => filter !== undefined);
}

/** The contacts of a query once each, and how many of them a pose must have. */
function contactsOf({ interaction = [], maxMissing = 0 }: Pick<ResultQuery, 'interaction' | 'maxMissing'>): {
  readonly contacts: readonly string[] | null;
  readonly added: number;
  readonly mask: number;
} {
  const contacts = [...new Set(interaction)];
  return { contacts: contacts.length === 0 ? null : contacts, ...threshold(contacts.length - maxMissing) };
}

/** The next docked ligands. */
export async function dockedAfter(
  tx: Queryable,
  scope: ResultScope,
  query: DockedQuery,
  after: Pick<Place, 'key' | 'ligandId'> | null,
  most: number,
): Promise<DockedRow[]> {
  const parameters = dockedParameters(scope, query, after, most);
  if (scope.runs.length !== 1) return tx.query<DockedRow[]>(DOCKED_PAGES[query.sort], parameters);
  if (scope.hasRepeated) return tx.query<DockedRow[]>(DOCKED_PAGES_OF_ONE[query.sort], parameters);
  return tx.query<DockedRow[]>(DOCKED_PAGES_PLAIN[query.sort], parameters);
}

/** The parameters of the statements of docked ligands. */
export function dockedParameters(
  scope: ResultScope,
  query: DockedQuery,
  after: Pick<Place, 'key' | 'ligandId'> | null,
  most: number,
): unknown[] {
  const { contacts, added, mask } = contactsOf(query);
  return [
    jobsOf(scope),
    scope.libraryId,
    after?.key ?? null,
    after?.ligandId ?? null,
    query.affinityAtMost ?? null,
    query.warning ?? null,
    query.label ?? null,
    contacts,
    added,
    mask,
    scope.label,
    most,
    scope.hasRepeated,
    query.ligandId ?? null,
    descriptorPath(query.descriptor ?? []),
    query.matched ?? null,
  ];
}

/** The next ligands that are not docked. */
export async function othersAfter(
  tx: Queryable,
  scope: ResultScope,
  query: Pick<DockedQuery, 'status' | 'label' | 'ligandId'> & { readonly code?: string },
  after: Pick<Place, 'ligandId'> | null,
  most: number,
): Promise<OtherRow[]> {
  const parameters = othersParameters(scope, query, after, most);
  if (scope.kind === 'run') return tx.query<OtherRow[]>(OTHERS_OF_RUN, parameters);
  if (scope.runs.length !== 1) return tx.query<OtherRow[]>(OTHERS_PAGE, parameters);
  if (scope.hasRepeated) return tx.query<OtherRow[]>(OTHERS_OF_ONE, parameters);
  return tx.query<OtherRow[]>(OTHERS_PLAIN, parameters);
}

/** The parameters of the statements of ligands that are not docked. */
export function othersParameters(
  scope: ResultScope,
  query: Parameters<typeof othersAfter>[2],
  after: Pick<Place, 'ligandId'> | null,
  most: number,
): unknown[] {
  return [
    jobsOf(scope),
    scope.libraryId,
    after?.ligandId ?? null,
    query.status ?? null,
    query.code ?? null,
    query.label ?? null,
    scope.label,
    most,
    scope.hasRepeated,
    query.ligandId ?? null,
  ];
}

/** The jobs of a scope, the newest first. */
export function jobsOf(scope: ResultScope): readonly string[] {
  return scope.runs.map(({ jobId }) => jobId);
}

async function present(
  tx: Queryable,
  scope: ResultScope,
  query: ResultQuery,
  page: readonly PageRow[],
): Promise<ResultRecord[]> {
  const belongings = await belongingsOf(tx, scope, page, query);
  return page.map((one) =>
    one.part === 'docked'
      ? presentDocked(scope, one.row, belongings)
      : presentOther(scope, one.row, belongings),
  );
}

/** Ranks, validations, files and matched modes of a page. */
export async function belongingsOf(
  tx: Queryable,
  scope: ResultScope,
  page: readonly PageRow[],
  query: Pick<ResultQuery, 'interaction' | 'maxMissing'>,
): Promise<Belongings> {
  const docked = page.flatMap((one) => (one.part === 'docked' ? [one.row] : []));
  return {
    ranks: await ranksOf(tx, scope, docked),
    validations: await validationsOf(tx, scope),
    files: await filesOf(tx, docked),
    matched: await matchedBy(tx, docked, query),
  };
}

async function ranksOf(
  tx: Queryable,
  scope: ResultScope,
  docked: readonly DockedRow[],
): Promise<ReadonlyMap<string, number>> {
  if (docked.length === 0) return new Map();
  const places = [docked.map((row) => row.best_affinity_kcal_mol), docked.map((row) => row.ligand_id)];
  const [only, ...others] = jobsOf(scope);
  const rows =
    others.length === 0 && !scope.hasRepeated
      ? await tx.query<RankRow[]>(RANKS_OF_RUN, [only, ...places])
      : await tx.query<RankRow[]>(RANKS, [jobsOf(scope), scope.libraryId, ...places]);
  return new Map(rows.map(({ ligand_id, rank }) => [ligand_id, rank]));
}

interface RankRow {
  readonly ligand_id: string;
  readonly rank: number;
}

/** The validations of the runs of a scope, by job. */
export async function validationsOf(tx: Queryable, scope: ResultScope): Promise<Belongings['validations']> {
  const rows = await tx.query<{ job_id: string; validation: unknown }[]>(VALIDATIONS, [jobsOf(scope)]);
  return new Map(rows.map((row) => [row.job_id, validationOf(row.validation)]));
}

/** The files of docked ligands, by job and task; all of them, or those of one kind. */
export async function filesOf(
  tx: Queryable,
  docked: readonly Pick<DockedRow, 'job_id' | 'ordinal'>[],
  kind: string | null = null,
): Promise<Belongings['files']> {
  if (docked.length === 0) return new Map();
  const rows = await tx.query<FileRow[]>(FILES, [
    docked.map((row) => row.job_id),
    docked.map((row) => row.ordinal),
    kind,
  ]);
  const files = Map.groupBy(rows, (row) => taskKey({ job_id: row.job_id ?? '', ordinal: row.task_ordinal }));
  return new Map([...files].map(([key, of]) => [key, of.map(presentFile)]));
}

async function matchedBy(
  tx: Queryable,
  docked: readonly DockedRow[],
  query: Pick<ResultQuery, 'interaction' | 'maxMissing'>,
): Promise<Belongings['matched']> {
  const { contacts, added, mask } = contactsOf(query);
  if (contacts === null) return null;
  // A record that equals an earlier one has the result of the earlier one, so a result may be on the page twice.
  const jobs = new Map(docked.map((row) => [row.docked_id, row.job_id]));
  const rows = await tx.query<{ result_id: string; block: number; marked: number }[]>(MATCHED, [
    [...jobs.keys()],
    contacts,
    added,
    mask,
    [...jobs.values()],
  ]);
  const modes = Map.groupBy(rows, (row) => row.result_id);
  return new Map(
    [...modes].map(([id, blocks]) => [
      id,
      blocks.flatMap(({ block, marked }) => passingModes(block, marked)),
    ]),
  );
}

function placeOf({ part, row }: PageRow): readonly string[] {
  return [part, part === 'docked' ? String(row.key) : '', row.ligand_id];
}

function placeIn([part, key, ligandId]: readonly [string, string, string]): Place {
  if (part !== 'docked' && part !== 'others') throw foreignCursor();
  return { part, key: Number(key), ligandId };
}
