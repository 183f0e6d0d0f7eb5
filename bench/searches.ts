/**
 * Searches: 200 queries in 20 tasks, against the bare programs in two processes with half of the queries each. The
 * database is the chains of the shipped structures among 20,000 decoys; the queries are made of mutated pieces of those
 * chains, the same in every run. The database is made before, for both sides.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { SubmitJobRequest } from '../src/domain/requests.ts';
import { findTool, projectRoot } from '../src/stack/tools.ts';
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

/** How much is measured: `single` are rounds of one task with the queries of one of the tasks. */
export interface SearchesSize {
  readonly queries: number;
  readonly tasks: number;
  readonly rounds: number;
  readonly single: number;
}

/** Name of the area, and the simulator that it needs. */
export const SEARCHES = { name: 'searches', simulator: 'blastp' } as const;

const DECOYS = 20_000;
const DATABASE = 'decoys';
const SHIPPED = ['examples/1a28', 'test/fixtures/structures'];
/** A query is some pieces of chains, which makes it as long as a large protein: 200 of them take a minute of one core. */
const PIECES = 6;
const LEAST_PIECE = 60;
const MUTATED = 0.3;
const RESIDUES = 'ACDEFGHIKLMNPQRSTVWY';
const WIDTH = 60;
/** The three reports of a job by their formats, from one archive. */
const REPORTS = ['6', '15', '0'];

const execFileAsync = promisify(execFile);

interface Round {
  readonly reports: number;
  readonly hits: number;
  readonly job: JobSeconds;
}

interface Single {
  readonly bare: number;
  readonly job: JobSeconds;
}

/** Measures searches. */
export async function measureSearches(tool: ToolBench, size: SearchesSize): Promise<Row[]> {
  const folder = join(tool.folder, SEARCHES.name);
  const queries = await makeFiles(tool, folder, size.queries);
  const perTask = queries.slice(0, Math.ceil(size.queries / size.tasks));
  const half = Math.ceil(queries.length / PROCESSES);
  const halves = Array.from({ length: PROCESSES }, (_, at) => queries.slice(at * half, (at + 1) * half));
  const jobOf = await openJob(tool, folder);
  const [one, all] = [await jobOf('one', perTask, 1), await jobOf('all', queries, size.tasks)];
  // The first job makes the database, which later jobs take again.
  await runJobs(tool, [one]);
  const singles: Single[] = [];
  for (let round = 0; round < size.single; round += 1) {
    const bare = await timed(() => bareReports(tool, folder, perTask));
    singles.push({ bare, job: (await runJobs(tool, [one])).seconds });
  }
  const rounds: Round[] = [];
  for (let round = 0; round < size.rounds; round += 1) {
    const reports = await timed(() => Promise.all(halves.map((part) => bareReports(tool, folder, part))));
    const hits = await timed(() => Promise.all(halves.map((part) => bareHits(tool, folder, part))));
    const { jobIds, seconds } = await runJobs(tool, [all]);
    rounds.push({ reports, hits, job: seconds });
    await expectBareHits(tool, folder, { halves, jobId: jobIds[0] ?? '' });
  }
  return rowsOf(size, rounds, singles);
}

function rowsOf(
  { queries, tasks }: SearchesSize,
  rounds: readonly Round[],
  singles: readonly Single[],
): Row[] {
  const what = `${queries} queries in ${tasks} tasks`;
  const measured = rounds.map(({ job }) => job.run);
  const reports = rounds.map((round) => round.reports);
  const hits = rounds.map((round) => round.hits);
  return [
    compareSpeed(`run phase, ${what}, against blastp and its three reports in ${PROCESSES} processes`, {
      ...{ measured, baseline: reports, goal: RUN_GOAL },
    }),
    compareSpeed(`the same against blastp and a table of hits alone`, {
      ...{ measured, baseline: hits, goal: null },
    }),
    compareSpeed(`submit to SUCCEEDED, ${what}, against blastp and its three reports`, {
      ...{ measured: rounds.map(({ job }) => job.total), baseline: reports, goal: null },
    }),
    phaseRow(
      `phases of ${what}`,
      rounds.map(({ job }) => job),
    ),
    compareOne(
      `submit to SUCCEEDED, one task of ${Math.ceil(queries / tasks)} queries, over blastp and its three reports`,
      singles.map(({ job }) => job),
      singles.map(({ bare }) => bare),
    ),
    phaseRow(
      'phases of one task of queries',
      singles.map(({ job }) => job),
    ),
  ];
}

type JobOf = (name: string, queries: readonly string[], taskCount: number) => Promise<SubmitJobRequest>;

