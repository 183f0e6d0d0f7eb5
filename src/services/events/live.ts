/**
 * How far the running jobs of followed accounts are. This is no event and kept nowhere: a batch has ten thousand results. Whatever is
 * announced within a second is read by one statement for all who follow, and told where results were added.
 */
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';

import type { Job } from '../../../entities/jobs.ts';
import type { JobProgress } from '../../domain/events.ts';
import type { Row } from '../row.ts';
import type { JobWatch } from './job-watch.ts';

/** Somebody who follows the jobs of an account. */
export interface LiveFollower {
  /** A job has news; null whenever any of them may have. */
  onAnnounced(jobId: string | null): void;
  /** Results of a job were added; told at most once a second. */
  onResults(progress: JobProgress): void;
}

/** Hears of the jobs of followed accounts. */
export interface LiveJobs {
  follow(accountId: string, follower: LiveFollower): () => void;
  close(): void;
}

const LEAST_MS = 1_000;
const KNOWN_JOBS = 10_000;

const PROGRESS = `
  select id, account_id, tasks_verified, tasks_failed, task_total from jobs where id = any($1::uuid[]) and not internal`;

type ProgressRow = Row<Job, 'id' | 'accountId' | 'tasksVerified' | 'tasksFailed' | 'taskTotal'>;

/** Makes what hears of running jobs in this process. It reads nothing until somebody follows. */
export function createLiveJobs(db: DataSource, watch: Pick<JobWatch, 'hear'>): LiveJobs {
  return new Live(db, watch);
}

class Live implements LiveJobs {
  readonly #db: DataSource;
  readonly #followers = new Map<string, Set<LiveFollower>>();
  /** Verified tasks of each job as they were told last. */
  readonly #told = new LRUCache<string, number>({ max: KNOWN_JOBS });
  readonly #due = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #readAt = -LEAST_MS;

  constructor(db: DataSource, watch: Pick<JobWatch, 'hear'>) {
    this.#db = db;
    watch.hear((accountId, jobId) => this.#hear(accountId, jobId));
  }

  follow(accountId: string, follower: LiveFollower): () => void {
    const set = this.#followers.get(accountId) ?? new Set();
    this.#followers.set(accountId, set.add(follower));
    return () => {
      set.delete(follower);
      if (set.size === 0 && this.#followers.get(accountId) === set) this.#followers.delete(accountId);
    };
  }

  close(): void {
    this.#followers.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #hear(accountId: string | null, jobId: string | null): void {
    if (accountId === null || jobId === null) {
      for (const set of this.#followers.values()) for (const follower of set) follower.onAnnounced(null);
      return;
    }
    const followers = this.#followers.get(accountId);
    if (followers === undefined) return;
    for (const follower of followers) follower.onAnnounced(jobId);
    this.#due.add(jobId);
    const waitMs = Math.max(0, this.#readAt + LEAST_MS - performance.now());
    this.#timer ??= setTimeout(() => void this.#read(), waitMs).unref();
  }

  async #read(): Promise<void> {
    const jobIds = [...this.#due];
    this.#due.clear();
    this.#timer = null;
    this.#readAt = performance.now();
    try {
      for (const row of await this.#db.query<ProgressRow[]>(PROGRESS, [jobIds])) this.#tell(row);
    } catch {
      // The next announcement of a job brings the same figures or later ones.
    }
  }

  #tell(row: ProgressRow): void {
    if (row.tasks_verified === (this.#told.get(row.id) ?? 0)) return;
    this.#told.set(row.id, row.tasks_verified);
    const progress = {
      jobId: row.id,
      completed: row.tasks_verified,
      failed: row.tasks_failed,
      total: row.task_total,
    };
    for (const follower of this.#followers.get(row.account_id) ?? []) follower.onResults(progress);
  }
}
