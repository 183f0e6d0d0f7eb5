/** Whether the tasks of a job go on from checkpoints: the tool, the preparation, and summaries that an instance made up. */
import { expect } from 'chai';

import { resumabilityOf } from '../../../src/domain/resumability.ts';

describe('whether a task of a job goes on', () => {
  const yes = { resumable: true, resumableReason: null };
  const proven = { provenBy: 'prepare' } as const;

  it('is what the preparation has found, whatever the tool can do', () => {
    for (const checkpoint of [{}, proven]) {
      expect(resumabilityOf(checkpoint, { resumable: true, resumableReason: 'no' })).to.deep.equal(yes);
      const why = 'restart.ww3 differs in field hs after an odd number of steps';
      expect(resumabilityOf(checkpoint, { resumable: false, resumableReason: why })).to.deep.equal({
        ...{ resumable: false, resumableReason: why },
      });
    }
  });

  it('is not promised before the preparation where that has to prove it, and never without checkpoints', () => {
    expect(resumabilityOf({}, undefined)).to.deep.equal(yes);
    expect(resumabilityOf({}, { cpuClass: 'noop' })).to.deep.equal(yes);
    for (const summary of [undefined, null, {}, { resumable: 'true' }, [], 7])
      expect(resumabilityOf(proven, summary).resumableReason).to.include('Not known before');
    const none = resumabilityOf(null, { resumable: true });
    expect(none.resumable).to.equal(false);
    expect(none.resumableReason).to.include('keeps no checkpoints');
  });

  it('always has a bounded reason where it is false', () => {
    for (const resumableReason of [undefined, '', 7, null])
      expect(resumabilityOf({}, { resumable: false, resumableReason }).resumableReason).to.include(
        'begins again',
      );
    const long = resumabilityOf({}, { resumable: false, resumableReason: 'x'.repeat(5000) });
    expect(long.resumableReason).to.have.length(1000);
  });
});
