/** The rules of money that goes back: what is unspent of a top-up, and what a return posts. */
import { expect } from 'chai';
import fc from 'fast-check';

import { isBalanced, linesAt } from '../../../src/domain/ledger.ts';
import type { Line, Posting, TransferKind } from '../../../src/domain/ledger.ts';
import {
  grossOf,
  partsOf,
  refundablePence,
  returnPosting,
  unspentTopups,
} from '../../../src/domain/returns.ts';
import type { PaidTopup, WalletMove } from '../../../src/domain/returns.ts';
import { topupPostings } from '../../../src/domain/topups.ts';

const move = (
  kind: TransferKind,
  pence: number,
  topupId: string | null = null,
  bonusPence = 0,
): WalletMove => ({
  ...{ kind, pence, topupId, bonusPence },
});
const unspent = (moves: readonly WalletMove[], held = 0): unknown =>
  [...unspentTopups(moves, held)].map(([id, { paidPence, bonusPence }]) => [id, paidPence, bonusPence]);

const topup = fc
  .record({
    amountPence: fc.integer({ min: 1, max: 50_000 }),
    bonusPence: fc.integer({ min: 0, max: 7_500 }),
    taxPence: fc.integer({ min: 0, max: 10_000 }),
  })
  .map((paid): PaidTopup => paid);

function sumOf(lines: readonly Line[], account: Line['account']): number {
  return lines
    .filter((one) => one.account === account)
    .reduce((sum, { amountPence }) => sum + amountPence, 0);
}

/** A wallet with the history that the database would have, and what has gone back of each top-up. */
class Wallet {
  readonly pence = { wallet: 0, held: 0, debt: 0 };
  readonly moves: WalletMove[] = [];
  readonly topups: { readonly paid: PaidTopup; returned: number; back: number; grossBack: number }[] = [];

  post({ kind, lines }: Posting, topupId: string | null, mayOwe = false): void {
    const { wallet, debt } = this.pence;
    const at = linesAt(lines, { wallet, debt }, mayOwe);
    const [moved, heldMoved] = [sumOf(at, 'wallet'), sumOf(at, 'wallet_held')];
    this.pence.wallet += moved;
    this.pence.held += heldMoved;
    this.pence.debt += sumOf(at, 'debt');
    if (moved + heldMoved !== 0)
      this.moves.push(move(kind, moved + heldMoved, topupId, Math.abs(sumOf(at, 'bonus_expense'))));
  }

  buy(paid: PaidTopup): void {
    for (const posting of topupPostings(paid)) this.post(posting, String(this.topups.length));
    this.topups.push({ paid, returned: 0, back: 0, grossBack: 0 });
  }

  give(pence: number): void {
    this.post(plain('promo', { wallet: pence, bonus_expense: -pence }), null);
  }

  hold(pence: number): void {
    const amount = this.pence.debt < 0 ? 0 : Math.min(pence, this.pence.wallet);
    if (amount > 0) this.post(plain('hold', { wallet: -amount, wallet_held: amount }), null);
  }

  settle(pence: number): void {
    const charge = Math.min(pence, this.pence.held);
    const rest = this.pence.held - charge;
    if (charge > 0) this.post(plain('charge', { wallet_held: -charge, revenue: charge }), null);
    if (rest > 0) this.post(plain('hold_release', { wallet_held: -rest, wallet: rest }), null);
  }

