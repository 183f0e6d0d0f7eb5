import { expect } from 'chai';

import { controlMiss } from '../../../src/tools/autodock-vina/control.ts';
import { docking } from './requests.ts';

const required = (requiredRmsdAngstrom?: number) =>
  docking({
    dockingValidation: {
      nativeLigand: true,
      ...(requiredRmsdAngstrom === undefined ? {} : { requiredRmsdAngstrom }),
    } as never,
  });
const done = (rmsd_top_angstrom: number) => ({
  failure: null,
  summary: {
    validation: {
      ...{ component_id: 'STR', rmsd_top_angstrom, rmsd_best_angstrom: 0.5, best_mode: 1 },
      passed: rmsd_top_angstrom <= 2,
    },
  },
});
const FAILURE = { code: 'ENGINE_CRASHED', message: 'Vina has ended.' };

describe('autodock-vina: a control docking that is required', () => {
  it('lets the ligands be docked where it comes near enough, and where nothing is required of it', () => {
    expect(controlMiss(required(2), done(1.9))).to.equal(null);
    for (const control of [done(9), { failure: FAILURE, summary: null }])
      expect(controlMiss(required(), control)).to.equal(null);
  });

  it('ends the job with its code where it misses, tells nothing, or could not be done', () => {
    expect(controlMiss(required(2), done(2.1))).to.include({ code: 'CONTROL_MISSED' });
    expect(controlMiss(required(2), { failure: null, summary: null })).to.include({ code: 'CONTROL_MISSED' });
    expect(controlMiss(required(2), { failure: FAILURE, summary: null })).to.deep.equal(FAILURE);
  });
});
