/**
 * Webhooks of customers, and the cost of events: how long a change takes to reach a server, how long ten thousand due deliveries take to
 * one server and to ten of which one hangs, and how much slower jobs and submits are because events are written.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { isRecord } from '../src/domain/is-record.ts';
import { sessionOf } from '../test/support/session-of.ts';
import { WebhookReceiver } from '../test/support/webhook-receiver.ts';
import { noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';
import type { Spread } from './statistics.ts';

/** How much is measured. */
export interface DeliverySize {
  readonly jobs: number;
  readonly deliveries: number;
  /** Pairs of a job with events and one without, and of submits. */
  readonly rounds: number;
  readonly tasks: number;
  readonly submits: number;
}

const GOALS = { reachMs: 2_000, dueSeconds: 100, hanging: 1.1, cost: 1.05 };
const SERVERS = 10;
const LONGEST_MS = 300_000;
const LOOK_MS = 100;

/** Measures webhooks and the cost of events on a stack of its own. */
export async function measureDeliveries(size: DeliverySize): Promise<Row[]> {
  const bench = await openBenchStack({ DOCKYARD_WEBHOOKS_LOOPBACK: 'true' });
  const receivers = await Promise.all(Array.from({ length: SERVERS }, () => new WebhookReceiver().open()));
  try {
    return [
      ...(await measureCost(bench, size)),
      await measureReach(bench, receivers[0], size),
      ...(await measureDue(bench, receivers, size)),
    ];
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await bench.close();
  }
}

/** Tasks a second of a job, and the milliseconds of submits. */
interface Round {
  readonly rate: number;
  readonly ms: readonly number[];
}

/** Jobs and submits with events and without, in turns: a trigger keeps the rows out, so all else is done as before. */
async function measureCost(bench: BenchStack, size: DeliverySize): Promise<Row[]> {
  const { db } = bench;
  const account = await bench.account('patient');
  await db.query(
    `create function bench_no_event() returns trigger language plpgsql as $$ begin return null; end $$`,
  );
  await db.query(
    'create trigger bench_no_event before insert on events for each row execute function bench_no_event()',
  );
  const round = async (areOn: boolean): Promise<Round> => {
    await db.query(`alter table events ${areOn ? 'disable' : 'enable'} trigger bench_no_event`);
    return runRound(bench, account, size);
  };
  await round(true);
  const [on, off]: [Round[], Round[]] = [[], []];
  for (let n = 0; n < size.rounds; n += 1) {
    // Whichever comes first has the warmer machine.
    for (const areOn of n % 2 === 0 ? [true, false] : [false, true])
      (areOn ? on : off).push(await round(areOn));
  }
  await db.query('drop trigger bench_no_event on events');
  const [rates, barely] = [on.map(({ rate }) => rate), off.map(({ rate }) => rate)];
  const [times, barelyTimes] = [on, off].map((rounds) => spreadOf(rounds.flatMap(({ ms }) => ms)));
  if (times === undefined || barelyTimes === undefined) throw new Error('Nothing was measured.');
  return [
    costRow('tasks a second', spreadOf(rates), spreadOf(barely), spreadOf(ratiosOf(barely, rates)).median),
    costRow('submit, ms', times, barelyTimes, times.median / barelyTimes.median),
  ];
}

async function runRound(
  { db }: BenchStack,
  { client, accountId }: BenchAccount,
  { submits, tasks }: DeliverySize,
): Promise<Round> {
  const ms: number[] = [];
  for (let n = 0; n < submits; n += 1) {
    const askedAt = performance.now();
    await client.submit(noopJob({ tasks: 1 }));
    ms.push(performance.now() - askedAt);
  }
  await allEnded(db, accountId);
  const startedAt = performance.now();
  await client.submit(noopJob({ tasks, shardSize: 10 }));
  await allEnded(db, accountId);
  return { rate: (tasks * 1000) / (performance.now() - startedAt), ms };
}

function costRow(what: string, measured: Spread, baseline: Spread, ratio: number): Row {
  return {
    item: `${what} with events, without`,
    measured: describeSpread(measured, '', 0),
    baseline: describeSpread(baseline, '', 0),
    ratio: ratio.toFixed(3),
    goal: `≤ ${GOALS.cost}`,
    ok: ratio <= GOALS.cost,
    figures: { measured, baseline },
  };
}

async function allEnded(db: BenchStack['db'], accountId: string): Promise<void> {
  await patiently('jobs have ended', async () => {
    const open = await db.query<unknown[]>(
      'select 1 from jobs where account_id = $1 and finished_at is null limit 1',
      [accountId],
    );
    return open.length === 0;
  });
}

