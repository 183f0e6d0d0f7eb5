/** The polls that are held for instances: bounded for each instance, and ended all at once when the gateway stops. */
import { status } from '@grpc/grpc-js';

import type { InstanceClaims } from '../../contracts/instance.ts';
import type { FrontendFault } from './frontend.ts';
import { Refusal } from './refusal.ts';

/** A worker has at most four polls, and as many again while a connection is replaced. */
const POLLS_PER_INSTANCE = 16;

/** The caller of a poll, who may leave before the answer. */
interface Caller {
  readonly cancelled: boolean;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** A poll at Temporal. */
interface Poll {
  readonly response: Promise<Buffer>;
  cancel(): void;
}

/** The polls of one gateway. */
export class HeldPolls {
  readonly #byInstance = new Map<string, number>();
  readonly #ends = new Set<() => void>();
  readonly #tell: (held: number) => void;
  #isEnding = false;

  constructor(tell: (held: number) => void) {
    this.#tell = tell;
  }

  /** Holds a poll until its answer, until its caller leaves, or until the gateway stops. */
  async hold(claims: InstanceClaims, caller: Caller, open: () => Poll): Promise<Buffer> {
    const key = `${claims.jobId}/${claims.slot}.${claims.generation}`;
    const held = this.#byInstance.get(key) ?? 0;
    if (held >= POLLS_PER_INSTANCE) throw new Refusal('polls', 'This instance has too many polls.');
    if (this.#isEnding || caller.cancelled) throw new Ended();
    const poll = open();
    const end = Promise.withResolvers<never>();
    // The end is raced below; an end after the answer must not be an unhandled rejection.
    end.promise.catch(() => undefined);
    const stop = (): void => {
      // The library also says of a call that has its answer that the call is cancelled.
      if (!this.#ends.has(stop)) return;
      // First, because a poll that is given up fails with an error of its own.
      end.reject(new Ended());
      poll.cancel();
    };
    poll.response.catch(() => undefined);
    caller.on('cancelled', stop);
    this.#byInstance.set(key, held + 1);
    this.#ends.add(stop);
    this.#tell(this.#ends.size);
    try {
      return await Promise.race([poll.response, end.promise]);
    } finally {
      this.#ends.delete(stop);
      const left = (this.#byInstance.get(key) ?? 1) - 1;
      if (left === 0) this.#byInstance.delete(key);
      else this.#byInstance.set(key, left);
      this.#tell(this.#ends.size);
    }
  }

  /** Ends every poll, and takes no further ones. */
  endAll(): void {
    this.#isEnding = true;
    for (const stop of this.#ends) stop();
  }
}

/** A poll that ends because its caller has left or because the gateway stops. */
class Ended extends Error implements FrontendFault {
  readonly code: number = status.UNAVAILABLE;
  readonly details = 'This gateway stops; ask again.';
  readonly statusDetails = null;
}
