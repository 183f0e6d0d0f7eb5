/** Top-ups as customers start and read them. The row comes first, so that nothing at the provider is unknown here. */
import { Any } from 'typeorm';
import type { DataSource } from 'typeorm';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';

import { TopupEntity } from '../../../entities/payments.ts';
import type { Topup } from '../../../entities/payments.ts';
import type { TopupWorkflows } from '../../adapters/temporal/topups.ts';
import { keyScopeOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { AppError, keyReused } from '../../domain/errors.ts';
import { tierOf, TOPUP_TIERS } from '../../domain/topups.ts';
import type { TopupRequest } from '../../domain/topups.ts';
import { pageOf, readCursor, scopeOf } from '../cursor.ts';
import { exactTime } from '../exact-time.ts';
import { insertIfNew } from '../insert-if-new.ts';
import { CREDIT_CURRENCY } from '../prices/quotes.ts';
import type { Row } from '../row.ts';
import { openCheckout } from './follow.ts';
import type { FollowDependencies } from './follow.ts';
import { pageOfOurs } from './pages.ts';
import { findTopup, presentTopup, requirePayments } from './topup-rows.ts';
import type { Answers } from '../../domain/answers.ts';

type TierListResponse = Pick<Answers['listCreditTiers'], 'tiers'>;
type TopupListResponse = Answers['listTopups'];
type TopupRecord = Answers['getTopup'];
type TopupStarted = Answers['startTopup'];

export interface TopupDependencies extends FollowDependencies {
  readonly workflows: Pick<TopupWorkflows, 'follow'>;
  /** Address of the pages of the service; a checkout leads back to them and to no other site. */
  readonly publicUrl: string;
}

/** A validated request with the key it was sent with. */
export interface TopupCommand {
  readonly body: TopupRequest;
  readonly fingerprint: string;
  readonly idempotencyKey: string | null;
}

/** Namespace of the ids of top-ups that are derived from an idempotency key. */
const TOPUP_IDS = '8a4b1f0e-6f0d-5c39-9e0b-2d7c5a9be311';
const OPEN_MS = 60 * 60_000;

/** The tiers that can be bought. */
export function listTiers(): TierListResponse {
  return {
    tiers: TOPUP_TIERS.map(({ id, amountPence, bonusPence }) => ({
      tierId: id,
      amountCents: amountPence,
      bonusCents: bonusPence,
      creditsCents: amountPence + bonusPence,
      currency: CREDIT_CURRENCY,
    })),
  };
}

/**
 * Starts a top-up: its row, the workflow that follows it, then its checkout. With an idempotency key a repeat answers the same
 * checkout, whatever became of the first call.
 * @throws PAYMENTS_NOT_CONFIGURED, UNKNOWN_TIER, VALIDATION_ERROR, IDEMPOTENCY_KEY_REUSED, SERVICE_UNAVAILABLE.
 */
export async function startTopup(
  deps: TopupDependencies,
  actor: Actor,
  command: TopupCommand,
): Promise<TopupStarted> {
  requirePayments(deps.payments);
  const topup = await keepRow(deps, actor, command);
  try {
    await deps.workflows.follow(topup.id);
    const { checkoutUrl: url, tierId, id: topupId } = await openCheckout(deps, topup);
    if (url !== null) return { url, tierId, topupId };
  } catch (error) {
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'The checkout was not opened in time. Repeat the call; with the same Idempotency-Key it is the same top-up.',
      { cause: error },
    );
  }
  throw new AppError(
    'SERVICE_UNAVAILABLE',
    'The checkout of this top-up cannot be opened any more. Repeat the call with a fresh Idempotency-Key.',
  );
}

async function keepRow(
  { db, publicUrl }: TopupDependencies,
  actor: Actor,
  { body, fingerprint, idempotencyKey }: TopupCommand,
): Promise<Topup> {
  const tier = tierOf(body.tierId);
  if (tier === null) {
    const known = TOPUP_TIERS.map(({ id: name }) => name).join(', ');
    throw new AppError('UNKNOWN_TIER', `There is no such tier. Use one of ${known}.`);
  }
  const { accountId } = actor;
  const id =
    idempotencyKey === null
      ? uuidv7()
      : uuidv5(`${keyScopeOf(actor)}/credits.topup/${idempotencyKey}`, TOPUP_IDS);
  await insertIfNew(db, TopupEntity, {
    id,
    accountId,
    fingerprint,
    tierId: tier.id,
    amountPence: tier.amountPence,
    bonusPence: tier.bonusPence,
    successUrl: pageOfOurs(publicUrl, 'successUrl', body.successUrl ?? '/dashboard/credits?topup=success'),
    cancelUrl: pageOfOurs(publicUrl, 'cancelUrl', body.cancelUrl ?? '/dashboard/credits?topup=cancelled'),
    expiresAt: new Date(Date.now() + OPEN_MS),
  });
  const topup = await findTopup(db, id);
  if (topup?.accountId !== accountId || topup.fingerprint !== fingerprint) throw keyReused();
  return topup;
}

/** One top-up of the account. @throws NOT_FOUND. */
export async function readTopup(db: DataSource, actor: Actor, id: string): Promise<TopupRecord> {
  const topup = await findTopup(db, id);
  if (topup?.accountId === actor.accountId) return presentTopup(topup);
  throw new AppError('NOT_FOUND', 'There is no such top-up in this account.');
}

/** The places of a page are read first, newest first and exact to the microsecond; one more query reads the rows. */
const PAGE = `
  select id, ${exactTime('created_at')} as place from topups
  where account_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
  order by created_at desc, id desc limit $4`;

/** The top-ups of the account, newest first. */
export async function listTopups(
  db: DataSource,
  actor: Actor,
  query: { readonly limit: number; readonly cursor?: string },
): Promise<TopupListResponse> {
  const scope = scopeOf('topups', actor, query);
  const [at, after] = readCursor(scope, query.cursor, ['time', 'uuid']) ?? [null, null];
  const found = await db.query<(Row<Topup, 'id'> & { readonly place: string })[]>(PAGE, [
    actor.accountId,
    at,
    after,
    query.limit + 1,
  ]);
  const page = pageOf(scope, found, query.limit, (row) => [row.place, row.id]);
  const ids = page.rows.map(({ id }) => id);
  const rows = await db.getRepository(TopupEntity).findBy({ id: Any(ids), accountId: actor.accountId });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const topups = ids.flatMap((id) => byId.get(id) ?? []).map(presentTopup);
  return { topups, nextCursor: page.nextCursor };
}
