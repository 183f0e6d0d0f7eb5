/**
 * Ledger: pairs of a hold and its settlement on 16 connections, against as many connections of pgbench that run two
 * UPDATEs and three INSERTs in one transaction on rows of different customers. A pair of Dockyard is two statements,
 * each a transaction of its own with locks, checks and double entries. The same pairs of customers with every limit set are
 * measured against those of customers without limits.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { createAccount } from '../src/services/identity/index.ts';
import { placeHold, setLimits, settleHold, verifyLedger } from '../src/services/ledger/index.ts';
import { repeatConflicts } from '../src/services/transaction.ts';
import { openPlainLoad } from './plain-load.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface LedgerSize {
  readonly rounds: number;
  readonly seconds: number;
}

interface Rates {
  readonly ours: number[];
  readonly plain: number[];
  readonly hot: number[];
  readonly limited: number[];
}

const CONNECTIONS = 16;
const CUSTOMERS = 100;
const CREDITS_PENCE = 1_000_000_000;
const GOAL = 0.5;
const GOAL_LIMITED = 0.8;

/** A customer of the benchmark; with a key, every limit is set. */
interface BenchCustomer {
  readonly accountId: string;
  readonly keyId?: string;
}

/** Measures the ledger. */
export async function measureLedger(size: LedgerSize): Promise<Row[]> {
  // Only the servers run, because no other process may write during the measurement.
  const bench = await openBenchStack();
  try {
    for (const name of ['api', 'control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    const customers = await openCustomers(bench.db, 'free');
    const limited = await limitAll(bench.db, await openCustomers(bench.db, 'limited'));
    const plain = await openPlainLoad(bench.databaseUrl, CONNECTIONS, CUSTOMERS);
    const rates: Rates = { ours: [], plain: [], hot: [], limited: [] };
    const hot = customers.slice(0, 1);
    await pairsPerSecond(bench.db, customers, 1);
    for (let round = 0; round < size.rounds; round += 1) {
      rates.plain.push(await plain.run(size.seconds));
      rates.ours.push(await pairsPerSecond(bench.db, customers, size.seconds));
      rates.limited.push(await pairsPerSecond(bench.db, limited, size.seconds));
      rates.hot.push(await pairsPerSecond(bench.db, hot, size.seconds));
    }
    await plain.close();
    return rowsOf(rates, plain.name, await violations(bench.db));
  } finally {
    await bench.close();
  }
}

function rowsOf(rates: Rates, plainName: string, broken: number): Row[] {
  const [ours, plain, hot] = [spreadOf(rates.ours), spreadOf(rates.plain), spreadOf(rates.hot)];
  const ratio = spreadOf(ratiosOf(rates.ours, rates.plain));
  const hotRatio = spreadOf(ratiosOf(rates.hot, rates.ours));
  const limited = spreadOf(rates.limited);
  const limitedRatio = spreadOf(ratiosOf(rates.limited, rates.ours));
  return [
    {
      item: `hold and settlement, ${CUSTOMERS} customers, against ${plainName}`,
      measured: describeSpread(ours, 'pairs/s', 0),
      baseline: describeSpread(plain, 'tx/s', 0),
      ratio: ratio.median.toFixed(2),
      goal: `≥ ${GOAL}`,
      ok: ratio.median >= GOAL,
      figures: { ours, plain, ratio },
    },
    {
      item: 'the same with every limit set, against none',
      measured: describeSpread(limited, 'pairs/s', 0),
      baseline: describeSpread(ours, 'pairs/s', 0),
      ratio: limitedRatio.median.toFixed(2),
      goal: `≥ ${GOAL_LIMITED}`,
      ok: limitedRatio.median >= GOAL_LIMITED,
      figures: { limited, ours, ratio: limitedRatio },
    },
    {
      item: `one hot customer, against ${CUSTOMERS}`,
      measured: describeSpread(hot, 'pairs/s', 0),
      baseline: describeSpread(ours, 'pairs/s', 0),
      ratio: hotRatio.median.toFixed(2),
      goal: '',
      ok: null,
      figures: { hot, ours, ratio: hotRatio },
    },
    {
      item: 'ledger identities broken afterwards',
      measured: String(broken),
      baseline: '',
      ratio: '',
      goal: '0',
      ok: broken === 0,
      figures: { broken },
    },
  ];
}

async function openCustomers(db: DataSource, name: string): Promise<BenchCustomer[]> {
  const customers: BenchCustomer[] = [];
  for (let index = 0; index < CUSTOMERS; index += 1) {
    const email = `ledger-${name}-${index}@example.com`;
    const { accountId } = await createAccount(db, { email, creditsPence: CREDITS_PENCE });
    customers.push({ accountId });
  }
  return customers;
}

/** Sets every limit of the customers, out of reach. */
async function limitAll(db: DataSource, customers: readonly BenchCustomer[]): Promise<BenchCustomer[]> {
  const limited: BenchCustomer[] = [];
  for (const { accountId } of customers) {
    const [key] = await db.query<{ id: string }[]>('select id from api_keys where account_id = $1 limit 1', [
      accountId,
    ]);
    const keyId = key?.id ?? '';
    await setLimits(db, accountId, {
      ...{ jobLimitPence: CREDITS_PENCE, monthLimitPence: CREDITS_PENCE },
      key: { keyId, monthLimitPence: CREDITS_PENCE },
    });
    limited.push({ accountId, keyId });
  }
  return limited;
}

async function pairsPerSecond(
  db: DataSource,
  customers: readonly BenchCustomer[],
  seconds: number,
): Promise<number> {
  let pairs = 0;
  const startedAt = performance.now();
  const until = startedAt + seconds * 1000;
  const connection = async (first: number): Promise<void> => {
    for (let turn = first; performance.now() < until; turn += CONNECTIONS) {
      const customer = customers[turn % customers.length];
      if (customer === undefined) return;
      await pair(db, customer);
      pairs += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => connection(index)));
  return pairs / ((performance.now() - startedAt) / 1000);
}

async function pair(db: DataSource, customer: BenchCustomer): Promise<void> {
  const holdId = uuidv7();
  const hold = { ...customer, holdId, jobId: uuidv7(), execution: 1, amountPence: 42 };
  const { held } = await repeatConflicts(() => placeHold(db, hold));
  if (!held) throw new Error('A customer of the benchmark ran out of credits.');
  await repeatConflicts(() => settleHold(db, { holdId, chargePence: 20 }));
}

async function violations(db: DataSource): Promise<number> {
  return (await verifyLedger(db)).length;
}
