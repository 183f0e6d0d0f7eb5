/**
 * Waves: cases of SWAN against the bare program on the same files: four cases in two slots, one case by itself, what cutting and keeping
 * cost a run of two minutes, and how well the forecast after a minute tells what a run comes to.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { SubmitJobRequest } from '../src/domain/requests.ts';
import { projectRoot } from '../src/stack/tools.ts';
import type { Row } from './report.ts';
import { ratiosOf, spreadOf } from './statistics.ts';
import { compareOne, compareSpeed, phaseRow, PROCESSES, runBare, runJobs, timed } from './tool-jobs.ts';
import type { JobSeconds, ToolBench } from './tool-jobs.ts';

/** How much is measured; `hours` are simulated ones, of which a case of 10 s has 24 and one of 5 minutes 280 on twice the cells. */
export interface WavesSize {
  readonly rounds: number;
  readonly shortHours: number;
  readonly longHours: number;
  readonly forecasts: { readonly cases: number; readonly hours: number; readonly afterSeconds: number };
}

/** Name of the area, and the simulator that it needs. */
export const WAVES = { name: 'waves', simulator: 'swan' } as const;

const PROGRAM = 'swan.exe';
const CASES = 4;
const RUN_GOAL = 0.95;
const KEEPING_GOAL = 1.03;
const FORECAST_GOAL = { within: 0.1, share: 0.9 };
const LOOK_MS = 1000;

interface Case {
  readonly folder: string;
  readonly request: SubmitJobRequest;
}

/** Measures runs of SWAN. */
export async function measureWaves(tool: ToolBench, size: WavesSize): Promise<Row[]> {
  const short = await makeCase(tool, 'short', { hours: size.shortHours, cells: 32, cases: CASES });
  const one = await makeCase(tool, 'one', { hours: size.shortHours, cells: 32, cases: 1 });
  const long = await makeCase(tool, 'long', { hours: size.longHours, cells: 48, cases: 1 });
  const rounds: { bare: number; jobs: JobSeconds }[] = [];
  const singles: { bare: number; jobs: JobSeconds }[] = [];
  const longs: { bare: number; metered: number }[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    rounds.push({
      bare: await timed(() => runAll(tool, short.folder, CASES)),
      jobs: (await runJobs(tool, [short.request])).seconds,
    });
    singles.push({
      bare: await timed(() => runOne(tool, one.folder, '')),
      jobs: (await runJobs(tool, [one.request])).seconds,
    });
    const bare = await timed(() => runOne(tool, long.folder, ''));
    const { jobIds } = await runJobs(tool, [long.request]);
    longs.push({ bare, metered: await meteredSeconds(tool, jobIds[0] ?? '') });
  }
  return [
    compareSpeed(`run phase, ${CASES} cases of 10 s, against SWAN in ${PROCESSES} processes`, {
      ...{ measured: rounds.map(({ jobs }) => jobs.run), baseline: rounds.map(({ bare }) => bare) },
      goal: RUN_GOAL,
    }),
    phaseRow(
      `phases of ${CASES} cases`,
      rounds.map(({ jobs }) => jobs),
    ),
    compareOne(
      'submit to SUCCEEDED, one case of 10 s, over SWAN',
      singles.map(({ jobs }) => jobs),
      singles.map(({ bare }) => bare),
    ),
    keepingRow(longs),
    await forecastRow(tool, size.forecasts),
  ];
}

function keepingRow(longs: readonly { readonly bare: number; readonly metered: number }[]): Row {
  const [measured, baseline] = [longs.map(({ metered }) => metered), longs.map(({ bare }) => bare)];
  const ratio = spreadOf(ratiosOf(measured, baseline));
  return {
    item: 'measured seconds of a run in kept pieces, against one run of SWAN',
    measured: `${spreadOf(measured).median.toFixed(1)} s`,
    baseline: `${spreadOf(baseline).median.toFixed(1)} s`,
    ratio: ratio.median.toFixed(3),
    goal: `≤ ${KEEPING_GOAL}`,
    ok: ratio.median <= KEEPING_GOAL,
    figures: { measured, baseline, ratio },
  };
}

