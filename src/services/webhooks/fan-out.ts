/**
 * From the log to webhooks. A cursor over the numbers of events moves on in the transaction that writes the deliveries of what it
 * passes, so each event has one delivery for each webhook that wants its type, however often a process dies here. What is due
 * stands in the rows; the workflow of a webhook is only told that there is something, and told again where it was lost.
 */
import type { DataSource } from 'typeorm';

import type { Webhook, WebhookFanOut } from '../../../entities/webhooks.ts';
import { numberEvents } from '../events/number-events.ts';
import { presentEvents } from '../events/present.ts';
import { readFollowed } from '../events/read-events.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { OPEN_WEBHOOK } from './rows.ts';

/** Events of one transaction. */
const BATCH = 500;
const BATCHES = 20;
/** A workflow that was told and has sent nothing since is told again after so long, because it may have been lost. */
const TOLD_AGAIN_SECONDS = 30;
const MOST_WOKEN = 200;

const HAS_NEWS = `select exists (select from events where id is null)
  or coalesce((select max(id) from events where id is not null) > (select position from webhook_fan_out), false) as news`;

/** Makes the deliveries of new events, a bounded number of them; one process does so at a time, and others leave it alone. */
export async function fanOut(db: DataSource): Promise<void> {
  const [look] = await db.query<{ readonly news: boolean }[]>(HAS_NEWS);
  if (look?.news !== true) return;
  await numberEvents(db);
  for (let batch = 0; batch < BATCHES; batch += 1)
    if (!(await inTransaction(db, (tx) => fanOutBatch(tx)))) return;
}

/** Passes some events. @returns whether there may be more. */
async function fanOutBatch(tx: Tx): Promise<boolean> {
  const [cursor] = await tx.query<Row<WebhookFanOut, 'position'>[]>(
    'select position from webhook_fan_out for update skip locked',
  );
  if (cursor === undefined) return false;
  const accounts = await tx.query<Row<Webhook, 'accountId'>[]>(
    `select distinct w.account_id from webhooks w join accounts a on a.id = w.account_id
     where w.removed_at is null and a.state <> 'CLOSED'`,
  );
  const accountIds = accounts.map((row) => row.account_id);
  const { events, newest } = await readFollowed(tx, cursor.position, accountIds, BATCH);
  if (newest === null) return false;
  const told = [...(await presentEvents(tx, events))];
  await tx.query(
    `with made as (
       insert into webhook_deliveries (webhook_id, event_id, type, body, state, due_at)
       select w.id, e.event_id, e.type, e.body, case when w.disabled is null then 'PENDING' else 'SKIPPED' end,
         case when w.disabled is null then clock_timestamp() end
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality
         as e (account_id, event_id, type, body, at, n)
       join webhooks w on w.account_id = e.account_id and w.removed_at is null and e.type = any(w.types) and e.at >= w.created_at
       order by e.n
       on conflict (webhook_id, event_id) do nothing returning webhook_id)
     update webhooks set woken_at = null where id in (select webhook_id from made) and woken_at is not null`,
    [
      told.map(([row]) => row.account_id),
      told.map(([row]) => row.public_id),
      told.map(([row]) => row.type),
      told.map(([, event]) => JSON.stringify(event)),
      told.map(([row]) => row.at),
    ],
  );
  const isFull = events.length === BATCH;
  const position = isFull ? (events.at(-1)?.id ?? newest.id) : newest.id;
  await tx.query('update webhook_fan_out set position = $1', [position]);
  return isFull;
}

/**
 * Tells the workflows of webhooks that have something due, unless they were told a moment ago. Where the word does not come through
 * the webhook is told again in the next round.
 */
export async function wakeWebhooks(
  db: DataSource,
  wake: (webhookId: string) => Promise<void>,
): Promise<void> {
  const woken = await db.query<Row<Webhook, 'id'>[]>(
    `with due as (
       select w.id from webhooks w join accounts a on a.id = w.account_id
       where ${OPEN_WEBHOOK}
         and (w.woken_at is null or w.woken_at < clock_timestamp() - make_interval(secs => $1))
         and exists (select from webhook_deliveries d where d.webhook_id = w.id and d.state = 'PENDING'
           and d.due_at <= clock_timestamp() and (d.claimed_until is null or d.claimed_until <= clock_timestamp()))
       order by w.woken_at nulls first limit $2 for no key update of w skip locked),
     woken as (update webhooks set woken_at = clock_timestamp() from due where webhooks.id = due.id returning webhooks.id)
     select id from woken`,
    [TOLD_AGAIN_SECONDS, MOST_WOKEN],
  );
  const failed: { readonly id: string; readonly error: unknown }[] = [];
  await Promise.all(woken.map(({ id }) => wake(id).catch((error: unknown) => failed.push({ id, error }))));
  const [first] = failed;
  if (first === undefined) return;
  await db.query('update webhooks set woken_at = null where id = any($1)', [failed.map(({ id }) => id)]);
  throw first.error;
}
