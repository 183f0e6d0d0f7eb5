/**
 * Pages of results over HTTP: the first one, the hundredth one, which is reached by cursors, and one that is filtered by a contact.
 * They are asked of a batch whose ligands are all docked, and of one whose last tenth is committed meanwhile, ten ligands at a
 * time. The balance is asked in turns with them, as the least that the API answers from the database.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { PageQuery, ResultFilter } from '../src/client/docking.ts';
import { dock, dockFirst, mostFrequentContact, openWaiting } from './docked-batch.ts';
import type { Campaign, DockedBatch } from './docked-batch.ts';
import { send } from './http-load.ts';
import type { Row } from './report.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface ResultsSize {
  readonly rounds: number;
}

type Query = ResultFilter & PageQuery;

interface Asked {
  readonly item: string;
  readonly goalMs: number;
  readonly query: Query;
}

const LAST_PAGE = 100;
const WARM_UP = 5;
const GOALS = { pageMs: 20, filteredMs: 60 } as const;
const COMMITTED_AT_ONCE = 10;
const COMMIT_INTERVAL_MS = 250;

/** Measures pages of a batch that is docked, and of one that is being docked. */
export async function measureResults(
  bench: BenchStack,
  campaign: Campaign,
  docked: DockedBatch,
  { rounds }: ResultsSize,
): Promise<Row[]> {
  const rows = await measurePages(bench, campaign, { batch: docked, there: docked.ligands, rounds });
  const growing = await openWaiting(bench, campaign, docked.ligands, 'growing');
  rows.push(...(await measureWaiting(bench, campaign, growing, rounds)));
  const there = Math.ceil(docked.ligands * 0.9);
  await dockFirst(bench, campaign, growing, there);
  const done = new AbortController();
  const committing = commitRest(bench, campaign, growing, there, done.signal);
  try {
    return [...rows, ...(await measurePages(bench, campaign, { batch: growing, there, rounds }))];
  } finally {
    done.abort();
    await committing;
  }
}

/** The first page before any ligand is docked: it has ligands that wait. */
function measureWaiting(
  bench: BenchStack,
  { account }: Campaign,
  batch: DockedBatch,
  rounds: number,
): Promise<Row[]> {
  const limit = Math.floor(batch.ligands / LAST_PAGE);
  const item = `page 1 of ${String(batch.ligands)} ligands that wait`;
  const page = { item, goalMs: GOALS.pageMs, query: { sort: 'affinity', limit } } as const;
  return askInTurns(bench, account, { batch, pages: [page], rounds });
}

async function commitRest(
  bench: BenchStack,
  campaign: Campaign,
  batch: DockedBatch,
  there: number,
  signal: AbortSignal,
): Promise<void> {
  for (let from = there; from < batch.ligands && !signal.aborted; from += COMMITTED_AT_ONCE) {
    await dock(bench, campaign, batch, [from, Math.min(batch.ligands, from + COMMITTED_AT_ONCE)]);
    await sleep(COMMIT_INTERVAL_MS);
  }
}

async function measurePages(
  bench: BenchStack,
  { account }: Campaign,
  of: { readonly batch: DockedBatch; readonly there: number; readonly rounds: number },
): Promise<Row[]> {
  const { batch, there, rounds } = of;
  const limit = Math.floor(there / LAST_PAGE);
  const meanwhile = there === batch.ligands ? `of ${String(there)} results` : 'while results arrive';
  const query = { sort: 'affinity', limit } as const;
  const contact = await mostFrequentContact(bench, batch);
  const pages: Asked[] = [
    { item: `page 1 ${meanwhile}, ${String(limit)} a page`, goalMs: GOALS.pageMs, query },
    {
      item: `page ${String(LAST_PAGE)} ${meanwhile}`,
      goalMs: GOALS.pageMs,
      query: { ...query, cursor: await lastCursor(account, batch, query) },
    },
    {
      item: `page 1 ${meanwhile} with ${contact}`,
      goalMs: GOALS.filteredMs,
      query: { ...query, interaction: [contact] },
    },
  ];
  return askInTurns(bench, account, { batch, pages, rounds });
}

/** The cursor of the last page, by the pages before it. */
async function lastCursor({ client }: BenchAccount, { batchId }: DockedBatch, query: Query): Promise<string> {
  let cursor: string | null = null;
  for (let page = 1; page < LAST_PAGE; page += 1) {
    const of: Query = cursor === null ? query : { ...query, cursor };
    ({ nextCursor: cursor } = await client.docking.listResults({ batchId }, of));
    if (cursor === null) throw new Error(`There are ${String(page)} pages alone.`);
  }
  return cursor ?? '';
}

async function askInTurns(
  { stack }: BenchStack,
  { liveKey }: BenchAccount,
  of: { readonly batch: DockedBatch; readonly pages: readonly Asked[]; readonly rounds: number },
): Promise<Row[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${liveKey}` };
  const base = `${stack.apiUrl}/api/v1`;
  const ask = async (path: string): Promise<number> => {
    const startedAt = performance.now();
    const status = await send(agent, { url: `${base}/${path}`, headers });
    if (status !== 200) throw new Error(`${path} was answered ${String(status)}.`);
    return performance.now() - startedAt;
  };
  const paths = of.pages.map(
    ({ query }) => `molecular/docking/batches/${of.batch.batchId}/results?${textOf(query)}`,
  );
  const times = of.pages.map((): number[] => []);
  const balances: number[] = [];
  for (let round = -WARM_UP; round < of.rounds; round += 1) {
    if (round === 0) for (const list of [balances, ...times]) list.length = 0;
    balances.push(await ask('credits/balance'));
    for (const [index, path] of paths.entries()) times[index]?.push(await ask(path));
  }
  agent.destroy();
  return of.pages.map((page, index) => rowOf(page, times[index] ?? [], balances));
}

function textOf(query: Query): string {
  const { interaction = [], ...rest } = query;
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) text.append(name, String(value));
  for (const contact of interaction) text.append('interaction', contact);
  return text.toString();
}

function rowOf({ item, goalMs }: Asked, ms: readonly number[], balances: readonly number[]): Row {
  const [measured, balance] = [spreadOf(ms), spreadOf(balances)];
  return {
    item,
    measured: describeSpread(measured, 'ms'),
    baseline: `balance ${describeSpread(balance, 'ms')}`,
    ratio: spreadOf(ratiosOf(ms, balances)).median.toFixed(1),
    goal: `< ${String(goalMs)} ms`,
    ok: measured.median < goalMs,
    figures: { measured, balance },
  };
}
