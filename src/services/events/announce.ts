/**
 * Telling other processes that what a job's status shows has changed, or that the job has a new event. The announcement
 * wakes those who wait; what has changed stands in the rows alone. So an announcement may come twice, late, or be lost
 * with the process that was about to send it: whoever waits also looks when its own time is over.
 *
 * An announcement is sent after the commit that it tells of. NOTIFY inside a transaction would make PostgreSQL commit
 * all such transactions one after the other, each with its sync to disk, whatever account they belong to. A transaction
 * of its own without that sync is over in no time, and one carries everything that came up while the one before was sent.
 */
import type { DataSource } from 'typeorm';

/** The channel of announcements; the payload is the id of the job and, after a space, the account of the job. */
export const JOBS_CHANNEL = 'dockyard_jobs';

const SEND = `select set_config('synchronous_commit', 'off', true), pg_notify('${JOBS_CHANNEL}', concat_ws(' ', id, j.account_id))
  from unnest($1::uuid[]) id left join jobs j using (id)`;

/** Announcements that are sent together. */
interface Round {
  readonly jobIds: Set<string>;
  readonly sent: Promise<void>;
}

const announcers = new WeakMap<DataSource, Announcer>();

/**
 * Announces that the job has changed; to be called after the commit. Never fails. A caller, such as an activity, is repeated when
 * its process dies before, and then announces again.
 */
export function announceJob(db: DataSource, jobId: string): Promise<void> {
  let announcer = announcers.get(db);
  if (announcer === undefined) {
    announcer = new Announcer(db);
    announcers.set(db, announcer);
  }
  return announcer.announce(jobId);
}

/** Sends one round at a time; what is announced meanwhile makes up the next. */
class Announcer {
  readonly #db: DataSource;
  #next: Round | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(db: DataSource) {
    this.#db = db;
  }

  announce(jobId: string): Promise<void> {
    this.#next ??= this.#open();
    this.#next.jobIds.add(jobId);
    return this.#next.sent;
  }

  #open(): Round {
    const jobIds = new Set<string>();
    const sent = this.#last.then(() => {
      this.#next = null;
      return this.#send(jobIds);
    });
    this.#last = sent;
    return { jobIds, sent };
  }

  async #send(jobIds: ReadonlySet<string>): Promise<void> {
    if (!this.#db.isInitialized) return;
    try {
      await this.#db.query(SEND, [[...jobIds]]);
    } catch {
      // The change is committed; who waits for it looks again when its time is over.
    }
  }
}
