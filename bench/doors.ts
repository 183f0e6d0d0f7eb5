/**
 * The doors: the balance against a bare route with the same statement, the look-ups of keys and sessions, and what sign-ins
 * and forged keys cost a customer who asks for the balance meanwhile.
 */
import { fork } from 'node:child_process';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { createIdentity } from '../src/services/identity/index.ts';
import { createSessionCookies } from '../src/services/people/index.ts';
import { createSessionReader } from '../src/services/people/session-reader.ts';
import { startSession } from '../src/services/people/sessions.ts';
import { inTransaction } from '../src/services/transaction.ts';
import { isFlood } from './forged-keys.ts';
import type { Flood } from './forged-keys.ts';
import { loadOver, send } from './http-load.ts';
import type { Load } from './http-load.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface DoorsSize {
  readonly rounds: number;
  readonly seconds: number;
  readonly lookUps: number;
}

const CONNECTIONS = 50;
const POOL = 10;
const SIGN_INS_PER_SECOND = 20;
const BALANCES_PER_SECOND = 20;
const FORGING_CONNECTIONS = 50;
const FORGED_PER_SECOND = 5_000;
const WARM_UP_SECONDS = 2;
const GOALS = { route: 0.5, tail: 3, coldMs: 1, cachedMs: 0.1, sessionMs: 5, besideMs: 100, forged: 2 };

/** Measures the doors. The second stack has the limits of production for addresses, so that forged keys meet them. */
export async function measureDoors(size: DoorsSize): Promise<Row[]> {
  const free = await openBenchStack({ DOCKYARD_DATABASE_POOL_SIZE: String(POOL) });
  let rows: Row[];
  try {
    for (const name of ['control', 'gateway', 'compute']) await free.stack.stopChild(name);
    const account = await free.account();
    rows = [
      ...(await measureRoute(free, account, size)),
      ...(await measureLookUps(free, account, size)),
      await measureSignIns(free, account, size),
    ];
  } finally {
    await free.close();
  }
  const limited = await openBenchStack({ DOCKYARD_RATE_LIMIT_SCALE: '1' });
  try {
    for (const name of ['control', 'gateway', 'compute']) await limited.stack.stopChild(name);
    return [...rows, await measureForged(limited, await limited.account(), size)];
  } finally {
    await limited.close();
  }
}

const balanceOf = (bench: BenchStack): string => `${bench.stack.apiUrl}/api/v1/credits/balance`;
const bearer = (key: string): { readonly authorization: string } => ({ authorization: `Bearer ${key}` });

async function measureRoute(bench: BenchStack, account: BenchAccount, size: DoorsSize): Promise<Row[]> {
  const bare = fork(
    new URL('bare-balance.ts', import.meta.url),
    [bench.databaseUrl, account.accountId, String(POOL)],
    { execArgv: [] },
  );
  const port = await new Promise<unknown>((resolve) => bare.once('message', resolve));
  const ask = { url: balanceOf(bench), headers: bearer(account.liveKey) };
  const bareAsk = { url: `http://127.0.0.1:${String(port)}/`, headers: ask.headers };
  const [ours, plain]: [Load[], Load[]] = [[], []];
  try {
    await loadOver(CONNECTIONS, 1, () => ask);
    await loadOver(CONNECTIONS, 1, () => bareAsk);
    for (let round = 0; round < size.rounds; round += 1) {
      plain.push(await loadOver(CONNECTIONS, size.seconds, () => bareAsk));
      ours.push(await loadOver(CONNECTIONS, size.seconds, () => ask));
    }
  } finally {
    bare.disconnect();
  }
  const rates = (loads: readonly Load[]): number[] => loads.map(({ perSecond }) => perSecond);
  const ratio = spreadOf(ratiosOf(rates(ours), rates(plain)));
  const [times, plainTimes] = [ours, plain].map((loads) => spreadOf(loads.flatMap(({ ms }) => ms)));
  if (times === undefined || plainTimes === undefined) throw new Error('Nothing was measured.');
  const tail = times.p99 / times.median;
  return [
    {
      item: `balance, ${CONNECTIONS} connections, against a bare route`,
      measured: describeSpread(spreadOf(rates(ours)), 'requests/s', 0),
      baseline: describeSpread(spreadOf(rates(plain)), 'requests/s', 0),
      ratio: ratio.median.toFixed(2),
      goal: `≥ ${GOALS.route}`,
      ok: ratio.median >= GOALS.route && areGood(ours),
      figures: { ours: rates(ours), plain: rates(plain), ratio },
    },
    {
      item: 'the same, p99 against the median',
      measured: `${times.p99.toFixed(1)} ms`,
      baseline: `${times.median.toFixed(1)} ms; the bare route's is ${(plainTimes.p99 / plainTimes.median).toFixed(2)} of its own`,
      ratio: tail.toFixed(2),
      goal: `≤ ${GOALS.tail}`,
      ok: tail <= GOALS.tail,
      figures: { times, plainTimes },
    },
  ];
}

