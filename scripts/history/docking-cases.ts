/** Docking jobs as they are recorded: with a preparation and a control, and with a receptor that is refused. */
import { join } from 'node:path';

import type { SimulationParams } from '../../src/domain/requests.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import type { Case } from './cases.ts';
import type { Recorder } from './recorder.ts';
import { until } from './recorder.ts';

const RECEPTOR = join(projectRoot, 'examples', '1a28', '1a28.pdb');

function docking(name: string, params: SimulationParams, state: string): Case {
  return {
    name,
    async run(recorder) {
      const jobId = await submit(recorder, params);
      const end = `${jobId} has ended`;
      await until(end, async () => (await recorder.client.status(jobId)).finishedAt !== null);
      const actual = await recorder.stateOf(jobId);
      if (actual !== state) throw new Error(`the job ended ${actual}, not ${state}`);
      return recorder.histories(jobId);
    },
  };
}

async function submit({ client }: Recorder, params: SimulationParams): Promise<string> {
  const { storageKey } = await client.upload({ path: RECEPTOR, contentType: 'chemical/x-pdb' });
  const { jobId } = await client.submit({
    jobType: 'simulation',
    simulator: 'autodock-vina',
    sceneFile: storageKey,
    simulationParams: {
      exhaustiveness: 1,
      seed: 42,
      pocketLigand: 'STR',
      pocketLigandChain: 'A',
      ligandLibrary: ['CC(=O)Nc1ccc(O)cc1', 'c1ccccc1O'].map((smiles, index) => ({
        ligandId: `l${index}`,
        label: 'confidential-ligand',
        source: { kind: 'smiles', smiles },
        preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
      })),
      ...params,
    },
  });
  return jobId;
}

/** Cases of docking. */
export const dockingCases: readonly Case[] = [
  docking(
    'docking',
    {
      receptorChains: ['A'],
      dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
    },
    'SUCCEEDED',
  ),
  docking('receptor-refused', { receptorChains: ['Z'] }, 'FAILED'),
];
