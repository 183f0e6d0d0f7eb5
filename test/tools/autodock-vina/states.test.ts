/** The states of a ligand as a session tells them are taken where the one that won has the poses. */
import { expect } from 'chai';

import { isRecord } from '../../../src/domain/is-record.ts';
import { stateExhaustiveness } from '../../../src/tools/autodock-vina/states.ts';
import { verifyDocking } from '../../../src/tools/autodock-vina/verify.ts';
import { readsTexts } from '../../support/read-outputs.ts';
import { poses, reported } from './outputs.ts';

const verdict = (odd: object): ReturnType<typeof verifyDocking> => {
  const written = poses('ligands/a:1', 'a:1', [-7.25], odd);
  const read = readsTexts((name) => written[name]?.text ?? expect.fail(`${name} was not written`));
  return verifyDocking('task', { itemId: 'a:1' }, reported(written), read);
};

describe('autodock-vina: the states of a ligand', () => {
  it('are taken and recorded where the poses are those of the one that won', async () => {
    const state = (number: number, smiles: string, cost: number, score: number | null): object => ({
      ...{ state: number, smiles, formalCharge: 0, costKcalMol: cost, bestAffinityKcalMol: score },
      totalKcalMol: score === null ? null : score + cost,
    });
    const each = [
      state(1, 'CC(=O)O', 0, -6.5),
      state(2, 'CC(=O)[O-]', 0.5, -7.25),
      state(3, 'C', 1.36, null),
    ];
    const told = (states: object): object => ({
      told: { ligand: { smilesDocked: 'CC(=O)[O-]' }, states: { onPaper: 20, won: 2, each, ...states } },
    });
    const record = await verdict(told({}));
    expect(isRecord(record) ? record['states'] : record).to.deep.equal({
      ...{ onPaper: 20, won: 2 },
      each: [
        { smiles: 'CC(=O)O', formalCharge: 0, costKcalMol: 0, bestAffinityKcalMol: -6.5 },
        { smiles: 'CC(=O)[O-]', formalCharge: 0, costKcalMol: 0.5, bestAffinityKcalMol: -7.25 },
        { smiles: 'C', formalCharge: 0, costKcalMol: 1.36, bestAffinityKcalMol: null },
      ],
    });
    for (const [states, wrong] of [
      [{ won: 1 }, 'poses of another state'],
      [{ won: 3 }, 'no docked state that won'],
      [{ won: 4 }, 'no docked state that won'],
      [{ each: [state(1, 'CC', 0, -6.8), ...each.slice(1)] }, 'a state that has not won'],
      [{ each: [...each].reverse() }, 'not counted from 1'],
      [{ each: [] }, 'is no result'],
      [{ each: Array.from({ length: 17 }, (_, n) => state(n + 1, 'C', 0, -1)) }, 'is no result'],
    ] as const)
      expect(await verdict(told(states)), wrong).to.include(wrong);
  });

  it('are searched as long as the session searches them', () => {
    expect([1, 2, 3, 4, 8, 16].map((states) => stateExhaustiveness(8, states))).to.deep.equal([
      8, 8, 6, 4, 2, 2,
    ]);
    expect([1, 2, 16].map((states) => stateExhaustiveness(1, states))).to.deep.equal([1, 1, 1]);
  });
});
