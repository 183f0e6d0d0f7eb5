/** The best hits of a finished search as a table, from the summaries of its tasks. */
import type { Client } from '../../client/index.ts';
import { isRecord } from '../../domain/is-record.ts';
import { table } from '../table.ts';

/** The best hit of a query as a summary tells it. */
export interface BestHit {
  readonly query: string;
  readonly subject: string;
  readonly identityPercent: number;
  readonly length: number;
  readonly evalue: number;
  readonly bitScore: number;
}

const MOST_ROWS = 20;
/** The best hit of each of the first queries; null while no task has succeeded. */
export async function readBestHits(
  client: Pick<Client, 'tasks'>,
  jobId: string,
): Promise<readonly BestHit[] | null> {
  const found: BestHit[] = [];
  let isAny = false;
  for await (const { state, summary } of client.tasks(jobId)) {
    const best: unknown = isRecord(summary) ? summary['best'] : null;
    if (state !== 'SUCCEEDED' || !Array.isArray(best)) continue;
    isAny = true;
    found.push(...best.filter(isBestHit));
    if (found.length >= MOST_ROWS) break;
  }
  return isAny ? found.slice(0, MOST_ROWS) : null;
}

function isBestHit(value: unknown): value is BestHit {
  if (!isRecord(value)) return false;
  const { query, subject, ...numbers } = value;
  const isNumbered = ['identityPercent', 'length', 'evalue', 'bitScore'].every(
    (name) => typeof numbers[name] === 'number',
  );
  return typeof query === 'string' && typeof subject === 'string' && isNumbered;
}

/** The hits for people, and where the rest is told. */
export function hitsTable(hits: readonly BestHit[]): string {
  if (hits.length === 0) return 'No query has a hit.\n';
  const shown = table(
    [
      { title: 'QUERY', value: ({ query }) => query },
      { title: 'BEST HIT', value: ({ subject }) => subject },
      { title: 'IDENTITY %', value: (hit) => hit.identityPercent.toFixed(1), align: 'right' },
      { title: 'LENGTH', value: ({ length }) => length, align: 'right' },
      { title: 'E-VALUE', value: ({ evalue }) => evalue.toPrecision(2), align: 'right' },
      { title: 'BITS', value: ({ bitScore }) => bitScore.toFixed(0), align: 'right' },
    ],
    hits,
  );
  return `${shown}All hits are in hits.tsv, the alignments in alignments.txt.\n`;
}
