/** The best hits of a finished search as a table, from the summaries of its tasks. */
import { isRecord } from '../../domain/is-record.ts';
import type { CommandFindings, JobResults } from '../command.ts';

/** The best hit of a query as a summary tells it. */
export interface BestHit {
  readonly query: string;
  readonly subject: string;
  readonly identityPercent: number;
  readonly length: number;
  readonly evalue: number;
  readonly bitScore: number;
}

/** The best hits, and of how many queries. */
export interface FoundHits {
  readonly hits: readonly BestHit[];
  /** Numbers of queries; null where not every task was read, because the table is full, or a task tells no numbers. */
  readonly queries: { readonly searched: number; readonly withHits: number } | null;
}

const MOST_ROWS = 20;

/** The best hit of each of the first queries that have one; null while no task has succeeded. */
export async function readBestHits(results: Pick<JobResults, 'tasks'>): Promise<FoundHits | null> {
  const found: BestHit[] = [];
  let [isAny, searched, withHits] = [false, 0, 0];
  for await (const { state, summary } of results.tasks()) {
    if (state !== 'SUCCEEDED' || !isRecord(summary) || !Array.isArray(summary['best'])) continue;
    // A job can have thousands of tasks, so no more of them are read than the table shows.
    if (found.length >= MOST_ROWS) return { hits: found.slice(0, MOST_ROWS), queries: null };
    isAny = true;
    const best: readonly unknown[] = summary['best'];
    found.push(...best.filter(isBestHit));
    searched += Number(summary['queries']);
    withHits += Number(summary['queriesWithHits']);
  }
  if (!isAny) return null;
  const isCounted = Number.isInteger(searched) && Number.isInteger(withHits);
  return { hits: found.slice(0, MOST_ROWS), queries: isCounted ? { searched, withHits } : null };
}

function isBestHit(value: unknown): value is BestHit {
  if (!isRecord(value)) return false;
  const { query, subject, ...numbers } = value;
  const isNumbered = ['identityPercent', 'length', 'evalue', 'bitScore'].every(
    (name) => typeof numbers[name] === 'number',
  );
  return typeof query === 'string' && typeof subject === 'string' && isNumbered;
}

/** The hits for people and programs, how many queries have none, and where the rest is told. */
export async function findHits(results: Pick<JobResults, 'tasks'>): Promise<CommandFindings | null> {
  const found = await readBestHits(results);
  return found === null ? null : findingsOf(found);
}

/** The best hits as a table. */
export function findingsOf({ hits, queries }: FoundHits): CommandFindings {
  return {
    data: { bestHits: hits, queries },
    columns: [
      { title: 'QUERY' },
      { title: 'BEST HIT' },
      { title: 'IDENTITY %', align: 'right' },
      { title: 'LENGTH', align: 'right' },
      { title: 'E-VALUE', align: 'right' },
      { title: 'BITS', align: 'right' },
    ],
    rows: hits.map((hit) => [
      hit.query,
      hit.subject,
      hit.identityPercent.toFixed(1),
      hit.length,
      hit.evalue.toPrecision(2),
      hit.bitScore.toFixed(0),
    ]),
    note: noteOf({ hits, queries }),
  };
}

function noteOf({ hits, queries }: FoundHits): string {
  if (hits.length === 0) return 'No query has a hit.';
  const first =
    queries === null || queries.withHits > hits.length
      ? `The first ${hits.length} queries with hits are shown. `
      : '';
  const counted = queries === null ? '' : `${queries.withHits} of ${queries.searched} queries have hits. `;
  return `${counted}${first}All hits are in hits.tsv, the alignments in alignments.txt.`;
}
