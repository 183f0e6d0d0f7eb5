/** One key, one job: every repetition of a submit, by whatever process and at whatever time, names the same job. */
import { randomUUID } from 'node:crypto';

import { Client, Connection } from '@temporalio/client';
import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { grantCredits } from '../../src/services/ledger/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING, noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { withLong } from '../support/long.ts';
import { until } from '../support/until.ts';

describe('POST /jobs/submit: idempotency', () => {
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
  });
  beforeEach(async () => {
    owner = await api.account();
  });

  // The server takes half a minute to forget a history; the other tests run meanwhile.
  const forgotten = {
    owner: null as NewAccount | null,
    first: null as Answer | null,
    gone: Promise.resolve(),
  };
  before(async () => {
    forgotten.owner = await api.account();
    forgotten.first = await api.submit(forgotten.owner.liveKey, noopJob(), 'outlives-its-history');
    await api.reaches(forgotten.owner.liveKey, forgotten.first.body.jobId, 'SUCCEEDED');
    forgotten.gone = forgetHistory(api, forgotten.first.body.jobId);
    forgotten.gone.catch(() => undefined);
  });
  // A run of single tests ends before the server has forgotten the history.
  after(async function () {
    this.timeout(240_000);
    await forgotten.gone;
  });

  const jobs = async (): Promise<number> => (await api.leftovers(owner.accountId)).jobs;
  const withoutReplay = ({ body }: Answer): unknown => ({ ...body, idempotentReplay: undefined });

  it('accepts a job, says what is held, and answers a repeat from memory', async () => {
    const first = await api.submit(owner.liveKey, noopJob(4), 'first-of-its-kind');
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect(first.body).to.include({
      jobType: 'simulation',
      status: 'SUBMITTED',
      provider: 'inprocess',
      estimatedCost: 0.06,
      currency: 'GBP',
      creditCurrency: 'GBP',
      fxRate: 1,
      heldCents: 6,
    });
    expect(first.body.message).to.include('£0.06');
    expect(first.body).to.not.have.property('idempotentReplay');
    const again = await api.submit(owner.liveKey, noopJob(4), 'first-of-its-kind');
    expect(again.body).to.deep.equal({ ...first.body, idempotentReplay: true });
    expect(await jobs()).to.equal(1);
  });

  it('takes the key from header, body or both, refuses another body under it, and keeps those of accounts apart', async () => {
    const other = await api.account();
    const inBody = { ...noopJob(), idempotencyKey: 'key-of-many-places' };
    const first = await api.submit(owner.liveKey, noopJob(), 'key-of-many-places');
    for (const answer of [
      await api.submit(owner.liveKey, inBody),
      await api.submit(owner.liveKey, inBody, 'key-of-many-places'),
      await api.submit(owner.liveKey, inBody, '"key-of-many-places"'),
    ]) {
      expect(answer.body).to.deep.include({ jobId: first.body.jobId, idempotentReplay: true });
    }
    const second = await api.submit(owner.liveKey, noopJob(2), 'key-of-many-places');
    expect(second.status).to.equal(422);
    expect(second.body).to.include({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect((await api.submit(owner.liveKey, noopJob(), 'key-of-many-places')).body.jobId).to.equal(
      first.body.jobId,
    );
    expect(await jobs()).to.equal(1);
    const theirs = await api.submit(other.liveKey, noopJob(), 'key-of-many-places');
    expect(theirs.body.jobId).to.not.equal(first.body.jobId);
  });

  it('makes one job of 50 equal submits at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.submit(owner.liveKey, noopJob(3), 'fifty-at-once')),
    );
    expect(answers.map((answer) => answer.status)).to.deep.equal(Array.from({ length: 50 }, () => 200));
    // A stored answer has its members in another order than one that was just decided.
    for (const answer of answers)
      expect(withoutReplay(answer)).to.deep.equal(withoutReplay(answers[0] ?? answer));
    expect(answers.filter((answer) => answer.body.idempotentReplay === undefined)).to.have.length(1);
    expect(await api.leftovers(owner.accountId)).to.include({ jobs: 1, holds: 1 });
  });

  it('accepts one of two different bodies with one key at once', async () => {
    const keys = withLong(['race-of-two-1'], ['race-of-two-2', 'race-of-two-3']);
    for (const key of keys) {
      const answers = await Promise.all([
        api.submit(owner.liveKey, noopJob(1), key),
        api.submit(owner.liveKey, noopJob(2), key),
      ]);
      expect(answers.map((answer) => answer.status).sort()).to.deep.equal([200, 422]);
      expect(answers.find((answer) => answer.status === 422)?.body).to.include({
        code: 'IDEMPOTENCY_KEY_REUSED',
      });
    }
    expect(await jobs()).to.equal(keys.length);
  });

  it('does not remember a refusal: after a top-up the same key is accepted', async () => {
    owner = await api.account(4);
    const refused = await api.submit(owner.liveKey, noopJob(4), 'try-try-again');
    expect(refused.status).to.equal(402);
    expect(refused.body).to.include({ code: 'INSUFFICIENT_CREDITS' });
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
    await grantCredits(api.db, {
      accountId: owner.accountId,
      amountPence: 2,
      key: randomUUID(),
      description: 'top-up',
    });
    const accepted = await api.submit(owner.liveKey, noopJob(4), 'try-try-again');
    expect(accepted.status, JSON.stringify(accepted.body)).to.equal(200);
    expect(accepted.body).to.not.have.property('idempotentReplay');
  });

  it('keeps one stored object of a large request that is sent many times at once', async () => {
    const large = { ...noopJob(2), parameters: { note: 'x'.repeat(100_000) } };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.submit(owner.liveKey, large, 'large-and-equal')),
    );
    expect(answers.every((answer) => answer.status === 200)).to.equal(true);
    expect(await api.leftovers(owner.accountId)).to.include({ jobs: 1, requests: 1 });
    // By such rows the sweep finds what a crash leaves in the store.
    const noted = await api.db.query<unknown[]>(
      'select 1 from stored_requests r join jobs j on j.id = r.job_id and j.request_key = r.request_key where j.id = $1',
      [answers[0]?.body.jobId],
    );
    expect(noted).to.have.length(1);
    await api.reaches(owner.liveKey, answers[0]?.body.jobId, 'SUCCEEDED');
  });

  it('makes a job of each submit without a key', async () => {
    const [first, second] = await Promise.all([
      api.submit(owner.liveKey, noopJob()),
      api.submit(owner.liveKey, noopJob()),
    ]);
    expect(first.body.jobId).to.not.equal(second.body.jobId);
    expect(await jobs()).to.equal(2);
  });

  it('replays when the history of the workflow is gone', async function () {
    this.timeout(120_000);
    await forgotten.gone;
    const again = await api.submit(forgotten.owner?.liveKey ?? '', noopJob(), 'outlives-its-history');
    expect(again.body).to.deep.equal({ ...forgotten.first?.body, idempotentReplay: true });
    expect(await api.leftovers(forgotten.owner?.accountId ?? '')).to.include({
      jobs: 1,
      holds: 1,
      heldPence: 0,
    });
  });
});

async function forgetHistory(api: TestApi, jobId: string): Promise<void> {
  const { temporalAddress: address, temporalNamespace: namespace } = api.stack;
  const connection = await Connection.connect({ address });
  const workflow = new Client({ connection, namespace }).workflow.getHandle(jobWorkflowId(jobId));
  await workflow.result();
  await connection.workflowService.deleteWorkflowExecution({
    namespace,
    workflowExecution: { workflowId: workflow.workflowId },
  });
  const isGone = (): Promise<boolean> =>
    workflow.describe().then(
      () => false,
      () => true,
    );
  await until('the history is gone', isGone, 100_000);
  await connection.close();
}
