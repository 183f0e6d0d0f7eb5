/** What is made of a provider's word about an instance. */
import { expect } from 'chai';

import type { InstanceProvider } from '../../src/adapters/instances/instances.ts';
import { inquire } from '../../src/services/execution/instances/inquiry.ts';
import { suiteHome } from '../support/home.ts';
import { providerOf } from '../support/instance-providers.ts';
import { runningJob } from '../support/running-job.ts';

describe('a provider that may be late', () => {
  const home = suiteHome();

  /** Asks the provider, which answers so, after an instance that was never heard of. */
  async function askedOf(
    answer: Awaited<ReturnType<InstanceProvider['describe']>>,
    goneMinAgeSeconds: number,
  ): Promise<{ verdict: unknown; asked: unknown[] }> {
    const { jobId } = await runningJob(home);
    await home.db.query('update instances set last_contact_at = null where job_id = $1', [jobId]);
    const asked: unknown[] = [];
    const provider: InstanceProvider = {
      ...providerOf(),
      answersExactly: false,
      describe: (_token, how) => {
        asked.push(how);
        return Promise.resolve(answer);
      },
    };
    const inquiry = {
      ...{ db: home.db, providers: new Map([['local', provider]]) },
      leases: {
        ...{ launchSeconds: 900, silenceSeconds: 5, giveUpSeconds: 60 },
        ...{ goneConfirmSeconds: 0, goneMinAgeSeconds },
      },
    };
    return { verdict: await inquire(inquiry, { jobId, slot: 0, generation: 1 }, 'launch'), asked };
  }
  const lost = { state: 'lost', cause: 'INSTANCE_GONE' } as const;

  it('is believed after two answers that it knows no instance, of which the second one is a new one', async () => {
    expect(await askedOf({ state: 'gone' }, 0)).to.deep.equal({
      verdict: lost,
      asked: [undefined, 'fresh'],
    });
    expect(await askedOf({ state: 'gone' }, 60), 'a young launch').to.deep.equal({
      verdict: null,
      asked: [undefined],
    });
  });

  it('is believed at once, of the youngest launch too, that the instance which it names has ended', async () => {
    const ended = { token: 'any', providerId: 'i-1', state: 'gone', launchedAt: '2026-11-22' } as const;
    expect(await askedOf(ended, 60)).to.deep.equal({ verdict: lost, asked: [undefined] });
    expect(await askedOf({ ...ended, cause: 'PREEMPTED' }, 60)).to.deep.equal({
      verdict: { state: 'lost', cause: 'PREEMPTED' },
      asked: [undefined],
    });
  });
});
