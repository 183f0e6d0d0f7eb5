/**
 * Docking: 24 drug-like ligands against 1A28 in a box of 22 Å, as a job, as the `vina` program ligand by ligand, and
 * as a bare script that calls the binding in two processes. The job prepares each ligand itself and takes the receptor
 * from its account's cache. The program starts from prepared files, and so does the script at exhaustiveness 8; at
 * exhaustiveness 1, where the preparation is a large part of the time, the script prepares each ligand as the job does.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

import type { DataSource } from 'typeorm';

import type { LigandIdentity, SubmitJobRequest } from '../src/domain/requests.ts';
import { projectRoot } from '../src/stack/tools.ts';
import { pythonPath } from '../src/tools/python-session.ts';
import { DOCKING_PACKAGES } from '../src/tools/autodock-vina/toolchain.ts';
import { measureLigandCost } from './ligand-cost.ts';
import type { LigandCostSize } from './ligand-cost.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured: rounds at each exhaustiveness, and ligands of the list. */
export interface DockingSize {
  readonly rounds: readonly { readonly exhaustiveness: number; readonly count: number }[];
  readonly ligands: number;
  readonly cost: LigandCostSize;
}

/** Seconds of one round. */
interface Round {
  readonly program: number | null;
  /**
   * The seconds of the script, counted from the moment at which its processes have imported the binding, and from its
   * start.
   */
  readonly script: { readonly seconds: number; readonly wallSeconds: number };
  readonly job: JobSeconds;
}

/** Seconds of a job by phase; `docking` lasts from the first task's start to the last one's commit. */
interface JobSeconds {
  readonly start: number;
  readonly preparation: number;
  readonly docking: number;
  readonly settlement: number;
  readonly total: number;
}

interface Prepared {
  readonly folder: string;
  readonly receptor: string;
  readonly box: string;
  readonly ligands: string;
  /** The SMILES of the same ligands. */
  readonly library: string;
}

const execFileAsync = promisify(execFile);
const SEED = 42;
const CORES = 2;
const BOX_ANGSTROM = 22;
/** Beside each file of a ligand is a folder with the shapes of the ligand, where the ligand has several. */
const PREPARED_LIGAND = '.pdbqt';
/** The goals by exhaustiveness, and whether the script prepares the ligands. */
const GOALS: Readonly<Record<number, { docking: number; whole: number | null; prepares: boolean }>> = {
  8: { docking: 0.95, whole: 0.9, prepares: false },
  1: { docking: 0.85, whole: null, prepares: true },
};

/** Measures docking. */
export async function measureDocking(size: DockingSize): Promise<Row[]> {
  const bench = await openBenchStack();
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-bench-docking-'));
  try {
    const python = bench.stack.env['DOCKYARD_SCIENCE_PYTHON'] ?? 'python3';
    const account = await bench.account();
    const job = await openJob(account, size.ligands);
    const prepared = await prepareFiles(account, job, folder, python);
    const rows: Row[] = [];
    for (const { exhaustiveness, count } of size.rounds) {
      const rounds: Round[] = [];
      for (let round = 0; round < count; round += 1) {
        rounds.push({
          program: await runProgram(prepared, exhaustiveness),
          script: await runScript(prepared, python, exhaustiveness),
          job: await runJob(bench, account, job(exhaustiveness)),
        });
      }
      rows.push(...rowsOf(exhaustiveness, size.ligands, rounds));
    }
    const ccd = bench.stack.env['DOCKYARD_CCD'] ?? '';
    rows.push(...(await measureLigandCost({ python, ccd, ...prepared }, size.cost)));
    return rows;
  } finally {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  }
}

type JobOf = (exhaustiveness: number, ligands?: number) => SubmitJobRequest;

