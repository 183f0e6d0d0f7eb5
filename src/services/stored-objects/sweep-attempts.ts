/**
 * The attempts of a sweep at many things: an attempt that fails does not stop the others, and is reported at the end.
 */
import pLimit from 'p-limit';

import type { ObjectStore } from '../../adapters/storage/storage.ts';

const REMOVALS_AT_ONCE = 16;

/** Some attempts failed; the first failure is the cause. */
export class AttemptsError extends Error {
  override readonly name = 'AttemptsError';
  readonly failures: readonly unknown[];

  constructor(message: string, failures: readonly unknown[]) {
    super(message, { cause: failures[0] });
    this.failures = failures;
  }
}

/** Attempts that belong together. */
export class Attempts {
  readonly #failures: unknown[] = [];

  /** Runs an attempt; answers null when the attempt failed. `what` names the attempt among the failures. */
  async run<T>(work: () => Promise<T>, what?: string): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AttemptsError) this.#failures.push(...error.failures);
      else this.#failures.push(what === undefined ? error : new Error(what, { cause: error }));
      return null;
    }
  }

  /** @throws AttemptsError with all failures, when an attempt failed. */
  finish(message: string): void {
    if (this.#failures.length > 0) throw new AttemptsError(message, this.#failures);
  }

  /** Removes objects, one by one where they cannot be removed together. Answers the keys that are gone. */
  async remove(store: Pick<ObjectStore, 'remove'>, keys: readonly string[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0) return new Set();
    const together = await store.remove(keys).then(
      () => true,
      () => false,
    );
    if (together) return new Set(keys);
    const limit = pLimit(REMOVALS_AT_ONCE);
    const gone = new Set<string>();
    const one = async (key: string): Promise<void> => {
      await store.remove([key]);
      gone.add(key);
    };
    await Promise.all(keys.map((key) => limit(() => this.run(() => one(key), `object ${key}`))));
    return gone;
  }
}
