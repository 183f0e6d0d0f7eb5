import { expect } from 'chai';

import { createNoticeLines } from '../../../src/cli/customer/job-text.ts';
import { recoveriesText } from '../../../src/cli/customer/recoveries.ts';
import type { JobStatusResponse, RecoveryItem } from '../../../src/client/types.ts';

const LOSS: RecoveryItem = {
  ...{ at: '2026-03-01T12:00:00.123456Z', kind: 'LOSS', execution: 1, cause: 'INSTANCE_GONE' },
  instance: { slot: 0, generation: 2, type: 'c7i.large', market: 'SPOT' },
  ...{ tasksKept: 12, tasksSetBack: 2, secondsLost: 8.25, secondsUntilWork: 3.104, chargedCents: 0 },
};
const PAUSE: RecoveryItem = {
  ...{ ...LOSS, kind: 'PAUSE', cause: 'CREDITS', instance: null },
  ...{ tasksSetBack: 0, secondsLost: 0, secondsUntilWork: null },
};

describe('the recovery ledger on a terminal', () => {
  it('has a line for each entry, and what was lost in all', () => {
    expect(recoveriesText([LOSS, PAUSE]).split('\n')).to.deep.equal([
      'AT                    WHAT   CAUSE          INSTANCE            KEPT  AGAIN  LOST s  WENT ON AFTER s',
      '2026-03-01 12:00:00Z  LOSS   INSTANCE_GONE  0.2 c7i.large spot    12      2     8.3              3.1',
      '2026-03-01 12:00:00Z  PAUSE  CREDITS        -                     12      0     0.0                -',
      '',
      'Work lost: 8.3 s, charged £0.00',
      '',
    ]);
    expect(recoveriesText([])).to.equal('Nothing was lost, and the job was never paused.\n');
  });

  it('tells each loss of a watched job once', () => {
    const tell = createNoticeLines();
    const warnings: { code: string; message: string }[] = [];
    const statusOf = (recoveries: number): JobStatusResponse => {
      const event = { at: LOSS.at, tasksKept: 12, secondsLost: 8.25, chargedCents: 0 };
      const events = Array.from({ length: Math.min(recoveries, 50) }, (_, index) => ({
        ...event,
        cause: `C${recoveries - index}`,
      })).reverse();
      return { recovery: { recoveries, events }, warnings } as unknown as JobStatusResponse;
    };
    expect(tell(statusOf(0))).to.deep.equal([]);
    expect(tell(statusOf(1))).to.deep.equal([
      'An instance was lost (C1): 12 verified tasks kept, 9 s of work lost, charged £0.00',
    ]);
    expect(tell(statusOf(1))).to.deep.equal([]);
    expect(tell(statusOf(3)).map((line) => line.slice(0, 25))).to.deep.equal([
      'An instance was lost (C2)',
      'An instance was lost (C3)',
    ]);
    warnings.push({ code: 'FORECAST_NOT_COVERED', message: 'It comes to more.' });
    expect(tell(statusOf(3))).to.deep.equal(['It comes to more.']);
    expect(tell(statusOf(3)), 'told once').to.deep.equal([]);
    expect(tell(statusOf(200)), 'those that the status still has').to.have.length(50);
  });
});
