/**
 * Auto top-ups. Each round looks for accounts whose credits are low, so nothing is lost with a round that dies: the row of a top-up
 * comes first, one at a time for an account, and every round carries on with the rows that are not over.
 */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { AutoTopupEntity, PaymentCustomerEntity, TopupEntity } from '../../../entities/payments.ts';
import type { Payments } from '../../adapters/payments/payments.ts';
import { judgeAutoTopUp } from '../../domain/auto-topups.ts';
import type { AutoTopUpFacts } from '../../domain/auto-topups.ts';
import { AppError } from '../../domain/errors.ts';
import { TOPUP_TIERS, tierOf } from '../../domain/topups.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';
import { followTopup } from './follow.ts';
import type { FollowDependencies } from './follow.ts';

const OPEN_MS = 60 * 60_000;
const MOST_AT_ONCE = 500;

const LOW = `
  select a.account_id as id from auto_topups a
  join ledger_balances b on b.account_id = a.account_id join accounts c on c.id = a.account_id and c.state = 'ACTIVE'
  where a.paused is null and b.wallet + b.monthly < a.below_pence`;

/** A payment that waits for its bank is asked for each quarter of an hour. */
const UNFINISHED = `
  select id from topups where auto_number is not null and parked is null
    and (state in ('CREATED', 'OPEN') or (state = 'PROCESSING' and updated_at < clock_timestamp() - interval '15 minutes'))
  order by updated_at limit $1`;

/** Buys what is due, and carries on with what is not over. @throws the first failure, after all were tried. */
export async function runAutoTopUps(deps: FollowDependencies): Promise<void> {
  if (deps.payments === null) return;
  const failures: unknown[] = [];
  const each = async (rows: readonly { readonly id: string }[], work: (id: string) => Promise<unknown>) => {
    for (const { id } of rows) await work(id).catch((error: unknown) => failures.push(error));
  };
  await each(await deps.db.query<{ id: string }[]>(LOW), (id) => begin(deps.db, id));
  const open = await deps.db.query<{ id: string }[]>(UNFINISHED, [MOST_AT_ONCE]);
  await each(open, (id) => followTopup(deps, id));
  if (failures.length > 0) throw failures[0];
}

/** All that is judged is read by one statement, so that a top-up is either open or in the balance. */
const FACTS = `
  select a.tier_id as "tierId", a.below_pence::float8 as "belowPence", a.month_limit_pence::float8 as "monthLimitPence", a.paused,
    (b.wallet + b.monthly)::float8 as "spendablePence", t.open as "isOpen", t.bought::float8 as "boughtPence", t.last
  from auto_topups a join ledger_balances b on b.account_id = a.account_id
  cross join lateral (
    select coalesce(bool_or(state in ('CREATED', 'OPEN', 'PROCESSING')), false) as open, coalesce(max(auto_number), 0) as last,
      coalesce(sum(amount_pence) filter (where state not in ('FAILED', 'EXPIRED')
        and created_at >= date_trunc('month', clock_timestamp(), 'UTC')), 0) as bought
    from topups where account_id = a.account_id and auto_number is not null) t
  where a.account_id = $1`;

async function begin(db: DataSource, accountId: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const mine = await tx.query<unknown[]>(
      'select 1 from auto_topups where account_id = $1 for update skip locked',
      [accountId],
    );
    if (mine.length === 0) return;
    const [facts] = await tx.query<(AutoTopUpFacts & { readonly last: number })[]>(FACTS, [accountId]);
    const tier = tierOf(facts?.tierId ?? '');
    if (facts === undefined || tier === null || judgeAutoTopUp(facts) !== 'buy') return;
    await tx.getRepository(TopupEntity).insert({
      id: uuidv7(),
      accountId,
      fingerprint: 'auto',
      tierId: tier.id,
      autoNumber: facts.last + 1,
      amountPence: tier.amountPence,
      bonusPence: tier.bonusPence,
      successUrl: '',
      cancelUrl: '',
      expiresAt: new Date(Date.now() + OPEN_MS),
    });
  });
}

/** Refuses an auto top-up that could buy nothing. @throws UNKNOWN_TIER, NO_PAYMENT_METHOD, SERVICE_UNAVAILABLE. */
export async function checkAutoTopUp(
  db: DataSource,
  payments: Payments | null,
  { accountId, tierId }: { readonly accountId: string; readonly tierId: string },
): Promise<void> {
  if (tierOf(tierId) === null) {
    const known = TOPUP_TIERS.map(({ id }) => id).join(', ');
    throw new AppError('UNKNOWN_TIER', `There is no such tier. Use one of ${known}.`);
  }
  // Settings without an auto top-up are kept without a provider, too, so the lack of one is a matter of this wish, not of the service.
  if (payments === null)
    throw new AppError(
      'NO_PAYMENT_METHOD',
      'Credits cannot be bought here, so no card can be charged. Ask the operator for credits.',
    );
  const customer = await db.getRepository(PaymentCustomerEntity).findOneBy({ accountId });
  if (customer !== null && (await cardOf(payments, customer.customerId)) !== null) return;
  throw new AppError(
    'NO_PAYMENT_METHOD',
    'Auto top-up needs a default card. Store one at the page that POST /settings/billing/portal opens.',
  );
}

async function cardOf(payments: Payments, customerId: string): Promise<string | null> {
  try {
    return await payments.readCard(customerId);
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', 'The card could not be looked up in time. Repeat the call.', {
      cause: error,
    });
  }
}

/** Whether the account would buy credits by itself, and its card cannot be charged. */
export async function hasUnusableCard(db: Queryable, accountId: string): Promise<boolean> {
  const row = await db.getRepository(AutoTopupEntity).findOneBy({ accountId });
  return row !== null && row.paused !== null;
}
