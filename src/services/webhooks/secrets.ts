/**
 * Secrets of webhooks. One of them is the newest; those before it sign, too, until they end, so a receiver that knows any of them
 * verifies what it gets. Each is sealed for its own row.
 */
import { randomBytes } from 'node:crypto';

import type { WebhookSecret } from '../../../entities/webhooks.ts';
import { WebhookSecretEntity } from '../../../entities/webhooks.ts';
import { MOST_SECRETS } from '../../domain/webhooks.ts';
import type { Row } from '../row.ts';
import { openText, sealText } from '../secret-box.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Queryable, Tx } from '../transaction.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Names the row that a secret is sealed for. */
export function secretPlace(id: string): string {
  return `webhook-secret/${id}`;
}

/** Draws a secret and keeps it as the newest. */
export async function keepSecret(tx: Tx, box: SecretBox, id: string, webhookId: string): Promise<string> {
  const secret = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
  await tx
    .getRepository(WebhookSecretEntity)
    .insert({ id, webhookId, sealedSecret: sealText(box, secretPlace(id), secret) });
  return secret;
}

/**
 * Ends the newest secret after some seconds, and at once those for which there is no room beside the next one. With no seconds all end at
 * once: whoever rotates after a leak need not know which of them has leaked.
 */
export async function endSecrets(tx: Tx, webhookId: string, overlapSeconds: number): Promise<void> {
  await tx.query(
    `update webhook_secrets set expires_at = least(expires_at, clock_timestamp() + make_interval(secs => $2))
     where webhook_id = $1 and (expires_at is null or $2 = 0)`,
    [webhookId, overlapSeconds],
  );
  await tx.query(
    `update webhook_secrets set expires_at = least(expires_at, clock_timestamp()) where id in (
       select id from webhook_secrets where webhook_id = $1 order by created_at desc, id desc offset $2)`,
    [webhookId, MOST_SECRETS - 1],
  );
}

/** The newest secret of a webhook, if it was made within the last `seconds`; else null. */
export async function secretIdOfLast(
  db: Queryable,
  webhookId: string,
  seconds: number,
): Promise<string | null> {
  const [row] = await db.query<Row<WebhookSecret, 'id'>[]>(
    `select id from webhook_secrets where webhook_id = $1 and expires_at is null
       and created_at > clock_timestamp() - make_interval(secs => $2)`,
    [webhookId, seconds],
  );
  return row?.id ?? null;
}

/** Opens one secret; null where it is not kept any more. */
export async function openSecret(db: Queryable, box: SecretBox, id: string): Promise<string | null> {
  const row = await db
    .getRepository(WebhookSecretEntity)
    .findOne({ select: { id: true, sealedSecret: true }, where: { id } });
  return row === null ? null : openText(box, secretPlace(id), row.sealedSecret);
}

/** The secrets that sign now, the newest first. */
export async function signingSecrets(db: Queryable, box: SecretBox, webhookId: string): Promise<string[]> {
  const rows = await db.query<Row<WebhookSecret, 'id' | 'sealedSecret'>[]>(
    `select id, sealed_secret from webhook_secrets
     where webhook_id = $1 and (expires_at is null or expires_at > clock_timestamp()) order by created_at desc, id desc`,
    [webhookId],
  );
  return rows.map(({ id, sealed_secret: sealed }) => openText(box, secretPlace(id), sealed));
}
