/**
 * Streams of events: how long a change takes to reach its reader while jobs run, what a thousand idle streams cost the api, how long one
 * event takes to reach all of them, and a page of a long log.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { dataOf, PartParser } from '../src/client/stream.ts';
import type { AccountEvent } from '../src/client/types.ts';
import { numberEvents } from '../src/services/events/number-events.ts';
import { JOBS_CHANNEL } from '../src/services/events/announce.ts';
import { noopJob } from './jobs.ts';
import { residentMegabytes } from './memory.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface StreamSize {
  readonly jobs: number;
  readonly idle: number;
  readonly seconds: number;
  readonly rows: number;
}

const OF_ACCOUNT = 20;
const GOALS = {
  changeMs: 500,
  idleMegabytes: 80,
  idleCore: 0.01,
  statements: 1,
  balance: 1.3,
  allMs: 100,
  pageMs: 10,
};
const TICKS_A_SECOND = 100;
/** PostgreSQL tells what an idle connection has done within ten seconds. */
const FLUSH_MS = 12_000;
/** Jobs are waited for no longer once all of them are submitted. */
const LONGEST_MS = 120_000;
const BALANCE_PAUSE_MS = 50;
/** Events of which one is of the type that is read. */
const EVERY = 100;
const PAGE = 50;

type Hear = (event: AccountEvent) => void;

