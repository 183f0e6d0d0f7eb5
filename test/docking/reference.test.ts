/**
 * `npm run test:science`: whole jobs on deposited complexes, each compared with Vina alone on the same prepared files.
 * The tests are long: the ligand of 1HPV has 14 torsions. The last comparison needs the program `vina` 1.2.3 on PATH.
 */
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import type { LigandIdentity, SimulationParams } from '../../src/domain/requests.ts';
import type { DockedJob, DockingBench } from '../support/docking.ts';
import { openDockingBench, root, structure } from '../support/docking.ts';

const SEED = 42;
const PH = 7.4;
const EXHAUSTIVENESS = 8;
const LARGEST_RMSD_ANGSTROM = 2;
/**
 * For 1S3V the best of the modes counts. With the one charge that the ligand has at this pH the RMSD is below this;
 * with three charges it is 2.5 Å.
 */
const LARGEST_RMSD_1S3V_ANGSTROM = 1;
const BOX_MARGIN_ANGSTROM = 12;
const SMALLEST_EDGE_ANGSTROM = 18;
/** Each shape of a ring is searched once at this exhaustiveness, the one built ring four times. */
const RING_EXHAUSTIVENESS = 4;
const MACROCYCLES = {
  pentadecanolide: 'O=C1CCCCCCCCCCCCCCO1',
  muscone: 'C[C@@H]1CCCCCCCCCCCCC(=O)C1',
  zearalenone: 'C[C@H]1CCCC(=O)CCC/C=C/c2cc(O)cc(O)c2C(=O)O1',
  radicicol: 'C[C@@H]1C[C@@H]2[C@H](O2)/C=C\\C=C\\C(=O)Cc2c(c(cc(c2Cl)O)O)C(=O)O1',
  lorlatinib: 'C[C@@H]1c2cc(F)ccc2C(=O)N(C)Cc2nn(C)c(C#N)c2-c2cnc(N)c(O1)c2',
};
const PROTOCOL = { exhaustiveness: EXHAUSTIVENESS, seed: SEED, numModes: 9 } as const;
const run = promisify(execFile);

interface Box {
  readonly centerAngstrom: readonly [number, number, number];
  readonly sizeAngstrom: readonly [number, number, number];
}

