/** Receipts of jobs that were really admitted, committed and settled: issued once, for ever the same, and proven by their keys. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { withStoredContent } from '../../api/projects/content.ts';
import { citationText } from '../../src/domain/citations.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { jobBill } from '../../src/services/jobs/bill.ts';
import { issueDueReceipts, issueReceipt } from '../../src/services/receipts/issue.ts';
import {
  createReceiptSigner,
  listReceiptKeys,
  publishReceiptKeys,
} from '../../src/services/receipts/keys.ts';
import type { ReceiptSigner } from '../../src/services/receipts/keys.ts';
import { readReceipt, readRunReceipt } from '../../src/services/receipts/read.ts';
import { issueRevisionReceipts, readRevisionReceipt } from '../../src/services/receipts/revisions.ts';
import { verifyReceipt, verifyRevisionReceipt } from '../../src/services/receipts/verify.ts';
import { createProjects } from '../../src/services/projects/index.ts';
import { createSecretBox } from '../../src/services/secret-box.ts';
import { canonicalJson, canonicalSha256 } from '../../src/tools/canonical.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import type { SignedReceipt } from '../../src/domain/answers.ts';

const CONTENT = 'an output';
const tools = createToolRegistry({ testTools: TEST_TOOLS });
const ISSUER = 'https://dockyard.example.org';

const newSigner = (id: string): ReceiptSigner => {
  const signer = createReceiptSigner(`${id}:${randomBytes(32).toString('hex')}`);
  if (signer === null) throw new Error('no key');
  return signer;
};

describe('receipts', () => {
  const home = suiteHome();
  const signer = newSigner('first');
  before(() => publishReceiptKeys(home.db, signer));

  const deps = (by: ReceiptSigner | null = signer) => ({ db: home.db, tools, signer: by, issuer: ISSUER });
  /** A job of 40 tasks whose first one is verified, settled as cancelled. */
  const settledJob = async (more: Parameters<typeof runningJob>[2] = {}): Promise<RunningJob> => {
    const job = await runningJob(home, [], more);
    const { jobId } = job;
    await stage(home, jobId, CONTENT);
    await commitTasks(
      { ...home, tools },
      {
        ...({ jobId, execution: 1, slot: 0, generation: 1, kind: 'task' } as const),
        reports: [reportOf('result.bin', CONTENT)],
      },
    );
    await settle(jobId);
    return job;
  };
  const settle = (jobId: string) =>
    settleJob(home.db, {
      ...{ jobId, execution: 1, transition: 9, to: 'CANCELLED' },
      ...{ reason: null, pauseReason: null },
    });
  const read = ({ jobId, accountId }: RunningJob, execution: number | null = null): Promise<SignedReceipt> =>
    readReceipt(home.db, ownerOf(accountId), jobId, { execution });

  it('say what was asked for, what came out and what it cost, as rows and ledger have it', async () => {
    const job = await settledJob();
    expect(await issueReceipt(deps(), { jobId: job.jobId, execution: 1 })).to.equal(true);
    const { receipt } = await read(job);
    const bill = await jobBill(home.db, ownerOf(job.accountId), job.jobId);
    const [billed] = bill.executions;
    expect(receipt).to.deep.include({
      ...{ issuer: ISSUER, jobId: job.jobId, execution: 1, outcome: 'CANCELLED', simulator: 'noop' },
      tasks: { total: 40, verified: 1, failed: 0 },
      attempts: { started: 1, repeated: [] },
      transactions: billed?.transfers,
      toolchainSha256: [tools.find('noop').work.toolchainSha256()],
    });
    expect(receipt.price).to.include({
      ...{ chargedCents: bill.chargedCents, totalMicro: billed?.totalMicro },
      ...{ heldCents: billed?.heldCents, releasedCents: billed?.releasedCents },
    });
    expect(receipt.outputs.map(({ artifactId: _, ...output }) => output)).to.deep.equal([
      {
        ...{ taskIndex: 0, name: 'result.bin', byteSize: CONTENT.length },
        sha256: createHash('sha256').update(CONTENT).digest('hex'),
      },
    ]);
    const [row] = await home.db.query('select fingerprint from jobs where id = $1', [job.jobId]);
    expect(receipt.requestSha256).to.equal(row.fingerprint);
  });

  it('are issued once and stay the same, by however many issuers and keys', async () => {
    const job = await settledJob();
    const of = { jobId: job.jobId, execution: 1 };
    const issued = await Promise.all([1, 2, 3].map(() => issueReceipt(deps(), of).catch(() => false)));
    expect(issued.filter(Boolean)).to.have.length(1);
    const first = await read(job);
    await home.db.query('update tasks set attempts = 7 where job_id = $1', [job.jobId]);
    await settle(job.jobId);
    const second = newSigner('second');
    await publishReceiptKeys(home.db, second);
    expect(await issueReceipt(deps(second), of)).to.equal(false);
    expect(await issueDueReceipts(deps(second))).to.equal(0);
    expect(await read(job)).to.deep.equal(first);
    expect(verifyReceipt(first, await listReceiptKeys(home.db)), 'with the old key').to.include({ ok: true });
  });

  it('are made by the sweep where the settlement could not, once there is a key', async () => {
    const job = await settledJob();
    expect(await codeOf(read(job))).to.equal('RECEIPT_NOT_READY');
    expect(await issueDueReceipts(deps(null))).to.equal(0);
    expect(await issueDueReceipts(deps())).to.be.at.least(1);
    expect(verifyReceipt(await read(job), await listReceiptKeys(home.db))).to.include({ ok: true });
  });

  it('are there for settled executions of customers alone', async () => {
    const open = await runningJob(home);
    expect(await issueReceipt(deps(), { jobId: open.jobId, execution: 1 })).to.equal(false);
    expect(await codeOf(read(open))).to.equal('RECEIPT_NOT_READY');
    expect(await codeOf(read(open, 2))).to.equal('NOT_FOUND');
    const internal = await settledJob({ internal: true });
    expect(await issueReceipt(deps(), { jobId: internal.jobId, execution: 1 })).to.equal(false);
    expect(await codeOf(read(internal))).to.equal('NOT_FOUND');
    const { accountId } = await newAccount(home.db, 0);
    const job = await settledJob();
    await issueReceipt(deps(), { jobId: job.jobId, execution: 1 });
    expect(await codeOf(read({ ...job, accountId }))).to.equal('NOT_FOUND');
    expect(await codeOf(read({ ...job, jobId: randomUUID() }))).to.equal('NOT_FOUND');
  });

  it('are found by the run whose job they are of, in its own account alone', async () => {
    const job = await settledJob();
    await issueReceipt(deps(), { jobId: job.jobId, execution: 1 });
    const runId = randomUUID();
    const experimentId = randomUUID();
    await home.db.query(
      `insert into docking_experiments (id, account_id, user_id, name, receptor_identity, ligand_identity, parameters)
       select $2, account_id, user_id, 'an experiment', '{}', '{}', '{}' from jobs where id = $1`,
      [job.jobId, experimentId],
    );
    await home.db.query(
      `insert into docking_runs (id, account_id, user_id, experiment_id, number, job_id, request_id)
       select $2, account_id, user_id, $3, 1, id, 'r' from jobs where id = $1`,
      [job.jobId, runId, experimentId],
    );
    expect(await readRunReceipt(home.db, ownerOf(job.accountId), runId)).to.deep.equal(await read(job));
    const { accountId } = await newAccount(home.db, 0);
    for (const [who, id] of [
      [accountId, runId],
      [job.accountId, randomUUID()],
      [job.accountId, 'no-id'],
    ] as const)
      expect(await codeOf(readRunReceipt(home.db, ownerOf(who), id))).to.equal('NOT_FOUND');
  });

  it('do not start with a key id that stands for another key', async () => {
    await publishReceiptKeys(home.db, signer);
    const refused = await publishReceiptKeys(home.db, newSigner('first')).catch((error: unknown) => error);
    expect(String(refused)).to.include('The key id first');
  });

  it('of revisions say by digests what the content names and which receipts its jobs have, once and for ever', async () => {
    const job = await settledJob();
    const owner = ownerOf(job.accountId);
    const projects = createProjects({
      ...{ db: home.db, box: createSecretBox(`a:${'0a'.repeat(32)}`), publicUrl: ISSUER },
    });
    const [output] = await home.db.query('select id, sha256 from artifacts where job_id = $1', [job.jobId]);
    const [unknown, structure] = [randomUUID(), { pdbId: '1hpv', sha256: 'a'.repeat(64) }];
    const content = {
      notes: 'α "/api/v1/molecular/assets/no"',
      sources: [output.id, unknown, output.id]
        .map((id: string) => `/api/v1/molecular/assets/${id}`)
        .concat(`/api/v1/molecular/structures/${structure.pdbId}?sha256=${structure.sha256}`),
    };
    const body = { name: 'Kinase\n& 50%_{1}', content };
    const fingerprint = canonicalSha256(body);
    const { project } = await projects.create(owner, {
      body: withStoredContent(body).value,
      idempotencyKey: randomUUID(),
      fingerprint,
    });
    const place = { projectId: project.id, version: 1 };
    const readOf = () => readRevisionReceipt(home.db, owner, place);
    expect(await codeOf(readOf())).to.equal('RECEIPT_NOT_READY');
    expect(await issueRevisionReceipts(deps(null)), 'without a key').to.equal(0);
    expect(await issueRevisionReceipts(deps()), 'before the receipt of the job').to.equal(0);
    await issueReceipt(deps(), { jobId: job.jobId, execution: 1 });
    const rounds = await Promise.all([issueRevisionReceipts(deps()), issueRevisionReceipts(deps())]);
    expect(rounds.toSorted()).to.deep.equal([0, 1]);
    const signed = await readOf();
    const { receipt: ofJob } = await read(job);
    const [saved] = (await projects.listRevisions(owner, project.id, { limit: 1 })).revisions;
    expect(signed.receipt).to.deep.equal({
      ...{ schema: 'dockyard.revision-receipt/v1', issuer: ISSUER, ...place, sourceVersion: null },
      ...{ savedAt: saved?.createdAt, contentSha256: canonicalSha256(content) },
      byteSize: Buffer.byteLength(canonicalJson(content)),
      sources: [
        {
          ...{ artifactId: output.id, name: 'result.bin', byteSize: CONTENT.length },
          ...{ sha256: output.sha256, jobId: job.jobId },
        },
      ],
      structures: [structure],
      missing: [unknown],
      jobs: [
        {
          ...{ jobId: job.jobId, requestSha256: ofJob.requestSha256 },
          receipts: [{ execution: 1, sha256: canonicalSha256(ofJob) }],
        },
      ],
    });
    const keys = await listReceiptKeys(home.db);
    expect(verifyRevisionReceipt(signed, keys)).to.include({ ok: true });
    for (const changed of [
      { ...signed.receipt, version: 2 },
      { ...signed.receipt, sources: [] },
      { ...signed.receipt, jobs: signed.receipt.jobs.map((each) => ({ ...each, receipts: [] })) },
    ])
      expect(verifyRevisionReceipt({ ...signed, receipt: changed }, keys)).to.include({ what: 'signature' });
    expect(verifyRevisionReceipt(await read(job), keys), 'of another kind').to.include({ what: 'form' });
    const change = 'update molecular_receipts set due_at = now() where project_id = $1';
    expect(await home.db.query(change, [project.id]).catch(String)).to.include('never changes');
    const { accountId } = await newAccount(home.db, 0);
    expect(await codeOf(readRevisionReceipt(home.db, ownerOf(accountId), place))).to.equal('NOT_FOUND');

    const cited = await projects.cite(owner, place);
    expect(citationText(cited, 'text')).to.equal(
      `Kinase & 50%_{1}, version 1 [molecular project]. Dockyard, ${project.updatedAt.slice(0, 10)}. ${ISSUER}/molecular/studio?project=${project.id}&revision=1 (SHA-256 of the content: ${project.contentSha256})\n`,
    );
    const shared = await projects.share(owner, project.id, {
      ...{ body: { expectedVersion: 1 }, idempotencyKey: randomUUID(), fingerprint: 'f' },
    });
    const bibtex = citationText(await projects.cite(owner, place), 'bibtex');
    expect(bibtex)
      .to.contain('title = {{Kinase \\& 50\\%\\_\\{1\\}}},\n')
      .and.contain(`url = {${ISSUER}${shared.project.share?.link}},\n`);
  });
});