async function openJob({ account: { client } }: ToolBench, folder: string): Promise<JobOf> {
  const send = async (name: string): Promise<string> =>
    (await client.upload({ path: join(folder, name), contentType: 'text/x-fasta' })).storageKey;
  const database = await send(`${DATABASE}.fasta`);
  return async (name, queries, taskCount) => {
    await writeFile(join(folder, `${name}.fasta`), queries.join(''));
    return {
      jobType: 'simulation',
      simulator: SEARCHES.simulator,
      sceneFile: await send(`${name}.fasta`),
      attachments: [database],
      taskCount,
      simulationParams: { blastDatabasePath: `${DATABASE}.fasta` },
    };
  };
}

/** One pass into an archive, and the three reports from it, as a task does it. */
async function bareReports(tool: ToolBench, folder: string, queries: readonly string[]): Promise<void> {
  const name = await writeQueries(folder, queries);
  await search(tool, folder, { name, form: '11' });
  for (const form of REPORTS) {
    const args = ['-archive', `${name}.11`, '-outfmt', form, '-out', `${name}.${form}`];
    await runBare(tool.pack, 'blast_formatter', { args, folder });
  }
}

/** One pass that writes the table of hits and nothing else. */
async function bareHits(tool: ToolBench, folder: string, queries: readonly string[]): Promise<void> {
  await search(tool, folder, { name: await writeQueries(folder, queries), form: '6' });
}

async function search(
  { pack }: ToolBench,
  folder: string,
  { name, form }: { readonly name: string; readonly form: string },
): Promise<void> {
  const args = ['-query', `${name}.fasta`, '-db', DATABASE, '-outfmt', form, '-out', `${name}.${form}`];
  await runBare(pack, SEARCHES.simulator, { args, folder });
}

/** Writes queries into a file that is named after the first of them. */
async function writeQueries(folder: string, queries: readonly string[]): Promise<string> {
  const name = /^>(\S+)/.exec(queries[0] ?? '')?.[1] ?? 'none';
  await writeFile(join(folder, `${name}.fasta`), queries.join(''));
  return name;
}

/** Compares the table of the job with that of the bare runs, so that the same work is compared. */
async function expectBareHits(
  tool: ToolBench,
  folder: string,
  { halves, jobId }: { readonly halves: readonly (readonly string[])[]; readonly jobId: string },
): Promise<void> {
  const path = join(folder, 'job.tsv');
  await fetchOutput(tool, jobId, { name: 'hits.tsv', path });
  const names = await Promise.all(halves.map((part) => writeQueries(folder, part)));
  const tables = await Promise.all(names.map((name) => readFile(join(folder, `${name}.6`), 'utf8')));
  if ((await readFile(path, 'utf8')) !== tables.join('')) throw new Error('The job found other hits.');
}

/** Makes database and queries. @returns the queries, each as a record of FASTA. */
async function makeFiles(tool: ToolBench, folder: string, count: number): Promise<string[]> {
  const structures = join(folder, 'structures');
  await mkdir(structures, { recursive: true });
  for (const from of SHIPPED) {
    const names = (await readdir(join(projectRoot, from))).filter((name) => name.endsWith('.pdb'));
    for (const name of names) await copyFile(join(projectRoot, from, name), join(structures, name));
  }
  const files = { database: join(folder, `${DATABASE}.fasta`), chains: join(folder, 'chains.fasta') };
  await execFileAsync(findTool('science-python', process.env), [
    join(projectRoot, 'examples', 'blast', 'make_database.py'),
    ...['--structures', structures, '--decoys', String(DECOYS)],
    ...['--database', files.database, '--queries', files.chains],
  ]);
  const args = ['-in', files.database, '-dbtype', 'prot', '-out', DATABASE, '-title', DATABASE];
  await runBare(tool.pack, 'makeblastdb', { args, folder });
  return makeQueries(await readFile(files.chains, 'utf8'), count);
}

/** Queries of mutated pieces of the chains, each piece at least as long as a small domain where its chain is. */
function makeQueries(chains: string, count: number): string[] {
  const sequences = chains
    .split('>')
    .filter((record) => record !== '')
    .map((record) => record.slice(record.indexOf('\n')).replaceAll('\n', ''));
  const draw = createDraw(7);
  const below = (most: number): number => Math.floor(draw() * most);
  const pieceOf = (): string => {
    const whole = sequences[below(sequences.length)] ?? '';
    const length = Math.min(whole.length, LEAST_PIECE + below(Math.max(1, whole.length - LEAST_PIECE)));
    const from = below(whole.length - length + 1);
    return whole
      .slice(from, from + length)
      .replace(/./g, (letter) => (draw() < MUTATED ? (RESIDUES[below(RESIDUES.length)] ?? letter) : letter));
  };
  return Array.from({ length: count }, (_, index) => {
    const letters = Array.from({ length: PIECES }, pieceOf).join('');
    const lines = letters.match(new RegExp(`.{1,${WIDTH}}`, 'g')) ?? [];
    return `>query${String(index + 1).padStart(4, '0')}\n${lines.join('\n')}\n`;
  });
}

/** Numbers from 0 to 1 that are the same in every run (xorshift). */
function createDraw(seed: number): () => number {
  let state = seed * 0x9e3779b1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
