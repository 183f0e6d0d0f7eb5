/**
 * Subscriptions to the plan pro. Events say only what to read: the subscription as it is now makes the plan, and a period is granted
 * once, when an invoice of the period is paid. So events may come in any order, late and more than once. A payment that is late keeps the
 * plan and grants nothing; the end of the subscription ends the plan, and leaves the allowance of the period that was paid. Where two
 * subscriptions of an account were paid for the same time there is one allowance, and the other payment waits for a person.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { IsNull } from 'typeorm';
import { v5 as uuidv5 } from 'uuid';

import { PaymentCustomerEntity } from '../../../entities/payments.ts';
import {
  SubscriptionEntity,
  SubscriptionPaymentEntity,
  SubscriptionPeriodEntity,
} from '../../../entities/subscriptions.ts';
import type { Payments } from '../../adapters/payments/payments.ts';
import type { ProviderSubscription } from '../../adapters/payments/subscriptions.ts';
import type { SessionActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import type { PortalRequest, SubscribeRequest } from '../../domain/plans.ts';
import { PAYMENT_PROVIDER, recordChange } from '../audit/index.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { lockAccounts } from '../ledger/index.ts';
import {
  applyDueAllowance,
  databaseTime,
  hasSubscription,
  isBesideAnother,
  refreshPlan,
} from '../plans/index.ts';
import { inTransaction } from '../transaction.ts';
import { customerOf } from './customers.ts';
import type { FollowDependencies } from './follow.ts';
import { pageOfOurs } from './pages.ts';
import { requirePayments } from './topup-rows.ts';
import type { Answers } from '../../domain/answers.ts';

type PageStarted = Answers['subscribe'];

export interface PageDependencies extends FollowDependencies {
  readonly publicUrl: string;
}

/** Namespace of the ids of periods that follow from a subscription. */
const PERIOD_IDS = 'c6e9a0b8-52c1-5d0e-8f0a-0b8a3f1c9d27';
/** Namespace of the keys under which the provider opens pages to subscribe at; its own keys may not be as long as ours. */
const PAGE_IDS = '0d9b7f52-6c1e-5a43-9f0e-2b7a4c8d1e60';
const ATTEMPTS = 20;
const LONGEST_PAUSE_MS = 50;

/**
 * Opens the page to subscribe at. The provider has one page for equal requests with one key, so its address is stored nowhere here.
 * @throws PAYMENTS_NOT_CONFIGURED, SERVICE_UNAVAILABLE; VALIDATION_ERROR for pages of others and beside another subscription.
 */
export async function subscribe(
  deps: PageDependencies,
  { accountId }: SessionActor,
  { successUrl = '/dashboard/billing?plan=pro', cancelUrl = '/dashboard/billing' }: SubscribeRequest,
  key: string | null = null,
): Promise<PageStarted> {
  const { db, publicUrl } = deps;
  const payments = requirePlan(deps.payments);
  const pages = {
    successUrl: pageOfOurs(publicUrl, 'successUrl', successUrl),
    cancelUrl: pageOfOurs(publicUrl, 'cancelUrl', cancelUrl),
  };
  if (await hasSubscription(db, accountId))
    throw new AppError(
      'VALIDATION_ERROR',
      'The account has a subscription. POST /settings/billing/portal leads to it.',
    );
  return opening(async () =>
    payments.openSubscription({
      accountId,
      ...pages,
      key: key === null ? null : uuidv5(`${accountId}/${key}`, PAGE_IDS),
      customerId: await customerOf(db, payments, accountId),
    }),
  );
}

/** Opens the page on which cards, invoices and the subscription are kept. @throws PAYMENTS_NOT_CONFIGURED, VALIDATION_ERROR, SERVICE_UNAVAILABLE. */
export async function openPortal(
  deps: PageDependencies,
  { accountId }: SessionActor,
  { returnUrl = '/dashboard/billing' }: PortalRequest,
): Promise<PageStarted> {
  const payments = requirePayments(deps.payments);
  const page = pageOfOurs(deps.publicUrl, 'returnUrl', returnUrl);
  return opening(async () => payments.openPortal(await customerOf(deps.db, payments, accountId), page));
}

