/**
 * A broken invariant: a fault of the service that no repetition repairs. Activities do not catch this error, and the
 * retry policies of the workflows name its class as non-retryable, so an operator sees the fault at once instead of
 * endless attempts.
 */
export class Invariant extends Error {
  override readonly name = 'Invariant';
}

/** The error of a broken invariant. */
export function invariantBroken(message: string): Invariant {
  return new Invariant(message);
}
