/** Buying credits at the command line, over the HTTP application with services that buy nothing. */
import { expect } from 'chai';

import { runCommand } from '../../support/command-line.ts';
import { TestApp, KEY } from '../api/test-app.ts';

const TOPUP = '018f0000-0000-7000-8000-000000000001';
const PAID = {
  ...{ id: TOPUP, tierId: 'topup-50', amountCents: 5_000, bonusCents: 250, taxCents: 0, refundedCents: 0 },
  ...{ currency: 'GBP', url: null, invoiceUrl: null, receiptUrl: null, paidAt: null },
  createdAt: '2026-11-01T00:00:00.000000Z',
};

describe('dockyard topup', () => {
  let app: TestApp;
  before(async () => {
    app = await new TestApp({
      services: {
        topups: {
          tiers: () => ({
            tiers: [
              {
                tierId: 'topup-50',
                amountCents: 5_000,
                bonusCents: 250,
                creditsCents: 5_250,
                currency: 'GBP',
              },
            ],
          }),
          start: async (_actor, { body }) => ({
            ...{ url: 'https://checkout.example/c/1', tierId: body.tierId, topupId: TOPUP },
          }),
          list: async () => ({ topups: [], nextCursor: null }),
          read: async () => ({ ...PAID, state: 'PAID' }),
        },
      },
    }).start();
  });
  after(() => app.stop());
  const run = (...argv: string[]) =>
    runCommand(argv, { DOCKYARD_API_URL: app.base, DOCKYARD_API_KEY: KEY, HOME: '/nowhere' }, '/');

  it('lists the tiers, and prints the address of the checkout alone', async () => {
    const tiers = await run('topup');
    expect(tiers.out, tiers.err).to.equal(
      'TIER      PRICE BEFORE TAX  CREDITS\ntopup-50            £50.00   £52.50\n',
    );
    const started = await run('topup', 'topup-50');
    expect([started.code, started.out]).to.deep.equal([0, 'https://checkout.example/c/1\n']);
    expect(started.err).to.contain('within an hour');
  });

  it('tells how the purchase has ended where it waits', async () => {
    const paid = await run('topup', 'topup-50', '--wait');
    expect([paid.code, paid.out]).to.deep.equal([0, 'PAID. £52.50 of credits are there.\n']);
    expect(paid.err).to.contain('https://checkout.example/c/1');
  });
});
