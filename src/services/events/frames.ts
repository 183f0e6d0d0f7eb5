/** The parts of a stream as text: server-sent events, each ended by an empty line. */
import type { DataSource } from 'typeorm';

import { cursorOf } from './position.ts';
import { presentEvents } from './present.ts';
import type { EventRow, LogPosition } from './read-events.ts';
import { placeOf } from './read-events.ts';

/** A part of a stream; `id` is what the reader sends back to go on behind it, and a part without a name is an event of the log. */
interface Part {
  readonly name?: string;
  readonly id?: string;
  readonly retryMs?: number;
  readonly data?: unknown;
}

/** The text of a part; JSON has no line breaks, so data is one line. */
export function frameOf({ name, id, retryMs, data }: Part): string {
  return [
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
    '\n',
  ].join('\n');
}

/** Frames of rows, by the row; rows of unknown types have none. */
export type Frames = ReadonlyMap<EventRow, string>;

/** Makes frames once for all streams that are handed the same list. */
export class FrameMaker {
  readonly #db: DataSource;
  readonly #made = new WeakMap<readonly EventRow[], Promise<Frames>>();
  readonly #beats = new WeakMap<LogPosition, Map<string, string>>();

  constructor(db: DataSource) {
    this.#db = db;
  }

  of(rows: readonly EventRow[]): Promise<Frames> {
    const made = this.#made.get(rows) ?? this.#make(rows);
    this.#made.set(rows, made);
    return made;
  }

  /** Sign that a stream lives; its id keeps the reader's place from growing old. Made once for all streams of an account at one place. */
  heartbeat(accountId: string, place: LogPosition): string {
    const beats = this.#beats.get(place) ?? new Map<string, string>();
    this.#beats.set(place, beats);
    const beat = beats.get(accountId) ?? `: heartbeat\n${frameOf({ id: cursorOf(accountId, place) })}`;
    beats.set(accountId, beat);
    return beat;
  }

  async #make(rows: readonly EventRow[]): Promise<Frames> {
    const told = await presentEvents(this.#db, rows);
    return new Map(
      [...told].map(([row, data]) => [row, frameOf({ id: cursorOf(row.account_id, placeOf(row)), data })]),
    );
  }
}
