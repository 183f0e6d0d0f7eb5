/** Docking jobs as they are recorded: with a preparation and a control, and with a receptor that is refused. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { SimulationParams } from '../../src/domain/requests.ts';
import { storageBucket } from '../../src/stack/storage.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import type { Case } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { holdsText } from './history-text.ts';
import type { Recorder } from './recorder.ts';
import { until } from './recorder.ts';

const RECEPTOR = join(projectRoot, 'examples', '1a28', '1a28.pdb');

const WITH_CONTROL: SimulationParams = {
  receptorChains: ['A'],
  dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
};

/** A control that must lie where no search puts it. */
const MISSING_CONTROL: SimulationParams = {
  ...WITH_CONTROL,
  dockingValidation: { ...WITH_CONTROL.dockingValidation, requiredRmsdAngstrom: 0.1 },
};

function docking(name: string, params: SimulationParams, state: string): Case {
  return {
    name,
    run: async (recorder) => ended(recorder, await submit(recorder, params), state),
  };
}

async function ended(recorder: Recorder, jobId: string, state: string): Promise<RecordedHistory[]> {
  const end = `${jobId} has ended`;
  await until(end, async () => (await recorder.client.status(jobId)).finishedAt !== null);
  const actual = await recorder.stateOf(jobId);
  if (actual !== state) throw new Error(`the job ended ${actual}, not ${state}`);
  return recorder.histories(jobId);
}

/** The control's output goes from the store once it is committed, while ligands are still docked. */
const controlMissing: Case = {
  name: 'control-missing',
  async run(recorder) {
    const jobId = await submit(recorder, { ...WITH_CONTROL, exhaustiveness: 8 });
    const committed = `select storage_key from artifacts where job_id = $1 and task_kind = 'control' limit 1`;
    let key: string | undefined;
    await until(
      'the control is committed',
      async () => {
        key = (await recorder.db.query<{ storage_key: string }[]>(committed, [jobId]))[0]?.storage_key;
        return key !== undefined;
      },
      5,
    );
    rmSync(join(recorder.stack.home, 'storage', storageBucket, key ?? ''));
    const histories = await ended(recorder, jobId, 'SUCCEEDED');
    if (!holdsText(histories, '"steps":["control"]')) throw new Error('no control that was set back');
    return histories;
  },
};

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
  docking('docking', WITH_CONTROL, 'SUCCEEDED'),
  controlMissing,
  docking('receptor-refused', { receptorChains: ['Z'] }, 'FAILED'),
  docking('control-missed', MISSING_CONTROL, 'FAILED'),
];
