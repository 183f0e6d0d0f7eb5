/** The request of a job, read and sent again; jobs and tasks that are found by their states and codes. */
import { expect } from 'chai';

import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';

describe('a job that has failed in part', function () {
  this.timeout(180_000);
  let api: TestApi;
  let owner: NewAccount;
  let jobId: string;
  before(async () => {
    api = await testApi();
    owner = await api.account();
    jobId = await start({
      ...noopJob(5, { seconds: 0, fail: [{ index: 3, kind: 'error' }] }),
      jobName: 'five of them',
    });
    await api.reaches(owner.liveKey, jobId, 'PARTIALLY_SUCCEEDED');
  });
  const get = (path: string): Promise<Answer> => api.call(owner.liveKey, 'GET', path);
  const start = async (body: Record<string, unknown>): Promise<string> => {
    const answer = await api.submit(owner.liveKey, body);
    // A machine that has other work may be busier than a submit waits; a client sends its request again.
    if (answer.status === 503) return start(body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body.jobId;
  };

  it('is answered as it was sent, and the answer can be sent again', async () => {
    const { body } = await get(`jobs/${jobId}/request`);
    expect(body).to.include({ jobId, submittable: true, advice: null });
    expect(body.request).to.include({ jobType: 'simulation', simulator: 'noop', jobName: 'five of them' });
    expect(body.request).to.not.have.any.keys('idempotencyKey', 'quoteId');
    const again = await get(`jobs/${await start(body.request)}/request`);
    expect(again.body.request).to.deep.equal(body.request);
  });

  it('is found by any of several states, and its failed tasks by their code', async () => {
    const listed = await get('jobs?status=FAILED&status=PARTIALLY_SUCCEEDED');
    expect(listed.body.jobs.map((job: { jobId: string }) => job.jobId)).to.include(jobId);
    const failed = await get(`jobs/${jobId}/tasks?state=FAILED`);
    expect(failed.body.tasks.map((task: { index: number }) => task.index)).to.deep.equal([3]);
    const [{ failure }] = failed.body.tasks;
    expect((await get(`jobs/${jobId}/tasks?code=${failure.code}`)).body).to.deep.equal(failed.body);
    expect((await get(`jobs/${jobId}/tasks?state=LOST`)).body.code).to.equal('VALIDATION_ERROR');
  });
});