async function openJob({ client }: BenchAccount, ligands: number): Promise<JobOf> {
  const receptor = join(projectRoot, 'examples', '1a28', '1a28.pdb');
  const { storageKey } = await client.upload({ path: receptor, contentType: 'chemical/x-pdb' });
  const library = (await readLigands()).slice(0, ligands);
  return (exhaustiveness, count = library.length) => ({
    jobType: 'simulation',
    simulator: 'autodock-vina',
    sceneFile: storageKey,
    simulationParams: {
      receptorChains: ['A'],
      ligandLibrary: library.slice(0, count),
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      boxSizeAngstrom: BOX_ANGSTROM,
      exhaustiveness,
      seed: SEED,
    },
  });
}

async function readLigands(): Promise<LigandIdentity[]> {
  const text = await readFile(join(projectRoot, 'bench', 'ligands.smi'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): LigandIdentity => {
      const [smiles = '', name = ''] = line.split(' ');
      return {
        ligandId: name,
        label: name,
        source: { kind: 'smiles', smiles },
        preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
      };
    });
}

/** Docks one ligand, which fills the cache and gives the files from which the script and the program start. */
async function prepareFiles(
  { client }: BenchAccount,
  job: JobOf,
  folder: string,
  python: string,
): Promise<Prepared> {
  const { jobId } = await client.submit(job(1, 1));
  const end = await client.waitForEnd(jobId);
  if (end.status !== 'SUCCEEDED') throw new Error(`The first job ended ${end.status}.`);
  const files: Prepared = {
    folder,
    receptor: join(folder, 'prepared.pdbqt'),
    box: join(folder, 'box.json'),
    ligands: join(folder, 'ligands'),
    library: join(folder, 'library.smi'),
  };
  for await (const output of client.outputs(jobId)) {
    if (['receptor/prepared.pdbqt', 'box.json'].includes(output.name))
      await client.download(output, join(folder, basename(output.name)));
  }
  const wanted = job(1).simulationParams?.ligandLibrary ?? [];
  const lines = wanted.flatMap(({ ligandId, source }) =>
    source.kind === 'smiles' ? [`${source.smiles} ${ligandId}\n`] : [],
  );
  await writeFile(files.library, lines.join(''));
  await runPython(python, ['prepare', files.library, files.ligands]);
  return files;
}

async function runScript(files: Prepared, python: string, exhaustiveness: number): Promise<Round['script']> {
  const { receptor, box, library, folder } = files;
  const ligands =
    GOALS[exhaustiveness]?.prepares === true
      ? [join(folder, 'script-ligands'), '--prepare', library]
      : [files.ligands];
  const stdout = await runPython(python, [
    'dock',
    ...['--receptor', receptor, '--box', box, '--ligands', ...ligands, '--out', join(folder, 'script')],
    ...['--seed', String(SEED), '--exhaustiveness', String(exhaustiveness), '--processes', String(CORES)],
  ]);
  const figures: unknown = JSON.parse(stdout);
  if (!isFigures(figures)) throw new Error('The script printed no figures.');
  return figures;
}

function isFigures(value: unknown): value is Round['script'] {
  return typeof value === 'object' && value !== null && 'seconds' in value && 'wallSeconds' in value;
}

