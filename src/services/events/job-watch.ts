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

/** Hears of the changes of all jobs. */
export interface JobWatch {
  /** Starts to notice news of a job; what comes while nobody waits is remembered. To be ended by `leave`. */
  join(jobId: string): Watcher;
  /** Calls back with the account of each announced job, and with null whenever announcements may have been missed. */
  hear(onNews: (accountId: string | null) => void): void;
  close(): void;
}

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
  const watchers = new Map<string, Set<JobWatcher>>();
  const hearers: ((accountId: string | null) => void)[] = [];
  let isListening = false;
  const wakeAll = (): void => {
    for (const set of watchers.values()) for (const watcher of set) watcher.wake();
    for (const hear of hearers) hear(null);
  };
  const listener = listen(db, `listen ${JOBS_CHANNEL}`, {
    applicationName: 'dockyard-jobs',
    onAnnounced: (payload) => {
      const [jobId = '', accountId = null] = payload.split(' ');
      for (const watcher of watchers.get(jobId) ?? []) watcher.wake();
      for (const hear of hearers) hear(accountId);
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
      const watcher = new JobWatcher();
      const set = watchers.get(jobId) ?? new Set();
      watchers.set(jobId, set.add(watcher));
      return {
        next: (longestMs) => watcher.next(isListening ? longestMs : Math.min(longestMs, DEAF_POLL_MS)),
        leave() {
          set.delete(watcher);
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

class JobWatcher {
  #hasNews = false;
  #resume: (() => void) | null = null;

  wake(): void {
    this.#hasNews = true;
    this.#resume?.();
  }

  async next(longestMs: number): Promise<void> {
    if (!this.#hasNews) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, longestMs);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#resume = null;
    }
    this.#hasNews = false;
  }
}
