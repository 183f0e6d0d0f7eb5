/**
 * Batches: how long a large one takes until it is accepted, from a stored library that is new, from the same library again, and as
 * JSON; and how fast its ligands are docked by the tool that does nothing, against a plain job of that tool with as many tasks.
 * Accepted batches wait for capacity, so that the work after it is not measured.
 */
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { fillCapacity, ONE_JOB, waitUntilPlanned } from './docked-batch.ts';
import { send } from './http-load.ts';
import { noopJob } from './jobs.ts';
import { spanOf } from './orchestration.ts';
import type { Row } from './report.ts';
import {
  dockingBatch,
  libraryList,
  libraryTable,
  noopBatch,
  register,
  registerReceptor,
} from './screening.ts';
import type { Ligands } from './screening.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured: batches that are accepted, and pairs of a batch and a job that run. */
export interface BatchesSize {
  readonly ligands: number;
  readonly rounds: number;
  readonly runs: readonly { readonly tasks: number; readonly shardSize: number; readonly rounds: number }[];
  /** Tasks of the batch whose results are asked for while it runs. */
  readonly watched: number;
}

const GOALS = { storedMs: 1_000, jsonMs: 3_000, rate: 0.95, pageMs: 20 } as const;
/** The first requests of a process load what later ones find. */
const WARM_UP_LIGANDS = 100;
const SETTLE_MS = 2_000;
const PAGE = 100;
const PAGE_INTERVAL_MS = 200;

/** Measures batches. */
export async function measureBatches(size: BatchesSize): Promise<Row[]> {
  return [...(await measureAcceptance(size)), ...(await measureRuns(size))];
}

async function measureAcceptance({ ligands, rounds }: BatchesSize): Promise<Row[]> {
  const bench = await openBenchStack(ONE_JOB);
  try {
    const account = await bench.account();
    await fillCapacity(account);
    const receptorId = await registerReceptor(account);
    const accept = async (name: string, of: Ligands, count: number): Promise<number> => {
      await sleep(SETTLE_MS);
      const startedAt = performance.now();
      const { jobId } = await account.client.docking.createBatch(dockingBatch(receptorId, name, of));
      const ms = performance.now() - startedAt;
      await waitUntilPlanned(bench, jobId, count);
      return ms;
    };
    const times: Readonly<Record<'fresh' | 'known' | 'json', number[]>> = { fresh: [], known: [], json: [] };
    for (let round = -1; round < rounds; round += 1) {
      const count = round < 0 ? WARM_UP_LIGANDS : ligands;
      const series = `round${String(round + 1)}`;
      const libraryArtifactId = await register(account, await libraryTable(count, series), 'csv');
      times.fresh.push(await accept(`${series} new`, { libraryArtifactId }, count));
      times.known.push(await accept(`${series} known`, { libraryArtifactId }, count));
      times.json.push(await accept(`${series} list`, { ligands: await libraryList(count, series) }, count));
      if (round < 0) for (const list of Object.values(times)) list.length = 0;
    }
    const batch = `batch of ${String(ligands)} accepted`;
    return [
      acceptedRow(`${batch}, stored library that is new`, times.fresh, GOALS.storedMs),
      acceptedRow(`${batch}, stored library that is known`, times.known, GOALS.storedMs),
      acceptedRow(`${batch}, as JSON`, times.json, GOALS.jsonMs),
    ];
  } finally {
    await bench.close();
  }
}

function acceptedRow(item: string, ms: readonly number[], goalMs: number): Row {
  const measured = spreadOf(ms);
  return {
    item,
    measured: `${describeSpread(measured, 'ms', 0)}, ${measured.most.toFixed(0)} at most`,
    baseline: '',
    ratio: '',
    goal: `< ${String(goalMs)} ms`,
    ok: measured.most < goalMs,
    figures: { measured },
  };
}

