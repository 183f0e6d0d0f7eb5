import { expect } from 'chai';

import { isAway } from '../../../src/domain/away.ts';

const withFacts = (facts: object): Error => Object.assign(new Error('x'), facts);

describe('what is away', () => {
  it('is told by codes of the network, of PostgreSQL, of gRPC and of stores, wherever they stand', () => {
    for (const facts of [
      { code: 'ECONNREFUSED' },
      { code: '57P01' },
      { code: '53300' },
      { code: '57014' },
      { code: 14, details: 'No connection' },
      { code: 4, details: 'Deadline exceeded' },
      { $metadata: { httpStatusCode: 503 } },
      { statusCode: 500 },
      { name: 'TimeoutError' },
    ]) {
      const error = withFacts(facts);
      expect(isAway(error), JSON.stringify(facts)).to.equal(true);
      expect(isAway(new Error('outer', { cause: error }))).to.equal(true);
      expect(isAway(new Error('outer', { cause: new AggregateError([new Error('y'), error]) }))).to.equal(
        true,
      );
    }
  });

  it('is nothing else: a wrong statement, a refusal, a fault of ours', () => {
    for (const error of [
      new TypeError('x is not a function'),
      withFacts({ code: '23505' }),
      withFacts({ code: '42703' }),
      withFacts({ code: 3, details: 'Invalid argument' }),
      withFacts({ code: 14 }),
      withFacts({ $metadata: { httpStatusCode: 403 } }),
      withFacts({ statusCode: 404 }),
      'ECONNREFUSED',
      null,
    ])
      expect(isAway(error), String(error)).to.equal(false);
    const round = new Error('round');
    round.cause = round;
    expect(isAway(round)).to.equal(false);
  });
});
