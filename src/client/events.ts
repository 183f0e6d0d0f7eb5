/**
 * The events of the account, one after the other: by pages up to the end of the log, then by a stream, and where no stream comes through
 * by long polls. Each event comes once, also over restarts of the service; a caller that stores each cursor once it is told goes on
 * after its own restart where it stopped, and sees again at most the events of one page. A cursor that has expired ends the
 * following with CURSOR_EXPIRED, because events may be missing then.
 */
import { pause } from './retry.ts';
import { dataOf, readParts } from './stream.ts';
import type { StreamEnd } from './stream.ts';
import type { Transport } from './transport.ts';
import type { AccountEvent, EventListResponse } from './types.ts';

/** The choice of events, and where to begin. */
export interface EventOptions {
  /** Only these types; all that the caller may read without it. */
  readonly types?: readonly string[];
  /** Only events of the thing with this id. */
  readonly subject?: string;
  /** A cursor that was told before, `oldest` for the first event that is kept, or `now`, which is the default. */
  readonly from?: string;
  /** Waits for further events at the end of the log; true by default. */
  readonly follow?: boolean;
  /** Called with the cursor to go on with, once all events before it were taken. */
  readonly onCursor?: (cursor: string) => void | Promise<void>;
  readonly signal?: AbortSignal;
  /** How long the service holds an empty page back where no stream comes through; at most 25. */
  readonly waitSeconds?: number;
  /** How long a stream may be silent before it is left; 40 s by default. */
  readonly silenceMs?: number;
  /** Called when the way on which events come has changed: a stream is open, is to be opened again, or long polls take its place. */
  readonly onWay?: (way: EventWay) => void;
  /** Called when results of a job have grown, by a stream alone: once a second at most, and not kept. */
  readonly onResults?: (change: ResultsChange) => void;
}

/** The way on which events come. */
export type EventWay = 'stream' | 'lost' | 'polls';

/** How far the results of a job have grown. */
export interface ResultsChange {
  readonly jobId: string;
  readonly completed: number;
  readonly failed: number;
  readonly total: number;
}

const LONGEST_WAIT_SECONDS = 25;
const ANSWER_SPARE_SECONDS = 20;
const MIN_INTERVAL_MS = 250;
const PAGE = 200;

/** Gives events, oldest first, until the log ends or, when it follows, until the caller leaves. */
export async function* readEvents(
  transport: Transport,
  options: EventOptions = {},
): AsyncGenerator<AccountEvent, void, void> {
  const { types, subject, from = 'now', follow = true, onCursor, signal } = options;
  const waitSeconds = Math.min(options.waitSeconds ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
  const read = (query: object, seconds: number): Promise<EventListResponse> =>
    transport.json<EventListResponse>({
      method: 'GET',
      path: '/events',
      query: { ...query, types, subject },
      headers: seconds > 0 ? { prefer: `wait=${seconds}` } : {},
      repeatable: true,
      timeoutSeconds: seconds + ANSWER_SPARE_SECONDS,
      signal,
    });
  let cursor: string | undefined = from === 'oldest' ? undefined : from;
  if (from === 'now') {
    cursor = (await read({ latest: 'true' }, 0)).nextCursor;
    await onCursor?.(cursor);
  }
  let isStreaming = follow;
  for (;;) {
    const askedAt = performance.now();
    const page = await read({ limit: PAGE, cursor }, follow && !isStreaming ? waitSeconds : 0);
    yield* page.events;
    if (page.nextCursor !== cursor) await onCursor?.(page.nextCursor);
    cursor = page.nextCursor;
    const isEnd = page.events.length === 0;
    if (isEnd && !follow) return;
    let leastMs = page.events.length < PAGE ? MIN_INTERVAL_MS : 0;
    if (isEnd && isStreaming) {
      const end = yield* streamed(transport, options, cursor, (next) => {
        cursor = next;
        return onCursor?.(next);
      });
      isStreaming = end.kind === 'lost';
      options.onWay?.(isStreaming ? 'lost' : 'polls');
      // Many readers lose their streams in one moment; each comes back when it was told to.
      if (end.kind === 'lost') await pause(end.retryMs, signal);
      leastMs = 0;
    }
    const left = leastMs - (performance.now() - askedAt);
    if (left > 0) await pause(left, signal);
  }
}

/** Gives what comes after the end of the log, until the stream ends. What a refused cursor means the next page says. */
async function* streamed(
  transport: Transport,
  { types, subject, signal, silenceMs, onWay, onResults }: EventOptions,
  after: string,
  onCursor: (cursor: string) => void | Promise<void>,
): AsyncGenerator<AccountEvent, StreamEnd, void> {
  const parts = readParts(
    transport,
    { path: '/events/stream', query: { after, types, subject }, signal },
    silenceMs,
  );
  let told = after;
  let isOpen = false;
  try {
    for (;;) {
      const next = await parts.next();
      if (next.done === true) return next.value;
      const { value: part } = next;
      if (!isOpen) onWay?.('stream');
      isOpen = true;
      const { name, id, data } = part;
      if (name === 'reset') return { kind: 'lost', retryMs: 0 };
      if (name === 'results.changed') onResults?.(dataOf<ResultsChange>(part));
      if (name === '' && data !== '') yield dataOf<AccountEvent>(part);
      if (id !== null && id !== told) await onCursor((told = id));
    }
  } finally {
    // Also a reader that leaves in the middle closes the stream.
    await parts.return({ kind: 'lost', retryMs: 0 });
  }
}
