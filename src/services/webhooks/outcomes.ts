/**
 * The end of a try, and its consequences. A delivery that was not taken is due again by its schedule and is given up after the last try. A server
 * that answers 410, or has taken nothing for five days, is sent nothing more: its webhook is disabled, what was waiting is skipped,
 * and owners are told once. Whoever records an outcome locks the webhook first, so that a webhook is disabled once.
 */
import type { DataSource } from 'typeorm';

import type { Webhook, WebhookDelivery } from '../../../entities/webhooks.ts';
import type { OutboundPost } from '../../domain/outbound.ts';
import { FAILING_HOURS, GONE_STATUS, pauseAfter, TOLD_HOURS } from '../../domain/webhooks.ts';
import type { DisabledReason } from '../../domain/webhooks.ts';
import { recordEvent } from '../events/record.ts';
import type { Row } from '../row.ts';
import { inTransaction, rowsOf } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { OPEN_WEBHOOK } from './rows.ts';

/** A try and its end. */
export interface Outcome {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly answer: OutboundPost;
  readonly durationMs: number;
  /** The time as a text of PostgreSQL; null for the database's own. */
  readonly at: string | null;
}

const TAKEN = `
  with taken as (
    update webhook_deliveries set state = 'SUCCEEDED', attempt = attempt + 1, due_at = null, claimed_until = null, fault = null,
      attempted_at = coalesce($2::timestamptz, clock_timestamp()), duration_ms = $3, status = $4, answer = $5
    where id = $1 and state = 'PENDING' returning webhook_id),
  well as (update webhooks set failing_since = null where id = (select webhook_id from taken) and failing_since is not null)
  select exists (select from webhooks w join accounts a on a.id = w.account_id where w.id = $6 and ${OPEN_WEBHOOK}) as open`;

const NOT_TAKEN = `
  update webhook_deliveries set attempt = $2, state = case when $3::integer is null then 'FAILED' else 'PENDING' end,
    due_at = coalesce($4::timestamptz, clock_timestamp()) + make_interval(secs => $3), claimed_until = null,
    attempted_at = coalesce($4::timestamptz, clock_timestamp()), duration_ms = $5, status = $6, fault = $7, answer = $8
  where id = $1`;

interface FailingRow extends Row<Webhook, 'accountId'> {
  readonly failing_hours: number;
  readonly first_day: string;
  readonly is_active: boolean;
}

/** Records the end of a try. @returns whether more may be sent. */
export async function recordOutcome(db: DataSource, outcome: Outcome): Promise<boolean> {
  const { deliveryId, webhookId, answer, durationMs, at } = outcome;
  if (answer.fault !== null) return inTransaction(db, (tx) => recordFailure(tx, outcome));
  const taken = [deliveryId, at, durationMs, answer.status, answer.body, webhookId];
  // Disabling a webhook locks the same rows in another order.
  const [row] = await rowsOf<{ readonly open: boolean }>(db, TAKEN, taken);
  return row?.open === true;
}

async function recordFailure(
  tx: Tx,
  { deliveryId, webhookId, answer, durationMs, at }: Outcome,
): Promise<boolean> {
  const [failing] = await tx.query<FailingRow[]>(
    `with failing as (
       update webhooks set failing_since = coalesce(failing_since, $2::timestamptz, clock_timestamp())
       where id = $1 and removed_at is null and disabled is null returning account_id, failing_since)
     select account_id, (extract(epoch from coalesce($2::timestamptz, clock_timestamp()) - failing_since) / 3600)::float8 as failing_hours,
       timezone('UTC', failing_since)::date::text as first_day,
       exists (select from accounts a where a.id = failing.account_id and a.state = 'ACTIVE') as is_active
     from failing`,
    [webhookId, at],
  );
  const [delivery] = await tx.query<Row<WebhookDelivery, 'attempt'>[]>(
    `select attempt from webhook_deliveries where id = $1 and state = 'PENDING' for update`,
    [deliveryId],
  );
  const { status, fault, body } = answer;
  if (delivery !== undefined) {
    const attempt = delivery.attempt + 1;
    const pause = status === GONE_STATUS ? null : pauseAfter(attempt);
    await tx.query(NOT_TAKEN, [deliveryId, attempt, pause, at, durationMs, status, fault, body]);
  }
  if (failing === undefined) return false;
  const reason = reasonOf(status, failing.failing_hours);
  if (reason === null) {
    if (failing.failing_hours >= TOLD_HOURS) await tellOwners(tx, 'webhook-failing', webhookId, failing);
    return failing.is_active;
  }
  await disable(tx, webhookId, reason, failing);
  return false;
}

function reasonOf(status: number | null, failingHours: number): DisabledReason | null {
  if (status === GONE_STATUS) return 'GONE';
  return failingHours >= FAILING_HOURS ? 'FAILING' : null;
}

async function disable(
  tx: Tx,
  webhookId: string,
  reason: DisabledReason,
  failing: FailingRow,
): Promise<void> {
  await tx.query('update webhooks set disabled = $2, updated_at = clock_timestamp() where id = $1', [
    webhookId,
    reason,
  ]);
  await tx.query(
    `update webhook_deliveries set state = 'SKIPPED', due_at = null, claimed_until = null where webhook_id = $1 and state = 'PENDING'`,
    [webhookId],
  );
  await recordEvent(tx, {
    accountId: failing.account_id,
    kind: 'webhook.disabled',
    subject: webhookId,
    payload: { reason },
  });
  await tellOwners(tx, 'webhook-disabled', webhookId, failing);
}

/** Has owners told by mail, once for each time that a webhook begins to fail. */
async function tellOwners(
  tx: Tx,
  kind: 'webhook-failing' | 'webhook-disabled',
  webhookId: string,
  { account_id: accountId, first_day: firstDay }: FailingRow,
): Promise<void> {
  await tx.query(
    `insert into alerts (account_id, kind, subject, period, threshold, limit_pence, reached_pence, mail_due)
     values ($1, $2, $3, $4, 0, 0, 0, true) on conflict do nothing`,
    [accountId, kind, webhookId, firstDay],
  );
}
