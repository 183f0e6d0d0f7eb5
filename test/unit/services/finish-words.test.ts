import { expect } from 'chai';

import { resumeAdvice } from '../../../src/services/jobs/finish-words.ts';

const WHOLE = { heldPence: 120, isLimited: false };

describe('what a customer does to finish a job', () => {
  it('is a resume where nothing is in its way', () => {
    expect(resumeAdvice(WHOLE, null)).to.equal('Resume the job. £1.20 is held for what is missing.');
  });

  it('names what is missing of the credits, and what may be done with those that are there', () => {
    expect(resumeAdvice(WHOLE, { availablePence: 50 })).to.equal(
      'To finish, this job needs £1.20 to be held, and £0.50 is available. Top up at least £0.70, then resume the job, or resume it with limitCents of at most 50 to do a part of what is missing.',
    );
    expect(resumeAdvice(WHOLE, { availablePence: 0 })).to.match(/then resume the job\.$/);
    expect(resumeAdvice(WHOLE, { owedPence: 30 })).to.include('owes £0.30');
  });

  it('names the limit, by how much to raise it, and when it begins anew', () => {
    const refused = { limitPence: 500, restPence: 20 };
    const ofJob = resumeAdvice(WHOLE, { limit: 'job', ...refused });
    expect(ofJob)
      .to.include('£0.20 is left of the cost limit of one job, which is £5.00')
      .and.include('Raise the limit by at least £1.00, then resume')
      .and.not.include('month');
    for (const limit of ['month', 'key'] as const)
      expect(resumeAdvice(WHOLE, { limit, ...refused })).to.include('or wait for the next month');
  });

  it('speaks of the limit of the resume where that is what was asked for', () => {
    expect(resumeAdvice({ heldPence: 30, isLimited: true }, { availablePence: 10 })).to.match(
      /^To go on within this limit, this job needs £0\.30/,
    );
  });

  it('is what the state of the account says', () => {
    expect(resumeAdvice(WHOLE, { accountState: 'SUSPENDED' })).to.include('suspended');
  });
});
