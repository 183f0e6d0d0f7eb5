/**
 * The progress of running tasks, as instances tell it and nobody has written it yet. The progress of a job's instances is written
 * together, at most once a second, because every write wakes all long polls that wait for the job's next version; that of the
 * jobs of a gateway goes along with the signs of life (contact-batch.ts). A percent that is written already is not written again,
 * except after half a minute, for whoever has started the task once more meanwhile.
 */
import { LRUCache } from 'lru-cache';

import type { ContactRequest, InstanceClaims } from '../../../contracts/instance.ts';

const INTERVAL_MS = 1000;
/** Signs of life are a second apart where there are many, and a timer is late: progress is due with them. */
const EARLY_MS = 100;
/** Time after which progress that no sign of life has taken along is written by itself. */
const LATE_MS = 250;
const REPEATED_MS = 30_000;
const REMEMBERED_JOBS = 10_000;

type Running = ContactRequest['running'];
type Place = Pick<InstanceClaims, 'jobId' | 'slot' | 'generation'>;

/** The progress of one task that is to be written. */
export type ProgressRow = Place & Running[number];

/** Last progress that one instance has told, and the part of it that is written. */
interface Told {
  readonly generation: number;
  readonly running: Running;
  readonly written: Map<string, { readonly percent: number; readonly at: number }>;
}

interface JobBoard {
  /** By slot. */
  readonly told: Map<number, Told>;
  writtenAt: number;
  /** Time since which something is to be written. */
  since: number;
}

/** Progress that was told and is not written. @param now monotonic time in milliseconds; tests set it. */
export class ProgressBoard {
  readonly #boards = new LRUCache<string, JobBoard>({ max: REMEMBERED_JOBS });
  readonly #pending = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes what an instance tells of the tasks that it runs. */
  tell({ jobId, slot, generation }: Place, running: Running): void {
    const board = this.#boards.get(jobId);
    if (running.length === 0) return void board?.told.delete(slot);
    const { told } = board ?? this.#open(jobId);
    const before = told.get(slot);
    const written: Told['written'] = new Map();
    for (const name of before?.generation === generation ? running.map(nameOf) : []) {
      const last = before?.written.get(name);
      if (last !== undefined) written.set(name, last);
    }
    const now = { generation, running, written };
    told.set(slot, now);
    this.#note(jobId, [now]);
  }

  /** Takes the progress of all jobs that is due now. The caller then names by `wrote` the jobs whose progress was written. */
  take(): readonly ProgressRow[] {
    const now = this.#now();
    return [...this.#pending].flatMap((jobId) => {
      const board = this.#boards.get(jobId);
      if (board !== undefined && board.writtenAt + INTERVAL_MS - EARLY_MS > now) return [];
      const rows = [...(board?.told ?? [])].flatMap(([slot, told]) =>
        newsOf(told, now).map((task) => ({ jobId, slot, generation: told.generation, ...task })),
      );
      if (board === undefined || rows.length === 0) this.#pending.delete(jobId);
      else board.writtenAt = now;
      return rows;
    });
  }

  /** Notes that what was taken of these jobs is written; that of other jobs is due again a second later. */
  wrote(rows: readonly ProgressRow[], jobIds: ReadonlySet<string>): void {
    const at = this.#now();
    for (const { jobId, slot, generation, percent, ...task } of rows) {
      const told = jobIds.has(jobId) ? this.#boards.get(jobId)?.told.get(slot) : undefined;
      if (told?.generation === generation) told.written.set(nameOf(task), { percent, at });
    }
    for (const jobId of jobIds) {
      this.#pending.delete(jobId);
      this.#note(jobId, this.#boards.get(jobId)?.told.values() ?? []);
    }
  }

  /** In how many milliseconds something is due that no sign of life has taken along; null for nothing. */
  get dueInMs(): number | null {
    let first = Infinity;
    for (const jobId of this.#pending) {
      const board = this.#boards.peek(jobId);
      if (board !== undefined)
        first = Math.min(first, Math.max(board.writtenAt + INTERVAL_MS, board.since) + LATE_MS);
    }
    return first === Infinity ? null : Math.max(0, first - this.#now());
  }

  #open(jobId: string): JobBoard {
    const board: JobBoard = { told: new Map(), writtenAt: -Infinity, since: this.#now() };
    this.#boards.set(jobId, board);
    return board;
  }

  /** Notes whether there is something to be written of what some instances of a job have told. */
  #note(jobId: string, told: Iterable<Told>): void {
    const board = this.#boards.get(jobId);
    if (board === undefined || this.#pending.has(jobId)) return;
    const now = this.#now();
    for (const one of told)
      if (newsOf(one, now).length > 0) {
        board.since = now;
        this.#pending.add(jobId);
        return;
      }
  }
}

/** Lists progress of an instance that is not written, or was written long ago. */
function newsOf({ running, written }: Told, now: number): Running {
  return running.filter((task) => {
    const last = written.get(nameOf(task));
    return last?.percent !== task.percent || last.at + REPEATED_MS <= now;
  });
}

function nameOf({ kind, ordinal }: Pick<Running[number], 'kind' | 'ordinal'>): string {
  return `${kind}/${String(ordinal)}`;
}