describe('docking against Vina alone', function () {
  this.timeout(45 * 60_000);
  let bench: DockingBench;
  before(async () => {
    bench = await openDockingBench();
  });
  after(() => bench.close());

  /** Docks a prepared ligand with the binding of Vina alone; answers the file of poses, or one for each shape of its rings. */
  const bare = async (job: DockedJob, ligandFile: string, name: string): Promise<readonly string[]> => {
    const folder = await bench.scratch('bare');
    await bench.reference('bare_vina.py', 'prepare', ligandFile, join(folder, 'in'), '--ph', String(PH));
    await bench.reference(
      'bare_vina.py',
      'dock',
      ...['--receptor', join(job.folder, 'receptor/prepared.pdbqt'), '--box', join(job.folder, 'box.json')],
      ...['--ligands', join(folder, 'in'), '--out', join(folder, 'out'), '--seed', String(SEED)],
      ...['--exhaustiveness', String(EXHAUSTIVENESS)],
    );
    const shapes = globSync(join(folder, 'out', 'shapes', name, '*.pdbqt'));
    return shapes.length === 0 ? [join(folder, 'out', `${name}.pdbqt`)] : shapes;
  };
  const models = async (left: string, ...right: readonly string[]): Promise<(number | null)[]> => {
    const how = right.length === 1 ? 'models' : 'merged';
    const found = await bench.reference('compare_poses.py', how, left, ...right);
    return Array.isArray(found) ? found : [];
  };
  const rmsd = async (poses: string, native: string): Promise<number[]> => {
    const found = await bench.reference('compare_poses.py', 'rmsd', poses, native);
    return Array.isArray(found) ? found : [];
  };
  const sameAsBare = async (
    job: DockedJob,
    poses: string,
    ligandFile: string,
    name: string,
  ): Promise<void> => {
    const differences = await models(join(job.folder, poses), ...(await bare(job, ligandFile, name)));
    expect(differences).to.have.length.above(0);
    expect(differences.every((difference) => difference === 0)).to.equal(true, differences.join(', '));
  };

  it('1A28: the native ligand comes back, as the service says and as an independent RMSD says', async () => {
    const job = await bench.dock(join(root, 'examples', '1a28', '1a28.pdb'), {
      ...PROTOCOL,
      receptorChains: ['A'],
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      ligandIdentity: ccd('paracetamol', 'TYL'),
      dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
    });
    expect(job.status.status).to.equal('SUCCEEDED', JSON.stringify(job.status.failures));
    const native = join(job.folder, 'control/native_reference.sdf');
    const values = await rmsd(join(job.folder, 'control/poses.sdf'), native);
    console.log(`      1A28/STR: RMSD by mode ${values.join(', ')} Å`);
    const [top = Infinity] = values;
    expect(top).to.be.at.most(LARGEST_RMSD_ANGSTROM);
    expect(job.status.docking?.validation?.rmsd_top_angstrom).to.be.closeTo(top, 0.01);
    expect(job.status.docking?.validation?.passed).to.equal(true);
    await sameAsBare(job, 'control/poses.pdbqt', native, 'native_reference');
  });

  it('1S3V: one of the modes is the deposited one; the first one misses it, with Vina alone too', async () => {
    const native = structure('1s3v_ligand.sdf');
    const job = await bench.dock(structure('1s3v_protein.pdb'), {
      ...PROTOCOL,
      ...boxAround(await readFile(native, 'utf8')),
      ligandIdentity: await bench.fileLigand('1s3v_ligand', native, 'sdf', PH),
    });
    expect(job.status.status).to.equal('SUCCEEDED', JSON.stringify(job.status.failures));
    const values = await rmsd(join(job.folder, 'ligands/1s3v_ligand/poses.sdf'), native);
    console.log(`      1S3V/TQD: RMSD by mode ${values.join(', ')} Å`);
    expect(Math.min(...values)).to.be.at.most(LARGEST_RMSD_1S3V_ANGSTROM);
    await sameAsBare(job, 'ligands/1s3v_ligand/poses.pdbqt', native, '1s3v_ligand');
  });

  it('1HPV: many torsions; told, and the same as Vina alone', async () => {
    const job = await bench.dock(structure('1hpv.pdb'), {
      ...PROTOCOL,
      pocketLigand: '478',
      ligandIdentity: ccd('paracetamol', 'TYL'),
      dockingValidation: { nativeReference: { componentId: '478', chain: '_', residue: 200 } },
    });
    expect(job.status.status).to.equal('SUCCEEDED', JSON.stringify(job.status.failures));
    const native = join(job.folder, 'control/native_reference.sdf');
    const values = await rmsd(join(job.folder, 'control/poses.sdf'), native);
    console.log(`      1HPV/478: RMSD by mode ${values.join(', ')} Å`);
    expect(job.status.docking?.validation?.rmsd_best_angstrom).to.be.closeTo(Math.min(...values), 0.01);
    await sameAsBare(job, 'control/poses.pdbqt', native, 'native_reference');
  });

  it('7TH4: what is docked beside the retained FAD tells its contacts with it, and stacks on its rings', async () => {
    const job = await bench.dock(structure('7th4-site.pdb'), {
      ...{ ...PROTOCOL, exhaustiveness: 1, pocketLigand: 'FFO' },
      receptorPreparation: {
        ...{
          protonationPh: PH,
          addHydrogens: true,
          protonationMethod: 'pdb2pqr-propka',
          forceField: 'AMBER',
        },
        ...{ fixedProtonationStates: [], removeComponents: [], retainComponents: ['FAD'] },
      },
      ligandIdentity: smiles('pterin', 'Nc1nc2nccnc2c(=O)[nH]1'),
    });
    expect(job.status.status).to.equal('SUCCEEDED', JSON.stringify(job.status.failures));
    const { result } = readResult(await readFile(join(job.folder, 'ligands/pterin/result.json'), 'utf8'));
    const contacts = result.poses
      .flatMap(({ interactions }) => interactions)
      .filter(({ receptor }) => receptor.residueName === 'FAD');
    console.log(`      7TH4/FAD: ${[...new Set(contacts.map(({ type }) => type))].join(', ')}`);
    expect(contacts.map(({ type }) => type)).to.include('pi_stacking');
  });

  it('macrocycles score no worse in the shapes of their rings than in the one ring that is built first', async () => {
    const job = await bench.dock(structure('1hpv.pdb'), {
      ...PROTOCOL,
      exhaustiveness: 1,
      pocketLigand: '478',
      ligandIdentity: smiles('ethanol', 'CCO'),
    });
    for (const [name, text] of Object.entries(MACROCYCLES)) {
      const { shaped, built } = scoresOf(
        await bench.reference(
          'compare_speed.py',
          ...['--rounds', '1', 'ring', text, '--exhaustiveness', String(RING_EXHAUSTIVENESS)],
          ...['--receptor', join(job.folder, 'receptor/prepared.pdbqt')],
          ...['--box', join(job.folder, 'box.json')],
        ),
      );
      console.log(`      ${name}: ${shaped} kcal/mol in all shapes, ${built} in the one that was built`);
      expect(shaped, name).to.be.at.most(built);
    }
  });

  it('the program vina 1.2.3 puts the atoms where the service does', async () => {
    const version = await run('vina', ['--version']).catch((cause: unknown) => {
      throw new Error('The program vina 1.2.3 is not on PATH. Debian has it as autodock-vina.', { cause });
    });
    expect(version.stdout).to.contain('v1.2.3');
    const ligand = join(await bench.scratch('program'), 'aspirin.smi');
    await writeFile(ligand, 'CC(=O)Oc1ccccc1C(=O)O aspirin\n');
    const job = await bench.dock(join(root, 'examples', '1a28', '1a28.pdb'), {
      ...PROTOCOL,
      receptorChains: ['A'],
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      ligandIdentity: smiles('aspirin', 'CC(=O)Oc1ccccc1C(=O)O'),
    });
    expect(job.status.status).to.equal('SUCCEEDED', JSON.stringify(job.status.failures));
    const folder = await bench.scratch('vina');
    await bench.reference('bare_vina.py', 'prepare', ligand, folder);
    const box = parseBox(await readFile(join(job.folder, 'box.json'), 'utf8'));
    await mkdir(join(folder, 'out'));
    const out = join(folder, 'out', 'aspirin.pdbqt');
    await run('vina', [
      ...['--receptor', join(job.folder, 'receptor/prepared.pdbqt')],
      ...['--ligand', join(folder, 'aspirin.pdbqt'), '--out', out, '--cpu', '1', '--seed', String(SEED)],
      ...['--exhaustiveness', String(EXHAUSTIVENESS), '--num_modes', '9', '--energy_range', '3'],
      ...['x', 'y', 'z'].flatMap((axis, index) => [
        ...[`--center_${axis}`, String(box.centerAngstrom[index])],
        ...[`--size_${axis}`, String(box.sizeAngstrom[index])],
      ]),
    ]);
    const differences = await models(join(job.folder, 'ligands/aspirin/poses.pdbqt'), out);
    console.log(`      aspirin: largest difference of coordinates by mode ${differences.join(', ')} Å`);
    expect(differences).to.have.length.above(0);
    expect(differences.every((difference) => difference !== null && difference <= 0.001)).to.equal(
      true,
      differences.join(', '),
    );
  });
});

