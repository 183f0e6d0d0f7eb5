/** Parts of a stream of events, as a reader of bytes takes them. */
import type { Readable } from 'node:stream';

import { PartParser } from '../../src/client/stream.ts';
import type { StreamPart } from '../../src/client/stream.ts';
import { until } from './until.ts';

/** A reader of a stream, which takes what comes until it is closed. */
export interface PartReader {
  /** Every part that has come. */
  readonly parts: StreamPart[];
  /** The last id of all parts; null before the first. */
  last(): string | null;
  /** The ids of the events of the log that have come. */
  ids(): string[];
  /** The pause that the service asks for. */
  retryMs(): number | null;
  hasEnded(): boolean;
  /** Waits until a part is there that the test takes. */
  sees(what: string, test: (part: StreamPart) => boolean): Promise<StreamPart>;
}

/** The public ids of events of the log among parts. */
export function idsOf(parts: readonly StreamPart[]): string[] {
  return parts.flatMap(({ name, data }) => (name === '' && data !== '' ? [JSON.parse(data).id] : []));
}

/** The last id of parts. */
export function lastIdOf(parts: readonly StreamPart[]): string | null {
  return parts.findLast(({ id }) => id !== null)?.id ?? null;
}

/** Takes the parts of a body, or of a stream in this process. */
export function readPartsOf(body: AsyncIterable<Uint8Array> | Readable): PartReader {
  const parts: StreamPart[] = [];
  const parser = new PartParser();
  let ended = false;
  void (async () => {
    try {
      for await (const chunk of body) parts.push(...parser.parts(chunk));
    } catch {
      // A stream that breaks has ended, too.
    }
    ended = true;
  })();
  return {
    parts,
    last: () => lastIdOf(parts),
    ids: () => idsOf(parts),
    retryMs: () => parser.retryMs,
    hasEnded: () => ended,
    async sees(what, test) {
      await until(what, () => parts.some(test), 30_000);
      return parts.find(test) as StreamPart;
    },
  };
}
