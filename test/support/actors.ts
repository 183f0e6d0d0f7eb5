/** Actors of accounts that tests made without a key. */
import { randomUUID } from 'node:crypto';

import type { Actor } from '../../src/domain/access.ts';

/** The owner of an account, as a live key of a free plan tells it. */
export function ownerOf(accountId: string): Actor {
  return {
    ...{ accountId, userId: randomUUID(), keyId: randomUUID() },
    ...{ environment: 'live', scopes: [], plan: 'free' },
  };
}
