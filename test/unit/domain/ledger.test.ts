import { expect } from 'chai';
import fc from 'fast-check';

import {
  allowancePosting,
  expiryPosting,
  holdPosting,
  isBalanced,
  linesAt,
  mayStandAt,
  promoPosting,
  settleLots,
  splitHold,
  type Funds,
  type Line,
  type OpenLot,
  type Posting,
} from '../../../src/domain/ledger.ts';

const pence = fc.integer({ min: 0, max: 1_000_000_000 });
const PERIOD = 'a-period';
const funds: fc.Arbitrary<Funds> = fc.record({
  walletPence: pence,
  monthlyPence: pence,
  monthlyPeriod: fc.constant(PERIOD),
});

function total(lines: readonly Line[], ...accounts: Line['account'][]): number {
  return lines
    .filter((line) => accounts.includes(line.account))
    .reduce((sum, line) => sum + line.amountPence, 0);
}

function linesOf(postings: readonly Posting[]): Line[] {
  return postings.flatMap((posting) => posting.lines);
}

/** A hold that the funds cover, its lots at settlement, and a charge that the hold covers. */
const settlement = fc
  .tuple(
    funds,
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([available, part, chargedPart, ended, faultIsOurs]) => {
    const heldPence = Math.floor((available.walletPence + available.monthlyPence) * part);
    const held = splitHold(heldPence, available) ?? [];
    const lots: OpenLot[] = held.map((lot) => ({ ...lot, ended: ended && lot.bucket === 'monthly' }));
    return {
      available,
      heldPence,
      held,
      lots,
      chargePence: Math.floor(heldPence * chargedPart),
      ended,
      faultIsOurs,
    };
  });

/** Lots of any number and kind, as a hold of several parts has them, with a charge that they cover. */
const anyLots = fc
  .array(
    fc.record({
      bucket: fc.constantFrom('wallet' as const, 'monthly' as const),
      amountPence: fc.integer({ min: 1, max: 40 }),
      ended: fc.boolean(),
    }),
    { maxLength: 6 },
  )
  .chain((lots) => {
    const heldPence = lots.reduce((sum, lot) => sum + lot.amountPence, 0);
    return fc.record({
      lots: fc.constant(lots),
      chargePence: fc.integer({ min: 0, max: heldPence }),
      faultIsOurs: fc.boolean(),
    });
  });

/** Takes up every held penny in turn, and puts the penny where it belongs. */
function pennyByPenny(
  lots: readonly OpenLot[],
  chargePence: number,
  faultIsOurs: boolean,
): Map<string, number> {
  const sums = new Map<string, number>();
  const add = (account: string, by: number): unknown => sums.set(account, (sums.get(account) ?? 0) + by);
  let paid = 0;
  for (const lot of lots) {
    for (let penny = 0; penny < lot.amountPence; penny += 1) {
      add(`${lot.bucket}_held`, -1);
      if (paid < chargePence) {
        paid += 1;
        add('revenue', 1);
      } else if (!lot.ended) add(lot.bucket, 1);
      else add(faultIsOurs ? 'wallet' : 'monthly_expired', 1);
    }
  }
  return sums;
}

/** Takes pennies one by one: from the wallet while it has some, then as a debt. */
function takenFrom(before: { readonly wallet: number; readonly debt: number }, pence: number): number[] {
  let { wallet, debt } = before;
  for (let penny = 0; penny < pence; penny += 1)
    if (wallet > 0) wallet -= 1;
    else debt -= 1;
  return [wallet, debt];
}

