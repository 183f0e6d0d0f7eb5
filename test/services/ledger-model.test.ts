/**
 * The ledger against a model that a reader can check by eye: credits are single pennies, each in its owner's wallet, in
 * a month, or in a hold. Random sequences of movements must leave ledger and model in the same state and get the same
 * answers.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';

import { AppError } from '../../src/domain/errors.ts';
import { extendHold, grantCredits, postTransfers, verifyLedger } from '../../src/services/ledger/index.ts';
import type { HoldRequest } from '../../src/services/ledger/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { admit, balancesOf, end, endPeriod, newHold, openCustomer, startPeriod } from '../support/ledger.ts';
import { refusalOf } from '../support/refusals.ts';
import type { Balances, Customer } from '../support/ledger.ts';

const ACCOUNTS = 3;

/** The origin of a penny: the wallet, or the number of a month. */
type Penny = 'wallet' | number;

interface ModelHold {
  readonly request: HoldRequest;
  /** Null when the hold is settled. */
  pennies: Penny[] | null;
  /** The amounts of the parts beyond the first. */
  readonly extensions: number[];
  answer: { chargedPence: number; releasedPence: number } | null;
}

class ModelCustomer {
  readonly customer: Customer;
  wallet = 0;
  owed = 0;
  /** The number of the month, 0 before the first; `monthOpen` says whether it still runs. */
  month = 0;
  monthOpen = false;
  monthly = 0;
  readonly holds: ModelHold[] = [];
  readonly grants: { readonly key: string; readonly pence: number }[] = [];

  constructor(customer: Customer) {
    this.customer = customer;
  }

  get available(): number {
    return this.wallet + (this.monthOpen ? this.monthly : 0);
  }

  /** Brings pennies to the wallet: whatever is owed takes them first. */
  receive(pennies: number): void {
    const paid = Math.min(pennies, this.owed);
    this.owed -= paid;
    this.wallet += pennies - paid;
  }

  takeBack(pennies: number): void {
    const there = Math.min(pennies, this.wallet);
    this.wallet -= there;
    this.owed += pennies - there;
  }

  /** What placing the hold answers. */
  place(request: HoldRequest): object {
    if (this.owed > 0 && request.amountPence > 0) return { held: false, owedPence: this.owed };
    if (request.amountPence > this.available) return { held: false, availablePence: this.available };
    this.holds.push({ request, pennies: this.take(request.amountPence), extensions: [], answer: null });
    return { held: true };
  }

  /** What extending an open hold answers. */
  extend(hold: ModelHold, amountPence: number): object {
    if (this.owed > 0) return { held: false, owedPence: this.owed };
    if (amountPence > this.available) return { held: false, availablePence: this.available };
    hold.pennies?.push(...this.take(amountPence));
    hold.extensions.push(amountPence);
    return { held: true };
  }

  take(count: number): Penny[] {
    return Array.from({ length: count }, () => {
      if (this.monthOpen && this.monthly > 0) {
        this.monthly -= 1;
        return this.month;
      }
      this.wallet -= 1;
      return 'wallet';
    });
  }

  settle(hold: ModelHold, charge: number, faultIsOurs: boolean): void {
    const left = hold.pennies?.slice(charge) ?? [];
    for (const penny of left) {
      if (penny === 'wallet') this.receive(1);
      else if (penny === this.month && this.monthOpen) this.monthly += 1;
      else if (faultIsOurs) this.receive(1);
    }
    hold.pennies = null;
    hold.answer = { chargedPence: charge, releasedPence: left.length };
  }

  balances(): Balances {
    const held = this.holds.flatMap((hold) => hold.pennies ?? []);
    const ofWallet = held.filter((penny) => penny === 'wallet').length;
    return {
      wallet: this.wallet,
      wallet_held: ofWallet,
      monthly: this.monthly,
      monthly_held: held.length - ofWallet,
      debt: 0 - this.owed,
    };
  }
}

