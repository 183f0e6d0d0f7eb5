/** Rows of webhooks and deliveries as answers have them. */
import type { Webhook, WebhookDelivery } from '../../../entities/webhooks.ts';
import type { Answers } from '../../domain/answers.ts';
import type { SessionActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';

/** A webhook in answers. */
export type WebhookRecord = Answers['getWebhook'];
/** A delivery in lists. */
export type DeliveryRecord = Answers['listWebhookDeliveries']['deliveries'][number];

/** SQL by which a webhook `w` of an account `a` is sent to now. While an account is suspended, what is due waits. */
export const OPEN_WEBHOOK = `w.removed_at is null and w.disabled is null and a.state = 'ACTIVE'`;

/** A row of `WEBHOOK`. */
export interface WebhookRow
  extends
    Row<Webhook, 'id' | 'url' | 'types' | 'disabled' | 'createdBy'>,
    ExactTimes<Webhook, 'failingSince' | 'createdAt' | 'updatedAt'> {}

/** SQL of the columns of a webhook `w` that make its record. */
export const WEBHOOK = `w.id, w.url, w.types, w.disabled, w.created_by, ${exactTime('w.failing_since')} as failing_since,
  ${exactTime('w.created_at')} as created_at, ${exactTime('w.updated_at')} as updated_at`;

/** A row of `DELIVERY`. */
export interface DeliveryRow
  extends
    Row<
      WebhookDelivery,
      'id' | 'webhookId' | 'eventId' | 'type' | 'state' | 'attempt' | 'durationMs' | 'status' | 'fault'
    >,
    ExactTimes<WebhookDelivery, 'dueAt' | 'attemptedAt' | 'createdAt'> {}

/** SQL of the columns of a delivery `d` that make its record. */
export const DELIVERY = `d.id, d.webhook_id, d.event_id, d.type, d.state, d.attempt, d.duration_ms, d.status, d.fault,
  ${exactTime('d.due_at')} as due_at, ${exactTime('d.attempted_at')} as attempted_at, ${exactTime('d.created_at')} as created_at`;

/** The record of a row. */
export function presentWebhook(row: WebhookRow): WebhookRecord {
  return {
    id: row.id,
    url: row.url,
    types: row.types,
    enabled: row.disabled === null,
    disabledReason: row.disabled,
    failingSince: row.failing_since,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** The record of a row. */
export function presentDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    type: row.type,
    state: row.state,
    attempt: row.attempt,
    status: row.status,
    code: row.fault,
    durationMs: row.duration_ms,
    attemptedAt: row.attempted_at,
    nextAttemptAt: row.due_at,
    createdAt: row.created_at,
  };
}

/** The row of a webhook of the actor's account. @throws NOT_FOUND. */
export async function findWebhook(db: Queryable, actor: SessionActor, id: string): Promise<WebhookRow> {
  const [row] = await db.query<WebhookRow[]>(
    `select ${WEBHOOK} from webhooks w where w.id = $1 and w.account_id = $2 and w.removed_at is null`,
    [id, actor.accountId],
  );
  if (row === undefined) throw unknownWebhook();
  return row;
}

/** The same, locked against changes. @throws NOT_FOUND. */
export async function lockWebhook(tx: Queryable, actor: SessionActor, id: string): Promise<WebhookRow> {
  const [row] = await tx.query<WebhookRow[]>(
    `select ${WEBHOOK} from webhooks w where w.id = $1 and w.account_id = $2 and w.removed_at is null for no key update`,
    [id, actor.accountId],
  );
  if (row === undefined) throw unknownWebhook();
  return row;
}

/** The refusal of an unknown, foreign or deleted webhook. */
export function unknownWebhook(): AppError {
  return new AppError('NOT_FOUND', 'There is no such webhook in this account.');
}
