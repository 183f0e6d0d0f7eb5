/**
 * Renders: frames of a small film, drawn by two slots of one thread, against bare Blender in one process of two threads; and the first small
 * picture of a job, which comes before anything is paid, against bare Blender opening the scene and drawing one frame. Last, how well the
 * first frames of a film whose last ones take three times as long tell what it comes to.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SubmitJobRequest } from '../src/domain/requests.ts';
import { PYTHON } from '../src/packs/pack.ts';
import { projectRoot } from '../src/stack/tools.ts';
import type { Row } from './report.ts';
import { describeSpread, spreadOf } from './statistics.ts';
import { compareSpeed, phaseRow, runBare, runJobs, timed } from './tool-jobs.ts';
import type { JobSeconds, ToolBench } from './tool-jobs.ts';

/** How much is measured: frames of a job, and rounds; frames of the film that is forecast. */
export interface RendersSize {
  readonly frames: number;
  readonly rounds: number;
  readonly forecastFrames: number;
}

/** Name of the area, and the tool that it needs. */
export const RENDERS = { name: 'renders', simulator: 'blender' } as const;

const RUN_GOAL = 0.9;
const OVER_SECONDS = 6;
const FORECAST_GOAL = { within: 0.1, after: 0.05 };
const LEAST_SAMPLES = 8;
const LOOK_MS = 100;

interface Round {
  readonly bare: number;
  readonly jobs: JobSeconds;
  readonly bareOne: number;
  readonly preview: number;
}

/** Measures renders. */
export async function measureRenders(tool: ToolBench, size: RendersSize): Promise<Row[]> {
  const folder = join(tool.folder, RENDERS.name);
  await mkdir(folder, { recursive: true });
  const make = join(projectRoot, 'examples/blender/make_scene.py');
  await runBare(tool.pack, PYTHON, { args: [make, join(folder, 'film'), '320', '240', '32'], folder });
  const { files } = await tool.account.client.uploadFolder({ path: join(folder, 'film') });
  const sceneFile = files.find(({ logicalPath }) => logicalPath === 'scenes/shot.blend')?.storageKey ?? '';
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const bareOne = await timed(() => bare(tool, folder, { threads: 2, last: 1 }));
    let jobId = '';
    const preview = await timed(async () => (jobId = await seenPreview(tool, jobOf(sceneFile, 1))));
    await tool.account.client.waitForEnd(jobId);
    const bareSeconds = await timed(() => bare(tool, folder, { threads: 2, last: size.frames }));
    const { seconds: jobs } = await runJobs(tool, [jobOf(sceneFile, size.frames)]);
    rounds.push({ bare: bareSeconds, jobs, bareOne, preview });
  }
  return [...rowsOf(size, rounds), await forecastRow(tool, folder, size.forecastFrames)];
}

function rowsOf({ frames }: RendersSize, rounds: readonly Round[]): Row[] {
  const what = `${frames} frames of 320 x 240, 32 samples`;
  const over = spreadOf(rounds.map(({ preview, bareOne }) => preview - bareOne));
  const previews = rounds.map(({ preview }) => preview);
  const ones = rounds.map(({ bareOne }) => bareOne);
  return [
    compareSpeed(`run phase, ${what}, two slots of one thread, against Blender with two threads`, {
      measured: rounds.map(({ jobs }) => jobs.run),
      baseline: rounds.map((round) => round.bare),
      goal: RUN_GOAL,
    }),
    phaseRow(
      `phases of ${what}`,
      rounds.map(({ jobs }) => jobs),
    ),
    {
      item: 'submit to the first picture in the status, over Blender opening the scene and drawing a frame',
      measured: describeSpread(spreadOf(previews), 's'),
      baseline: describeSpread(spreadOf(ones), 's'),
      ratio: `+${over.median.toFixed(1)} s`,
      goal: `≤ +${OVER_SECONDS} s`,
      ok: over.median <= OVER_SECONDS,
      figures: { measured: previews, baseline: ones, over },
    },
  ];
}

