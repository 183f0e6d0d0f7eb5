/**
 * Money of a top-up that goes back: how much of a top-up is unspent, how a sum that the provider pays back divides into price, tax
 * and bonus, and what is posted. Pure rules over the history of a wallet, so that nothing is kept for them while jobs run.
 */
import type { Line, Posting, TransferKind } from './ledger.ts';

/**
 * A transfer that changed what a wallet has, held credits included. `topupId` is set for a payment, a bonus, and what was taken
 * back of a top-up or given back again; `bonusPence` is the part of such a return that is bonus.
 */
export interface WalletMove {
  readonly kind: TransferKind;
  readonly pence: number;
  readonly topupId: string | null;
  readonly bonusPence: number;
}

/** Unspent part of a top-up. */
export interface Unspent {
  readonly paidPence: number;
  readonly bonusPence: number;
}

/** A top-up as it was paid. */
export interface PaidTopup {
  readonly amountPence: number;
  readonly bonusPence: number;
  readonly taxPence: number;
}

/** Parts of what has gone back of a top-up: of the price before tax, of the tax, and of the bonus. */
export interface ReturnedParts {
  readonly creditPence: number;
  readonly taxPence: number;
  readonly bonusPence: number;
}

interface Lot {
  paid: number;
  bonus: number;
}

/**
 * Computes the unspent part of each top-up after these moves, in their order, while so much is held. Credits that were given for
 * free are spent first, then the top-ups, the oldest first, the paid part of each before its bonus; held and debt-paying credits
 * count as spent. A return that its own top-up could not give was taken from the others in the same order.
 */
export function unspentTopups(moves: Iterable<WalletMove>, heldPence: number): ReadonlyMap<string, Unspent> {
  const wallet = new WalletLots();
  for (const move of moves) wallet.apply(move);
  wallet.spend(heldPence);
  return new Map(
    [...wallet.lots].map(([id, { paid, bonus }]) => [id, { paidPence: paid, bonusPence: bonus }]),
  );
}

/** The credits of a wallet by where they came from. */
class WalletLots {
  readonly lots = new Map<string, Lot>();
  #given = 0;

  apply({ kind, pence, topupId, bonusPence }: WalletMove): void {
    if (topupId === null) {
      if (pence > 0) this.#given += pence;
      else this.spend(-pence);
      return;
    }
    const lot = this.#lotOf(topupId);
    if (kind === 'topup') lot.paid += pence;
    else if (kind === 'topup_bonus') lot.bonus += pence;
    else if (pence > 0) {
      const bonus = Math.min(pence, bonusPence);
      lot.bonus += bonus;
      lot.paid += pence - bonus;
    } else this.#take(lot, -pence, bonusPence);
  }

  spend(pence: number): void {
    const given = Math.min(pence, this.#given);
    this.#given -= given;
    let due = pence - given;
    for (const lot of this.lots.values()) {
      due -= takeFrom(lot, 'paid', due);
      due -= takeFrom(lot, 'bonus', due);
    }
  }

  #take(lot: Lot, pence: number, bonusPence: number): void {
    const bonus = takeFrom(lot, 'bonus', Math.min(pence, bonusPence));
    const paid = takeFrom(lot, 'paid', pence - bonus);
    this.spend(pence - bonus - paid);
  }

  #lotOf(topupId: string): Lot {
    const known = this.lots.get(topupId);
    if (known !== undefined) return known;
    const lot = { paid: 0, bonus: 0 };
    this.lots.set(topupId, lot);
    return lot;
  }
}

function takeFrom(lot: Lot, part: keyof Lot, pence: number): number {
  const taken = Math.min(pence, lot[part]);
  lot[part] -= taken;
  return taken;
}

/**
 * Computes the sum of a top-up that may be refunded: its unspent price, and never more than was paid and has not gone back yet.
 */
export function refundablePence(
  topup: PaidTopup,
  returnedPence: number,
  unspent: Unspent | undefined,
): number {
  const left = topup.amountPence - partsOf(topup, returnedPence).creditPence;
  return Math.max(0, Math.min(unspent?.paidPence ?? 0, left));
}

/**
 * Divides all that the provider has paid back of a top-up. The parts follow from the sum alone, so whatever the order in which
 * refunds and disputes come and end, the same sum has the same parts. The bonus goes back with the price, in proportion.
 */
export function partsOf(topup: PaidTopup, returnedPence: number): ReturnedParts {
  const { amountPence, taxPence } = topup;
  const grossPence = amountPence + taxPence;
  const beyond = Math.max(0, returnedPence - grossPence);
  const creditPence = Math.floor(((returnedPence - beyond) * amountPence) / grossPence) + beyond;
  return {
    creditPence,
    taxPence: returnedPence - creditPence,
    bonusPence: Math.ceil((topup.bonusPence * Math.min(creditPence, amountPence)) / amountPence),
  };
}

/**
 * Computes the sum that the provider pays back, tax included, to return so much of the price beyond the part already returned.
 */
export function grossOf(topup: PaidTopup, returnedPence: number, creditPence: number): number {
  const { amountPence, taxPence } = topup;
  const credit = partsOf(topup, returnedPence).creditPence + creditPence;
  return Math.ceil((credit * (amountPence + taxPence)) / amountPence) - returnedPence;
}

/** The posting that brings the books from one sum of returns of a top-up to another. */
export function returnPosting(
  kind: 'refund' | 'dispute',
  topup: PaidTopup,
  fromPence: number,
  toPence: number,
): Posting {
  const [before, after] = [partsOf(topup, fromPence), partsOf(topup, toPence)];
  const credit = after.creditPence - before.creditPence;
  const bonus = after.bonusPence - before.bonusPence;
  const lines: Line[] = [
    { account: 'wallet', amountPence: -credit - bonus },
    { account: 'stripe_clearing', amountPence: toPence - fromPence },
    { account: 'tax_payable', amountPence: before.taxPence - after.taxPence },
    { account: 'bonus_expense', amountPence: bonus },
  ];
  return { kind, lines: lines.filter(({ amountPence }) => amountPence !== 0) };
}