describe('ledger postings', () => {
  it('split a hold over what there is, monthly credits first, or refuse it whole', () => {
    fc.assert(
      fc.property(pence, funds, (amount, available) => {
        const lots = splitHold(amount, available);
        if (amount > available.walletPence + available.monthlyPence) {
          expect(lots).to.equal(null);
          return;
        }
        const of = (bucket: string): number =>
          (lots ?? []).filter((lot) => lot.bucket === bucket).reduce((sum, lot) => sum + lot.amountPence, 0);
        expect(of('monthly')).to.equal(Math.min(amount, available.monthlyPence));
        expect(of('monthly') + of('wallet')).to.equal(amount);
        for (const lot of lots ?? []) {
          expect(lot.amountPence).to.be.greaterThan(0);
          expect(lot.period).to.equal(lot.bucket === 'monthly' ? PERIOD : null);
        }
      }),
    );
  });

  it('have no lots for a hold of nothing, even without funds', () => {
    expect(splitHold(0, { walletPence: 0, monthlyPence: 0, monthlyPeriod: null })).to.deep.equal([]);
  });

  it('always sum to zero and are never empty', () => {
    fc.assert(
      fc.property(settlement, ({ held, lots, chargePence, faultIsOurs }) => {
        const postings = settleLots(lots, chargePence, faultIsOurs).postings;
        for (const posting of held.length > 0 ? [holdPosting(held), ...postings] : postings) {
          expect(isBalanced(posting.lines), posting.kind).to.equal(true);
        }
      }),
    );
    for (const give of [promoPosting, allowancePosting, expiryPosting])
      expect(isBalanced(give(500).lines)).to.equal(true);
  });

  it('settle a hold whole: what was held is charged, returned or expired, and nothing stays held', () => {
    fc.assert(
      fc.property(settlement, ({ heldPence, held, lots, chargePence, faultIsOurs }) => {
        const settled = settleLots(lots, chargePence, faultIsOurs);
        const lines = linesOf(settled.postings);
        expect(settled.chargedPence).to.equal(chargePence);
        expect(settled.chargedPence + settled.releasedPence).to.equal(heldPence);
        expect(total(lines, 'revenue')).to.equal(chargePence);
        expect(-total(lines, 'wallet_held', 'monthly_held')).to.equal(heldPence);
        settled.lots.forEach((lot, index) => {
          expect(lot.chargedPence).to.be.at.least(0);
          expect(lot.releasedPence).to.be.at.least(0);
          expect(lot.chargedPence + lot.releasedPence).to.equal(held[index]?.amountPence);
        });
        const firstOpen = settled.lots.findIndex((lot) => lot.releasedPence > 0);
        if (firstOpen >= 0)
          expect(settled.lots.slice(firstOpen + 1).every((lot) => lot.chargedPence === 0)).to.equal(true);
      }),
    );
  });

  it('move what taking the pennies up one by one would move, over any lots', () => {
    fc.assert(
      fc.property(anyLots, ({ lots, chargePence, faultIsOurs }) => {
        const { postings } = settleLots(lots, chargePence, faultIsOurs);
        for (const posting of postings) expect(isBalanced(posting.lines), posting.kind).to.equal(true);
        const sums = new Map<string, number>();
        for (const { account, amountPence } of linesOf(postings))
          sums.set(account, (sums.get(account) ?? 0) + amountPence);
        expect(sums).to.deep.equal(pennyByPenny(lots, chargePence, faultIsOurs));
      }),
      { numRuns: 300 },
    );
  });

  it('return what was not charged to where it came from while its period lasts', () => {
    fc.assert(
      fc.property(settlement, ({ lots, chargePence, faultIsOurs }) => {
        const running = lots.map((lot) => ({ ...lot, ended: false }));
        const { lots: settled, postings } = settleLots(running, chargePence, faultIsOurs);
        for (const bucket of ['wallet', 'monthly'] as const) {
          const back = running.reduce(
            (sum, lot, index) => sum + (lot.bucket === bucket ? (settled[index]?.releasedPence ?? 0) : 0),
            0,
          );
          expect(total(linesOf(postings), bucket)).to.equal(back);
        }
        expect(total(linesOf(postings), 'monthly_expired')).to.equal(0);
      }),
    );
  });

  it('let an ended period expire, unless the fault is the service’s: then it becomes wallet credit', () => {
    const lots: OpenLot[] = [
      { bucket: 'monthly', amountPence: 300, ended: true },
      { bucket: 'wallet', amountPence: 200, ended: false },
    ];
    const theirs = settleLots(lots, 100, false).postings;
    expect(theirs.map((posting) => posting.kind)).to.deep.equal(['charge', 'hold_release', 'monthly_expiry']);
    expect(total(linesOf(theirs), 'monthly_expired')).to.equal(200);
    expect(total(linesOf(theirs), 'wallet')).to.equal(200);
    const ours = settleLots(lots, 100, true).postings;
    expect(ours.map((posting) => posting.kind)).to.deep.equal(['charge', 'hold_release']);
    expect(total(linesOf(ours), 'wallet')).to.equal(400);
    expect(total(linesOf(ours), 'monthly', 'monthly_expired')).to.equal(0);
  });

  it('write nothing for a zero charge or a zero rest', () => {
    const lots: OpenLot[] = [{ bucket: 'wallet', amountPence: 40, ended: false }];
    expect(settleLots(lots, 0, false).postings.map((posting) => posting.kind)).to.deep.equal([
      'hold_release',
    ]);
    expect(settleLots(lots, 40, false).postings.map((posting) => posting.kind)).to.deep.equal(['charge']);
    expect(settleLots([], 0, false).postings).to.deep.equal([]);
  });

  it('refuse a charge above the hold, and amounts that are no whole pence', () => {
    const lots: OpenLot[] = [{ bucket: 'wallet', amountPence: 40, ended: false }];
    expect(() => settleLots(lots, 41, false)).to.throw(RangeError);
    for (const wrong of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => promoPosting(wrong)).to.throw(RangeError);
      expect(() => settleLots(lots, wrong, false)).to.throw(RangeError);
      expect(() => splitHold(wrong, { walletPence: 1, monthlyPence: 0, monthlyPeriod: null })).to.throw(
        RangeError,
      );
    }
  });

  it('pay a debt by whatever reaches the wallet, and owe only what is missing where that is allowed', () => {
    const amount = fc.integer({ min: -500, max: 500 }).filter((pence) => pence !== 0);
    const stand = fc.oneof(
      fc.record({ wallet: fc.nat(300), debt: fc.constant(0) }),
      fc.record({ wallet: fc.constant(0), debt: fc.nat(300).map((owed) => 0 - owed) }),
    );
    fc.assert(
      fc.property(amount, stand, fc.boolean(), (pence, before, mayOwe) => {
        const lines: Line[] = [
          { account: 'wallet', amountPence: pence },
          { account: 'stripe_clearing', amountPence: -pence },
        ];
        const written = linesAt(lines, before, mayOwe);
        expect(isBalanced(written)).to.equal(true);
        expect(total(written, 'stripe_clearing'), 'what was paid').to.equal(-pence);
        expect(total(written, 'wallet', 'debt')).to.equal(pence);
        const wallet = before.wallet + total(written, 'wallet');
        const debt = before.debt + total(written, 'debt');
        expect(mayStandAt('debt', debt)).to.equal(true);
        if (pence > 0) expect(wallet > 0 && debt < 0, 'credits beside a debt').to.equal(false);
        else if (mayOwe) expect([wallet, debt]).to.deep.equal(takenFrom(before, -pence));
        else expect(written).to.equal(lines);
      }),
    );
  });

  it('know what is no transfer', () => {
    const line = (account: Line['account'], amountPence: number): Line => ({ account, amountPence });
    expect(isBalanced([line('wallet', 1)])).to.equal(false);
    expect(isBalanced([line('wallet', 1), line('revenue', -2)])).to.equal(false);
    expect(isBalanced([line('wallet', 1), line('wallet', -1)])).to.equal(false);
    expect(isBalanced([line('wallet', 0), line('revenue', 0)])).to.equal(false);
    expect(isBalanced([line('wallet', 0.5), line('revenue', -0.5)])).to.equal(false);
  });
});