/** Reads a subscription and applies what it is now. @returns why nothing was applied; null when the plan follows. */
export async function applySubscription(deps: FollowDependencies, id: string): Promise<string | null> {
  const payments = requirePayments(deps.payments);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const known = await deps.db.getRepository(SubscriptionEntity).findOneBy({ id });
    const found = await payments.readSubscription(id);
    const accountId = await accountOf(deps, found.customerId);
    if (accountId === null) return 'unknown customer';
    if (await keep(deps, accountId, found, known?.version ?? 0)) return null;
    // The pauses are random, so that two processes that read at once do not meet again.
    await sleep(Math.random() * LONGEST_PAUSE_MS);
  }
  throw new Error(`The subscription ${id} changes all the time`);
}

/** Reads an invoice, and grants the period that it pays for. @returns why nothing was applied; null when all was. */
export async function applyInvoice(deps: FollowDependencies, id: string): Promise<string | null> {
  const { subscriptionId, isPaid, paymentIds, period } = await requirePayments(deps.payments).readInvoice(id);
  if (subscriptionId === null) return null;
  const refusal = await applySubscription(deps, subscriptionId);
  if (refusal !== null || !isPaid) return refusal;
  for (const paymentId of paymentIds)
    await insertIfNew(deps.db, SubscriptionPaymentEntity, { paymentId, subscriptionId, invoiceId: id });
  if (period === null) return null;
  const { accountId } = await deps.db
    .getRepository(SubscriptionEntity)
    .findOneByOrFail({ id: subscriptionId });
  const periodId = uuidv5(`${subscriptionId}/${period.startsAt.toISOString()}`, PERIOD_IDS);
  await inTransaction(deps.db, async (tx) => {
    await insertIfNew(tx, SubscriptionPeriodEntity, {
      id: periodId,
      subscriptionId,
      accountId,
      invoiceId: id,
      ...period,
    });
    await applyDueAllowance(tx, accountId, await databaseTime(tx));
  });
  return secondOf(deps, accountId, periodId);
}

/** Why a period that was paid has no allowance: another subscription has the allowance of that time. */
async function secondOf(deps: FollowDependencies, accountId: string, id: string): Promise<string | null> {
  if (!(await isBesideAnother(deps.db, id))) return null;
  // The other may have ended without a word of it here.
  const others = await deps.db.getRepository(SubscriptionEntity).findBy({ accountId, endedAt: IsNull() });
  for (const other of others) await applySubscription(deps, other.id);
  return (await isBesideAnother(deps.db, id))
    ? 'a second subscription was paid beside the one that has the allowance'
    : null;
}

async function accountOf({ db }: FollowDependencies, customerId: string): Promise<string | null> {
  const customer = await db.getRepository(PaymentCustomerEntity).findOneBy({ customerId });
  return customer?.accountId ?? null;
}

/** Writes the state that was read, unless another process has written meanwhile, perhaps a newer state. @returns whether the state was written. */
function keep(
  { db }: FollowDependencies,
  accountId: string,
  { id, status, endedAt }: ProviderSubscription,
  version: number,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockAccounts(tx, [accountId]);
    const rows = tx.getRepository(SubscriptionEntity);
    const present = await rows.findOneBy({ id });
    if ((present?.version ?? 0) !== version) return false;
    if (present === null) await rows.insert({ id, accountId, status, endedAt, version: 1 });
    else await rows.update({ id }, { status, endedAt, version: version + 1, updatedAt: new Date() });
    const { former, plan } = await refreshPlan(tx, accountId);
    if (former !== plan)
      await recordChange(tx, PAYMENT_PROVIDER, {
        accountId,
        action: 'plan.changed',
        subject: accountId,
        before: { plan: former },
        after: { plan, subscriptionId: id, status },
      });
    return true;
  });
}

function requirePlan(payments: Payments | null): Payments {
  const known = requirePayments(payments);
  if (known.hasPlan) return known;
  throw new AppError(
    'PAYMENTS_NOT_CONFIGURED',
    'The plan pro cannot be bought here. Ask the operator of the service for the plan.',
  );
}

async function opening(open: () => Promise<string>): Promise<PageStarted> {
  try {
    return { url: await open() };
  } catch (error) {
    throw new AppError('SERVICE_UNAVAILABLE', 'The page was not opened in time. Repeat the call.', {
      cause: error,
    });
  }
}
