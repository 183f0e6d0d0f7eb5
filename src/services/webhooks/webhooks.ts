/**
 * Webhooks as owners keep them. A secret is told by the answer that made it, and by a repeat with the same Idempotency-Key, because
 * the first answer may have been lost; it is kept sealed, and no other answer has it. Where an address leads is judged when it is
 * given, and again at each try.
 */
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { WebhookEntity } from '../../../entities/webhooks.ts';
import type { OutboundGuard } from '../../adapters/outbound/guard.ts';
import type { SessionActor } from '../../domain/access.ts';
import type { Answers } from '../../domain/answers.ts';
import { OUTBOUND_WORDS } from '../../domain/codes/outbound.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { MOST_WEBHOOKS } from '../../domain/webhooks.ts';
import type { RotateWebhookSecretRequest, WebhookRequest } from '../../domain/webhooks.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import { lockAccount } from '../identity/index.ts';
import type { SecretBox } from '../secret-box.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { addressOf } from './addresses.ts';
import { findWebhook, lockWebhook, presentWebhook, WEBHOOK } from './rows.ts';
import type { WebhookRecord, WebhookRow } from './rows.ts';
import { endSecrets, keepSecret, secretIdOfLast, openSecret } from './secrets.ts';

/** The database, the box of secrets, and the guard that judges addresses. */
export interface WebhookDependencies {
  readonly db: DataSource;
  readonly box: SecretBox;
  readonly guard: Pick<OutboundGuard, 'lookUp'>;
  /** Whether http to loopback is possible, for development. */
  readonly allowsLoopback: boolean;
}

/** A request that makes or changes something. */
export interface WebhookCommand<Body> {
  readonly body: Body;
  /** SHA-256 (hex) of the canonical body as sent. */
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
  /** The address that the request came from. */
  readonly address: string;
}

/** A request for another secret. */
export interface RotateCommand extends WebhookCommand<RotateWebhookSecretRequest> {
  /** When the request came, by the clock of this process, in milliseconds. */
  readonly receivedAt: number;
}

/** The name space of ids that derive from idempotency keys. */
const IDS = '0d2c9a3e-52c7-5d11-8a5e-7f0d7d6f9b21';

/** The webhooks of the account, oldest first. */
export async function listWebhooks(
  db: DataSource,
  actor: SessionActor,
): Promise<{ webhooks: WebhookRecord[] }> {
  const rows = await db.query<WebhookRow[]>(
    `select ${WEBHOOK} from webhooks w where w.account_id = $1 and w.removed_at is null order by w.created_at, w.id`,
    [actor.accountId],
  );
  return { webhooks: rows.map(presentWebhook) };
}

/** One webhook. @throws NOT_FOUND. */
export async function readWebhook(db: DataSource, actor: SessionActor, id: string): Promise<WebhookRecord> {
  return presentWebhook(await findWebhook(db, actor, id));
}

/**
 * Makes a webhook, and tells its secret.
 * @throws DESTINATION_REFUSED, WEBHOOK_LIMIT_REACHED, IDEMPOTENCY_KEY_REUSED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function createWebhook(
  deps: WebhookDependencies,
  actor: SessionActor,
  command: WebhookCommand<WebhookRequest>,
): Promise<Answers['createWebhook']> {
  const { accountId, userId } = actor;
  const { body, fingerprint, address } = command;
  const url = await judgedUrl(deps, body.url);
  const types = [...new Set(body.types)].toSorted();
  const id = idOf(actor, 'create', command);
  return inTransaction(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const told = async (secret: string | null): Promise<Answers['createWebhook']> => {
      // A webhook that was removed, or whose first secret has gone, cannot be told a second time.
      if (secret === null) throw keyReused();
      const record = presentWebhook(await findWebhook(tx, actor, id));
      return { ...record, secret, sameAs: await sameWebhook(tx, accountId, record) };
    };
    const made = await tx
      .getRepository(WebhookEntity)
      .findOne({ select: { id: true, requestSha256: true }, where: { id } });
    if (made !== null) {
      if (made.requestSha256 !== fingerprint) throw keyReused();
      return told(await openSecret(tx, deps.box, firstSecretOf(id)));
    }
    await refuseMore(tx, accountId);
    await tx
      .getRepository(WebhookEntity)
      .insert({ id, accountId, url, types, requestSha256: fingerprint, createdBy: userId });
    const secret = await keepSecret(tx, deps.box, firstSecretOf(id), id);
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'webhook.created',
      subject: id,
      after: { url, types },
    });
    return told(secret);
  });
}

/** Changes address and types of a webhook; a repeat changes nothing. @throws NOT_FOUND, DESTINATION_REFUSED. */
export async function changeWebhook(
  deps: WebhookDependencies,
  actor: SessionActor,
  id: string,
  { body, address }: Pick<WebhookCommand<WebhookRequest>, 'body' | 'address'>,
): Promise<WebhookRecord> {
  const { accountId } = actor;
  await findWebhook(deps.db, actor, id);
  const url = await judgedUrl(deps, body.url);
  const types = [...new Set(body.types)].toSorted();
  return inTransaction(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    const before = presentWebhook(await lockWebhook(tx, actor, id));
    if (before.url === url && before.types.join() === types.join()) return before;
    await tx.query('update webhooks set url = $2, types = $3, updated_at = clock_timestamp() where id = $1', [
      id,
      url,
      types,
    ]);
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'webhook.changed',
      subject: id,
      before: { url: before.url, types: before.types },
      after: { url, types },
    });
    return presentWebhook(await findWebhook(tx, actor, id));
  });
}

