import { expect } from 'chai';

import { billLines, expectedPence } from '../../../src/cli/demo/money.ts';
import type { EstimateJobResponse } from '../../../src/client/types.ts';

const ESTIMATE = {
  estimatedCost: 0.132,
  currency: 'USD',
  breakdown: { compute: 0.1, software: 0, storage: 0.01, egress: 0.002, startFee: 0.02 },
  heldCents: 11,
  ceilingCents: 11,
  longestTaskSeconds: 600,
  creditCurrency: 'GBP',
  fxRate: 0.79,
  fxSource: null,
  fxDate: null,
  warnings: [],
  quoteId: 'q'.repeat(40),
  quoteExpiresAt: '2026-11-22T12:15:00.000Z',
} satisfies EstimateJobResponse;

describe("the demo's bill", () => {
  it('is the start fee and the share of what was docked, rounded down to the penny', () => {
    // (0.02 + 0.112 × 9/10) × 0.79 = 0.0954
    expect(expectedPence({ estimate: ESTIMATE, ligands: 10, docked: 9 })).to.equal(9);
    expect(expectedPence({ estimate: ESTIMATE, ligands: 10, docked: 10 })).to.equal(10);
    expect(expectedPence({ estimate: ESTIMATE, ligands: 10, docked: 0 })).to.equal(0);
  });

  it('names what costs nothing', () => {
    const lines = billLines({
      estimate: ESTIMATE,
      ligands: 10,
      docked: 9,
      failed: ['cisplatin'],
      chargedPence: 9,
      releasedPence: 2,
    });
    expect(lines.find((line) => line.includes('cisplatin'))).to.match(/USD 0\.0000$/);
    expect(lines.find((line) => line.includes('9 ligands docked'))).to.match(/0\.0100 each +USD 0\.0900$/);
    expect(lines.at(-1)).to.match(/released +£0\.02$/);
  });
});
