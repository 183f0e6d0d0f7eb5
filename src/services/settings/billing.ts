/**
 * The cost limits of an account, which owners set. A change and its entry in the audit log are one transaction, and the
 * change is made under the lock under which holds compare, so the next hold meets the new limit. A limit below what is held
 * already is taken: it counts for new holds.
 */
import type { DataSource } from 'typeorm';

import type { SessionActor } from '../../domain/access.ts';
import type { BillingSettings, BillingSettingsRequest } from '../../domain/billing-settings.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import { changeLimits, readLimits } from '../ledger/index.ts';
import type { LimitChange, SpendingLimits } from '../ledger/index.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import { inTransaction } from '../transaction.ts';

/** The cost limits of the account. */
export async function readBillingSettings(
  db: Pick<DataSource, 'getRepository'>,
  { accountId }: Pick<SessionActor, 'accountId'>,
): Promise<BillingSettings> {
  return present(await readLimits(db, accountId));
}

/** Changes the cost limits, as a whole or not at all; a repeat changes nothing. @throws NOT_FOUND for a key of others. */
export function changeBillingSettings(
  db: DataSource,
  actor: SessionActor,
  { body, address }: { readonly body: BillingSettingsRequest; readonly address: string },
): Promise<BillingSettings> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    const { before } = await changeLimits(tx, accountId, limitsOf(body));
    for (const key of keyChanges(before, body)) await changeLimits(tx, accountId, { key });
    const after = await readLimits(tx, accountId);
    if (JSON.stringify(after) !== JSON.stringify(before))
      await recordChange(tx, authorOf(actor, address), {
        ...{ accountId, action: 'limits.changed', subject: accountId },
        ...{ before: { ...before }, after: { ...after } },
      });
    return present(after);
  });
}

function limitsOf({ jobLimitCents, monthLimitCents, lowBalanceCents }: BillingSettingsRequest): LimitChange {
  return {
    ...(jobLimitCents === undefined ? {} : { jobLimitPence: jobLimitCents }),
    ...(monthLimitCents === undefined ? {} : { monthLimitPence: monthLimitCents }),
    ...(lowBalanceCents === undefined ? {} : { lowBalancePence: lowBalanceCents }),
  };
}

/** The limits that the list names, and the end of those that the list leaves out. */
function keyChanges(
  before: SpendingLimits,
  { keyLimits }: BillingSettingsRequest,
): readonly NonNullable<LimitChange['key']>[] {
  if (keyLimits === undefined) return [];
  const kept = new Set(keyLimits.map(({ keyId }) => keyId.toLowerCase()));
  return [
    ...keyLimits.map(({ keyId, monthLimitCents }) => ({ keyId, monthLimitPence: monthLimitCents })),
    ...before.keys
      .filter(({ keyId }) => !kept.has(keyId))
      .map(({ keyId }) => ({ keyId, monthLimitPence: null })),
  ];
}

function present({ jobLimitPence, monthLimitPence, lowBalancePence, keys }: SpendingLimits): BillingSettings {
  return {
    creditCurrency: CREDIT_CURRENCY,
    jobLimitCents: jobLimitPence,
    monthLimitCents: monthLimitPence,
    lowBalanceCents: lowBalancePence,
    keyLimits: keys.map((key) => ({ keyId: key.keyId, monthLimitCents: key.monthLimitPence })),
  };
}
