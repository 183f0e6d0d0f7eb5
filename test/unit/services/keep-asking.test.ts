// A provider that is still starting is asked again soon, and one that answers is left alone until it is due.
import { expect } from 'chai';

import { keepAsking } from '../../../src/services/tools/keep-asking.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;

describe('a provider that is asked for its tools', () => {
  it('is asked again within seconds while it does not answer, and then only when it is due', async () => {
    const failures: unknown[] = [];
    let asked = 0;
    const end = keepAsking(
      () => {
        asked += 1;
        return asked < 3 ? Promise.reject(new Error('it is away')) : Promise.resolve();
      },
      { everyMs: HOUR_MS, onFailure: (error) => failures.push(error) },
    );
    try {
      expect(asked, 'at once').to.equal(1);
      await until('it has answered', () => asked === 3, 5_000);
      expect(failures.map(String)).to.deep.equal(['Error: it is away', 'Error: it is away']);
    } finally {
      end();
    }
  });

  it('is asked no more after the end', async () => {
    let asked = 0;
    const end = keepAsking(() => Promise.resolve(void (asked += 1)), {
      everyMs: 20,
      onFailure: (error) => expect.fail(String(error)),
    });
    await until('it was asked again', () => asked > 1);
    end();
    const before = asked;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(asked).to.equal(before);
  });
});
