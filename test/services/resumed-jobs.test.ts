import { expect } from 'chai';

import { takeUpResumed } from '../../src/services/execution/sweep/abandoned.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

describe('a resumed job', () => {
  const home = suiteHome();

  it('goes on after a resume that nobody was told of for a minute, whatever comes of the message to another', async () => {
    const resumedFor = async (execution: number, time: string): Promise<string> => {
      const { jobId } = await runningJob(home);
      await home.db.query(
        `update jobs set status = 'SUBMITTED', execution = $2, updated_at = now() - $3::interval where id = $1`,
        [jobId, execution, time],
      );
      return jobId;
    };
    const due = [await resumedFor(2, '61 seconds'), await resumedFor(3, '2 hours')].sort();
    await resumedFor(2, '50 seconds');
    await resumedFor(1, '2 hours');
    const told: string[] = [];
    const ended = await takeUpResumed(home.db, async (jobId, message) => {
      expect(message).to.deep.equal({ kind: 'resume' });
      told.push(jobId);
      if (jobId === due[0]) throw new Error('Temporal does not answer');
      return true;
    }).catch((error: unknown) => error);
    expect(told).to.have.members(due);
    expect(ended).to.include({ message: '1 resumed jobs were not told that they go on.' });
  });
});
