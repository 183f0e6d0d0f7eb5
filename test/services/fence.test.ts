import { expect } from 'chai';

import type { InstanceClaims } from '../../src/contracts/instance.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createFence } from '../../src/services/execution/fence.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

describe('the fence, asked for itself', () => {
  const home = suiteHome();
  let claims: InstanceClaims;
  beforeEach(async () => {
    const { jobId } = await runningJob(home);
    claims = { jobId, slot: 0, generation: 1, expiresAt: 0 };
  });

  /** A fence whose clock stands still, and the statements that it has sent. */
  const open = () => {
    const clock = { now: 5_000, statements: 0 };
    const db = new Proxy(home.db, {
      get(target, name) {
        if (name === 'query') clock.statements += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return { clock, fence: createFence(db, () => clock.now) };
  };
  const answerOf = async (asked: Promise<void>): Promise<string> =>
    asked.then(
      () => 'may',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    );
  const fenceNow = () =>
    home.db.query('update instances set fenced_at = now() where job_id = $1', [claims.jobId]);

  it('lets who may act poll for a second without a further look, and looks at every answer', async () => {
    const { clock, fence } = open();
    for (let poll = 0; poll < 3; poll += 1) expect(await answerOf(fence.mayPoll(claims))).to.equal('may');
    expect(clock.statements).to.equal(1);
    await fenceNow();
    expect(await answerOf(fence.mayPoll(claims))).to.equal('may');
    expect(await answerOf(fence.mayAct(claims))).to.equal('FENCED');
    expect(await answerOf(fence.mayPoll(claims)), 'after a refusal').to.equal('FENCED');
  });

  it('sees within a second that an instance is fenced, which no poll of another instance puts off', async () => {
    const { clock, fence } = open();
    expect(await answerOf(fence.mayPoll(claims))).to.equal('may');
    await fenceNow();
    clock.now += 999;
    expect(await answerOf(fence.mayPoll({ ...claims, slot: 7 })), 'no such instance').to.equal('FENCED');
    expect(await answerOf(fence.mayPoll(claims))).to.equal('may');
    clock.now += 1;
    expect(await answerOf(fence.mayPoll(claims))).to.equal('FENCED');
  });
});
