/** Quotes as tokens: a quote of this service for this account is taken until its end, and nothing else is. */
import { expect } from 'chai';
import fc from 'fast-check';

import { AppError } from '../../../src/domain/errors.ts';
import { oneClass, quote } from '../../../src/domain/pricing.ts';
import { signInstanceToken } from '../../../src/services/execution/instances/token.ts';
import { createQuoteTokens } from '../../../src/services/prices/quote-tokens.ts';

const SECRET = 'ab'.repeat(32);
const NEXT_SECRET = 'cd'.repeat(32);
const NOW = Date.parse('2026-03-01T12:00:00.400Z');
const MINUTE_MS = 60_000;
const ME = { accountId: 'me' };
const FREE = { startFeeMicro: 0, softwareMicro: 0, storageMicro: 0, egressMicro: 0, licenceNames: [] };
const OFFER = {
  priced: { fields: { taskCount: 3, 'recovery.mode': 'standard' }, sizes: { bytes: 7 } },
  quote: quote(
    'a book',
    790_000,
    { ...FREE, model: 'fixed', currency: 'USD', classes: oneClass(3, 123_456) },
    3,
  ),
};

const at = (ms: number, secret = SECRET, further: readonly string[] = []) =>
  createQuoteTokens(secret, () => ms, further);

function codeOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.status).to.equal(422);
    return error.code;
  }
}

describe('a quote', () => {
  const { quoteId, expiresAt } = at(NOW).sign(ME, OFFER);

  it('brings back the whole offer, in any process of the service', () => {
    expect(at(NOW).read(ME, quoteId)).to.deep.equal(OFFER);
  });

  it('is good for fifteen minutes, to the second that it tells', () => {
    expect(expiresAt).to.equal('2026-03-01T12:15:00.000Z');
    expect(codeOf(() => at(Date.parse(expiresAt) - 1).read(ME, quoteId))).to.equal(null);
    expect(codeOf(() => at(Date.parse(expiresAt)).read(ME, quoteId))).to.equal('QUOTE_EXPIRED');
    expect(codeOf(() => at(NOW + 16 * MINUTE_MS).read(ME, quoteId))).to.equal('QUOTE_EXPIRED');
  });

  it('of another account, of another secret, of another kind of token, or made up is refused', () => {
    const ofInstance = signInstanceToken(SECRET, { jobId: 'j', slot: 0, generation: 1, expiresAt: 9e12 });
    const [, ...claims] = ofInstance.split('.');
    const wrong = [
      at(NOW).sign({ accountId: 'you' }, OFFER).quoteId,
      at(NOW, NEXT_SECRET).sign(ME, OFFER).quoteId,
      ofInstance,
      ['dkq1', ...claims].join('.'),
      'x'.repeat(64),
      `${quoteId}.x`,
      quoteId.padEnd(20_000, 'A'),
    ];
    for (const other of wrong)
      expect(
        codeOf(() => at(NOW).read(ME, other)),
        other.slice(0, 80),
      ).to.equal('QUOTE_INVALID');
  });

  it('that was changed in any character is refused', () => {
    fc.assert(
      fc.property(
        fc.nat(quoteId.length - 1),
        fc.constantFrom('A', 'Z', 'a', '0', '-', '_', '.', '='),
        (index, character) => {
          const changed = `${quoteId.slice(0, index)}${character}${quoteId.slice(index + 1)}`;
          const expected = changed === quoteId ? null : 'QUOTE_INVALID';
          expect(codeOf(() => at(NOW).read(ME, changed))).to.equal(expected);
        },
      ),
    );
  });

  it('outlives a change of the secret while both secrets are known, before and after the change', () => {
    const announced = at(NOW, SECRET, [NEXT_SECRET]);
    const changed = at(NOW, NEXT_SECRET, [SECRET]);
    for (const signed of [announced, changed])
      for (const reader of [announced, changed])
        expect(reader.read(ME, signed.sign(ME, OFFER).quoteId)).to.deep.equal(OFFER);
    expect(codeOf(() => at(NOW, NEXT_SECRET).read(ME, changed.sign(ME, OFFER).quoteId))).to.equal(null);
    expect(codeOf(() => at(NOW, NEXT_SECRET).read(ME, quoteId))).to.equal('QUOTE_INVALID');
  });
});
