import { expect } from 'chai';

import { billText } from '../../../src/cli/customer/bill.ts';
import type { JobBillResponse } from '../../../src/client/types.ts';

const NONE = { priceClass: null, tasks: null, meteredMs: null };
const EXECUTION: JobBillResponse['executions'][number] = {
  ...{ execution: 1, outcome: 'SUCCEEDED', priceBookVersion: '2026-11-01', currency: 'USD', fxRate: 0.79 },
  ...{ fxSource: 'www.ecb.europa.eu', fxDate: '2026-11-20' },
  ...{ startedAt: '2026-11-02T03:04:05.678901Z', settledAt: '2026-11-02T03:05:05.678901Z' },
  lines: [
    { ...NONE, kind: 'start_fee', amountMicro: 20_000 },
    { ...NONE, kind: 'tasks', priceClass: 'task', tasks: 9, amountMicro: 90_000 },
    { ...NONE, kind: 'tasks', priceClass: 'large', tasks: 1, amountMicro: 70_000 },
    { ...NONE, kind: 'time', tasks: 2, meteredMs: 1500, amountMicro: 1 },
  ],
  ...{ totalMicro: 180_001, convertedMicro: 142_200, roundingMicro: -2200, dueCents: 14 },
  ...{ heldCents: 15, chargedCents: 14, releasedCents: 1 },
  transfers: [{ transferId: '01890a5d-ac96-774b-bcce-b302099a8057', type: 'charge', amountCents: 14 }],
};
const BILL = { jobId: 'j', creditCurrency: 'GBP', chargedCents: 14, executions: [EXECUTION] };

describe('a bill on the command line', () => {
  it('shows lines, sum, rate, rounding and transfers, to the millionth', () => {
    const text = billText(BILL);
    expect(text).to.match(/^For +Tasks +Seconds +USD$/m);
    expect(text).to.match(/^start fee +- +- +0\.020000$/m);
    expect(text).to.match(/^tasks +9 +- +0\.090000$/m);
    expect(text).to.match(/^tasks of class large +1 +- +0\.070000$/m);
    expect(text).to.match(/^time +2 +1\.500 +0\.000001$/m);
    expect(text).to.match(/^Sum +USD 0\.180001$/m);
    expect(text).to.match(/^At the rate +0\.79 of 2026-11-20, price book 2026-11-01$/m);
    expect(text).to.match(/^Rounded down by +£0\.002200$/m);
    expect(text).to.match(/^01890a5d-ac96-774b-bcce-b302099a8057 +charge +£0\.14$/m);
    expect(text).to.match(/\nCharged +£0\.14\n$/);
    expect(text).not.to.contain('Execution');
  });

  it('tells open executions from settled ones, and says where nothing is due', () => {
    const open = { ...EXECUTION, execution: 2, outcome: null, settledAt: null, lines: [], dueCents: 0 };
    const text = billText({ ...BILL, executions: [EXECUTION, open] });
    expect(text).to.contain('Execution 1: SUCCEEDED\n').and.to.contain('Execution 2: open\n');
    expect(text).to.contain('Nothing is verified, so nothing is due.');
    expect(text).to.match(/^Due so far +£0\.00$/m);
  });
});
