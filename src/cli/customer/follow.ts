/**
 * Follows a job to its end and ranks its ligands while it runs. The job does not depend on anybody who follows it: Ctrl-C
 * ends this command, and the job goes on.
 */
import type { Client } from '../../client/index.ts';
import type { JobStatusResponse, TaskItem } from '../../client/types.ts';
import type { Terminal } from '../terminal.ts';
import type { JobDisplay } from './display.ts';
import { rankingOf } from './ranking.ts';
import type { RankedLigand } from './ranking.ts';

/** How a command stopped following a job. */
export interface Followed {
  /** False when the person pressed Ctrl-C before the job ended. */
  readonly hasEnded: boolean;
  readonly status: JobStatusResponse | null;
  readonly ranking: readonly RankedLigand[];
}

/** Settings of following a job. */
export interface Following {
  readonly display: JobDisplay;
  readonly terminal: Pick<Terminal, 'onInterrupt'>;
  readonly signal?: AbortSignal;
  /** Called with each new status. */
  readonly onStatus?: (status: JobStatusResponse) => void;
  readonly minIntervalMs?: number;
}

/** The tasks of a large job are many pages; reading the pages takes at most this share of the time. */
const RANKING_SHARE = 0.1;
const RANKING_INTERVAL_MS = 1500;

/** Follows a job until it ends or the person leaves. */
export async function followJob(client: Client, jobId: string, following: Following): Promise<Followed> {
  const { display, terminal, signal, onStatus, minIntervalMs } = following;
  const leaving = new AbortController();
  const stop = terminal.onInterrupt(() => leaving.abort());
  const either = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal]);
  const ranker = createRanker(client, jobId, either);
  let status: JobStatusResponse | null = null;
  try {
    const options = { signal: either, ...(minIntervalMs === undefined ? {} : { minIntervalMs }) };
    for await (const seen of client.watch(jobId, options)) {
      status = seen;
      onStatus?.(seen);
      display.show(seen, await ranker.rank(seen));
    }
    const ranking = await ranker.last();
    if (status !== null) display.show(status, ranking);
    return { hasEnded: true, status, ranking };
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    return { hasEnded: false, status, ranking: ranker.known() };
  } finally {
    stop();
    display.end();
  }
}

/** The ranking of a job as it stands. */
export async function readRanking(
  client: Client,
  jobId: string,
  signal?: AbortSignal,
): Promise<RankedLigand[]> {
  const tasks: TaskItem[] = [];
  for await (const task of client.tasks(jobId, signal === undefined ? {} : { signal })) tasks.push(task);
  return rankingOf(tasks);
}

interface Ranker {
  rank(status: JobStatusResponse): Promise<readonly RankedLigand[]>;
  last(): Promise<readonly RankedLigand[]>;
  known(): readonly RankedLigand[];
}

function createRanker(client: Client, jobId: string, signal: AbortSignal): Ranker {
  let ranking: readonly RankedLigand[] = [];
  let [completed, notBeforeMs] = [0, 0];
  let isRanked = false;
  const read = async (): Promise<readonly RankedLigand[]> => {
    const startedAt = performance.now();
    ranking = await readRanking(client, jobId, signal);
    const tookMs = performance.now() - startedAt;
    notBeforeMs = performance.now() + Math.max(RANKING_INTERVAL_MS, tookMs / RANKING_SHARE);
    return ranking;
  };
  return {
    async rank({ progress }) {
      // Only ligands have scores.
      isRanked = progress.unit === 'ligand';
      if (!isRanked || progress.completed === completed || performance.now() < notBeforeMs) return ranking;
      completed = progress.completed;
      return read();
    },
    last: async () => (isRanked ? read() : ranking),
    known: () => ranking,
  };
}
