import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { LigandIdentity, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { noop } from '../../fixtures/noop-tool/index.ts';
import { NO_SIZES } from '../../support/prices.ts';

const NO_PREPARATION = { cached: false, staleField: null, verified: [] };
const LIMITS = { maxInstances: 4, slotsPerInstance: 2, vcpusPerInstance: 2 };
const request = (more: Partial<SubmitJobRequest> = {}): SubmitJobRequest => ({
  jobType: 'simulation',
  simulator: 'noop',
  ...more,
});
const ligand = (ligandId: string): LigandIdentity => ({
  ligandId,
  label: ligandId,
  source: { kind: 'ccd', componentId: 'ATP' },
  preparation: { protonationPh: 7.4, addHydrogens: true, generate3d: true },
});
const faults = (metadata: Record<string, unknown>): string => {
  try {
    noop.request.check(request({ metadata }), false);
    return '';
  } catch (error) {
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return error.publicMessage;
    throw error;
  }
};

describe('noop tool', () => {
  it('counts ligands before taskCount, and one task without either', () => {
    expect(noop.planning.plan(request(), LIMITS)).to.include({
      unit: 'task',
      taskCount: 1,
      shardSize: 1,
      instances: 1,
    });
    expect(noop.planning.plan(request({ taskCount: 40 }), LIMITS)).to.include({
      unit: 'task',
      taskCount: 40,
      instances: 4,
    });
    const library = request({
      taskCount: 9,
      simulationParams: { ligandLibrary: [ligand('a'), ligand('b')], dockingExecution: { shardSize: 10 } },
    });
    const plan = noop.planning.plan(library, LIMITS);
    expect(plan).to.include({ unit: 'ligand', taskCount: 2, shardSize: 10, instances: 1 });
    expect(noop.planning.itemIds(library, plan)).to.deep.equal(['a', 'b']);
    expect(
      noop.planning.itemIds(request({ taskCount: 3 }), noop.planning.plan(request({ taskCount: 3 }), LIMITS)),
    ).to.deep.equal(['0', '1', '2']);
  });

  it('costs a penny a task and two to start, whatever the exchange rate', () => {
    const plan = noop.planning.plan(request({ taskCount: 40 }), LIMITS);
    for (const rate of [500_000, 790_000, 1_300_000]) {
      const offer = quote(
        'test',
        rate,
        noop.planning.price(request({ taskCount: 40 }), plan, loadPriceBook(), NO_SIZES),
        plan.taskCount,
      );
      expect(offer.heldPence).to.equal(42);
    }
  });

  it('has a price class for each amount of pence, and a class for each task', () => {
    const asked = request({ taskCount: 5, metadata: { noop: { pence: [1, 5] } } });
    const plan = noop.planning.plan(asked, LIMITS);
    expect(noop.planning.price(asked, plan, loadPriceBook(), NO_SIZES)).to.deep.include({
      model: 'fixed',
      classes: [
        { class: '1', tasks: 3, perTaskMicro: 10_000 },
        { class: '5', tasks: 2, perTaskMicro: 50_000 },
      ],
    });
    expect(noop.planning.classes(asked, plan, NO_SIZES)).to.deep.equal(['1', '5', '1', '5', '1']);
    expect(faults({ noop: { pence: [] } })).to.contain('metadata.noop.pence');
    expect(faults({ noop: { pence: [-1] } })).to.contain('metadata.noop.pence.0');
  });

  it('costs a penny a measured second when it is told so; a runtime hint changes the estimate alone', () => {
    const held = (metadata: Record<string, unknown>): number => {
      const asked = request({ taskCount: 3, metadata });
      const plan = noop.planning.plan(asked, LIMITS);
      expect(noop.planning.classes(asked, plan, NO_SIZES)).to.equal(null);
      return quote('test', 790_000, noop.planning.price(asked, plan, loadPriceBook(), NO_SIZES), 3).heldPence;
    };
    const waits = { pricing: 'measured', seconds: 4 };
    // Twelve seconds and two pence to start, and a fifth more.
    expect(held({ noop: waits })).to.equal(17);
    expect(held({ noop: waits, taskRuntimeMinutes: 1 })).to.equal(219);
    expect(held({ noop: waits, taskRuntimeMinutes: 1e300 })).to.be.a('number');
  });

  it('gives each task its wait, its bytes and its own failure', () => {
    const told = request({
      taskCount: 3,
      metadata: { noop: { seconds: 2, outputBytes: 7, fail: [{ index: 1, kind: 'exit', times: 2 }] } },
    });
    expect(noop.work.taskSpec(told, 'task', 0, NO_PREPARATION)).to.deep.equal({
      seconds: 2,
      outputBytes: 7,
      fail: null,
    });
    expect(noop.work.taskSpec(told, 'task', 1, NO_PREPARATION)).to.deep.equal({
      seconds: 2,
      outputBytes: 7,
      fail: { kind: 'exit', times: 2 },
    });
    expect(noop.work.limits(told).wallSeconds).to.be.greaterThan(2);
    expect(noop.work.taskSpec(request(), 'task', 0, NO_PREPARATION)).to.deep.equal({
      seconds: 0.1,
      outputBytes: 100,
      fail: null,
    });
  });

  it('names every failing path of its parameters', () => {
    expect(faults({})).to.equal('');
    const message = faults({
      noop: { seconds: -1, outputBytes: '5', fail: [{ index: 0, kind: 'melt' }], other: 1 },
    });
    for (const path of [
      'metadata.noop.seconds',
      'metadata.noop.outputBytes',
      'metadata.noop.fail.0.kind',
      'metadata.noop.other',
    ]) {
      expect(message).to.include(path);
    }
    expect(faults({ noop: null })).to.include('metadata.noop');
    expect(faults({ noop: { seconds: 3601 } })).to.include('metadata.noop.seconds');
    expect(() => noop.request.check(request({ taskCount: 100_001 }), false)).to.throw('taskCount');
  });

  it('stages files of the same name apart', () => {
    const named = request({
      sceneFile: 'accounts/a/uploads/1/x.pdb',
      attachments: ['accounts/a/uploads/2/x.pdb', 'accounts/a/uploads/1/x.pdb'],
    });
    expect(noop.inputs.stored(named)).to.deep.equal([
      { storageKey: 'accounts/a/uploads/1/x.pdb', name: '0-x.pdb' },
      { storageKey: 'accounts/a/uploads/2/x.pdb', name: '1-x.pdb' },
    ]);
  });

  it('verifies that its one output is there, alone', async () => {
    const output = {
      name: 'result.bin',
      kind: 'result',
      mediaType: 'application/octet-stream',
      format: null,
      byteSize: 1,
      sha256: '0',
    };
    const read = (): Promise<never> => expect.fail('nothing is read');
    expect(await noop.outputs.verify('task', { itemId: '0' }, [output], read)).to.equal(null);
    expect(await noop.outputs.verify('task', { itemId: '0' }, [], read)).to.be.a('string');
    expect(
      await noop.outputs.verify('task', { itemId: '0' }, [output, { ...output, name: 'more' }], read),
    ).to.be.a('string');
  });
});
