/**
 * Looks that come one after another, with a pause between two, and are shared by all who ask. A look that takes long puts off the next
 * one accordingly; one that fails does not, because a call that hangs and then fails tells nothing of what a look takes.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** A look that has begun. */
export interface Look<T> {
  readonly listing: Promise<T>;
  /** Whether the look tells of a token. */
  readonly covers: (token: string) => boolean;
}

/** One row of looks. */
export interface Lane<T> {
  /** A look at the token that is younger than the pause, or under way. @throws Error without an answer. */
  recent(token: string): Promise<T>;
  /** A look that begins after this call. @throws Error without an answer. */
  fresh(token?: string): Promise<T>;
}

/** Looks are under way at most for this part of the time. */
const SHARE = 1 / 5;

/** Opens a lane; `begin` begins a look. */
export function createLane<T>(begin: () => Look<T>, betweenMs: number): Lane<T> {
  let last: (Look<T> & { readonly at: number }) | null = null;
  let next: Promise<T> | null = null;
  let isUnderWay = false;
  let pauseMs = betweenMs;

  const start = (): Promise<T> => {
    const at = performance.now();
    const look = begin();
    pauseMs = betweenMs;
    isUnderWay = true;
    const listing = look.listing
      .then((found) => {
        pauseMs = Math.max(betweenMs, (performance.now() - at) / SHARE);
        return found;
      })
      .finally(() => (isUnderWay = false));
    last = { at, listing, covers: look.covers };
    return listing;
  };
  const fresh = (): Promise<T> => {
    // A call that comes meanwhile gets the look that is about to begin.
    next ??= (async () => {
      await last?.listing.catch(() => undefined);
      // The sleep lets `next` be set before it is cleared, also where nothing is to be waited for.
      await sleep(last === null ? 0 : Math.max(0, last.at + pauseMs - performance.now()));
      next = null;
      return start();
    })();
    return next;
  };
  return {
    fresh,
    recent: (token) =>
      last !== null && last.covers(token) && (isUnderWay || performance.now() - last.at < pauseMs)
        ? last.listing
        : fresh(),
  };
}