/** Deletes a webhook with its secrets and deliveries; a repeat changes nothing. @throws NOT_FOUND. */
export async function removeWebhook(
  db: DataSource,
  actor: SessionActor,
  id: string,
  address: string,
): Promise<void> {
  const { accountId } = actor;
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const known = await tx
      .getRepository(WebhookEntity)
      .findOne({ select: { id: true, removedAt: true }, where: { id, accountId } });
    if (known !== null && known.removedAt !== null) return;
    const { url, types } = await lockWebhook(tx, actor, id);
    await tx.query('update webhooks set removed_at = clock_timestamp() where id = $1', [id]);
    await tx.query('delete from webhook_secrets where webhook_id = $1', [id]);
    await tx.query('delete from webhook_deliveries where webhook_id = $1', [id]);
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'webhook.deleted',
      subject: id,
      before: { url, types },
    });
  });
}

/**
 * Draws another secret; the old one signs for `overlapSeconds` more. Of two requests that are under way at once the second one tells the
 * secret of the first, and a repeat with the same Idempotency-Key tells the same.
 * @throws NOT_FOUND, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
 */
export async function rotateWebhookSecret(
  deps: WebhookDependencies,
  actor: SessionActor,
  id: string,
  command: RotateCommand,
): Promise<Answers['rotateWebhookSecret']> {
  const { accountId } = actor;
  const secretId = idOf(actor, `rotate/${id}`, command);
  await findWebhook(deps.db, actor, id);
  return inTransaction(deps.db, async (tx) => {
    await lockAccount(tx, accountId);
    await lockWebhook(tx, actor, id);
    const told = await openSecret(tx, deps.box, secretId);
    if (told !== null) return { secret: told };
    const meanwhile = await secretIdOfLast(tx, id, (performance.now() - command.receivedAt) / 1000);
    const other = meanwhile === null ? null : await openSecret(tx, deps.box, meanwhile);
    if (other !== null) return { secret: other };
    await endSecrets(tx, id, command.body.overlapSeconds);
    const secret = await keepSecret(tx, deps.box, secretId, id);
    await recordChange(tx, authorOf(actor, command.address), {
      accountId,
      action: 'webhook.secret_rotated',
      subject: id,
      after: { overlapSeconds: command.body.overlapSeconds },
    });
    return { secret };
  });
}

/** Enables a webhook that was disabled; a repeat changes nothing. @throws NOT_FOUND, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED. */
export async function enableWebhook(
  db: DataSource,
  actor: SessionActor,
  id: string,
  address: string,
): Promise<WebhookRecord> {
  const { accountId } = actor;
  return inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const before = presentWebhook(await lockWebhook(tx, actor, id));
    if (before.enabled) return before;
    await tx.query(
      `update webhooks set disabled = null, failing_since = null, woken_at = null, updated_at = clock_timestamp() where id = $1`,
      [id],
    );
    await recordChange(tx, authorOf(actor, address), {
      accountId,
      action: 'webhook.enabled',
      subject: id,
      before: { disabledReason: before.disabledReason },
    });
    return presentWebhook(await findWebhook(tx, actor, id));
  });
}

/** The address as it is kept, once its form and all that its name leads to are judged. @throws DESTINATION_REFUSED. */
async function judgedUrl({ guard, allowsLoopback }: WebhookDependencies, text: string): Promise<string> {
  const read = addressOf(text, allowsLoopback);
  if ('refusal' in read) throw new AppError('DESTINATION_REFUSED', `url: ${read.refusal}`);
  const fault = await guard.lookUp(read.destination);
  if (fault === null) return read.href;
  const { meaning, advice } = OUTBOUND_WORDS[fault];
  throw new AppError('DESTINATION_REFUSED', `url: ${meaning} ${advice}`);
}

async function refuseMore(tx: Tx, accountId: string): Promise<void> {
  const [open] = await tx.query<{ readonly webhooks: number }[]>(
    'select count(*)::int as webhooks from webhooks where account_id = $1 and removed_at is null',
    [accountId],
  );
  if (open === undefined || open.webhooks < MOST_WEBHOOKS) return;
  throw new AppError(
    'WEBHOOK_LIMIT_REACHED',
    `The account has ${open.webhooks} webhooks, and no more are possible. Remove one first.`,
  );
}

/** Another webhook of the account with the same address and types; null without one. */
async function sameWebhook(
  tx: Tx,
  accountId: string,
  { id, url, types }: WebhookRecord,
): Promise<string | null> {
  const [same] = await tx.query<{ readonly id: string }[]>(
    `select id from webhooks where account_id = $1 and removed_at is null and id <> $2 and url = $3 and types = $4::text[]
     order by created_at limit 1`,
    [accountId, id, url, types],
  );
  return same?.id ?? null;
}

function idOf(
  { accountId }: SessionActor,
  operation: string,
  { idempotencyKey }: WebhookCommand<unknown>,
): string {
  return idempotencyKey === null ? uuidv7() : uuidv5(`${accountId}/${operation}/${idempotencyKey}`, IDS);
}

function firstSecretOf(webhookId: string): string {
  return uuidv5(webhookId, IDS);
}
