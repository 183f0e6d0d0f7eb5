import { expect } from 'chai';

import { characters } from '../../../api/http/fields.ts';
import { check } from '../../../api/http/validation.ts';
import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import { partUrlsBody } from '../../../api/uploads/multipart-schemas.ts';
import { uploadUrlBody } from '../../../api/uploads/schemas.ts';
import type { Loose } from './samples.ts';
import { ligand, residueAt } from './samples.ts';

/** One character that consists of two UTF-16 units. */
const GENE = '🧬';

const refusal = (schema: Parameters<typeof check>[0], value: unknown): string => {
  const checked = check(schema, value, false);
  return checked.ok ? '' : checked.message;
};

/** A submit with one text in one field, for every field whose length the contract bounds. */
const PLACES: readonly (readonly [least: number, most: number, place: (text: string) => object])[] = [
  [1, 2048, (sceneFile) => ({ sceneFile })],
  [0, 1024, (jobName) => ({ jobName })],
  [8, 255, (idempotencyKey) => ({ idempotencyKey })],
  [1, 255, (runId) => ({ dockingRequest: { requestId: 'r', runId, idempotencyKey: 'abcdefgh' } })],
  [1, 32, (receptorAssemblyId) => params({ receptorAssemblyId })],
  [1, 16, (chain) => params({ receptorChains: [chain] })],
  [1, 8, (pocketLigand) => params({ pocketLigand })],
  [1, 16, (pocketLigandChain) => params({ pocketLigandChain })],
  [0, 4, (insertionCode) => params({ pocketResidues: [{ ...residueAt, insertionCode }] })],
  [1, 1024, (blastDatabasePath) => params({ blastDatabasePath })],
  [1, 512, (label) => params({ ligandIdentity: { ...ligand, label } })],
  [1, 4096, (smiles) => params({ ligandIdentity: { ...ligand, source: { kind: 'smiles', smiles } } })],
];

function params(simulationParams: object): object {
  return { jobType: 'simulation', simulator: 'vina', simulationParams };
}

describe('lengths', () => {
  it('are counted in characters, however many units a character takes', () => {
    const text = characters(2, 4);
    for (const good of ['ab', GENE.repeat(2), GENE.repeat(4), 'a🧬b', 'e\u0301e\u0301'])
      expect(refusal(text, good), good).to.equal('');
    expect(refusal(text, GENE)).to.contain('at least 2 characters');
    expect(refusal(text, GENE.repeat(5))).to.contain('less than or equal to 4 characters');
    expect(refusal(text, 'abcde')).to.contain('less than or equal to 4 characters');
    expect(refusal(characters(1), '')).to.contain('not allowed to be empty');
    expect(refusal(characters(0), GENE.repeat(10_000))).to.equal('');
    expect(refusal(characters(0, 1), '')).to.equal('');
  });

  it('of the contract hold for characters beyond the first plane', () => {
    for (const [least, most, place] of PLACES) {
      const name = JSON.stringify(place(''));
      expect(refusal(submitJobBody, place(GENE.repeat(most))), name).to.equal('');
      expect(refusal(submitJobBody, place(GENE.repeat(most + 1))), name).to.contain(`${most} characters`);
      expect(refusal(submitJobBody, place(GENE.repeat(least))), name).to.equal('');
      if (least > 0) expect(refusal(submitJobBody, place(GENE.repeat(least - 1))), name).to.not.equal('');
    }
    const file = { filename: 'a', contentType: 'a/b', size: 1 };
    expect(refusal(uploadUrlBody, { ...file, filename: GENE.repeat(4096) })).to.equal('');
    expect(refusal(uploadUrlBody, { ...file, filename: GENE.repeat(4097) })).to.contain('4096 characters');
  });

  it('name the fields of a list by their places', () => {
    expect(refusal(submitJobBody, params({ receptorChains: ['A', GENE.repeat(17)] }))).to.contain(
      '"simulationParams.receptorChains[1]"',
    );
    expect(refusal(partUrlsBody, { parts: [{ partNumber: 1 }] } satisfies Loose)).to.equal('');
  });
});