/** Compares what the first frames tell of a film, each taken as the mean of all others, with what the film took. */
async function forecastRow(tool: ToolBench, folder: string, frames: number): Promise<Row> {
  const film = join(folder, 'film');
  const args = ['shot.blend', 'uneven.blend'].map((name) => join(film, 'scenes', name));
  const make = join(projectRoot, 'bench/uneven_scene.py');
  const [from = '', to = ''] = args;
  await runBare(tool.pack, PYTHON, { args: [make, from, String(frames), String(LEAST_SAMPLES), to], folder });
  const { client } = tool.account;
  const { files } = await client.uploadFolder({ path: film });
  const sceneFile = files.find(({ logicalPath }) => logicalPath === 'scenes/uneven.blend')?.storageKey ?? '';
  const { jobId } = await client.submit(jobOf(sceneFile, frames));
  const seen = await seenFrames(tool, jobId, Math.ceil(frames * FORECAST_GOAL.after));
  await client.waitForEnd(jobId);
  const end = await verifiedFrames(tool, jobId);
  const forecast = (seen.seconds / seen.frames) * frames;
  const ratio = forecast / end.seconds;
  return {
    item: `seconds by the first ${seen.frames} frames of ${frames} that differ ${(end.longest / end.shortest).toFixed(1)} times, against all of them`,
    measured: `${forecast.toFixed(1)} s`,
    baseline: `${end.seconds.toFixed(1)} s`,
    ratio: ratio.toFixed(2),
    goal: `within ${FORECAST_GOAL.within * 100} %`,
    ok: Math.abs(ratio - 1) <= FORECAST_GOAL.within,
    figures: { seen, end },
  };
}

interface VerifiedFrames {
  readonly frames: number;
  readonly seconds: number;
  readonly shortest: number;
  readonly longest: number;
}

async function seenFrames(tool: ToolBench, jobId: string, least: number): Promise<VerifiedFrames> {
  for (;;) {
    const found = await verifiedFrames(tool, jobId);
    if (found.frames >= least) return found;
    await sleep(LOOK_MS);
  }
}

/** The frames that are verified, with their measured seconds; the forecast of a job is made from the same. */
async function verifiedFrames({ bench }: ToolBench, jobId: string): Promise<VerifiedFrames> {
  const [row] = await bench.db.query<VerifiedFrames[]>(
    `select count(*)::int as frames, coalesce(sum(metered_ms), 0)::float8 / 1000 as seconds,
       min(metered_ms)::float8 / 1000 as shortest, max(metered_ms)::float8 / 1000 as longest
     from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED'`,
    [jobId],
  );
  if (row === undefined) throw new Error('The database has counted nothing.');
  return row;
}

function jobOf(sceneFile: string, frames: number): SubmitJobRequest {
  return {
    jobType: 'render',
    sceneFile,
    frameStart: 1,
    frameEnd: frames,
    parameters: { threads: '1', reuse: 'never' },
    metadata: { renderTimeMinutes: 0.2 },
  };
}

async function bare(
  { pack }: ToolBench,
  folder: string,
  { threads, last }: { readonly threads: number; readonly last: number },
): Promise<void> {
  const out = join(folder, 'bare');
  const scene = join(folder, 'film/scenes/shot.blend');
  const args = [join(projectRoot, 'bench/bare_render.py'), scene, String(threads), '1', String(last), out];
  await runBare(pack, PYTHON, { args, folder });
  await rm(out, { recursive: true });
}

/** Submits a job and waits until its status has the picture; answers the job. */
async function seenPreview({ account: { client } }: ToolBench, request: SubmitJobRequest): Promise<string> {
  const { jobId } = await client.submit(request);
  while ((await client.status(jobId)).render == null) await sleep(LOOK_MS);
  return jobId;
}