/** The best scores that the script found, in kcal/mol. */
function scoresOf(figures: unknown): { readonly shaped: number; readonly built: number } {
  const values = new Map(Object.entries(figures ?? {}));
  return { shaped: Number(values.get('affinity')), built: Number(values.get('rigidAffinity')) };
}

function smiles(ligandId: string, text: string): LigandIdentity {
  return ligandOf(ligandId, { kind: 'smiles', smiles: text });
}

function ccd(ligandId: string, componentId: string): LigandIdentity {
  return ligandOf(ligandId, { kind: 'ccd', componentId });
}

function ligandOf(ligandId: string, source: LigandIdentity['source']): LigandIdentity {
  const preparation = { protonationPh: 7.4, addHydrogens: true, generate3d: true } as const;
  return { ligandId, label: ligandId, source, preparation };
}

/** A box around the heavy atoms of a molfile, as a chemist would take it from the deposited ligand. */
function boxAround(molfile: string): Pick<SimulationParams, 'boxCenterAngstrom' | 'boxSizeAngstrom'> {
  const atoms = molfile
    .split('\n')
    .map((line) => /^ *(-?\d+\.\d{4}) *(-?\d+\.\d{4}) *(-?\d+\.\d{4}) ([A-Z][a-z]?) /.exec(line))
    .filter((match) => match !== null)
    .filter((match) => match[4] !== 'H')
    .map((match) => [Number(match[1]), Number(match[2]), Number(match[3])]);
  const bounds = (axis: number): { readonly least: number; readonly most: number } => {
    const values = atoms.map((atom) => atom[axis] ?? NaN);
    return { least: Math.min(...values), most: Math.max(...values) };
  };
  const centre = (axis: number): number =>
    Math.round(((bounds(axis).least + bounds(axis).most) / 2) * 1000) / 1000;
  const edge = (axis: number): number =>
    Math.max(SMALLEST_EDGE_ANGSTROM, Math.ceil(bounds(axis).most - bounds(axis).least + BOX_MARGIN_ANGSTROM));
  return {
    boxCenterAngstrom: [centre(0), centre(1), centre(2)],
    boxSizeAngstrom: [edge(0), edge(1), edge(2)],
  };
}

interface TellingResult {
  readonly result: {
    readonly poses: readonly {
      readonly interactions: readonly {
        readonly type: string;
        readonly receptor: { readonly residueName: string };
      }[];
    }[];
  };
}

function readResult(text: string): TellingResult {
  return JSON.parse(text);
}

function parseBox(text: string): Box {
  return JSON.parse(text);
}