/** Runs cases, as many at once as there are slots, and compares what each forecasts after a minute of its run with what it took. */
async function forecastRow(
  tool: ToolBench,
  { cases, hours, afterSeconds }: WavesSize['forecasts'],
): Promise<Row> {
  const { request } = await makeCase(tool, 'forecast', { hours, cells: 64, cases: 1 });
  const ratios: number[] = [];
  const { client } = tool.account;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next++ < cases) {
      const { jobId } = await client.submit(request);
      const expected = await forecastSeconds(tool, jobId, afterSeconds);
      await client.waitForEnd(jobId);
      ratios.push(expected / (await meteredSeconds(tool, jobId)));
    }
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
  const good = ratios.filter((ratio) => Math.abs(ratio - 1) <= FORECAST_GOAL.within).length;
  return {
    item: `seconds by progress after ${afterSeconds} s of a run, as a part of what it took`,
    measured: ratios.map((ratio) => ratio.toFixed(2)).join(' '),
    baseline: '',
    ratio: `${good} of ${cases}`,
    goal: `${FORECAST_GOAL.share * cases} within ${FORECAST_GOAL.within * 100} %`,
    ok: good >= FORECAST_GOAL.share * cases,
    figures: { ratios },
  };
}

/** The seconds of the whole run by its progress, once it has run so long; `cost.forecast` is made from the same. */
async function forecastSeconds({ bench }: ToolBench, jobId: string, afterSeconds: number): Promise<number> {
  for (;;) {
    const [row] = await bench.db.query<{ seconds: number; percent: number }[]>(
      `select extract(epoch from now() - tool_started_at)::float8 as seconds, progress_percent::float8 as percent
       from tasks where job_id = $1 and kind = 'task' and tool_started_at is not null`,
      [jobId],
    );
    if (row !== undefined && row.seconds >= afterSeconds && row.percent > 0)
      return (row.seconds / row.percent) * 100;
    await sleep(LOOK_MS);
  }
}

async function meteredSeconds({ bench }: ToolBench, jobId: string): Promise<number> {
  const [row] = await bench.db.query<{ seconds: number }[]>(
    `select metered_ms / 1000.0::float8 as seconds from tasks where job_id = $1 and kind = 'task'`,
    [jobId],
  );
  if (row === undefined) throw new Error('The job has no task.');
  return row.seconds;
}

async function makeCase(
  tool: ToolBench,
  name: string,
  { hours, cells, cases }: { readonly hours: number; readonly cells: number; readonly cases: number },
): Promise<Case> {
  const folder = join(tool.folder, name);
  const run = promisify(execFile);
  const options = ['--hours', String(hours), '--cells', String(cells), '--cases', String(cases)];
  await run('python3', [join(projectRoot, 'examples/swan/make_case.py'), '--out', folder, ...options]);
  const path = `${folder}.tar.gz`;
  await run('tar', ['-C', folder, '-czf', path, '.']);
  const { storageKey } = await tool.account.client.upload({ path, contentType: 'application/gzip' });
  const request: SubmitJobRequest = {
    ...{ jobType: 'simulation', simulator: WAVES.simulator, sceneFile: storageKey },
    ...(cases === 1 ? {} : { taskCount: cases, parameters: { commandFile: 'storm{index}.swn' } }),
  };
  return { folder, request };
}

/** Runs the program on all cases, in two processes at a time. */
async function runAll(tool: ToolBench, folder: string, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await runOne(tool, folder, String(next++));
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
}

async function runOne({ pack }: ToolBench, folder: string, number: string): Promise<void> {
  const own = `${folder}-run${number}`;
  await mkdir(own);
  await cp(folder, own, { recursive: true });
  await cp(join(folder, `storm${number}.swn`), join(own, 'INPUT'));
  await runBare(pack, PROGRAM, { args: [], folder: own });
  await rm(own, { recursive: true });
}
