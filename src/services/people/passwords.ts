/**
 * Passwords as argon2id, with the least memory and time that OWASP asks for. A sign-in computes one argon2 whatever is known
 * of the address: where there is no password to compare with, the password is compared with a digest that no password has. Two
 * computations run at a time, so that many sign-ins leave threads and memory to everything else; a call that would wait for long is
 * refused.
 */
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

import { AppError } from '../../domain/errors.ts';

/** Hashes and compares passwords; each call computes one argon2. */
export interface Passwords {
  /** @throws SERVICE_UNAVAILABLE when too many wait. */
  hash(password: string): Promise<string>;
  /** With null the answer is false, after the same work. @throws SERVICE_UNAVAILABLE when too many wait. */
  matches(stored: string | null, password: string): Promise<boolean>;
}

const MEMORY_KIB = 19_456;
const PASSES = 2;
/** A digest of zeros, which no password is known to have. */
const OF_NOBODY = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const AT_ONCE = 2;
/** At some thirty milliseconds for each computation, the last call in the queue waits for a second or two. */
const MOST_WAITING = 100;

/** Makes the hasher; the work is done in threads of the runtime. */
export function createPasswords({ mostWaiting = MOST_WAITING } = {}): Passwords {
  const limit = pLimit(AT_ONCE);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.activeCount + limit.pendingCount >= AT_ONCE + mostWaiting)
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'Too many people sign in at this moment. Repeat the request.',
      );
    return limit(work);
  };
  return {
    hash: (password) =>
      inTurn(() => hash(plain(password), { memoryCost: MEMORY_KIB, timeCost: PASSES, parallelism: 1 })),
    async matches(stored, password) {
      const isRight = await inTurn(() => verify(stored ?? OF_NOBODY, plain(password)));
      return stored !== null && isRight;
    },
  };
}

/** The same characters are the same password, in whatever form a keyboard sends them. */
function plain(password: string): string {
  return password.normalize('NFKC');
}
