/** The rows of keys as people see them. */
import type { ApiKey } from '../../../entities/accounts.ts';
import { SCOPES } from '../../domain/access.ts';
import type { Scope } from '../../domain/access.ts';
import type { KeyStatus } from '../../domain/keys.ts';
import { exactTime } from '../exact-time.ts';
import { restOf, spentOfKey } from '../ledger/index.ts';
import type { ExactTimes, Row } from '../row.ts';
import type { Queryable } from '../transaction.ts';
import type { Answers } from '../../domain/answers.ts';

type ApiKeyRecord = Answers['listApiKeys']['keys'][number];

/** A row of `KEY_RECORD`. */
export interface KeyRecordRow
  extends
    Row<ApiKey, 'id' | 'name' | 'environment' | 'scopes' | 'prefix' | 'last4'>,
    Row<ApiKey, 'userId' | 'allowedCidrs' | 'firstKeyId'>,
    ExactTimes<ApiKey, 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'revokedAt'> {
  readonly status: KeyStatus;
  /** The most that the key, with those of its line, may spend in a UTC month, in pence; null for no limit of its own. */
  readonly monthly_limit_cents: number | null;
  /** Charged and held part of that limit in this month; null without a limit. */
  readonly month_spent_cents: number | null;
}

/** SQL that is true of a key `k` that can be used now. */
export const IS_OPEN = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

/** SQL of the columns of a key `k` that make its record. */
export const KEY_RECORD = `k.id, k.name, k.environment, k.scopes, k.prefix, k.last4, k.user_id, k.allowed_cidrs, k.first_key_id,
  (select l.month_limit_pence from key_limits l where l.key_id = coalesce(k.first_key_id, k.id)) as monthly_limit_cents,
  (select ${spentOfKey('l')} from key_limits l where l.key_id = coalesce(k.first_key_id, k.id)) as month_spent_cents,
  ${exactTime('k.created_at')} as created_at, ${exactTime('k.last_used_at')} as last_used_at,
  ${exactTime('k.expires_at')} as expires_at, ${exactTime('k.revoked_at')} as revoked_at,
  case when k.revoked_at is not null then 'REVOKED' when k.expires_at <= now() then 'EXPIRED' else 'ACTIVE' end as status`;

/** The keys of a person in an account that can be used now, oldest first. */
export async function listOpenKeysOf(
  db: Queryable,
  { accountId, userId }: { readonly accountId: string; readonly userId: string },
): Promise<ApiKeyRecord[]> {
  const rows = await db.query<KeyRecordRow[]>(
    `select ${KEY_RECORD} from api_keys k where k.account_id = $1 and k.user_id = $2 and ${IS_OPEN} order by k.id`,
    [accountId, userId],
  );
  return rows.map(presentKey);
}

/** The record of a row. */
export function presentKey(row: KeyRecordRow): ApiKeyRecord {
  return {
    id: row.id,
    name: row.name,
    environment: row.environment,
    scopes: row.scopes.filter(isScope),
    prefix: row.prefix,
    last4: row.last4,
    status: row.status,
    createdBy: row.user_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    ...limitOf(row.monthly_limit_cents, row.month_spent_cents),
    allowedCidrs: row.allowed_cidrs,
  };
}

/** The fields of a record that tell of the limit, of which nothing counts without a limit. */
export function limitOf(
  monthlyLimitCents: number | null,
  spentCents: number | null,
): Pick<ApiKeyRecord, 'monthlyLimitCents' | 'monthSpentCents' | 'monthRestCents'> {
  const monthSpentCents = monthlyLimitCents === null ? null : (spentCents ?? 0);
  return { monthlyLimitCents, monthSpentCents, monthRestCents: restOf(monthlyLimitCents, spentCents ?? 0) };
}

function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}
