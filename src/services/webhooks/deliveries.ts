/** Deliveries as owners read them, and asking for one again. */
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import type { WebhookDelivery } from '../../../entities/webhooks.ts';
import { WebhookDeliveryEntity } from '../../../entities/webhooks.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { Answers } from '../../domain/answers.ts';
import { AppError } from '../../domain/errors.ts';
import { EVENT_TYPES } from '../../domain/events.ts';
import { TEST_EVENT } from '../../domain/webhooks.ts';
import type { DeliveryListQuery } from '../../domain/webhooks.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { DELIVERY, findWebhook, lockWebhook, presentDelivery } from './rows.ts';
import type { DeliveryRecord, DeliveryRow } from './rows.ts';

const LIST = 'webhook-deliveries';
const REDELIVERED = 'webhook.redelivered';
/** More are asked for again by another call. */
const MOST_REDELIVERED = 10_000;

/** A page of the deliveries of a webhook, newest first. @throws NOT_FOUND. */
export async function listDeliveries(
  db: DataSource,
  actor: SessionActor,
  webhookId: string,
  query: DeliveryListQuery,
): Promise<Answers['listWebhookDeliveries']> {
  await findWebhook(db, actor, webhookId);
  const scope = scopeOf(LIST, actor, { ...query, webhookId });
  const [at, id] = readCursor(scope, query.cursor, ['time', 'uuid']) ?? [null, null];
  const { state = null, type = null, since = null, until = null, limit } = query;
  const rows = await db.query<DeliveryRow[]>(
    `select ${DELIVERY} from webhook_deliveries d
     where d.webhook_id = $1 and ($2::text is null or d.state = $2) and ($3::text is null or d.type = $3)
       and ($4::timestamptz is null or d.created_at >= $4) and ($5::timestamptz is null or d.created_at < $5)
       and ($6::timestamptz is null or (d.created_at, d.id) < ($6, $7::uuid))
     order by d.created_at desc, d.id desc limit $8`,
    [webhookId, state, type, since, until, at, id, limit + 1],
  );
  const page = pageOf(scope, rows, limit, (row) => [row.created_at, row.id]);
  return { deliveries: page.rows.map(presentDelivery), nextCursor: page.nextCursor };
}

/** One delivery with what was sent and the beginning of the answer. @throws NOT_FOUND. */
export async function readDelivery(
  db: DataSource,
  actor: SessionActor,
  webhookId: string,
  deliveryId: string,
): Promise<Answers['getWebhookDelivery']> {
  const { url } = await findWebhook(db, actor, webhookId);
  const [row] = await db.query<(DeliveryRow & Row<WebhookDelivery, 'body' | 'answer'>)[]>(
    `select ${DELIVERY}, d.body, d.answer from webhook_deliveries d where d.id = $1 and d.webhook_id = $2`,
    [deliveryId, webhookId],
  );
  if (row === undefined) throw unknownDelivery();
  return { ...presentDelivery(row), request: { url, body: row.body }, answer: row.answer };
}

/** Has a test sent to a webhook, whatever its types. @throws NOT_FOUND, WEBHOOK_DISABLED. */
export async function testWebhook(
  db: DataSource,
  actor: SessionActor,
  webhookId: string,
): Promise<DeliveryRecord> {
  return inTransaction(db, async (tx) => {
    await lockEnabled(tx, actor, webhookId);
    const [id, eventId] = [uuidv7(), uuidv7()];
    const timestamp = new Date().toISOString();
    const body = JSON.stringify({ id: eventId, type: TEST_EVENT, timestamp, data: { webhookId } });
    await tx.getRepository(WebhookDeliveryEntity).insert({
      id,
      webhookId,
      eventId,
      type: TEST_EVENT,
      body,
      state: 'PENDING',
      dueAt: () => 'now()',
    });
    await wishWake(tx, webhookId);
    return findDelivery(tx, webhookId, id);
  });
}

