/**
 * Renders: frames of a small film, drawn by two slots of one thread, against bare Blender in one process of two threads; and the first small
 * picture of a job, which comes before anything is paid, against bare Blender opening the scene and drawing one frame.
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

/** How much is measured: frames of a job, and rounds. */
export interface RendersSize {
  readonly frames: number;
  readonly rounds: number;
}

/** Name of the area, and the tool that it needs. */
export const RENDERS = { name: 'renders', simulator: 'blender' };

const RUN_GOAL = 0.9;
const OVER_SECONDS = 6;
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
  return rowsOf(size, rounds);
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
