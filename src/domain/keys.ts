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
