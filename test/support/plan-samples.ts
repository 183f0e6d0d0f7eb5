/** Rows of the entities of plans, alerts and schedules with every column set. */
import { v7 as uuidv7 } from 'uuid';

import { AlertEntity, AlertMailEntity, NotificationSettingsEntity } from '../../entities/alerts.ts';
import { AutoTopupEntity } from '../../entities/payments.ts';
import { OperatorPlanEntity, PlanChangeEntity } from '../../entities/plans.ts';
import { ScheduleRoundEntity } from '../../entities/rounds.ts';
import {
  SubscriptionEntity,
  SubscriptionPaymentEntity,
  SubscriptionPeriodEntity,
} from '../../entities/subscriptions.ts';
import { AT, BIG, accountId, otherAccountId, sample, userId } from './entity-samples.ts';
import type { Sample } from './entity-samples.ts';

const [alertId, otherAlertId] = [uuidv7(), uuidv7()];

/** Rows of plans and alerts, in the order of their references. */
export const PLAN_SAMPLES: readonly Sample[] = [
  sample(
    OperatorPlanEntity,
    { accountId, anchorAt: AT, endedAt: AT },
    { endedAt: null },
    { accountId: otherAccountId },
  ),
  sample(PlanChangeEntity, { key: 'k', accountId, plan: 'pro', reason: 'r', createdAt: AT }),
  sample(
    AlertEntity,
    {
      ...{ id: alertId, accountId, kind: 'low-balance', subject: accountId, period: '2026-02-03' },
      ...{ threshold: 80, limitPence: BIG, reachedPence: BIG, mailDue: true, createdAt: AT },
    },
    {},
    { id: otherAlertId, threshold: 100 },
  ),
  sample(
    AlertMailEntity,
    { alertId, userId, attempts: 3, claimedAt: AT, sentAt: AT },
    { attempts: 0, claimedAt: null, sentAt: null },
    { alertId: otherAlertId },
  ),
  sample(
    NotificationSettingsEntity,
    { accountId, accountLimit: false, keyLimit: false, lowBalance: false },
    { accountLimit: true, keyLimit: true, lowBalance: true },
    { accountId: otherAccountId },
  ),
  sample(
    AutoTopupEntity,
    {
      ...{ accountId, tierId: 'topup-10', belowPence: BIG, monthLimitPence: BIG, paused: 'CARD_DECLINED' },
      updatedAt: AT,
    },
    { paused: null },
    { accountId: otherAccountId },
  ),
  sample(
    SubscriptionEntity,
    {
      ...{ id: 'sub', accountId, status: 'canceled', version: 7 },
      endedAt: AT,
      createdAt: AT,
      updatedAt: AT,
    },
    { endedAt: null },
    { id: 'sub 2' },
  ),
  sample(
    SubscriptionPeriodEntity,
    {
      ...{ id: uuidv7(), subscriptionId: 'sub', accountId, invoiceId: 'in', createdAt: AT },
      ...{ startsAt: AT, endsAt: new Date(AT.getTime() + 1), returnedAt: AT },
    },
    { returnedAt: null },
    { id: uuidv7(), subscriptionId: 'sub 2' },
  ),
  sample(SubscriptionPaymentEntity, {
    ...{ paymentId: 'pi', subscriptionId: 'sub', invoiceId: 'in', createdAt: AT },
  }),
  sample(
    ScheduleRoundEntity,
    { schedule: 'sweep', succeededAt: AT, failedAt: AT, failures: 3, findings: { check: 1 } },
    { succeededAt: null, failedAt: null, failures: 0, findings: null },
    { schedule: 'alerts' },
  ),
];
