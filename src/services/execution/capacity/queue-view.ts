/**
 * The queue as customers see it. Ordering it costs as much as it is long (26 ms for 10,000 requests), so a process tells a
 * place as it was up to a second ago, and has one reading at a time under way.
 */
import { placeIn } from './queue.ts';
import type { QueueView } from '../../job-records/queue-place.ts';
import type { QueuePlaces } from './queue.ts';

const FRESH_MS = 1_000;

/** Makes the view of one process over a reader of the queue; a place is told as it was at most `freshMs` ago. */
export function createQueueView(read: () => Promise<QueuePlaces>, freshMs = FRESH_MS): QueueView {
  let reading: Promise<QueuePlaces> | null = null;
  let last: { readonly places: QueuePlaces; readonly readAt: number } | null = null;
  // Callers that ask during a reading wait for this reading, so that a slow database is read by one of them only.
  const refresh = async (): Promise<QueuePlaces> => {
    try {
      const places = await read();
      last = { places, readAt: performance.now() };
      return places;
    } finally {
      reading = null;
    }
  };
  return {
    async placeOf(request) {
      const place = last === null ? null : placeIn(last.places, request);
      // An execution that the reading does not list may have asked for capacity after the reading.
      if (place !== null && last !== null && performance.now() - last.readAt < freshMs) return place;
      reading ??= refresh();
      return placeIn(await reading, request);
    },
  };
}