/** Measures streams on a stack of its own. */
export async function measureStreams(size: StreamSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    const changes = await measureChanges(bench, size);
    for (const name of ['control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    return [changes, ...(await measureIdle(bench, size)), await measurePages(bench, size)];
  } finally {
    await bench.close();
  }
}

/** Opens a stream and waits until it has begun; `hear` is told of each event as it comes. */
function follow({ stack }: BenchStack, { liveKey }: BenchAccount, hear: Hear): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${liveKey}` };
  return new Promise((resolve, reject) => {
    const asked = get(`${stack.apiUrl}/api/v1/events/stream`, { headers, agent: false }, (response) => {
      const parser = new PartParser();
      response.on('data', (bytes: Buffer) => {
        for (const part of parser.parts(bytes))
          if (part.name === '' && part.data !== '') hear(dataOf<AccountEvent>(part));
        if (response.statusCode === 200) resolve(response);
        else reject(new Error(`The stream answered ${String(response.statusCode)}.`));
      });
      response.on('error', () => undefined);
    });
    asked.once('error', reject);
  });
}

async function measureChanges(bench: BenchStack, { jobs }: StreamSize): Promise<Row> {
  const accounts = await Promise.all(Array.from({ length: 10 }, () => bench.account('patient')));
  const late: number[] = [];
  let ended = 0;
  const streams = await Promise.all(
    accounts.map((account) =>
      follow(bench, account, ({ type, timestamp }) => {
        late.push(Date.now() - Date.parse(timestamp));
        if (type === 'job.succeeded') ended += 1;
      }),
    ),
  );
  await Promise.all(
    accounts.map(async ({ client }) => {
      for (let n = 0; n < jobs / accounts.length; n += 1)
        await client.submit(noopJob({ tasks: 10, shardSize: 10 }));
    }),
  );
  for (const until = performance.now() + LONGEST_MS; ended < jobs && performance.now() < until;)
    await sleep(100);
  for (const stream of streams) stream.destroy();
  const spread = spreadOf(late);
  return {
    item: `change to stream, ${jobs} jobs, p99`,
    measured: `${spread.p99.toFixed(0)} ms (median ${spread.median.toFixed(0)}, ${spread.count} events)`,
    ...{ baseline: '', ratio: '', goal: `< ${GOALS.changeMs} ms`, ok: spread.p99 < GOALS.changeMs },
    figures: { milliseconds: spread },
  };
}

async function measureIdle(bench: BenchStack, { idle, seconds }: StreamSize): Promise<Row[]> {
  const accounts = await Promise.all(Array.from({ length: idle / OF_ACCOUNT }, () => bench.account()));
  const [first] = accounts;
  if (first === undefined) return [];
  await balancesOf(first, seconds);
  await sleep(FLUSH_MS);
  const without = { balances: await balancesOf(first, seconds), rest: await restOf(bench, seconds) };
  let heard = 0;
  const streams: IncomingMessage[] = [];
  for (const account of accounts)
    streams.push(
      ...(await Promise.all(
        Array.from({ length: OF_ACCOUNT }, () => follow(bench, account, () => void (heard += 1))),
      )),
    );
  await sleep(FLUSH_MS);
  const rest = await restOf(bench, seconds);
  const balances = await balancesOf(first, seconds);
  const times: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    heard = 0;
    const ids = accounts.map(({ accountId }) => accountId);
    await bench.db.query(
      `insert into events (account_id, kind, subject, payload)
       select id, 'project.saved', gen_random_uuid(), '{"version":1}' from unnest($1::uuid[]) id`,
      [ids],
    );
    // Announced, as the events of jobs are.
    const committedAt = performance.now();
    await bench.db.query(
      `select pg_notify('${JOBS_CHANNEL}', gen_random_uuid() || ' ' || id) from unnest($1::uuid[]) id`,
      [ids],
    );
    while (heard < idle) await sleep(1);
    times.push(performance.now() - committedAt);
    await sleep(200 + Math.random() * 1_000);
  }
  for (const stream of streams) stream.destroy();
  return idleRows(idle, without, { rest, balances }, times);
}

interface Rest {
  readonly megabytes: number;
  readonly core: number;
  readonly statements: number;
}
interface Seen {
  readonly rest: Rest;
  readonly balances: readonly number[];
}

function idleRows(idle: number, before: Seen, after: Seen, times: readonly number[]): Row[] {
  const megabytes = after.rest.megabytes - before.rest.megabytes;
  const core = after.rest.core - before.rest.core;
  const statements = after.rest.statements - before.rest.statements;
  const [slow, slowBefore] = [spreadOf(after.balances).p99, spreadOf(before.balances).p99];
  const all = spreadOf(times);
  const row = (item: string, measured: string, goal: string, ok: boolean, figures: Row['figures']): Row => ({
    ...{ item: `${idle} idle streams: ${item}`, measured, baseline: '', ratio: '', goal, ok, figures },
  });
  const figures = { before, after };
  return [
    row(
      'memory of the api',
      `+${megabytes.toFixed(0)} MB`,
      `< ${GOALS.idleMegabytes} MB`,
      megabytes < GOALS.idleMegabytes,
      figures,
    ),
    row(
      'processor of the api',
      `+${(core * 100).toFixed(1)} %`,
      `< ${GOALS.idleCore * 100} %`,
      core < GOALS.idleCore,
      {},
    ),
    row(
      'statements a second',
      `+${statements.toFixed(2)}`,
      `≤ ${GOALS.statements}`,
      statements < GOALS.statements * 1.1,
      {},
    ),
    {
      ...row(
        'balance meanwhile, p99',
        `${slow.toFixed(1)} ms`,
        `≤ ${GOALS.balance}`,
        slow / slowBefore <= GOALS.balance,
        {},
      ),
      ...{ baseline: `${slowBefore.toFixed(1)} ms`, ratio: (slow / slowBefore).toFixed(2) },
    },
    row(
      'an event to all, from its commit',
      describeSpread(all, 'ms', 0),
      `< ${GOALS.allMs} ms`,
      all.median < GOALS.allMs,
      { all },
    ),
  ];
}

/** Memory, processor and statements of the api at rest; the announcements and the polls of its watch are in both figures. */
async function restOf({ stack, db }: BenchStack, seconds: number): Promise<Rest> {
  const pid = stack.pid('api') ?? 0;
  const look = async (): Promise<{ ticks: number; statements: number }> => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const [row] = await db.query<{ n: number }[]>(
      'select xact_commit::float8 as n from pg_stat_database where datname = current_database()',
    );
    return { ticks: Number(stat[11]) + Number(stat[12]), statements: row?.n ?? 0 };
  };
  const before = await look();
  await sleep(seconds * 1_000);
  const after = await look();
  return {
    megabytes: residentMegabytes(pid) ?? 0,
    core: (after.ticks - before.ticks) / TICKS_A_SECOND / seconds,
    statements: (after.statements - before.statements) / seconds,
  };
}

async function balancesOf({ client }: BenchAccount, seconds: number): Promise<number[]> {
  const times: number[] = [];
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    const startedAt = performance.now();
    await client.balance();
    times.push(performance.now() - startedAt);
    await sleep(BALANCE_PAUSE_MS);
  }
  return times;
}

/** Pages of 50 events of one type, at every depth of a log of which that type is a hundredth. */
async function measurePages(bench: BenchStack, { rows }: StreamSize): Promise<Row> {
  const account = await bench.account();
  await bench.db.query(
    `insert into events (account_id, kind, subject, payload)
     select $1, case when n % ${EVERY} = 0 then 'project.shared' else 'project.saved' end, $2::text || n, '{"version":1}'
     from generate_series(1, $3::int) n`,
    [account.accountId, 'p', rows],
  );
  await numberEvents(bench.db);
  await bench.db.query('vacuum analyze events');
  const times: number[] = [];
  const headers = { authorization: `Bearer ${account.liveKey}` };
  for (let cursor = ''; times.length * PAGE < rows / EVERY;) {
    const query = `limit=${PAGE}&types=project.shared${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const askedAt = performance.now();
    const text = await (await fetch(`${bench.stack.apiUrl}/api/v1/events?${query}`, { headers })).text();
    times.push(performance.now() - askedAt);
    cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1] ?? '';
    if (cursor === '') throw new Error(`The page was answered ${text}`);
  }
  const spread = spreadOf(times);
  return {
    item: `GET /events by type, ${rows} events`,
    measured: describeSpread(spread, 'ms'),
    ...{
      baseline: '',
      ratio: '',
      goal: `< ${GOALS.pageMs} ms`,
      ok: spread.median < GOALS.pageMs,
      figures: { spread },
    },
  };
}
