/**
 * The cost limits of an account, which owners set. A change and its entry in the audit log are one transaction, and the
 * change is made under the lock under which holds compare, so the next hold meets the new limit. A limit below what is held
 * already is taken: it counts for new holds.
 */
import type { DataSource } from 'typeorm';

import type { Payments } from '../../adapters/payments/payments.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { AutoTopUp } from '../../domain/auto-topups.ts';
import type { BillingSettingsRequest } from '../../domain/billing-settings.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import { changeLimits, readLimits, readSpent, restOf } from '../ledger/index.ts';
import type { LimitChange, SpendingLimits, SpentRow } from '../ledger/index.ts';
import { checkAutoTopUp } from '../payments/index.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable } from '../transaction.ts';
import { readAutoTopUp, writeAutoTopUp } from './auto-topup.ts';
import { bound } from '../bound.ts';
import type { Answers, BillingSettings } from '../../domain/answers.ts';

type MonthSpending = Answers['getBillingSettings']['spending'];

/** The cost limits of the account. */
export async function readBillingSettings(
  db: Queryable,
  { accountId }: Pick<SessionActor, 'accountId'>,
): Promise<BillingSettings> {
  const [limits, auto] = [await readLimits(db, accountId), await readAutoTopUp(db, accountId)];
  return present(limits, auto, await readSpent(db, accountId));
}

/**
 * Changes the cost limits, as a whole or not at all; a repeat changes nothing.
 * @throws NOT_FOUND for a key of others; UNKNOWN_TIER, NO_PAYMENT_METHOD for an auto top-up that could buy nothing.
 */
export async function changeBillingSettings(
  db: DataSource,
  actor: SessionActor,
  { body, address }: { readonly body: BillingSettingsRequest; readonly address: string },
  payments: Payments | null = null,
): Promise<BillingSettings> {
  const { accountId } = actor;
  const { autoTopUp } = body;
  if (autoTopUp) await checkAutoTopUp(db, payments, { accountId, tierId: autoTopUp.tierId });
  return inTransaction(db, async (tx) => {
    const { before: limits } = await changeLimits(tx, accountId, limitsOf(body));
    const before = withAutoTopUp(limits, await readAutoTopUp(tx, accountId));
    for (const key of keyChanges(limits, body)) await changeLimits(tx, accountId, { key });
    if (autoTopUp !== undefined) await writeAutoTopUp(tx, accountId, autoTopUp);
    const [now, auto] = [await readLimits(tx, accountId), await readAutoTopUp(tx, accountId)];
    const after = withAutoTopUp(now, auto);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await recordChange(tx, authorOf(actor, address), {
        accountId,
        action: 'limits.changed',
        subject: accountId,
        before: { ...before },
        after: { ...after },
      });
    return present(now, auto, await readSpent(tx, accountId));
  });
}

/** Makes the values for the audit log: the limits, and the auto top-up where there is one. */
function withAutoTopUp(limits: SpendingLimits, autoTopUp: AutoTopUp | null): object {
  return autoTopUp === null ? limits : { ...limits, autoTopUp };
}

function limitsOf(body: BillingSettingsRequest): LimitChange {
  const { jobLimitCents, monthLimitCents, lowBalanceCents, memberKeysLimitCents } = body;
  return {
    ...(jobLimitCents === undefined ? {} : { jobLimitPence: jobLimitCents }),
    ...(monthLimitCents === undefined ? {} : { monthLimitPence: monthLimitCents }),
    ...(lowBalanceCents === undefined ? {} : { lowBalancePence: lowBalanceCents }),
    ...(memberKeysLimitCents === undefined ? {} : { memberKeysLimitPence: memberKeysLimitCents }),
  };
}

/**
 * The end of the limits that the list leaves out, and then those that the list names: a key of the list may be an older one of a line
 * whose limit is known by the newest key.
 */
function keyChanges(
  before: SpendingLimits,
  { keyLimits }: BillingSettingsRequest,
): readonly NonNullable<LimitChange['key']>[] {
  if (keyLimits === undefined) return [];
  const kept = new Set(keyLimits.map(({ keyId }) => keyId.toLowerCase()));
  return [
    ...before.keys
      .filter(({ keyId }) => !kept.has(keyId))
      .map(({ keyId }) => ({ keyId, monthLimitPence: null })),
    ...keyLimits.map(({ keyId, monthLimitCents }) => ({ keyId, monthLimitPence: monthLimitCents })),
  ];
}

function present(limits: SpendingLimits, autoTopUp: AutoTopUp | null, spent: SpentRow): BillingSettings {
  const { jobLimitPence, monthLimitPence, lowBalancePence, memberKeysLimitPence, keys } = limits;
  return {
    plan: spent.plan,
    allowanceEndsAt: spent.monthly_ends_at,
    spending: spendingOf(limits, spent),
    creditCurrency: CREDIT_CURRENCY,
    jobLimitCents: jobLimitPence,
    monthLimitCents: monthLimitPence,
    lowBalanceCents: lowBalancePence,
    memberKeysLimitCents: memberKeysLimitPence,
    autoTopUp,
    keyLimits: keys.map((key) => ({ keyId: key.keyId, monthLimitCents: key.monthLimitPence })),
  };
}

function spendingOf({ monthLimitPence, keys }: SpendingLimits, spent: SpentRow): MonthSpending {
  const limits = new Map(keys.map((key) => [key.keyId, key.monthLimitPence]));
  return {
    startsAt: spent.starts_at,
    endsAt: spent.ends_at,
    spentCents: spent.spent_pence,
    restCents: restOf(monthLimitPence, spent.spent_pence),
    keys: spent.keys.map(({ keyId, spentPence }) => ({
      keyId,
      spentCents: spentPence,
      restCents: restOf(limits.get(keyId) ?? null, spentPence),
    })),
  };
}

/** Makes the operations on limits and auto top-ups, for the API. */
export function createBillingSettings(db: DataSource, payments: Payments | null) {
  return {
    read: bound(db)(readBillingSettings),
    change: (actor: SessionActor, command: Parameters<typeof changeBillingSettings>[2]) =>
      changeBillingSettings(db, actor, command, payments),
  };
}
