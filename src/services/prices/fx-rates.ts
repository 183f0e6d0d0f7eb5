/**
 * Exchange rates in the database. One schedule stores what the source says; whoever prices reads the newest accepted rate
 * and never asks the source, so a source that hangs holds up nobody, processes quote alike, and a restart loses no rate.
 * A rate that differs by more than 5 percent from the rate in use, or from those in use a day and a week ago, waits until an
 * operator accepts the rate; so no source moves the rate far by small steps. Where no rate was ever accepted, the dated rate of the
 * price book is used, and the first fetched rate is compared with that one.
 */
import type { DataSource } from 'typeorm';

import { StoredFxRateEntity } from '../../../entities/rates.ts';
import type { StoredFxRate } from '../../../entities/rates.ts';
import { AppError } from '../../domain/errors.ts';
import { FX_STATES, isJump } from '../../domain/fx.ts';
import type { FxRate, FxState } from '../../domain/fx.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import type { SourcedPriceBook } from './price-book.ts';

/** Source of an exchange rate at any moment. */
export interface FxRates {
  current(): Promise<FxRate>;
}

/** A rate as operators see it. */
export interface ListedRate extends FxRate {
  readonly id: number;
  readonly state: FxState;
  readonly fetchedAt: string;
  readonly acceptedAt: string | null;
}

const MOST_LISTED = 50;

/**
 * The rates in use now, a day ago and a week ago; the first one where none is that old, and null where there is none. A rate that an
 * operator has accepted since then counts instead of an older one, because the operator has looked at the difference.
 */
const KNOWN = `
  select coalesce(
    (select r.rate_micro from fx_rates r where r.state = 'ACCEPTED' and (r.confirmed or r.accepted_at <= now() - ago)
      order by r.id desc limit 1),
    (select r.rate_micro from fx_rates r where r.state = 'ACCEPTED' order by r.id limit 1)) as "rateMicro"
  from unnest(array['0', '1 day', '7 days']::interval[]) ago`;

/** The rate of a price book, with its source and its date. */
export function rateOfBook({ fx, version }: SourcedPriceBook): FxRate {
  return { rateMicro: fx.usdToGbpMicro, source: `price book ${version}: ${fx.source}`, date: fx.date };
}

/** The rates of a database; `fallback` is used where no rate was ever accepted. */
export function createStoredRates(db: Pick<DataSource, 'getRepository'>, fallback: FxRate): FxRates {
  return { current: async () => (await newestAccepted(db)) ?? fallback };
}

/**
 * Stores a rate that was fetched: accepted, or waiting for an operator when the rate jumped or crept. The rate that is stored already
 * is not stored twice. @returns the stored rate.
 */
export function recordRate(db: DataSource, fetched: FxRate, fallback: FxRate): Promise<ListedRate> {
  return inTransaction(db, async (tx) => {
    await lockRates(tx);
    const rates = tx.getRepository(StoredFxRateEntity);
    const [newest] = await rates.find({ order: { id: 'DESC' }, take: 1 });
    if (newest !== undefined && isSame(newest, fetched)) return present(newest);
    const known = await tx.query<{ readonly rateMicro: number | null }[]>(KNOWN);
    const isAccepted = !known.some(({ rateMicro }) =>
      isJump(rateMicro ?? fallback.rateMicro, fetched.rateMicro),
    );
    await rates.update({ state: 'PENDING' }, { state: 'SUPERSEDED' });
    const { rateMicro, source, date: rateDate } = fetched;
    const state = isAccepted ? 'ACCEPTED' : 'PENDING';
    const row = { rateMicro, source, rateDate, state, acceptedAt: isAccepted ? new Date() : null };
    return present(await rates.save({ ...row }));
  });
}

/**
 * Accepts a rate that waits, in the name of an operator; a rate that is accepted already stays so.
 * @throws NOT_FOUND when no such rate waits.
 */
export function acceptRate(db: DataSource, id: number, by: Author): Promise<ListedRate> {
  return inTransaction(db, async (tx) => {
    await lockRates(tx);
    const rates = tx.getRepository(StoredFxRateEntity);
    const row = await rates.findOneBy({ id });
    if (row === null || row.state === 'SUPERSEDED')
      throw new AppError('NOT_FOUND', `No exchange rate ${String(id)} waits to be accepted.`);
    if (row.state === 'ACCEPTED') return present(row);
    const before = await newestAccepted(tx);
    const accepted = await rates.save({ ...row, state: 'ACCEPTED', acceptedAt: new Date(), confirmed: true });
    const { rateMicro, source, date } = present(accepted);
    await recordChange(tx, by, {
      accountId: null,
      action: 'fx-rate.accepted',
      subject: String(id),
      ...(before === null ? {} : { before: { ...before } }),
      after: { rateMicro, source, date },
    });
    return present(accepted);
  });
}

/** The newest rates, the newest first. */
export async function listRates(db: Pick<DataSource, 'getRepository'>): Promise<readonly ListedRate[]> {
  const rows = await db.getRepository(StoredFxRateEntity).find({ order: { id: 'DESC' }, take: MOST_LISTED });
  return rows.map(present);
}

/** How many rates wait for an operator: none or one. */
export function countWaiting(db: Pick<DataSource, 'getRepository'>): Promise<number> {
  return db.getRepository(StoredFxRateEntity).countBy({ state: 'PENDING' });
}

async function newestAccepted(db: Pick<Queryable, 'getRepository'>): Promise<FxRate | null> {
  const [row] = await db.getRepository(StoredFxRateEntity).find({
    select: { id: true, rateMicro: true, source: true, rateDate: true },
    where: { state: 'ACCEPTED' },
    order: { id: 'DESC' },
    take: 1,
  });
  return row === undefined ? null : { rateMicro: row.rateMicro, source: row.source, date: row.rateDate };
}

/** Two fetches, or a fetch and an operator, come one after the other; readers wait for nobody. */
async function lockRates(tx: Tx): Promise<void> {
  await tx.query('lock table fx_rates in share row exclusive mode');
}

function isSame(row: StoredFxRate, rate: FxRate): boolean {
  return row.rateMicro === rate.rateMicro && row.source === rate.source && row.rateDate === rate.date;
}

function present(row: StoredFxRate): ListedRate {
  const state = FX_STATES.find((known) => known === row.state);
  if (state === undefined) throw invariantBroken(`an exchange rate has the state ${row.state}`);
  const { id, rateMicro, source, rateDate } = row;
  return {
    id,
    rateMicro,
    source,
    date: rateDate,
    state,
    fetchedAt: row.fetchedAt.toISOString(),
    acceptedAt: row.acceptedAt?.toISOString() ?? null,
  };
}
