/**
 * Hearing of news of jobs. One connection of the process listens to the announcements of all jobs, so waiting costs the
 * database nothing, however many wait. News says only that it is worth looking again; who waits reads for itself.
 *
 * No wait hangs on a lost announcement: everybody is woken when the connection is lost and when it is back, looks every
 * second in between, and looks at the end of its time in any case.
 */
import type { DataSource } from 'typeorm';

import { listen } from '../listener.ts';
import { JOBS_CHANNEL } from './announce.ts';
import { Bell } from './bell.ts';

/** Hears of the changes of all jobs. */
export interface JobWatch {
  /** Starts to notice news of a job; what comes while nobody waits is remembered. To be ended by `leave`. */
  join(jobId: string): Watcher;
  /** Calls back with each announced job and its account, and with null whenever announcements may have been missed. */
  hear(onNews: HearJob): void;
  close(): void;
}

/** Hears of an announced job; of null whenever announcements may have been missed. */
export type HearJob = (accountId: string | null, jobId: string | null) => void;

/** Notices news of one job. */
export interface Watcher {
  /** Resolves at the first news since `join` or the last call, or after this time at the latest. */
  next(longestMs: number): Promise<void>;
  leave(): void;
}

/** How often is looked while announcements cannot be heard. */
const DEAF_POLL_MS = 1_000;

/** Starts listening. */
export function createJobWatch(db: DataSource): JobWatch {
  const watchers = new Map<string, Set<Bell>>();
  const hearers: HearJob[] = [];
  let isListening = false;
  const wakeAll = (): void => {
    for (const set of watchers.values()) for (const bell of set) bell.ring();
    for (const hear of hearers) hear(null, null);
  };
  const listener = listen(db, `listen ${JOBS_CHANNEL}`, {
    applicationName: 'dockyard-jobs',
    onAnnounced: (payload) => {
      const [jobId = '', accountId = null] = payload.split(' ');
      for (const bell of watchers.get(jobId) ?? []) bell.ring();
      for (const hear of hearers) hear(accountId, jobId);
    },
    onListening: () => {
      isListening = true;
      wakeAll();
    },
    onLost: () => {
      isListening = false;
      wakeAll();
    },
  });
  return {
    join(jobId) {
      const bell = new Bell();
      const set = watchers.get(jobId) ?? new Set();
      watchers.set(jobId, set.add(bell));
      return {
        next: (longestMs) => bell.next(isListening ? longestMs : Math.min(longestMs, DEAF_POLL_MS)),
        leave() {
          set.delete(bell);
          if (set.size === 0 && watchers.get(jobId) === set) watchers.delete(jobId);
        },
      };
    },
    hear: (onNews) => void hearers.push(onNews),
    close() {
      listener.close();
      isListening = false;
    },
  };
}