async function measureRuns({ runs, watched }: BatchesSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    const account = await bench.account();
    await rateOfBatch(bench, account, { tasks: WARM_UP_LIGANDS, shardSize: 1, name: 'warm-up' });
    const rows: Row[] = [];
    for (const { tasks, shardSize, rounds } of runs) {
      const rates: Readonly<Record<'batch' | 'plain', number[]>> = { batch: [], plain: [] };
      for (let round = 0; round < rounds; round += 1) {
        const turns = [
          async () => rates.plain.push(await rateOfJob(bench, account, tasks, shardSize)),
          async () => {
            const name = `run${String(round)}of${String(shardSize)}`;
            return rates.batch.push(await rateOfBatch(bench, account, { tasks, shardSize, name }));
          },
        ];
        for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
      }
      rows.push(rateRow(tasks, shardSize, rates));
    }
    return [...rows, await watchedRow(bench, account, watched)];
  } finally {
    await bench.close();
  }
}

function rateRow(
  tasks: number,
  shardSize: number,
  { batch, plain }: Readonly<Record<'batch' | 'plain', number[]>>,
): Row {
  const ratio = spreadOf(ratiosOf(batch, plain));
  return {
    item: `tasks a second of a batch of ${String(tasks)}, shardSize ${String(shardSize)}, against a plain job`,
    measured: describeSpread(spreadOf(batch), '/s'),
    baseline: describeSpread(spreadOf(plain), '/s'),
    ratio: ratio.median.toFixed(2),
    goal: `≥ ${String(GOALS.rate)}`,
    ok: ratio.median >= GOALS.rate,
    figures: { batch, plain, ratio },
  };
}

async function rateOfJob(
  bench: BenchStack,
  { client }: BenchAccount,
  tasks: number,
  shardSize: number,
): Promise<number> {
  const { jobId } = await client.submit(noopJob({ tasks, shardSize }));
  return rateOf(bench, client, jobId, tasks);
}

interface NoopRun {
  readonly tasks: number;
  readonly shardSize: number;
  readonly name: string;
}

async function rateOfBatch(bench: BenchStack, account: BenchAccount, run: NoopRun): Promise<number> {
  const { jobId } = await startBatch(account, run);
  return rateOf(bench, account.client, jobId, run.tasks);
}

async function startBatch(
  account: BenchAccount,
  { tasks, shardSize, name }: NoopRun,
): Promise<{ readonly jobId: string; readonly batchId: string }> {
  const libraryArtifactId = await register(account, await libraryTable(tasks, name), 'csv');
  const request = noopBatch(name, { libraryArtifactId }, shardSize);
  const { jobId, batch } = await account.client.docking.createBatch(request);
  return { jobId, batchId: batch.id };
}

async function rateOf(
  { db }: BenchStack,
  client: BenchAccount['client'],
  jobId: string,
  tasks: number,
): Promise<number> {
  const { status } = await client.waitForEnd(jobId, { minIntervalMs: 1_000 });
  if (status !== 'SUCCEEDED') throw new Error(`Of ${String(tasks)} tasks the job ended ${status}.`);
  return tasks / (await spanOf(db, jobId)).workSeconds;
}

/** The first page of results of a batch that runs on the same machine, so that all of the service works meanwhile. */
async function watchedRow({ stack }: BenchStack, account: BenchAccount, tasks: number): Promise<Row> {
  const { jobId, batchId } = await startBatch(account, { tasks, shardSize: 1, name: 'watched' });
  const path = `molecular/docking/batches/${batchId}/results?sort=affinity&limit=${String(PAGE)}`;
  const headers = { authorization: `Bearer ${account.liveKey}` };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ms: number[] = [];
  const end = new AbortController();
  const ended = account.client.waitForEnd(jobId, { minIntervalMs: 1_000 }).finally(() => end.abort());
  while (!end.signal.aborted) {
    const startedAt = performance.now();
    const status = await send(agent, { url: `${stack.apiUrl}/api/v1/${path}`, headers });
    if (status !== 200) throw new Error(`A page was answered ${String(status)}.`);
    ms.push(performance.now() - startedAt);
    await sleep(PAGE_INTERVAL_MS);
  }
  await ended;
  agent.destroy();
  const measured = spreadOf(ms);
  return {
    item: `page 1 while a batch of ${String(tasks)} runs on the same machine`,
    measured: describeSpread(measured, 'ms'),
    baseline: '',
    ratio: '',
    goal: `< ${String(GOALS.pageMs)} ms`,
    ok: measured.median < GOALS.pageMs,
    figures: { measured },
  };
}
