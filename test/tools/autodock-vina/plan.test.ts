import { expect } from 'chai';
import fc from 'fast-check';

import { accruedMicro, chargePence } from '../../../src/domain/charge.ts';
import { requireClassesOf } from '../../../src/domain/price-classes.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { SimulationParams, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { DEFAULT_PREPARATION } from '../../../src/tools/autodock-vina/parameters.ts';
import { artifact, docking, ligand, LIMITS, without } from './requests.ts';
import { NO_SIZES, verified } from '../../support/prices.ts';

const vina = createToolRegistry({ testTools: '' }).find('autodock-vina');
const book = loadPriceBook();
const library = (count: number, params: Partial<SimulationParams> = {}): SubmitJobRequest =>
  without(
    docking({ ligandLibrary: Array.from({ length: count }, (_, i) => ligand(`l${i}`)), ...params }),
    'ligandIdentity',
  );
const priceOf = (request: SubmitJobRequest) =>
  vina.planning.price(request, vina.planning.plan(request, LIMITS), book, NO_SIZES);
/** The price of each ligand of a job whose ligands have one size. */
const eachOf = (request: SubmitJobRequest): number => {
  const pricing = priceOf(request);
  const [only, ...others] = pricing.model === 'fixed' ? pricing.classes : [];
  expect(others).to.deep.equal([]);
  return only?.perTaskMicro ?? expect.fail('no fixed price');
};

const BARE: SubmitJobRequest = { jobType: 'simulation', simulator: 'autodock-vina' };
const flexible = (count: number): SubmitJobRequest =>
  docking({
    receptorPreparation: {
      ...DEFAULT_PREPARATION,
      flexibleResidues: Array.from({ length: count }, (_, index) => ({ chain: 'A', residue: index + 1 })),
    },
  });