const at = fc.nat(1_000);
const account = fc.nat(ACCOUNTS - 1);
const small = fc.integer({ min: 0, max: 60 });
const step = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('give' as const),
      account,
      pence: fc.integer({ min: 1, max: 80 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('take back' as const),
      account,
      pence: fc.integer({ min: 1, max: 80 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give again' as const), account, at }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give other' as const), account, at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('new month' as const),
      account,
      pence: fc.integer({ min: 1, max: 50 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end month' as const), account }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('hold' as const), account, pence: small }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hold again' as const), account, at }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('extend' as const),
      account,
      at,
      pence: fc.integer({ min: 1, max: 40 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('extend again' as const), account, at }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      account,
      at,
      pence: small,
      faultIsOurs: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('charge too much' as const), account, at, pence: small }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('the ledger and its model', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: 2 });
  });
  after(() => test.close());

  const grant = (model: ModelCustomer, key: string, pence: number) =>
    grantCredits(test.db, {
      accountId: model.customer.accountId,
      amountPence: pence,
      key,
      description: 'A gift',
    });
  const extend = (hold: ModelHold, part: number, amountPence: number) =>
    inTransaction(test.db, (tx) => extendHold(tx, { holdId: hold.request.holdId, part, amountPence }));
  const heldBy = ({ request, extensions }: ModelHold): number =>
    extensions.reduce((sum, pence) => sum + pence, request.amountPence);
  const takenBack = (accountId: string, pence: number) => ({
    ...{ kind: 'refund' as const, key: uuidv7(), accountId, description: 'Taken back', mayOwe: true },
    lines: [
      { account: 'wallet' as const, amountPence: -pence },
      { account: 'stripe_clearing' as const, amountPence: pence },
    ],
  });
  const settle = (hold: ModelHold, chargePence: number, faultIsOurs = false) =>
    inTransaction(test.db, (tx) =>
      end(tx, hold.request.jobId, { holdId: hold.request.holdId, chargePence, faultIsOurs }),
    );
  const pick = <T>(from: readonly T[], index: number): T | undefined =>
    from[index % Math.max(1, from.length)];

  /** Takes a step in ledger and model, and compares the answers. */
  async function take(model: ModelCustomer, move: Step): Promise<void> {
    const { accountId } = model.customer;
    switch (move.kind) {
      case 'give': {
        const key = uuidv7();
        expect((await grant(model, key, move.pence)).replayed).to.equal(false);
        model.grants.push({ key, pence: move.pence });
        model.receive(move.pence);
        return;
      }
      case 'take back':
        await inTransaction(test.db, (tx) => postTransfers(tx, [takenBack(accountId, move.pence)]));
        model.takeBack(move.pence);
        return;
      case 'give again': {
        const known = pick(model.grants, move.at);
        if (known !== undefined) expect((await grant(model, known.key, known.pence)).replayed).to.equal(true);
        return;
      }
      case 'give other': {
        const known = pick(model.grants, move.at);
        if (known === undefined) return;
        expect(await refusalOf(grant(model, known.key, known.pence + 1))).to.be.instanceOf(AppError);
        return;
      }
      case 'new month':
        // Also where the month before has not ended: what is held of that month joins none of this one.
        await startPeriod(test.db, accountId, move.pence);
        model.month += 1;
        model.monthOpen = true;
        model.monthly = move.pence;
        return;
      case 'end month':
        await endPeriod(test.db, accountId);
        model.monthOpen = false;
        return;
      case 'hold': {
        const request = newHold(accountId, move.pence);
        const expected = model.place(request);
        expect(await inTransaction(test.db, (tx) => admit(tx, model.customer, request))).to.deep.equal(
          expected,
        );
        return;
      }
      case 'hold again': {
        const hold = pick(model.holds, move.at);
        if (hold === undefined) return;
        expect(await inTransaction(test.db, (tx) => admit(tx, model.customer, hold.request))).to.deep.equal({
          held: true,
        });
        return;
      }
      case 'extend': {
        const hold = pick(model.holds, move.at);
        if (hold?.answer !== null) return;
        const part = hold.extensions.length + 1;
        const expected = model.extend(hold, move.pence);
        expect(await extend(hold, part, move.pence)).to.deep.equal(expected);
        return;
      }
      case 'extend again': {
        const hold = pick(model.holds, move.at);
        const part = hold?.extensions.length ?? 0;
        if (hold === undefined || part === 0) return;
        expect(await extend(hold, part, hold.extensions[part - 1] ?? 0)).to.deep.equal({ held: true });
        return;
      }
      case 'settle': {
        // Settled holds too: they answer what they answered before.
        const hold = pick(model.holds, move.at);
        if (hold === undefined) return;
        const charge = Math.min(move.pence, heldBy(hold));
        const answer = await settle(hold, charge, move.faultIsOurs);
        if (hold.answer === null) model.settle(hold, charge, move.faultIsOurs);
        expect(answer).to.deep.equal(hold.answer);
        return;
      }
      case 'charge too much': {
        const hold = pick(model.holds, move.at);
        if (hold?.answer !== null) return;
        const refusal = await refusalOf(settle(hold, heldBy(hold) + 1 + move.pence));
        expect(refusal).to.be.instanceOf(RangeError);
        return;
      }
      default:
        move satisfies never;
    }
  }

  it('agree after every step of any sequence of movements', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (moves) => {
        const models = await Promise.all(
          Array.from({ length: ACCOUNTS }, async () => new ModelCustomer(await openCustomer(test.db))),
        );
        for (const [index, move] of moves.entries()) {
          const model = models[move.account];
          if (model === undefined) throw new Error('no customer');
          await take(model, move);
          const balances = await balancesOf(test.db, model.customer.accountId);
          expect(balances, `after step ${index}, ${move.kind}`).to.deep.equal(model.balances());
        }
        for (const model of models)
          expect(await balancesOf(test.db, model.customer.accountId)).to.deep.equal(model.balances());
        expect(await verifyLedger(test.db)).to.deep.equal([]);
      }),
      { numRuns: 100 },
    );
  });
});