  /** Refunds as an operator does, at most what may be refunded. */
  refund(nth: number, pence: number): void {
    const one = this.topups[nth % Math.max(1, this.topups.length)];
    if (one === undefined) return;
    const credit = Math.min(pence, this.refundable(one));
    if (credit === 0) return;
    const gross = grossOf(one.paid, one.returned, credit);
    expect(
      partsOf(one.paid, one.returned + gross).creditPence - partsOf(one.paid, one.returned).creditPence,
    ).to.equal(credit);
    const before = { ...this.pence };
    this.post(returnPosting('refund', one.paid, one.returned, one.returned + gross), this.#idOf(one));
    expect(this.pence.wallet, 'a refund is covered by the wallet').to.be.at.least(0);
    expect(this.pence.debt).to.equal(before.debt);
    one.returned += gross;
    one.back += credit;
    one.grossBack += gross;
  }

  /** Takes back what a bank takes, or gives all of it back. */
  dispute(nth: number, pence: number): void {
    const one = this.topups[nth % Math.max(1, this.topups.length)];
    if (one === undefined) return;
    const [from, to] = [one.returned, one.returned > one.grossBack ? one.grossBack : one.returned + pence];
    one.returned = to;
    this.post(returnPosting('dispute', one.paid, from, to), this.#idOf(one), true);
  }

  refundable(one: { readonly paid: PaidTopup; readonly returned: number }): number {
    const found = unspentTopups(this.moves, this.pence.held).get(
      String(this.topups.findIndex(({ paid }) => paid === one.paid)),
    );
    return refundablePence(one.paid, one.returned, found);
  }

  #idOf(one: { readonly paid: PaidTopup }): string {
    return String(this.topups.findIndex(({ paid }) => paid === one.paid));
  }
}

function plain(kind: TransferKind, changes: Partial<Record<Line['account'], number>>): Posting {
  const lines = Object.entries(changes).map(([account, amountPence]) => ({
    account: account as Line['account'],
    amountPence,
  }));
  return { kind, lines };
}

const step = fc.record({
  what: fc.constantFrom('buy', 'give', 'hold', 'settle', 'refund', 'dispute'),
  pence: fc.integer({ min: 1, max: 3_000 }),
  nth: fc.nat(5),
  paid: topup,
});

function take(
  wallet: Wallet,
  { what, pence, nth, paid }: typeof step extends fc.Arbitrary<infer T> ? T : never,
): void {
  if (what === 'buy') wallet.buy({ ...paid });
  if (what === 'give') wallet.give(pence);
  if (what === 'hold') wallet.hold(pence);
  if (what === 'settle') wallet.settle(pence);
  if (what === 'refund') wallet.refund(nth, pence);
  if (what === 'dispute') wallet.dispute(nth, pence);
}

describe('what is unspent of a top-up', () => {
  it('is spent after gifts, the oldest first, its price before its bonus', () => {
    const bought = [
      move('promo', 100),
      ...[move('topup', 1_000, 'a'), move('topup_bonus', 50, 'a'), move('topup', 500, 'b')],
    ];
    expect(unspent(bought)).to.deep.equal([
      ['a', 1_000, 50],
      ['b', 500, 0],
    ]);
    const spent = (pence: number): unknown => unspent([...bought, move('charge', -pence)]);
    expect(spent(100)).to.deep.equal(unspent(bought));
    expect(spent(700)).to.deep.equal([
      ['a', 400, 50],
      ['b', 500, 0],
    ]);
    expect(spent(1_120)).to.deep.equal([
      ['a', 0, 30],
      ['b', 500, 0],
    ]);
    expect(spent(1_300)).to.deep.equal([
      ['a', 0, 0],
      ['b', 350, 0],
    ]);
    expect(unspent(bought, 700)).to.deep.equal(spent(700));
  });

  it('is not made by a gift that comes after the credits were spent', () => {
    expect(unspent([move('topup', 1_000, 'a'), move('charge', -1_000), move('promo', 1_000)])).to.deep.equal([
      ['a', 0, 0],
    ]);
  });

  it('loses what goes back, its own first, and has again what was given back', () => {
    const bought = [move('topup', 1_000, 'a'), move('topup_bonus', 100, 'a'), move('topup', 500, 'b')];
    const taken = [...bought, move('charge', -800), move('dispute', -550, 'a', 50)];
    expect(unspent(taken)).to.deep.equal([
      ['a', 0, 0],
      ['b', 250, 0],
    ]);
    expect(unspent([...taken, move('dispute', 550, 'a', 50)])).to.deep.equal([
      ['a', 500, 50],
      ['b', 250, 0],
    ]);
  });

  it('is, with the gifts that are left, what the wallet has, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const wallet = new Wallet();
        for (const one of steps) {
          take(wallet, one);
          const left = [...unspentTopups(wallet.moves, wallet.pence.held).values()];
          const sum = left.reduce((total, { paidPence, bonusPence }) => total + paidPence + bonusPence, 0);
          expect(sum, 'never more than the wallet').to.be.at.most(wallet.pence.wallet);
          for (const { paidPence, bonusPence } of left)
            expect(Math.min(paidPence, bonusPence)).to.be.at.least(0);
        }
      }),
    );
  });

  it('is refunded at most once, at most what was paid, and no gift with it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const wallet = new Wallet();
        let given = 0;
        for (const one of steps) {
          if (one.what === 'dispute') continue;
          take(wallet, one);
          if (one.what === 'give') given += one.pence;
        }
        for (const one of wallet.topups) wallet.refund(wallet.topups.indexOf(one), 1e9);
        for (const { paid, back, grossBack } of wallet.topups) {
          expect(back).to.be.at.most(paid.amountPence);
          expect(grossBack).to.be.at.most(paid.amountPence + paid.taxPence);
        }
        const charged = -wallet.moves
          .filter(({ kind }) => kind === 'charge')
          .reduce((sum, { pence }) => sum + pence, 0);
        const paidIn = wallet.topups.reduce((sum, { paid }) => sum + paid.amountPence, 0);
        const bonuses = wallet.topups.reduce((sum, { paid }) => sum + paid.bonusPence, 0);
        const back = wallet.topups.reduce((sum, one) => sum + one.back, 0);
        expect(paidIn - back, 'what was used and not given was paid').to.be.at.least(
          charged - given - bonuses,
        );
      }),
    );
  });
});