/** Look-ups of one key and one session by this process, one after the other. */
async function measureLookUps(
  { db, stack }: BenchStack,
  account: BenchAccount,
  size: DoorsSize,
): Promise<Row[]> {
  const identity = createIdentity(db);
  const cookies = createSessionCookies(stack.env['DOCKYARD_SECRET'] ?? '');
  const cookie = cookies.draw();
  const [user] = await db.query<{ id: string }[]>('select id from users where account_id = $1 limit 1', [
    account.accountId,
  ]);
  const visit = { address: '127.0.0.1', network: '127.0.0.1', userAgent: null };
  const owner = { userId: user?.id ?? '', accountId: account.accountId };
  await inTransaction(db, (tx) => startSession(tx, { ...owner, sha256: cookie.sha256, visit }));
  const reader = createSessionReader(db, cookies);
  try {
    const cold = await timesOf(size.lookUps, () => {
      identity.forget();
      return identity.authenticate(account.liveKey);
    });
    const cached = await timesOf(size.lookUps, () => identity.authenticate(account.liveKey));
    const session = await timesOf(size.lookUps, () => reader.find(cookie.value));
    return [
      lookUpRow('look-up of a key', cold, GOALS.coldMs),
      lookUpRow('look-up of a key that is cached', cached, GOALS.cachedMs),
      lookUpRow('look-up of a session', session, GOALS.sessionMs),
    ];
  } finally {
    identity.close();
  }
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const ms: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    const startedAt = performance.now();
    await work();
    ms.push(performance.now() - startedAt);
  }
  return ms;
}

function lookUpRow(item: string, ms: readonly number[], goalMs: number): Row {
  const spread = spreadOf(ms);
  return {
    item,
    measured: describeSpread(spread, 'ms', 3),
    baseline: '',
    ratio: '',
    goal: `< ${goalMs} ms`,
    ok: spread.median < goalMs,
    figures: { spread },
  };
}

/** A customer who asks for the balance at a steady pace, while people sign in whom nobody knows. */
async function measureSignIns(bench: BenchStack, account: BenchAccount, size: DoorsSize): Promise<Row> {
  const url = `${bench.stack.apiUrl}/api/v1/auth/sign-in`;
  let people = 0;
  const signIn = (): Parameters<typeof send>[1] => {
    people += 1;
    const body = JSON.stringify({
      email: `nobody-${people}@example.org`,
      password: 'a long enough password',
    });
    return { url, headers: {}, body };
  };
  const statuses = new Set<number>();
  const agent = new Agent({ keepAlive: true });
  const note = async (): Promise<void> => void statuses.add(await send(agent, signIn()));
  const alone = await steadyBalance(bench, account, size.seconds);
  const signing = everySoOften(SIGN_INS_PER_SECOND, size.seconds, note);
  const beside = spreadOf(await steadyBalance(bench, account, size.seconds));
  await signing;
  agent.destroy();
  return {
    item: `balance, p99, beside ${SIGN_INS_PER_SECOND} sign-ins a second`,
    measured: `${beside.p99.toFixed(1)} ms`,
    baseline: `${spreadOf(alone).p99.toFixed(1)} ms alone`,
    ratio: '',
    goal: `≤ ${GOALS.besideMs} ms`,
    ok: beside.p99 <= GOALS.besideMs && statuses.size === 1 && statuses.has(401),
    figures: { alone: spreadOf(alone), beside, statuses: [...statuses] },
  };
}

/** A customer beside one address that sends well-formed keys which nobody has. */
async function measureForged(bench: BenchStack, account: BenchAccount, size: DoorsSize): Promise<Row> {
  // The process knows the key of a customer who has called. The first flood at the process is refused by code that is not compiled yet.
  await steadyBalance(bench, account, 1);
  await floodWith(balanceOf(bench), WARM_UP_SECONDS);
  const alone = spreadOf(await steadyBalance(bench, account, size.seconds));
  // The flood comes from a process of its own, so that what it costs its sender does not count as time of the answers.
  const flood = floodWith(balanceOf(bench), size.seconds);
  const beside = spreadOf(await steadyBalance(bench, account, size.seconds));
  const { sentPerSecond, ...answered } = await flood;
  return {
    item: `balance, median, beside ${sentPerSecond.toFixed(0)} forged keys a second of one address`,
    measured: `${beside.median.toFixed(1)} ms`,
    baseline: `${alone.median.toFixed(1)} ms alone`,
    ratio: (beside.median / alone.median).toFixed(2),
    goal: `≤ ${GOALS.forged}`,
    ok: beside.median <= GOALS.forged * alone.median,
    figures: { alone, beside, sentPerSecond, ...answered },
  };
}

async function floodWith(url: string, seconds: number): Promise<Flood> {
  const plan = [url, FORGING_CONNECTIONS, seconds, FORGED_PER_SECOND].map(String);
  const child = fork(new URL('forged-keys.ts', import.meta.url), plan, { execArgv: [] });
  const flood = await new Promise<unknown>((resolve) => child.once('message', resolve));
  if (isFlood(flood)) return flood;
  throw new Error('The flood told nothing.');
}

/** The times of answers about the balance, asked for at a steady pace. @throws when one is refused. */
async function steadyBalance(bench: BenchStack, account: BenchAccount, seconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const ask = { url: balanceOf(bench), headers: bearer(account.liveKey) };
  const ms: number[] = [];
  await everySoOften(BALANCES_PER_SECOND, seconds, async () => {
    const startedAt = performance.now();
    const status = await send(agent, ask);
    if (status !== 200) throw new Error(`The balance was answered with ${status}.`);
    ms.push(performance.now() - startedAt);
  });
  agent.destroy();
  return ms;
}

/** Begins some work so many times a second, whether or not the work before has ended. */
async function everySoOften(perSecond: number, seconds: number, work: () => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  const begun: Promise<void>[] = [];
  for (let turn = 0; turn < perSecond * seconds; turn += 1) {
    await sleep(Math.max(0, startedAt + (turn * 1000) / perSecond - performance.now()));
    begun.push(work());
  }
  await Promise.all(begun);
}

function areGood(loads: readonly Load[]): boolean {
  return loads.every(({ statuses }) => statuses.size === 1 && statuses.has(200));
}
