/**
 * A broken invariant: a fault of ours that no repetition mends. Activities let it through; the workflows' retry
 * policies name this class as non-retryable, so the operator sees it at once instead of endless attempts.
 */
export class Invariant extends Error {
  override readonly name = 'Invariant';
}

/** The error of a broken invariant. */
export function invariantBroken(message: string): Invariant {
  return new Invariant(message);
}
