/**
 * Sends what is due of one webhook: five at once, many in one call. A delivery is claimed before it is sent and has its outcome
 * recorded after; a sender that dies in between leaves a claim that lapses, and the delivery goes out once more under the same id.
 */
import pLimit from 'p-limit';
import { Webhook as Signer } from 'standardwebhooks';
import type { DataSource } from 'typeorm';

import type { Webhook, WebhookDelivery } from '../../../entities/webhooks.ts';
import type { OutboundGuard } from '../../adapters/outbound/guard.ts';
import type { OutboundMessage } from '../../adapters/outbound/http-message.ts';
import type { OutboundPost } from '../../domain/outbound.ts';
import type { CountTry } from '../../metrics/webhooks.ts';
import type { Row } from '../row.ts';
import type { SecretBox } from '../secret-box.ts';
import { addressOf } from './addresses.ts';
import { recordOutcome } from './outcomes.ts';
import { OPEN_WEBHOOK } from './rows.ts';
import { signingSecrets } from './secrets.ts';

/** The database, the secrets, and the way out. */
export interface SendDependencies {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly guard: Pick<OutboundGuard, 'post'>;
  readonly allowsLoopback: boolean;
  readonly countTry?: CountTry;
  /** The time as a text of PostgreSQL, where it is not the database's own: in tests whose server skips time. */
  readonly clock?: () => Promise<string>;
}

/** The next thing that is due of a webhook. */
export interface SentWebhooks {
  /** Milliseconds until something is due; null where nothing is waiting, or nothing is sent any more. */
  readonly nextMs: number | null;
}

type ClaimedDelivery = Row<WebhookDelivery, 'id' | 'eventId' | 'body'>;

const AT_ONCE = 5;
const CLAIMED = 50;
/** No try begins later than this in a call, so that a call ends long before its claims lapse. */
const BEGIN_MS = 10_000;
const CLAIM_SECONDS = 60;

const CLAIM = `
  with due as (
    select id from webhook_deliveries where webhook_id = $1 and state = 'PENDING' and due_at <= coalesce($2::timestamptz, clock_timestamp())
      and (claimed_until is null or claimed_until <= coalesce($2::timestamptz, clock_timestamp()))
    order by due_at, id limit ${CLAIMED} for update skip locked),
  claimed as (
    update webhook_deliveries d set claimed_until = coalesce($2::timestamptz, clock_timestamp()) + make_interval(secs => ${CLAIM_SECONDS})
    from due where d.id = due.id returning d.id, d.event_id, d.body)
  select id, event_id, body from claimed order by id`;

// A minimum of no rows is null, and PostgreSQL's greatest leaves nulls out.
const NEXT = `
  select ceil(greatest(0, extract(epoch from due.next - coalesce($2::timestamptz, clock_timestamp())) * 1000))::float8 as next_ms
  from (select min(greatest(due_at, claimed_until)) as next from webhook_deliveries where webhook_id = $1 and state = 'PENDING') due
  where due.next is not null`;

/** Sends what is due, for some seconds at most. */
export async function sendWebhooks(deps: SendDependencies, webhookId: string): Promise<SentWebhooks> {
  const { db } = deps;
  const lastBeginning = performance.now() + BEGIN_MS;
  const now = async (): Promise<string | null> => (await deps.clock?.()) ?? null;
  for (;;) {
    const webhook = await openWebhook(db, webhookId);
    if (webhook === null) return { nextMs: null };
    const claimed = await db.query<ClaimedDelivery[]>(CLAIM, [webhookId, await now()]);
    if (claimed.length === 0) break;
    const secrets = await signingSecrets(db, deps.box, webhookId);
    const left = await sendClaimed(deps, { webhookId, url: webhook.url, secrets }, claimed, lastBeginning);
    await db.query('update webhook_deliveries set claimed_until = null where id = any($1)', [left]);
    if (left.length > 0) break;
  }
  const [next] = await db.query<{ readonly next_ms: number }[]>(NEXT, [webhookId, await now()]);
  return { nextMs: next?.next_ms ?? null };
}

/** The webhook, unless nothing is sent to it any more. */
async function openWebhook(db: DataSource, webhookId: string): Promise<Row<Webhook, 'url'> | null> {
  const [row] = await db.query<Row<Webhook, 'url'>[]>(
    `select w.url from webhooks w join accounts a on a.id = w.account_id
     where w.id = $1 and ${OPEN_WEBHOOK}`,
    [webhookId],
  );
  return row ?? null;
}

interface Receiver {
  readonly webhookId: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

/** Sends claimed deliveries while there is time and the webhook is open. @returns the ids of those that were not sent. */
async function sendClaimed(
  deps: SendDependencies,
  receiver: Receiver,
  claimed: readonly ClaimedDelivery[],
  lastBeginning: number,
): Promise<readonly string[]> {
  const left: string[] = [];
  const limit = pLimit(AT_ONCE);
  let isOpen = true;
  await Promise.all(
    claimed.map((delivery) =>
      limit(async () => {
        if (!isOpen || performance.now() > lastBeginning) {
          left.push(delivery.id);
          return;
        }
        const began = performance.now();
        const answer = await post(deps, receiver, delivery);
        const durationMs = Math.round(performance.now() - began);
        deps.countTry?.(answer.fault);
        const at = (await deps.clock?.()) ?? null;
        const outcome = { deliveryId: delivery.id, webhookId: receiver.webhookId, answer, durationMs, at };
        if (!(await recordOutcome(deps.db, outcome))) isOpen = false;
      }),
    ),
  );
  return left;
}

function post(
  { guard, allowsLoopback }: SendDependencies,
  { url, secrets }: Receiver,
  delivery: ClaimedDelivery,
): Promise<OutboundPost> {
  const address = addressOf(url, allowsLoopback);
  // An address that was taken while http to loopback was allowed.
  if ('refusal' in address) return Promise.resolve({ fault: 'ADDRESS_REFUSED', status: null, body: null });
  return guard.post(address.destination, messageOf(address.path, secrets, delivery));
}

/** A delivery as Standard Webhooks has it, signed by every secret that is good now. */
function messageOf(
  path: string,
  secrets: readonly string[],
  { event_id: eventId, body }: ClaimedDelivery,
): OutboundMessage {
  const at = new Date();
  return {
    path,
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventId, at, body)).join(' '),
    },
    body,
  };
}
