/**
 * The cost of a ligand: its preparation beside RDKit and Meeko alone, and a ring of 20 atoms in all its shapes beside
 * the one shape in which the ring is built; and dockings with the interactions of their poses beside the same dockings
 * without them. A Python script measures all three, each in one process.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { projectRoot } from '../src/stack/tools.ts';
import { pythonPath } from '../src/tools/python-session.ts';
import { DOCKING_PACKAGES } from '../src/tools/autodock-vina/toolchain.ts';
import type { Row } from './report.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface LigandCostSize {
  readonly rounds: number;
  readonly exhaustiveness: number;
}

/** The interpreter that runs the script, the dictionary of components, and the prepared receptor and box to dock into. */
export interface LigandCostFiles {
  readonly python: string;
  readonly ccd: string;
  readonly receptor: string;
  readonly box: string;
}

const execFileAsync = promisify(execFile);
const LIBRARY = join(projectRoot, 'bench', 'ligands.smi');
/** A lactam with a ring of 20 atoms, an aryl group and side chains. */
const RING_20 = 'O=C1CCCCC(=O)N[C@@H](Cc2ccccc2)C(=O)NCCCCC[C@H](O)CCCN1';
/** Before rings had shapes, a preparation took 1.1 times as long as RDKit and Meeko alone; a fifth more is allowed. */
const PREPARATION_GOAL = 1.32;
const RING_GOAL = 6;
/** The ligands and the largest share of time that interactions may add, by exhaustiveness: a speed of 0.9 and of 0.95. */
const INTERACTIONS = [
  { exhaustiveness: 1, ligands: 24, goal: 1 / 0.9 },
  { exhaustiveness: 8, ligands: 6, goal: 1 / 0.95 },
] as const;

/** Measures the preparation and the ring. */
export async function measureLigandCost(files: LigandCostFiles, size: LigandCostSize): Promise<Row[]> {
  const rounds = ['--rounds', String(size.rounds)];
  const preparation = await figuresOf(files, [...rounds, 'preparation', LIBRARY]);
  const ring = await figuresOf(files, [
    ...[...rounds, 'ring', RING_20, '--receptor', files.receptor, '--box', files.box],
    ...['--exhaustiveness', String(size.exhaustiveness)],
  ]);
  const interactions: Row[] = [];
  for (const { exhaustiveness, ligands, goal } of INTERACTIONS) {
    const figures = await figuresOf(files, [
      ...[...rounds, 'interactions', LIBRARY, '--most', String(ligands)],
      ...['--receptor', files.receptor, '--box', files.box, '--exhaustiveness', String(exhaustiveness)],
    ]);
    const item = `docking of ${ligands} ligands at exhaustiveness ${exhaustiveness}, against the same without interactions`;
    interactions.push(compare(item, seconds(figures, 'seconds'), seconds(figures, 'plainSeconds'), goal));
  }
  return [
    ...interactions,
    compare(
      'preparation of 24 ligands, against RDKit and Meeko alone',
      seconds(preparation, 'seconds'),
      seconds(preparation, 'bareSeconds'),
      PREPARATION_GOAL,
    ),
    compare(
      `a ring of 20 atoms at exhaustiveness ${size.exhaustiveness}, against its one built shape`,
      seconds(ring, 'seconds'),
      seconds(ring, 'rigidSeconds'),
      RING_GOAL,
    ),
  ];
}

async function figuresOf(files: LigandCostFiles, args: readonly string[]): Promise<object> {
  const science = join(projectRoot, 'science');
  const script = join(science, 'autodock-vina', 'reference', 'compare_speed.py');
  const { stdout } = await execFileAsync(files.python, [script, ...args], {
    env: {
      ...process.env,
      PYTHONPATH: pythonPath(DOCKING_PACKAGES),
      DOCKYARD_CCD: files.ccd,
      PYTHONDONTWRITEBYTECODE: '1',
    },
    maxBuffer: 16 * 1024 * 1024,
  });
  const figures: unknown = JSON.parse(stdout);
  if (typeof figures !== 'object' || figures === null) throw new Error('The script printed no figures.');
  return figures;
}

function seconds(figures: object, name: string): number[] {
  const values: unknown = Object.entries(figures).find(([key]) => key === name)?.[1];
  if (!Array.isArray(values)) throw new Error(`The script printed no ${name}.`);
  return values.map(Number);
}

/** The ratio is of times, so above 1 Dockyard is slower. */
function compare(item: string, measured: readonly number[], baseline: readonly number[], goal: number): Row {
  const ratio = spreadOf(ratiosOf(measured, baseline));
  return {
    item,
    measured: describeSpread(spreadOf(measured), 's'),
    baseline: describeSpread(spreadOf(baseline), 's'),
    ratio: ratio.median.toFixed(2),
    goal: `≤ ${Number(goal.toFixed(3))}`,
    ok: ratio.median <= goal,
    figures: { measured, baseline, ratio },
  };
}
