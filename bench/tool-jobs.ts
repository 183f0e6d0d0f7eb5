/** The jobs and the bare programs of the tools that are measured, and the rows that compare them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { SubmitJobRequest } from '../src/domain/requests.ts';
import type { InstalledPack } from '../src/packs/pack.ts';
import type { Row } from './report.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** Stack, account and pack that a tool is measured with. */
export interface ToolBench {
  readonly bench: BenchStack;
  readonly account: BenchAccount;
  readonly pack: InstalledPack;
  /** A folder for the files of both sides. */
  readonly folder: string;
}

/** Seconds of jobs by phase; `run` lasts from the first start of a task to the last commit of one. */
export interface JobSeconds {
  readonly start: number;
  readonly preparation: number;
  readonly run: number;
  readonly rest: number;
  readonly total: number;
}

/** How many bare processes run at once. */
export const PROCESSES = 2;
/** The least rate of the run phase, as a part of the rate of the bare program. */
export const RUN_GOAL = 0.8;
const OVER_SECONDS = 6;

const PHASES = `
  with ends as (select min(submitted_at) as submitted, max(finished_at) as finished from jobs where id = any($1)),
    starts as (select min(started_at) as began, min(started_at) filter (where kind = 'task') as tasks,
      max(finished_at) filter (where kind = 'task') as committed from tasks where job_id = any($1))
  select extract(epoch from began - submitted)::float8 as start, extract(epoch from tasks - began)::float8 as preparation,
    extract(epoch from committed - tasks)::float8 as run, extract(epoch from finished - committed)::float8 as rest,
    extract(epoch from finished - submitted)::float8 as total
  from ends, starts`;

const execFileAsync = promisify(execFile);

/** Jobs that have succeeded. */
export interface RanJobs {
  readonly jobIds: readonly string[];
  readonly seconds: JobSeconds;
}

/** Submits jobs at once and waits for all of them. */
export async function runJobs(
  { bench, account: { client } }: Pick<ToolBench, 'bench' | 'account'>,
  requests: readonly SubmitJobRequest[],
): Promise<RanJobs> {
  const jobIds = await Promise.all(
    requests.map(async (request) => {
      const { jobId } = await client.submit(request);
      const end = await client.waitForEnd(jobId);
      if (end.status !== 'SUCCEEDED') throw new Error(`A job ended ${end.status}.`);
      return jobId;
    }),
  );
  const [seconds] = await bench.db.query<JobSeconds[]>(PHASES, [jobIds]);
  if (seconds === undefined) throw new Error('The jobs have no rows.');
  return { jobIds, seconds };
}

/** Downloads an output of a job. */
export async function fetchOutput(
  { account: { client } }: Pick<ToolBench, 'account'>,
  jobId: string,
  { name: wanted, path }: { readonly name: string; readonly path: string },
): Promise<void> {
  for await (const output of client.outputs(jobId))
    if (output.name === wanted) return client.download(output, path);
  throw new Error(`The job has no output ${wanted}.`);
}

/** Runs a program of a pack in a folder, as a person would in a shell. */
export async function runBare(
  pack: InstalledPack,
  program: string,
  { args, folder }: { readonly args: readonly string[]; readonly folder: string },
): Promise<void> {
  const own = { PATH: process.env['PATH'], LC_ALL: 'C', BLAST_USAGE_REPORT: 'false' };
  await execFileAsync(pack.programs[program] ?? program, [...args], {
    cwd: folder,
    env: { ...own, ...pack.environment },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The seconds that a work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Speed is the inverse of time: above 1 the jobs are faster. */
export function compareSpeed(
  item: string,
  {
    measured,
    baseline,
    goal,
  }: { measured: readonly number[]; baseline: readonly number[]; goal: number | null },
): Row {
  const ratio = spreadOf(ratiosOf(baseline, measured));
  return {
    item,
    measured: describeSpread(spreadOf(measured), 's'),
    baseline: describeSpread(spreadOf(baseline), 's'),
    ratio: ratio.median.toFixed(2),
    goal: goal === null ? '' : `≥ ${goal}`,
    ok: goal === null ? null : ratio.median >= goal,
    figures: { measured, baseline, ratio },
  };
}

/** One task from submit to its end, in seconds over the bare program. */
export function compareOne(item: string, jobs: readonly JobSeconds[], baseline: readonly number[]): Row {
  const measured = jobs.map(({ total }) => total);
  const over = spreadOf(measured.map((seconds, index) => seconds - (baseline[index] ?? NaN)));
  return {
    item,
    measured: describeSpread(spreadOf(measured), 's'),
    baseline: describeSpread(spreadOf(baseline), 's'),
    ratio: `+${over.median.toFixed(1)} s`,
    goal: `≤ +${OVER_SECONDS} s`,
    ok: over.median <= OVER_SECONDS,
    figures: { measured, baseline, over, jobs },
  };
}

/** The phases of jobs, which have no goal. */
export function phaseRow(item: string, jobs: readonly JobSeconds[]): Row {
  const phases = (['start', 'preparation', 'run', 'rest', 'total'] as const).map(
    (phase) => `${phase} ${spreadOf(jobs.map((seconds) => seconds[phase])).median.toFixed(1)}`,
  );
  const told = { measured: `${phases.join(', ')} s`, baseline: '', ratio: '', goal: '', ok: null };
  return { item, ...told, figures: { jobs } };
}
