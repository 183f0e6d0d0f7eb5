/**
 * The native control of 1A28 over the whole stack: progesterone comes back to its place
 * in the crystal, with the coordinates and energies that Vina alone finds on the same files. The comparison is an easy
 * positive control; the harder complexes are in `npm run test:science`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { openDockingBench, root, smilesLigand } from '../support/docking.ts';
import type { DockedJob, DockingBench } from '../support/docking.ts';
import { processApi } from '../support/process-api.ts';

const LARGEST_RMSD_ANGSTROM = 2;
const SEED = 42;
/** A quarter of the default finds the place of progesterone too; `npm run test:science` docks with the default. */
const EXHAUSTIVENESS = 2;

describe('native control of 1A28', function () {
  this.timeout(300_000);
  let bench: DockingBench;
  let job: DockedJob;
  before(async () => {
    bench = await openDockingBench((await processApi()).stack);
    job = await bench.dock(join(root, 'examples', '1a28', '1a28.pdb'), {
      seed: SEED,
      exhaustiveness: EXHAUSTIVENESS,
      receptorChains: ['A'],
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      ligandIdentity: smilesLigand('phenol', 'Oc1ccccc1'),
      dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
    });
  });
  after(() => bench.close());

  const native = (): string => join(job.folder, 'control/native_reference.sdf');

  it('puts mode 1 within 2.0 Å of the crystal, as the service says and as an independent RMSD says', async () => {
    expect(job.status.status, JSON.stringify(job.status.failures)).to.equal('SUCCEEDED');
    const poses = join(job.folder, 'control/poses.sdf');
    const found = await bench.reference('compare_poses.py', 'rmsd', poses, native());
    const [top] = Array.isArray(found) ? found : [];
    expect(top).to.be.a('number').and.at.most(LARGEST_RMSD_ANGSTROM);
    const validation = job.status.docking?.validation;
    expect(validation).to.include({ component_id: 'STR', passed: true });
    expect(validation?.rmsd_top_angstrom).to.be.closeTo(Number(top), 0.01);
  });

  it('has the coordinates and energies that Vina alone finds on the same files', async () => {
    const folder = await bench.scratch('bare');
    await bench.reference('bare_vina.py', 'prepare', native(), join(folder, 'in'));
    await bench.reference(
      'bare_vina.py',
      'dock',
      ...['--receptor', join(job.folder, 'receptor/prepared.pdbqt'), '--box', join(job.folder, 'box.json')],
      ...['--ligands', join(folder, 'in'), '--out', join(folder, 'out'), '--seed', String(SEED)],
      ...['--exhaustiveness', String(EXHAUSTIVENESS)],
    );
    const [ours, bare] = [
      join(job.folder, 'control/poses.pdbqt'),
      join(folder, 'out', 'native_reference.pdbqt'),
    ];
    const differences = await bench.reference('compare_poses.py', 'models', ours, bare);
    expect(differences).to.be.an('array').and.not.have.length(0);
    for (const difference of Array.isArray(differences) ? differences : []) expect(difference).to.equal(0);
    expect(await energiesOf(ours)).to.deep.equal(await energiesOf(bare));
  });
});

async function energiesOf(poses: string): Promise<string[]> {
  const lines = (await readFile(poses, 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith('REMARK VINA RESULT'));
}
