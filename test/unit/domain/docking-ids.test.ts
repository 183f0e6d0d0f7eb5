// The ids of results: one for each place of each job, from which job and place are found again.
import { expect } from 'chai';
import fc from 'fast-check';
import { validate as isUuid } from 'uuid';

import { LAST_PLACE, placeOf, resultIdOf } from '../../../src/domain/docking-ids.ts';

const JOB = '5d1c0de2-9a51-5e42-8d3e-7f00a1b2c3d4';

describe('ids of results', () => {
  it('are UUIDs that differ for each place and name the job among the ids that begin as it does', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 0, max: LAST_PLACE }), (jobId, ordinal) => {
        const id = resultIdOf(jobId, ordinal);
        const { from, to, ordinal: found } = placeOf(id);
        expect(isUuid(id)).to.equal(true);
        expect(found).to.equal(ordinal);
        expect(from <= jobId && jobId <= to).to.equal(true);
      }),
    );
    expect(resultIdOf(JOB, 0)).to.not.equal(resultIdOf(JOB, 1));
  });

  it('are found however their letters are written', () => {
    expect(placeOf(resultIdOf(JOB, 9999).toUpperCase())).to.deep.equal(placeOf(resultIdOf(JOB, 9999)));
  });

  it('are refused for a place without room', () => {
    for (const place of [-1, 0.5, LAST_PLACE + 1])
      expect(() => resultIdOf(JOB, place)).to.throw(RangeError, 'is no place');
  });
});
