/** API keys as people see them, and what they send to make one. */
import type { KeyEnvironment, Scope } from './access.ts';

/** Whether a key can be used. */
export type KeyStatus = 'ACTIVE' | 'EXPIRED' | 'REVOKED';

/** Every status of a key. */
export const KEY_STATUSES = ['ACTIVE', 'EXPIRED', 'REVOKED'] as const satisfies readonly KeyStatus[];

/** Keys of one account that can be used at the same time. */
export const MOST_OPEN_KEYS = 100;

/** The longest time for which a rotated key goes on beside its successor, in seconds. */
export const LONGEST_OVERLAP_SECONDS = 604_800;

/** The record of a key, which never has the key itself. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly environment: KeyEnvironment;
  readonly scopes: Scope[];
  /** The first characters of the key. */
  readonly prefix: string;
  readonly last4: string;
  readonly status: KeyStatus;
  /** The id of the user who made the key. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly monthlyLimitCents: number | null;
  /** Part of the limit that jobs of the key have taken in this UTC month; null without a limit, when nobody counts it. */
  readonly monthSpentCents: number | null;
  readonly monthRestCents: number | null;
  readonly allowedCidrs: string[] | null;
}

/** A new key as it is asked for; without networks the key may be used from any, without a limit it has none of its own. */
export interface CreateApiKeyRequest {
  readonly name: string;
  readonly environment: KeyEnvironment;
  readonly scopes: Scope[];
  readonly allowedCidrs?: string[];
  readonly monthlyLimitCents?: number;
}

/** How long the old key goes on beside its successor. */
export interface RotateApiKeyRequest {
  readonly overlapSeconds: number;
}

/** The record of a new key with the key itself, which is shown this once. */
export interface IssuedApiKey extends ApiKeyRecord {
  readonly key: string;
}

/** A new key, and when the key that it replaces ends. */
export interface RotatedApiKey extends IssuedApiKey {
  readonly replaces: { readonly id: string; readonly expiresAt: string };
}

/** A key that has been revoked, now or before. */
export interface RevokedApiKey {
  readonly id: string;
  readonly status: 'REVOKED';
  readonly revokedAt: string;
}
