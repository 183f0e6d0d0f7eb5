import { expect } from 'chai';

import { dockingOf } from '../../../src/tools/autodock-vina/status.ts';

const PREPARE = {
  box: {
    centerAngstrom: [1, 2, 3],
    sizeAngstrom: [20, 20, 20],
    derivation: { kind: 'ligand' },
    receptorHeavyAtoms: 300,
  },
  receptor: { cacheKey: 'a'.repeat(64), cacheHit: true, heavyAtoms: 2000, seconds: 3 },
};
const VALIDATION = {
  component_id: 'STR',
  rmsd_top_angstrom: 0.3,
  rmsd_best_angstrom: 0.3,
  best_mode: 1,
  passed: true,
};

describe('the docking part of a status', () => {
  it('is what the steps have said', () => {
    expect(dockingOf({ prepare: PREPARE, control: { validation: VALIDATION } })).to.deep.equal({
      box: { ...PREPARE.box, derivation: 'ligand' },
      receptor: { cacheKey: 'a'.repeat(64), cacheHit: true, heavyAtoms: 2000 },
      validation: VALIDATION,
    });
  });

  it('has no figures for a control that could not be docked, and nothing before it is done', () => {
    const failed = {
      component_id: 'STR',
      rmsd_top_angstrom: null,
      rmsd_best_angstrom: null,
      best_mode: null,
    };
    expect(
      dockingOf({ prepare: PREPARE, control: { validation: { ...failed, passed: false } } })?.validation,
    ).to.deep.equal({
      ...failed,
      passed: false,
    });
    expect(dockingOf({ prepare: PREPARE, control: undefined })?.validation).to.equal(null);
  });

  it('leaves out what is not of the form', () => {
    for (const prepare of [
      undefined,
      null,
      'text',
      {},
      { ...PREPARE, box: { ...PREPARE.box, sizeAngstrom: [1, NaN, 2] } },
    ])
      expect(dockingOf({ prepare, control: {} })).to.equal(null);
    expect(
      dockingOf({ prepare: PREPARE, control: { validation: { component_id: 1, passed: true } } })?.validation,
    ).to.equal(null);
  });
});
