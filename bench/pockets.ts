/**
 * Pockets: 20 structures at once, a job for each, against the bare program in two processes on the same selected atoms.
 * Each job starts an instance of its own, stores its files and is settled; the bare program has nothing but its work.
 */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { SubmitJobRequest } from '../src/domain/requests.ts';
import { projectRoot } from '../src/stack/tools.ts';
import type { Row } from './report.ts';
import {
  compareOne,
  compareSpeed,
  fetchOutput,
  phaseRow,
  PROCESSES,
  RUN_GOAL,
  runBare,
  runJobs,
  timed,
} from './tool-jobs.ts';
import type { JobSeconds, ToolBench } from './tool-jobs.ts';

/** How much is measured: `single` are rounds of one job by itself. */
export interface PocketsSize {
  readonly jobs: number;
  readonly rounds: number;
  readonly single: number;
}

/** Name of the area, and the simulator that it needs. */
export const POCKETS = { name: 'pockets', simulator: 'fpocket' } as const;

/** A dimer with two ligands, 4,036 atoms. */
const STRUCTURE = '1a28';
const SELECTED = 'selected.pdb';

interface Round {
  readonly bare: number;
  readonly jobs: JobSeconds;
}

/** Measures searches for pockets. */
export async function measurePockets(tool: ToolBench, size: PocketsSize): Promise<Row[]> {
  const folder = join(tool.folder, POCKETS.name);
  await mkdir(folder, { recursive: true });
  const job = await openJob(tool);
  const { jobIds } = await runJobs(tool, [job]);
  await fetchOutput(tool, jobIds[0] ?? '', { name: SELECTED, path: join(folder, SELECTED) });
  const singles: Round[] = [];
  for (let round = 0; round < size.single; round += 1) {
    const bare = await timed(() => runProgram(tool, folder, 0));
    singles.push({ bare, jobs: (await runJobs(tool, [job])).seconds });
  }
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const bare = await timed(() => runPrograms(tool, folder, size.jobs));
    const jobs = Array.from({ length: size.jobs }, () => job);
    rounds.push({ bare, jobs: (await runJobs(tool, jobs)).seconds });
  }
  return rowsOf(size, rounds, singles);
}

function rowsOf(size: PocketsSize, rounds: readonly Round[], singles: readonly Round[]): Row[] {
  const what = `${size.jobs} structures at once`;
  const baseline = rounds.map(({ bare }) => bare);
  const of = (phase: 'run' | 'total'): number[] => rounds.map(({ jobs }) => jobs[phase]);
  return [
    compareSpeed(`run phase, ${what}, against fpocket in ${PROCESSES} processes`, {
      ...{ measured: of('run'), baseline, goal: RUN_GOAL },
    }),
    compareSpeed(`first submit to last SUCCEEDED, ${what}, against fpocket`, {
      ...{ measured: of('total'), baseline, goal: null },
    }),
    phaseRow(
      `phases of ${what}`,
      rounds.map(({ jobs }) => jobs),
    ),
    compareOne(
      'submit to SUCCEEDED, one structure, over fpocket',
      singles.map(({ jobs }) => jobs),
      singles.map(({ bare }) => bare),
    ),
    phaseRow(
      'phases of one structure',
      singles.map(({ jobs }) => jobs),
    ),
  ];
}

async function openJob({ account: { client } }: ToolBench): Promise<SubmitJobRequest> {
  const path = join(projectRoot, 'examples', STRUCTURE, `${STRUCTURE}.pdb`);
  const { storageKey } = await client.upload({ path, contentType: 'chemical/x-pdb' });
  const { artifact } = await client.registerArtifact({ storageKey, format: 'pdb' });
  return {
    jobType: 'simulation',
    simulator: POCKETS.simulator,
    simulationParams: { receptorArtifact: artifact, receptorAssemblyId: 'asymmetric' },
  };
}

/** Runs the program on so many copies of the file, in two processes at a time. */
async function runPrograms(tool: ToolBench, folder: string, count: number): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await runProgram(tool, folder, next++);
  };
  await Promise.all(Array.from({ length: PROCESSES }, work));
}

async function runProgram({ pack }: ToolBench, folder: string, index: number): Promise<void> {
  const own = join(folder, String(index));
  await mkdir(own);
  await copyFile(join(folder, SELECTED), join(own, SELECTED));
  await runBare(pack, POCKETS.simulator, { args: ['-f', SELECTED], folder: own });
  await rm(own, { recursive: true });
}
