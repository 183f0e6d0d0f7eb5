/** Many movements at once: no overdraft, no lost update, no deadlock, and books that are right at every instant. */
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { createDatabase } from '../../src/adapters/database.ts';
import { postTransfers, verifyLedger } from '../../src/services/ledger/index.ts';
import type { HoldRequest, TransferInput } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Tx } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import {
  admit,
  balancesOf,
  end,
  endPeriod,
  give,
  newHold,
  openCustomer,
  startPeriod,
} from '../support/ledger.ts';
import type { Customer } from '../support/ledger.ts';

const CONNECTIONS = 16;
const STEPS = 45;

interface OpenHold {
  readonly customer: Customer;
  readonly request: HoldRequest;
}

/** What the books must say at the end, computed from the answers. */
interface Tally {
  given: number;
  charged: number;
  refused: number;
}

describe('the ledger under load', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: CONNECTIONS });
  });
  after(() => test.close());

  /** Verifies from a connection of its own, at random instants, until the work is done. @returns how often. */
  async function audited(work: Promise<unknown>): Promise<number> {
    const auditor = await createDatabase(test.url, { poolSize: 1 });
    let working = true;
    const done = work.finally(() => {
      working = false;
    });
    // The failure is reported below; until then the audit must not leave it unhandled.
    done.catch(() => undefined);
    let audits = 0;
    try {
      while (working) {
        expect(await verifyLedger(auditor), `audit ${audits}`).to.deep.equal([]);
        audits += 1;
        await sleep(Math.random() * 40);
      }
      await done;
      expect(await verifyLedger(auditor)).to.deep.equal([]);
    } finally {
      await auditor.destroy();
    }
    return audits;
  }

  /** No retry: in this isolation level no movement may need one. */
  const once = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction(work);

  it('of random movements over few customers keeps every penny', async () => {
    const seed = Date.now() % 2 ** 31;
    const customers = await Promise.all([300, 300, 60].map((pence) => openCustomer(test.db, pence)));
    const tallies = new Map<string, Tally>(
      [300, 300, 60].map((given, index) => [
        customers[index]?.accountId ?? '',
        { given, charged: 0, refused: 0 },
      ]),
    );
    const open: OpenHold[] = [];

    const reserve = async (customer: Customer, amountPence: number, tally: Tally): Promise<void> => {
      const request = newHold(customer.accountId, amountPence);
      const { held } = await once((tx) => admit(tx, customer, request));
      if (held) open.push({ customer, request });
      else tally.refused += 1;
    };
    const settle = async ({ request }: OpenHold, share: number, tally: Tally): Promise<void> => {
      const chargePence = Math.floor(request.amountPence * share);
      const settlement = { holdId: request.holdId, chargePence };
      // The same call twice at the same time, as after a lost answer.
      const answers = await Promise.all([1, 2].map(() => once((tx) => end(tx, request.jobId, settlement))));
      for (const answer of answers)
        expect(answer).to.deep.equal({
          chargedPence: chargePence,
          releasedPence: request.amountPence - chargePence,
        });
      tally.charged += chargePence;
    };
    const connection = async (index: number): Promise<void> => {
      for (const step of fc.sample(steps, { numRuns: STEPS, seed: seed + index })) {
        const customer = customers[step.customer % customers.length];
        const tally = tallies.get(customer?.accountId ?? '');
        if (customer === undefined || tally === undefined) throw new Error('no customer');
        const settled =
          step.kind === 'settle' ? open.splice(step.pick % Math.max(1, open.length), 1)[0] : undefined;
        const owner = settled === undefined ? undefined : tallies.get(settled.customer.accountId);
        if (settled !== undefined && owner !== undefined) await settle(settled, step.share, owner);
        else if (step.kind === 'give') {
          await give(test.db, customer.accountId, step.pence);
          tally.given += step.pence;
        } else await reserve(customer, step.pence, tally);
      }
    };

    const load = Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => connection(index)));
    expect(await audited(load)).to.be.at.least(1);

    for (const customer of customers) {
      const tally = tallies.get(customer.accountId);
      const stillHeld = open
        .filter((hold) => hold.customer === customer)
        .reduce((sum, hold) => sum + hold.request.amountPence, 0);
      const balances = await balancesOf(test.db, customer.accountId);
      const expected = (tally?.given ?? 0) - (tally?.charged ?? 0);
      expect(balances.wallet + balances.wallet_held, `seed ${seed}`).to.equal(expected);
      expect(balances.wallet_held, `seed ${seed}`).to.equal(stillHeld);
    }
    // The load tests overdrafts only when credits ran out during it.
    expect([...tallies.values()].reduce((sum, tally) => sum + tally.refused, 0)).to.be.above(0);
  });

  it('lets exactly as many holds through as the credits cover', async () => {
    const customer = await openCustomer(test.db, 42 * 7 + 41);
    const results = await Promise.all(
      Array.from({ length: 40 }, () => once((tx) => admit(tx, customer, newHold(customer.accountId, 42)))),
    );
    expect(results.filter(({ held }) => held)).to.have.length(7);
    for (const result of results)
      if (!result.held) expect(result).to.have.property('availablePence').that.is.below(42);
    expect(await balancesOf(test.db, customer.accountId)).to.include({ wallet: 41, wallet_held: 42 * 7 });
  });

  it('places one hold, however many ask for it at the same time', async () => {
    const customer = await openCustomer(test.db, 1_000);
    const request = newHold(customer.accountId, 42);
    // Only the hold is placed, because what admission writes after the hold is not under test.
    await Promise.all(Array.from({ length: 32 }, () => once((tx) => admit(tx, customer, request))));
    expect(await balancesOf(test.db, customer.accountId)).to.include({ wallet: 958, wallet_held: 42 });
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });

  it('of batches over the same customers in every order has no deadlock', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => openCustomer(test.db, 100)));
    const batchOf = (turn: number): TransferInput[] => {
      const order =
        fc.sample(fc.shuffledSubarray(customers, { minLength: 3 }), { numRuns: 1, seed: turn })[0] ?? [];
      return order.map(({ accountId }) => ({
        ...{ kind: 'adjustment', key: uuidv7(), accountId, description: 'Adjustment' },
        lines: [
          { account: 'wallet', amountPence: 1 },
          { account: 'adjustments', amountPence: -1 },
        ],
      }));
    };
    const batches = Array.from({ length: 120 }, (_, turn) => batchOf(turn + 1));
    const load = Promise.all(batches.map((batch) => once((tx) => postTransfers(tx, batch))));
    await audited(load);
    for (const { accountId } of customers) {
      const added = batches.flat().filter((transfer) => transfer.accountId === accountId).length;
      expect(await balancesOf(test.db, accountId)).to.include({ wallet: 100 + added });
    }
  });

  it('keeps monthly credits apart from the wallet while a period ends in the middle', async () => {
    const customer = await openCustomer(test.db, 400);
    const { accountId } = customer;
    await startPeriod(test.db, accountId, 200);
    const requests = Array.from({ length: 60 }, () => newHold(accountId, 10));
    const load = Promise.all([
      ...requests.map(async (request, index) => {
        await once((tx) => admit(tx, customer, request));
        await once((tx) =>
          end(tx, request.jobId, {
            holdId: request.holdId,
            chargePence: index % 10,
            faultIsOurs: index % 3 === 0,
          }),
        );
      }),
      sleep(20).then(() => endPeriod(test.db, accountId)),
    ]);
    await audited(load);
    const [sums] = await test.db.query<{ charged: number; expired: number }[]>(
      `select coalesce(sum(amount_pence) filter (where account = 'revenue'), 0) as charged,
         coalesce(sum(amount_pence) filter (where account = 'monthly_expired'), 0) as expired
       from ledger_entries where account_id = $1`,
      [accountId],
    );
    const balances = await balancesOf(test.db, accountId);
    expect(balances).to.include({ wallet_held: 0, monthly_held: 0 });
    const left = balances.wallet + balances.monthly;
    expect(left + Number(sums?.charged) + Number(sums?.expired)).to.equal(600);
  });

  it('repeats what PostgreSQL asks to repeat, and never tells it as lack of credits', async () => {
    const customer = await openCustomer(test.db, 10 * 12);
    const results = await Promise.all(
      Array.from({ length: 12 }, () =>
        inTransaction(test.db, (tx) => admit(tx, customer, newHold(customer.accountId, 10)), {
          isolation: 'REPEATABLE READ',
        }),
      ),
    );
    expect(results.every(({ held }) => held)).to.equal(true);
    expect(await balancesOf(test.db, customer.accountId)).to.include({ wallet: 0, wallet_held: 120 });
    expect(await verifyLedger(test.db)).to.deep.equal([]);
  });
});

const steps = fc.record({
  kind: fc.constantFrom('hold', 'hold', 'hold', 'settle', 'settle', 'give'),
  customer: fc.nat(1_000),
  pick: fc.nat(1_000),
  pence: fc.integer({ min: 1, max: 90 }),
  share: fc.constantFrom(0, 0.3, 0.5, 1),
});
