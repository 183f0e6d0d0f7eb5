import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { createAccountTurns } from '../../../src/services/ligands/account-turns.ts';

describe('turns of accounts', () => {
  it('do the work of one account in its order, and that of others meanwhile', async () => {
    const inTurn = createAccountTurns();
    const ended: string[] = [];
    const work = (name: string, ms: number) => async (): Promise<void> => {
      await sleep(ms);
      ended.push(name);
    };
    await Promise.all([
      inTurn('busy', work('slow', 100)),
      inTurn('busy', work('next', 0)),
      inTurn('other', work('other', 0)),
    ]);
    expect(ended).to.deep.equal(['other', 'slow', 'next']);
  });

  it('refuse what would wait too long, and go on after a failure', async () => {
    const inTurn = createAccountTurns();
    const { promise, resolve } = Promise.withResolvers<null>();
    const first = inTurn('a', () => promise);
    const waiting = Array.from({ length: 16 }, () => inTurn('a', async () => undefined));
    const refused = await inTurn('a', async () => undefined).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'RATE_LIMITED', retryAfterSeconds: 2 });
    resolve(null);
    await Promise.all([first, ...waiting]);
    await inTurn('a', () => Promise.reject(new Error('broken'))).catch(() => undefined);
    expect(await inTurn('a', async () => 1)).to.equal(1);
  });
});