describe('returns of a top-up', () => {
  it('divide into price, tax and bonus, and whole when all goes back', () => {
    const paid = { amountPence: 5_000, bonusPence: 250, taxPence: 1_000 };
    expect(partsOf(paid, 0)).to.deep.equal({ creditPence: 0, taxPence: 0, bonusPence: 0 });
    expect(partsOf(paid, 600)).to.deep.equal({ creditPence: 500, taxPence: 100, bonusPence: 25 });
    expect(partsOf(paid, 6_000)).to.deep.equal({ creditPence: 5_000, taxPence: 1_000, bonusPence: 250 });
    expect(partsOf(paid, 6_100)).to.deep.equal({ creditPence: 5_100, taxPence: 1_000, bonusPence: 250 });
  });

  it('come to the same, in whatever order they come and end', () => {
    const sums = fc.array(fc.integer({ min: 1, max: 9_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(topup, sums, fc.nat(), (paid, gone, seed) => {
        const walk = (order: readonly number[]): readonly number[] => {
          let returned = 0;
          const posted = order.map((pence) => {
            const posting = returnPosting('refund', paid, returned, returned + pence);
            returned += pence;
            expect(isBalanced(posting.lines), JSON.stringify(posting)).to.equal(true);
            return posting.lines;
          });
          return (['wallet', 'stripe_clearing', 'tax_payable', 'bonus_expense'] as const).map((account) =>
            posted.reduce((sum, lines) => sum + sumOf(lines, account), 0),
          );
        };
        const shuffled = gone
          .map((pence, index) => [pence, (index * 7_919 + seed) % 13] as const)
          .sort((left, right) => left[1] - right[1])
          .map(([pence]) => pence);
        // One sum more goes, and comes back at some other moment.
        expect(walk([...shuffled, 777, -777])).to.deep.equal(walk([777, ...gone, -777]));
        const whole = paid.amountPence + paid.taxPence;
        expect(walk([whole])).to.deep.equal([
          ...[-paid.amountPence - paid.bonusPence, whole, -paid.taxPence, paid.bonusPence].map(
            (pence) => pence + 0,
          ),
        ]);
      }),
    );
  });
});
