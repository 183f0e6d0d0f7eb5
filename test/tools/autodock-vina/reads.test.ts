/** Docking reads exactly the parameters that its tool declares, because the tool gets no other parameters. */
import { expect } from 'chai';

import { simulationParams } from '../../../api/jobs/simulation-params.ts';
import type { SimulationParams, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { artifact, docking, LIMITS, ligand, PINNED, without } from './requests.ts';
import { endOf, textOf } from '../../support/finished-job.ts';
import { NO_SIZES } from '../../support/prices.ts';

const vina = createToolRegistry({ testTools: '' }).find('autodock-vina');
/** What batches add to the request of their job; no customer can send it. */
const OF_BATCHES = ['dryRun', 'libraryUse'];
const NATIVE = { componentId: 'STR', chain: 'A', residue: 1 };

/** The request, with a record of every parameter that is read. */
function watched(request: SubmitJobRequest, seen: Set<string>): SubmitJobRequest {
  const params = new Proxy<SimulationParams>(request.simulationParams ?? {}, {
    get(target, name) {
      seen.add(String(name));
      return Reflect.get(target, name);
    },
  });
  return { ...request, simulationParams: params };
}

describe('autodock-vina', () => {
  it('reads every parameter that it says, and no other', async () => {
    const seen = new Set<string>();
    for (const sent of [
      docking({ dockingValidation: { nativeReference: NATIVE } }),
      without(docking({ receptorArtifact: artifact('pdb') }), 'receptorPdbId'),
      without(docking({ ligandLibrary: [ligand('a')] }), 'ligandIdentity'),
    ]) {
      const request = watched(sent, seen);
      vina.request.check(request, false);
      const plan = vina.planning.plan(request, LIMITS);
      vina.planning.price(request, plan, loadPriceBook(), NO_SIZES);
      vina.planning.classes(request, plan, NO_SIZES);
      vina.planning.seed(request, () => 1);
      vina.planning.itemIds(request, plan);
      vina.inputs.stored(request);
      vina.inputs.structures(request);
      vina.work.limits(request);
      vina.work.sessionSpec(request, { effectiveSeed: 1, inputs: PINNED });
      vina.inputs.preparation(request, PINNED);
      for (const made of await vina.outputs.finishFiles(request, endOf([]))) await textOf(made);
      for (const kind of ['prepare', 'task', ...plan.steps.filter((step) => step === 'control')] as const) {
        const context = { cached: false, staleField: null, verified: [] };
        vina.inputs.taskInputs(request, kind, 0, context);
        vina.work.taskSpec(request, kind, 0, context);
      }
    }
    expect([...seen].sort()).to.deep.equal([...(vina.request.reads ?? []), ...OF_BATCHES].sort());
  });

  it('leaves to other simulators what is theirs, and the number of threads to the service', () => {
    const reads: readonly string[] = vina.request.reads ?? [];
    const unread = Object.keys(simulationParams.describe().keys).filter((name) => !reads.includes(name));
    expect(unread.filter((name) => !name.startsWith('blast'))).to.deep.equal([
      'cpuThreads',
      'maxPockets',
      'foldModel',
    ]);
  });
});
