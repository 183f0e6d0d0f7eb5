/** Whether a sign-in is asked for over the page: many calls may wait for the same one. */

export type AskReason = 'ended' | 'again';

interface Asking {
  readonly reason: AskReason;
  readonly answered: Promise<boolean>;
  readonly answer: (hasSignedIn: boolean) => void;
}

let asking: Asking | null = null;
const readers = new Set<() => void>();
const tell = (): void => {
  for (const read of readers) read();
};

/** Asks a person to sign in; true once that is done, false where the person would rather not. */
export function askToSignIn(reason: AskReason): Promise<boolean> {
  if (asking !== null) return asking.answered;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (hasSignedIn: boolean): void => {
    asking = null;
    tell();
    resolve(hasSignedIn);
  };
  asking = { reason, answered: promise, answer };
  tell();
  return promise;
}

/** The question that stands over the page now; null without one. */
export const currentAsking = (): Asking | null => asking;

/** Follows whether a question stands. */
export function onAsking(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}
