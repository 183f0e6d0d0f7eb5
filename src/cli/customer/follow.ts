/**
 * Follows a job to its end and ranks its tasks while it runs. The job does not depend on anybody who follows it: Ctrl-C
 * ends this command, and the job goes on.
 */
import type { Client } from '../../client/index.ts';
import type { JobStatusResponse, TaskItem } from '../../client/types.ts';
import type { LiveView, ShownTask, TextLine } from '../../tools/shown.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Terminal } from '../terminal.ts';
import type { JobDisplay } from './display.ts';
import { loadTools, partLines, rankingOf, rankingText, UNRANKED, viewsOf } from './ranking.ts';
import type { Ranking } from './ranking.ts';

/** End of following a job. */
export interface Followed {
  /** False when the person pressed Ctrl-C before the job ended. */
  readonly hasEnded: boolean;
  readonly status: JobStatusResponse | null;
  readonly ranking: readonly ShownTask['data'][];
  /** The ranking as text; a function, because `--json` prints what is no function. */
  readonly rankingText: () => string;
  /** The tools' parts of the status, as text; a function too. */
  readonly partLines: () => readonly TextLine[];
}

/** Settings of following a job. */
export interface Following {
  readonly display: JobDisplay;
  readonly terminal: Pick<Terminal, 'onInterrupt'>;
  readonly signal?: AbortSignal;
  /** Called with each new status. */
  readonly onStatus?: (status: JobStatusResponse) => void;
  readonly minIntervalMs?: number;
  /** Ranks what the job has found; in its place all tasks of the job are read. */
  readonly ranker?: (signal: AbortSignal) => Ranker;
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
  const tools = await loadTools();
  const makeRanker = following.ranker ?? ((until) => createRanker(client, jobId, tools, until));
  const ranker = makeRanker(either);
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
    return followed(true, status, ranking, tools);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    return followed(false, status, ranker.known(), tools);
  } finally {
    stop();
    display.end();
  }
}

function followed(
  hasEnded: boolean,
  status: JobStatusResponse | null,
  ranking: Ranking,
  tools: readonly Tool[],
): Followed {
  return {
    hasEnded,
    status,
    ranking: ranking.tasks.map(({ data }) => data),
    rankingText: () => rankingText(ranking),
    partLines: () => (status === null ? [] : partLines(tools, status)),
  };
}

async function readRanking(
  client: Client,
  jobId: string,
  views: readonly LiveView[],
  signal: AbortSignal,
): Promise<Ranking> {
  const tasks: TaskItem[] = [];
  for await (const task of client.tasks(jobId, { signal })) tasks.push(task);
  return rankingOf(views, tasks);
}

/** Says what a job has found, as the job goes on. */
export interface Ranker {
  rank(status: JobStatusResponse): Promise<Ranking>;
  last(): Promise<Ranking>;
  known(): Ranking;
}

function createRanker(client: Client, jobId: string, tools: readonly Tool[], signal: AbortSignal): Ranker {
  let ranking = UNRANKED;
  let views: readonly LiveView[] = [];
  let [completed, notBeforeMs] = [0, 0];
  const read = async (): Promise<Ranking> => {
    const startedAt = performance.now();
    ranking = await readRanking(client, jobId, views, signal);
    const tookMs = performance.now() - startedAt;
    notBeforeMs = performance.now() + Math.max(RANKING_INTERVAL_MS, tookMs / RANKING_SHARE);
    return ranking;
  };
  return {
    async rank({ progress }) {
      // Without a view nothing of the tasks would be shown.
      views = viewsOf(tools, progress.unit);
      const isNew = progress.completed !== completed && performance.now() >= notBeforeMs;
      if (views.length === 0 || !isNew) return ranking;
      completed = progress.completed;
      return read();
    },
    last: async () => (views.length > 0 ? read() : ranking),
    known: () => ranking,
  };
}