async function runPython(python: string, args: readonly string[]): Promise<string> {
  const science = join(projectRoot, 'science');
  const { stdout } = await execFileAsync(
    python,
    [join(science, 'autodock-vina', 'reference', 'bare_vina.py'), ...args],
    {
      env: {
        ...process.env,
        PYTHONPATH: pythonPath(DOCKING_PACKAGES),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      maxBuffer: 16 * 1024 * 1024,
    },
  );
  return stdout;
}

/** Runs the program `vina`, ligand by ligand; answers null where the program is not installed. */
async function runProgram(files: Prepared, exhaustiveness: number): Promise<number | null> {
  if (spawnSync('vina', ['--version']).status !== 0) return null;
  const box: unknown = JSON.parse(await readFile(files.box, 'utf8'));
  const out = join(files.folder, 'program');
  await mkdir(out, { recursive: true });
  const startedAt = performance.now();
  for (const name of (await readdir(files.ligands)).filter((file) => file.endsWith(PREPARED_LIGAND))) {
    await execFileAsync('vina', [
      ...['--receptor', files.receptor, '--ligand', join(files.ligands, name), '--out', join(out, name)],
      ...['--cpu', String(CORES), '--seed', String(SEED), '--exhaustiveness', String(exhaustiveness)],
      ...boxArguments(box),
    ]);
  }
  return (performance.now() - startedAt) / 1000;
}

function boxArguments(box: unknown): string[] {
  if (typeof box !== 'object' || box === null || !('centerAngstrom' in box) || !('sizeAngstrom' in box))
    throw new Error('box.json has no box.');
  const axes = ['x', 'y', 'z'];
  const of = (name: string, values: unknown): string[] =>
    axes.flatMap((axis, index) => [
      `--${name}_${axis}`,
      String(Array.isArray(values) ? values[index] : values),
    ]);
  return [...of('center', box.centerAngstrom), ...of('size', box.sizeAngstrom)];
}

const PHASES = `
  select extract(epoch from min(t.started_at) filter (where t.kind = 'prepare') - j.submitted_at)::float8 as start,
    extract(epoch from min(t.started_at) filter (where t.kind = 'task') - min(t.started_at) filter (where t.kind = 'prepare'))::float8 as preparation,
    extract(epoch from max(t.finished_at) filter (where t.kind = 'task') - min(t.started_at) filter (where t.kind = 'task'))::float8 as docking,
    extract(epoch from j.finished_at - max(t.finished_at) filter (where t.kind = 'task'))::float8 as settlement,
    extract(epoch from j.finished_at - j.submitted_at)::float8 as total
  from jobs j join tasks t on t.job_id = j.id where j.id = $1 group by j.id`;

async function runJob(
  { db }: { readonly db: DataSource },
  { client }: BenchAccount,
  request: SubmitJobRequest,
): Promise<JobSeconds> {
  const { jobId } = await client.submit(request);
  const end = await client.waitForEnd(jobId);
  if (end.status !== 'SUCCEEDED') throw new Error(`The job ended ${end.status}.`);
  const [seconds] = await db.query<JobSeconds[]>(PHASES, [jobId]);
  if (seconds === undefined) throw new Error('The job has no rows.');
  return seconds;
}

function rowsOf(exhaustiveness: number, ligands: number, rounds: readonly Round[]): Row[] {
  const goal = GOALS[exhaustiveness] ?? { docking: 0, whole: null, prepares: false };
  const scripted = goal.prepares ? 'a script that prepares too' : 'a bare script';
  const at = `${ligands} ligands at exhaustiveness ${exhaustiveness}`;
  const script = rounds.map((round) => round.script.seconds);
  const wall = rounds.map((round) => round.script.wallSeconds);
  const docking = rounds.map((round) => round.job.docking);
  const total = rounds.map((round) => round.job.total);
  const rows = [
    compare(`docking phase, ${at}, against ${scripted} in ${CORES} processes`, script, docking, goal.docking),
    compare(`submit to SUCCEEDED, ${at}, against the same script with its start`, wall, total, goal.whole),
  ];
  const program = rounds.flatMap((round) => round.program ?? []);
  if (program.length === rounds.length)
    rows.push(compare(`submit to SUCCEEDED, ${at}, against the vina program`, program, total, null));
  const phases = (['start', 'preparation', 'docking', 'settlement'] as const).map((phase) => {
    const spread = spreadOf(rounds.map((round) => round.job[phase]));
    return `${phase} ${spread.median.toFixed(1)}`;
  });
  const told = { measured: `${phases.join(', ')} s`, baseline: '', ratio: '', goal: '', ok: null };
  rows.push({ item: `phases of the job, ${at}`, ...told, figures: { rounds } });
  return rows;
}

/** Speed is the inverse of time: above 1 the job is faster. */
function compare(
  item: string,
  baseline: readonly number[],
  measured: readonly number[],
  goal: number | null,
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