describe('autodock-vina: plan and price', () => {
  it('makes one task of each ligand, after the preparation and before the control', () => {
    expect(vina.planning.plan(docking(), LIMITS)).to.deep.include({
      unit: 'ligand',
      taskCount: 1,
      shardSize: 1,
      steps: ['prepare'],
      instances: 1,
    });
    const many = library(40, {
      dockingExecution: { shardSize: 10 },
      dockingValidation: { nativeReference: { componentId: 'STR', chain: 'A', residue: 1 } },
    });
    const plan = vina.planning.plan(many, LIMITS);
    expect(plan).to.deep.include({
      taskCount: 40,
      shardSize: 10,
      steps: ['prepare', 'control'],
      instances: 2,
    });
    expect(vina.planning.plan(library(40), LIMITS).instances).to.equal(4);
    expect(vina.planning.itemIds(many, plan).slice(0, 2)).to.deep.equal(['l0', 'l1']);
  });

  it('counts taskCount, or one, for an estimate without ligands', () => {
    expect(vina.planning.plan(BARE, LIMITS).taskCount).to.equal(1);
    expect(vina.planning.plan({ ...BARE, taskCount: 500 }, LIMITS).taskCount).to.equal(500);
  });

  it('gives a ligand time by its exhaustiveness, and more where the customer expects more', () => {
    // 14 torsions took 374 s at exhaustiveness 8 on one busy core.
    expect(vina.work.limits(docking()).wallSeconds).to.be.above(4 * 374);
    expect(vina.work.limits(docking({ exhaustiveness: 32 })).wallSeconds).to.be.above(16 * 374);
    expect(vina.work.limits(docking({ estimatedRuntimeSeconds: 10_000 })).wallSeconds).to.equal(30_000);
    expect(vina.planning.plan(docking(), LIMITS).taskTimeoutSeconds).to.equal(
      vina.work.limits(docking()).wallSeconds,
    );
  });

  it('gives a large ring the time for its twenty shapes', () => {
    // Each shape has a quarter of the exhaustiveness and at least 1, with the 47 s a unit of those 14 torsions, twice
    // over.
    expect(vina.work.limits(docking({ exhaustiveness: 1 })).wallSeconds).to.be.above(2 * 20 * 47);
    expect(vina.work.limits(docking({ exhaustiveness: 8 })).wallSeconds).to.be.above(2 * 20 * 2 * 47);
    expect(vina.work.limits(docking({ exhaustiveness: 32 })).wallSeconds).to.be.above(2 * 20 * 8 * 47);
  });

  it('gives a search more time for each side chain that turns', () => {
    const seconds = (count: number): number => vina.work.limits(flexible(count)).wallSeconds;
    expect(seconds(0)).to.equal(vina.work.limits(docking()).wallSeconds);
    // Twenty shapes at a quarter of exhaustiveness 8, each nine times the 47 s a unit of 14 torsions.
    expect(seconds(4)).to.be.above(20 * 2 * 47 * 9);
    expect([seconds(0), seconds(1), seconds(2), seconds(4)]).to.deep.equal(
      [0, 1, 2, 4].map((count) => 600 + (seconds(0) - 600) * (1 + count / 2)),
    );
    expect(vina.planning.plan(flexible(4), LIMITS).taskTimeoutSeconds).to.equal(seconds(4));
  });

  it('prices each side chain that turns by the search that it adds, and nothing else of a job by them', () => {
    const figures = book.tools['autodock-vina'] ?? expect.fail('no figures');
    expect(priceOf(flexible(0))).to.deep.equal(priceOf(docking()));
    const added = eachOf(flexible(1)) - eachOf(docking());
    expect(added).to.be.above(0.3 * eachOf(docking()));
    expect(eachOf(flexible(4)) - eachOf(docking())).to.be.closeTo(4 * added, 4);
    const share = figures['searchShareAddedPerFlexibleResidue'] ?? expect.fail('no share');
    expect(added).to.be.closeTo(share * (eachOf(docking({ exhaustiveness: 16 })) - eachOf(docking())), 2);
    expect({ ...priceOf(flexible(4)), classes: [] }).to.deep.equal({ ...priceOf(docking()), classes: [] });
  });

  it('gives a ligand the memory that the maps of its box take', () => {
    const memory = (params: Partial<SimulationParams>): number =>
      vina.work.limits(without(docking({ boxCenterAngstrom: [1, 2, 3], ...params }), 'pocketLigand'))
        .memoryBytes;
    // At 100 Å an edge 7.4 GB were counted.
    expect(memory({ boxSizeAngstrom: 100 })).to.be.above(7.4e9);
    expect(memory({ boxSizeAngstrom: [100, 20, 20] })).to.be.below(5e9);
    expect(vina.work.limits(docking()).memoryBytes).to.equal(4096 * 1024 * 1024);
  });

  it('draws a seed when none is sent or it is 0, which Vina reads as random', () => {
    expect(vina.planning.seed(docking(), () => 77)).to.equal(77);
    expect(vina.planning.seed(docking({ seed: 0 }), () => 77)).to.equal(77);
    expect(vina.planning.seed(docking({ seed: -5 }), () => 77)).to.equal(-5);
  });

  it('prices a ligand by its search, whatever the order, the shards and the hints', () => {
    const one = eachOf(docking());
    expect(one).to.be.above(0);
    const other = library(9, { dockingExecution: { shardSize: 7 }, estimatedRuntimeSeconds: 9 });
    expect(eachOf(other)).to.equal(one);
    expect(priceOf(other).currency).to.equal('USD');
    const at = (exhaustiveness: number): number => eachOf(docking({ exhaustiveness }));
    const step = at(16) - at(8);
    expect(at(24) - at(16)).to.be.closeTo(step, 1);
    expect(at(1)).to.be.below(at(8));
    expect(eachOf({ ...docking(), recovery: { mode: 'resumable' } })).to.be.below(one);
  });

  it('prices a ligand by its heavy atoms, and a file or a component as one of the size of most drugs', () => {
    const chain = (atoms: number): SubmitJobRequest =>
      docking({ ligandIdentity: ligand('l', { kind: 'smiles', smiles: 'C'.repeat(atoms) }) });
    const prices = [1, 20, 21, 30, 31, 40, 41, 55, 56, 100].map((atoms) => eachOf(chain(atoms)));
    expect(prices).to.deep.equal(prices.toSorted((a, b) => a - b));
    expect(new Set(prices)).to.have.length(5);
    for (let pair = 0; pair < prices.length; pair += 2) expect(prices[pair]).to.equal(prices[pair + 1]);
    const file = docking({ ligandIdentity: ligand('l', { kind: 'artifact', artifact: artifact('sdf') }) });
    const component = docking({ ligandIdentity: ligand('l', { kind: 'ccd', componentId: 'STR' }) });
    for (const request of [file, component, { ...BARE, taskCount: 1 }])
      expect(eachOf(request)).to.equal(eachOf(chain(25)));
  });

  it('holds the price of sixteen states where likely ones are asked for, and charges by those that there were', () => {
    const asked = (exhaustiveness: number): SubmitJobRequest => {
      const source = { kind: 'smiles', smiles: 'C'.repeat(25) } as const;
      const one = ligand('l', source);
      return docking({
        ...{
          exhaustiveness,
          ligandIdentity: { ...one, preparation: { ...one.preparation, states: 'likely' } },
        },
      });
    };
    const single = docking({ ligandIdentity: ligand('l', { kind: 'smiles', smiles: 'C'.repeat(25) }) });
    const plan = vina.planning.plan(asked(8), LIMITS);
    expect(vina.planning.classes(asked(8), plan, NO_SIZES)).to.deep.equal(['atoms-21-30-states']);
    const pricing = priceOf(asked(8));
    const offer = quote(book.version, 790_000, pricing, 1);
    const charged = ['atoms-21-30-states of 1', 'atoms-21-30-states of 2-8', 'atoms-21-30-states'].map(
      (priceClass) => accruedMicro(offer, [{ priceClass, tasks: 1, meteredMs: 0 }]),
    );
    const alone = quote(book.version, 790_000, priceOf(single), 1).estimatedMicro;
    // Of 34 core seconds 30 are the search, which two to eight states need twice and sixteen four times.
    const search = ((alone - pricing.startFeeMicro) * 30) / 34;
    expect(charged[0]).to.equal(alone);
    expect(charged[1]).to.be.closeTo(alone + search, 50);
    expect(charged[2]).to.be.closeTo(alone + 3 * search, 50);
    expect(charged[2]).to.equal(offer.estimatedMicro);
    expect(vina.request.warnings?.(asked(8))).to.have.length(1);
    expect(vina.request.warnings?.(asked(8))[0]).to.deep.include({ code: 'STATES_PRICED' });
    expect(vina.request.warnings?.(asked(8))[0]?.message).to.match(
      /2 times for 2 to 8, 4 times for 9 to 16\.$/,
    );
    expect(vina.request.warnings?.(asked(1))[0]?.message).to.match(
      /8 times for 2 to 8, 16 times for 9 to 16\.$/,
    );
    expect(vina.request.warnings?.(single)).to.deep.equal([]);
    const seconds = (request: SubmitJobRequest): number =>
      vina.planning.plan(request, LIMITS).taskTimeoutSeconds;
    expect(seconds(asked(8))).to.be.above(4 * seconds(single));
  });

  it('sorts each ligand of a library into its class, and tells a quote of each number of them', () => {
    const sizes = [12, 25, 12, 60, 38];
    const request = without(
      docking({
        ligandLibrary: sizes.map((atoms, index) =>
          ligand(`l${index}`, { kind: 'smiles', smiles: 'C'.repeat(atoms) }),
        ),
      }),
      'ligandIdentity',
    );
    const plan = vina.planning.plan(request, LIMITS);
    const classes = vina.planning.classes(request, plan, NO_SIZES);
    expect(classes).to.deep.equal(['atoms-1-20', 'atoms-21-30', 'atoms-1-20', 'atoms-56-100', 'atoms-31-40']);
    const pricing = priceOf(request);
    const priced = pricing.model === 'fixed' ? pricing.classes : [];
    expect(priced.map((one) => [one.class, one.tasks])).to.deep.equal([
      ['atoms-1-20', 2],
      ['atoms-21-30', 1],
      ['atoms-31-40', 1],
      ['atoms-56-100', 1],
    ]);
    requireClassesOf(priced, classes);
    expect(vina.planning.priced(request, NO_SIZES).fields).to.include({
      'the number of ligands by heavy atoms':
        'atoms-1-20: 2, atoms-21-30: 1, atoms-31-40: 1, atoms-56-100: 1',
    });
  });

  it('charges at most the hold, more for more ligands, and all of it to the penny when all are verified', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 128 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 300_000, max: 1_300_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (taskCount, exhaustiveness, numModes, rate, part) => {
          const request: SubmitJobRequest = {
            jobType: 'simulation',
            simulator: 'autodock-vina',
            taskCount,
            simulationParams: { exhaustiveness, numModes },
          };
          const offer = quote(book.version, rate, priceOf(request), taskCount);
          const done = Math.floor(taskCount * part);
          const charge = chargePence(offer, verified(done));
          expect(charge).to.be.within(0, offer.heldPence);
          expect(chargePence(offer, verified(Math.min(done + 1, taskCount)))).to.be.at.least(charge);
          expect(offer.heldPence - chargePence(offer, verified(taskCount))).to.be.within(0, 1);
        },
      ),
    );
  });
});
