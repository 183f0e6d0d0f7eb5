/** The request of a job, as its customer may read it and send it again. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { sentRequest } from '../../src/services/jobs/sent-request.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';

describe('the request of a job', () => {
  const home = suiteHome();
  let owner: Owner;
  before(async () => {
    owner = await newAccount(home.db, 1_000);
  });

  const SENT = { jobType: 'simulation', simulator: 'noop', taskCount: 40 } as const;
  const admitted = async (request: SubmitJobRequest): Promise<string> => {
    const { jobId, ...admission } = admissionOf(owner, { request, inputs: [] });
    await admitJob(home.db, { ...admission, jobId }, randomUUID());
    return jobId;
  };
  const read = (jobId: string, { accountId, userId } = owner) =>
    sentRequest({ db: home.db, store: home.store }, ownerOf(accountId, userId), jobId);

  it('has neither the keys nor the quote of the submit, and only files of the customer', async () => {
    const own = `accounts/${owner.accountId}/uploads/u/a.fasta`;
    const link = { requestId: 'r', runId: 'r', idempotencyKey: 'a key of eight' };
    const jobId = await admitted({
      ...{ ...SENT, attachments: ['databases/swissprot/1/x.phr', own] },
      ...{ idempotencyKey: 'a key of eight', quoteId: 'q', dockingRequest: link },
    });
    const { request, submittable } = await read(jobId);
    expect(request).to.deep.equal({ ...SENT, attachments: [own] });
    expect(submittable).to.equal(true);
    const searching = await admitted({ ...SENT, attachments: ['databases/swissprot/1/x.phr'] });
    expect((await read(searching)).request).to.deep.equal(SENT);
  });

  it('of a batch is said to be no submit, and shows nothing of the index of its library', async () => {
    const preparation = { protonationPh: 7.4, addHydrogens: true, generate3d: true } as const;
    const jobId = await admitted({
      ...SENT,
      simulationParams: { seed: 7, libraryUse: { libraryId: randomUUID(), file: null, preparation } },
    });
    const { request, submittable, advice } = await read(jobId);
    expect(request).to.deep.equal({ ...SENT, simulationParams: { seed: 7 } });
    expect(submittable).to.equal(false);
    expect(advice).to.contain('batch');
  });

  it("is nobody else's", async () => {
    const jobId = await admitted(SENT);
    expect(await codeOf(read(jobId, await newAccount(home.db, 0)))).to.equal('NOT_FOUND');
    expect(await codeOf(read('no id'))).to.equal('NOT_FOUND');
  });
});
