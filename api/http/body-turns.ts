/**
 * Turns at the threads that parse large bodies. One caller never has all the threads, where there are several, and what waits
 * goes by the work that its caller has had (start-time fair queueing): a body begins at the virtual time at which the
 * bodies before it of its caller end, each as long as its cost, and the body that begins first is next. So a caller with one
 * body waits for one body of another caller at most, however many the other has sent. Nobody saves up turns: a caller
 * who comes anew begins at the time of the body that was taken last.
 */
import { AppError } from '../../src/domain/errors.ts';

const BUSY_RETRY_SECONDS = 2;
/** The part of the room for waiting bodies that one caller may take. */
const SHARE_OF_ROOM = 1 / 4;

/** How much runs at once, and how much may wait, of all callers together. */
export interface BodyTurnsOptions {
  readonly threads: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

/** A body that asks for its turn. */
export interface BodyAsk {
  /** Owner of the body: an account, or the network of a caller who is not known. */
  readonly caller: string;
  readonly bytes: number;
  /** How much work the body is, in any unit. */
  readonly cost: number;
}

/** Gives bodies their turns. */
export interface BodyTurns {
  /** Does the work when it is the turn of the body. @throws SERVICE_UNAVAILABLE where there is no room to wait. */
  run<T>(ask: BodyAsk, work: () => Promise<T>): Promise<T>;
}

interface Body extends BodyAsk {
  /** The virtual time at which it begins. */
  readonly start: number;
  readonly begin: () => void;
}

const bytesOf = (bodies: readonly Body[]): number => bodies.reduce((sum, { bytes }) => sum + bytes, 0);

/** Makes the turns of one process. */
export function createBodyTurns({ threads, maxWaiting, maxWaitingBytes }: BodyTurnsOptions): BodyTurns {
  const waiting: Body[] = [];
  const running: Body[] = [];
  /** The virtual time, and the one at which the last body of each caller ends. */
  let now = 0;
  const ends = new Map<string, number>();

  const mostOfCaller = Math.max(1, threads - 1);
  const isFree = ({ caller }: BodyAsk): boolean =>
    running.filter((body) => body.caller === caller).length < mostOfCaller;

  const beginNext = (): void => {
    if (running.length >= threads) return;
    const [next, ...others] = waiting.filter(isFree);
    if (next === undefined) return;
    const body = others.reduce((first, one) => (one.start < first.start ? one : first), next);
    waiting.splice(waiting.indexOf(body), 1);
    running.push(body);
    now = Math.max(now, body.start);
    body.begin();
  };
  const end = (body: Body): void => {
    running.splice(running.indexOf(body), 1);
    for (const [caller, time] of ends)
      if (time <= now || running.length + waiting.length === 0) ends.delete(caller);
    beginNext();
  };
  const requireRoom = ({ caller }: BodyAsk): void => {
    const own = waiting.filter((body) => body.caller === caller);
    const fills = (bodies: readonly Body[], share: number): boolean =>
      bodies.length >= maxWaiting * share || bytesOf(bodies) > maxWaitingBytes * share;
    if (!fills(waiting, 1) && !fills(own, SHARE_OF_ROOM)) return;
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      'Too many large requests at the moment. Repeat this one shortly.',
      {
        retryAfterSeconds: BUSY_RETRY_SECONDS,
      },
    );
  };

  return {
    async run(ask, work) {
      requireRoom(ask);
      const start = Math.max(now, ends.get(ask.caller) ?? 0);
      ends.set(ask.caller, start + ask.cost);
      const body = await new Promise<Body>((resolve) => {
        const asked: Body = { ...ask, start, begin: () => resolve(asked) };
        waiting.push(asked);
        beginNext();
      });
      return await work().finally(() => end(body));
    },
  };
}