/** From the commit of each change of jobs to a server of this process. */
async function measureReach(
  bench: BenchStack,
  receiver: WebhookReceiver | undefined,
  { jobs }: DeliverySize,
): Promise<Row> {
  if (receiver === undefined) throw new Error('There is no server.');
  const account = await bench.account('patient');
  await subscribe(bench, account, receiver, ['job.running', 'job.succeeded']);
  const late: number[] = [];
  receiver.onReceived = () => {
    const event: unknown = JSON.parse(receiver.received.at(-1)?.body ?? '{}');
    if (isRecord(event)) late.push(Date.now() - Date.parse(String(event['timestamp'])));
    return Promise.resolve();
  };
  for (let n = 0; n < jobs; n += 1) await account.client.submit(noopJob({ tasks: 10, shardSize: 10 }));
  await patiently('the ends have come', () =>
    Promise.resolve(receiver.received.filter(({ body }) => body.includes('"job.succeeded"')).length >= jobs),
  );
  const spread = spreadOf(late);
  const sorted = late.toSorted((one, other) => one - other);
  const p95 = sorted[Math.floor(0.95 * (sorted.length - 1))] ?? NaN;
  receiver.onReceived = () => Promise.resolve();
  return {
    item: `change to a local webhook, ${jobs} jobs, p95`,
    measured: `${p95.toFixed(0)} ms (median ${spread.median.toFixed(0)}, ${spread.count} messages)`,
    ...{ baseline: '', ratio: '', goal: `< ${GOALS.reachMs} ms`, ok: p95 < GOALS.reachMs },
    figures: { milliseconds: spread, p95 },
  };
}

async function measureDue(
  bench: BenchStack,
  receivers: readonly WebhookReceiver[],
  { deliveries }: DeliverySize,
): Promise<Row[]> {
  const account = await bench.account();
  const webhooks: string[] = [];
  for (const receiver of receivers) webhooks.push(await subscribe(bench, account, receiver, ['topup.paid']));
  const [first = ''] = webhooks;
  const share = deliveries / receivers.length;
  const one = await secondsOf(bench, [[first, deliveries]], [first]);
  const others = webhooks.slice(1);
  const each = webhooks.map((id) => [id, share] as const);
  const fast = await secondsOf(bench, each, others);
  const [hanging] = receivers;
  if (hanging !== undefined) hanging.answer = 'never';
  const beside = await secondsOf(bench, each, others);
  return [
    {
      item: `${deliveries} due deliveries to a fast server`,
      measured: `${one.toFixed(1)} s (${(deliveries / one).toFixed(0)} a second)`,
      ...{ baseline: '', ratio: '', goal: `< ${GOALS.dueSeconds} s`, ok: one < GOALS.dueSeconds },
      figures: { seconds: one },
    },
    {
      item: `${deliveries} to ten servers of which one hangs: the other nine`,
      measured: `${beside.toFixed(1)} s`,
      baseline: `${fast.toFixed(1)} s`,
      ratio: (beside / fast).toFixed(2),
      goal: `≤ ${GOALS.hanging}`,
      ok: beside / fast <= GOALS.hanging,
      figures: { beside, fast },
    },
  ];
}

/** Makes deliveries due, and waits until those of some webhooks are taken. */
async function secondsOf(
  { db }: BenchStack,
  due: readonly (readonly [string, number])[],
  awaited: readonly string[],
): Promise<number> {
  await db.query('delete from webhook_deliveries where webhook_id = any($1)', [due.map(([id]) => id)]);
  await db.query(
    `insert into webhook_deliveries (webhook_id, event_id, type, body, state, due_at)
     select w.id, gen_random_uuid(), 'topup.paid', '{"type":"topup.paid","data":{}}', 'PENDING', now()
     from unnest($1::uuid[], $2::int[]) as w (id, n), generate_series(1, w.n)`,
    [due.map(([id]) => id), due.map(([, n]) => n)],
  );
  const startedAt = performance.now();
  await db.query('update webhooks set woken_at = null where id = any($1)', [due.map(([id]) => id)]);
  await patiently('all are taken', async () => {
    const left = await db.query<unknown[]>(
      `select 1 from webhook_deliveries where webhook_id = any($1) and state = 'PENDING' limit 1`,
      [awaited],
    );
    return left.length === 0;
  });
  return (performance.now() - startedAt) / 1000;
}

async function subscribe(
  bench: BenchStack,
  { accountId }: BenchAccount,
  { url }: WebhookReceiver,
  types: readonly string[],
): Promise<string> {
  const { headers } = await sessionOf(bench, accountId);
  const answer = await fetch(`${bench.stack.apiUrl}/api/v1/webhooks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({ url, types }),
  });
  const made: unknown = await answer.json();
  if (!isRecord(made) || typeof made['id'] !== 'string')
    throw new Error(`No webhook was made: ${JSON.stringify(made)}`);
  return made['id'];
}

async function patiently(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + LONGEST_MS;
  while (!(await isSo())) {
    if (performance.now() > until) throw new Error(`Waited in vain: ${what}.`);
    await sleep(LOOK_MS);
  }
}
