import { expect } from 'chai';
import fc from 'fast-check';
import type Joi from 'joi';

import { estimateJobBody } from '../../../api/estimates/schemas.ts';
import { check } from '../../../api/http/validation.ts';
import { simulationParams } from '../../../api/jobs/simulation-params.ts';
import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import type { Loose } from './samples.ts';
import { library, ligand } from './samples.ts';
import { SIMULATION_ROWS } from './simulation-rows.ts';
import { NESTED_ROWS, SUBMIT_ROWS, render, simulation } from './submit-rows.ts';

const value = (schema: Joi.Schema, input: unknown): Loose => {
  const checked = check(schema, input, false);
  if (!checked.ok) throw new Error(checked.message);
  return checked.value;
};
const message = (schema: Joi.Schema, input: unknown): string => {
  const checked = check(schema, input, false);
  return checked.ok ? '' : checked.message;
};

describe('submit schema', () => {
  for (const [field, accepted, refused] of [...SIMULATION_ROWS, ...NESTED_ROWS]) {
    it(`holds simulationParams.${field} to its bounds (${accepted.length} accepted, ${refused.length} refused)`, () => {
      for (const input of accepted)
        expect(message(simulationParams, { [field]: input }), JSON.stringify(input).slice(0, 80)).to.equal(
          '',
        );
      for (const input of refused)
        expect(message(simulationParams, { [field]: input }), JSON.stringify(input).slice(0, 80)).to.contain(
          `"${field}`,
        );
    });
  }

  for (const [field, accepted, refused] of SUBMIT_ROWS) {
    it(`holds ${field} to its bounds (${accepted.length} accepted, ${refused.length} refused)`, () => {
      for (const input of accepted)
        expect(message(submitJobBody, input), JSON.stringify(input).slice(0, 80)).to.equal('');
      for (const input of refused)
        expect(message(submitJobBody, input), JSON.stringify(input).slice(0, 80)).to.contain(`"${field}`);
    });
  }

  it('has a row for every field, so that a new one needs its bounds tested', () => {
    expect(SIMULATION_ROWS.map(([field]) => field).sort()).to.deep.equal(
      Object.keys(simulationParams.describe().keys).sort(),
    );
    expect(SUBMIT_ROWS.map(([field]) => field).sort()).to.deep.equal(
      Object.keys(submitJobBody.describe().keys).sort(),
    );
  });

  it('refuses unknown top-level fields and names each', () => {
    expect(message(submitJobBody, { jobType: 'render', one: 1, two: 2 }))
      .to.contain('"one"')
      .and.to.contain('"two"');
  });

  it('applies every default of the contract', () => {
    expect(value(submitJobBody, {})).to.deep.equal({ jobType: 'render', frameStep: 1 });
    expect(value(submitJobBody, simulation({}))).to.not.have.property('frameStep');
    expect(value(submitJobBody, { recovery: {} }).recovery).to.deep.equal({ mode: 'standard' });
    const params = value(simulationParams, {
      ligandIdentity: ligand,
      receptorPreparation: {},
      dockingExecution: {},
    });
    expect(params.maxPockets).to.equal(10);
    expect(params.dockingExecution).to.deep.equal({ shardSize: 1 });
    expect(params.ligandIdentity.preparation).to.deep.equal({
      protonationPh: 7.4,
      addHydrogens: true,
      generate3d: true,
    });
    expect(params.receptorPreparation).to.deep.equal({
      protonationPh: 7.4,
      addHydrogens: true,
      protonationMethod: 'pdb2pqr-propka',
      forceField: 'AMBER',
      fixedProtonationStates: [],
      removeComponents: [],
      retainComponents: [],
    });
  });

  it('accepts fields of another job type on submit and estimate, as they were sent, and holds them to their types', () => {
    const sent = {
      jobType: 'molecular',
      frameStart: 1,
      frameStep: 2,
      taskCount: 3,
      simulator: 'swan',
      simulationParams: { seed: 1 },
    };
    for (const schema of [submitJobBody, estimateJobBody]) {
      expect(value(schema, sent)).to.deep.equal({ ...sent, simulationParams: { seed: 1, maxPockets: 10 } });
      for (const [field, wrong] of Object.entries({
        frameStart: '1',
        taskCount: 0,
        simulationParams: { x: 1 },
      }))
        expect(message(schema, { ...sent, [field]: wrong })).to.contain(`"${field}`);
    }
    expect(value(submitJobBody, simulation({})), 'a default is not sent').to.not.have.property('frameStep');
    expect(value(submitJobBody, simulation({ frameStep: 1 }))).to.have.property('frameStep', 1);
    expect(message(submitJobBody, { jobType: 'pipeline', frameStart: 1, simulator: 'swan' })).to.equal('');
  });

  it('keeps unknown metadata on submit and refuses it on estimate', () => {
    const sent = simulation({ metadata: { noop: { seconds: 1 } } });
    expect(value(submitJobBody, sent).metadata).to.deep.equal({ noop: { seconds: 1 } });
    expect(message(estimateJobBody, sent)).to.contain('"metadata.noop"');
  });

  it('prices whole frame steps only, and no pipelines', () => {
    expect(message(estimateJobBody, render({ frameStep: 2 }))).to.equal('');
    expect(message(estimateJobBody, render({ frameStep: 1.5 }))).to.contain('"frameStep"');
    expect(message(estimateJobBody, { jobType: 'pipeline' })).to.contain('"jobType"');
    expect(message(estimateJobBody, { jobType: 'render', sceneFile: 'k' })).to.contain('"sceneFile"');
  });

  it('names every failing path, up to 20', () => {
    const bad = message(
      submitJobBody,
      simulation({
        simulationParams: { ligandLibrary: library(30).map((item) => ({ ...item, label: '' })) },
      }),
    );
    expect(bad).to.contain('"simulationParams.ligandLibrary[19].label"').and.to.contain('and 10 more');
    expect(bad).to.not.contain('[20]');
  });

  it('never changes a type: whatever is accepted comes back with the values it was sent with', () => {
    const numbers = fc.record({
      exhaustiveness: fc.integer(),
      seed: fc.integer(),
      energyRangeKcalMol: fc.double(),
      numModes: fc.string(),
    });
    fc.assert(
      fc.property(numbers, (params) => {
        const checked = check(simulationParams, params, false);
        if (checked.ok) expect(checked.value).to.deep.include(params);
      }),
    );
  });
});
