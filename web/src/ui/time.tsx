/** Points in time: how long ago, or as a date, with UTC on hover. */
import { useSyncExternalStore } from 'react';

import { m } from '#messages';

import { duration, localTime, utcTime } from './format.ts';

const EVERY_MS = 10_000;
let now = Date.now();
const readers = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const read of readers) read();
}, EVERY_MS);

function subscribe(read: () => void): () => void {
  readers.add(read);
  return () => readers.delete(read);
}

/** The present time, which moves on every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** How long ago something was. */
export function Age({ at }: { readonly at: string }) {
  const seconds = Math.max(0, (useNow() - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={utcTime(at)}>
      {seconds < 10 ? m.ui_now() : m.ui_ago({ time: duration(seconds) })}
    </time>
  );
}

/** A date with its time of day. */
export function When({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={utcTime(at)}>
      {localTime(at)}
    </time>
  );
}