/** Has a delivery sent again, at once, whatever came of it. @throws NOT_FOUND, WEBHOOK_DISABLED. */
export async function redeliver(
  db: DataSource,
  actor: SessionActor,
  webhookId: string,
  deliveryId: string,
): Promise<DeliveryRecord> {
  return inTransaction(db, async (tx) => {
    await lockEnabled(tx, actor, webhookId);
    await tx.query(
      `update webhook_deliveries set state = 'PENDING', attempt = 0, due_at = clock_timestamp(), claimed_until = null
       where id = $1 and webhook_id = $2`,
      [deliveryId, webhookId],
    );
    await recordRedelivered(tx, actor, webhookId, [deliveryId]);
    await wishWake(tx, webhookId);
    return findDelivery(tx, webhookId, deliveryId);
  });
}

/** Has sent again what was given up, or not sent, since a time, or in all 30 days; the oldest first. @throws NOT_FOUND, WEBHOOK_DISABLED. */
export async function redeliverFailed(
  db: DataSource,
  actor: SessionActor,
  webhookId: string,
  since: string | null,
): Promise<Answers['redeliverFailedWebhookDeliveries']> {
  return inTransaction(db, async (tx) => {
    await lockEnabled(tx, actor, webhookId);
    const [again] = await tx.query<{ readonly ids: readonly string[] }[]>(
      `with given_up as (
         select id from webhook_deliveries where webhook_id = $1 and state in ('FAILED', 'SKIPPED') and ($2::timestamptz is null or created_at >= $2)
         order by created_at, id limit $3 for update),
       again as (
         update webhook_deliveries d set state = 'PENDING', attempt = 0, due_at = clock_timestamp(), claimed_until = null
         from given_up where d.id = given_up.id returning d.id)
       select coalesce(array_agg(id), '{}') as ids from again`,
      [webhookId, since, MOST_REDELIVERED],
    );
    const ids = again?.ids ?? [];
    const redelivered = ids.length;
    await recordRedelivered(tx, actor, webhookId, ids);
    await wishWake(tx, webhookId);
    return { redelivered, more: redelivered === MOST_REDELIVERED };
  });
}

async function lockEnabled(tx: Tx, actor: SessionActor, webhookId: string): Promise<void> {
  const { disabled } = await lockWebhook(tx, actor, webhookId);
  if (disabled !== null) throw new AppError('WEBHOOK_DISABLED', 'The webhook is disabled. Enable it first.');
}

const MEMBERS = Object.entries(EVENT_TYPES).filter(([type]) => type !== TEST_EVENT && type !== REDELIVERED);

/**
 * Writes an event for each delivery that is sent again, so that whoever follows the log takes its event again, too. A test is in no
 * log, and the event of a redelivery that is sent again makes no further one.
 */
async function recordRedelivered(
  tx: Tx,
  actor: SessionActor,
  webhookId: string,
  deliveryIds: readonly string[],
): Promise<void> {
  await tx.query(
    `insert into events (account_id, kind, subject, payload)
     select $1, $2, d.webhook_id, jsonb_build_object('eventId', d.event_id, 'eventType', d.type,
       'eventSubject', d.body::jsonb -> 'data' ->> told.member)
     from webhook_deliveries d join unnest($5::text[], $6::text[]) told(type, member) on told.type = d.type
     where d.webhook_id = $3 and d.id = any($4) order by d.created_at, d.id`,
    [
      actor.accountId,
      REDELIVERED,
      webhookId,
      deliveryIds,
      MEMBERS.map(([type]) => type),
      MEMBERS.map(([, { subject }]) => subject),
    ],
  );
}

/** Has the workflow told at once that there is something to send. */
async function wishWake(tx: Tx, webhookId: string): Promise<void> {
  await tx.query('update webhooks set woken_at = null where id = $1', [webhookId]);
}

async function findDelivery(tx: Tx, webhookId: string, id: string): Promise<DeliveryRecord> {
  const [row] = await tx.query<DeliveryRow[]>(
    `select ${DELIVERY} from webhook_deliveries d where d.id = $1 and d.webhook_id = $2`,
    [id, webhookId],
  );
  if (row === undefined) throw unknownDelivery();
  return presentDelivery(row);
}

function unknownDelivery(): AppError {
  return new AppError('NOT_FOUND', 'There is no such delivery of this webhook.');
}
