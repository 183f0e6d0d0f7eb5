/**
 * Every write of the declared endpoints under one key: many equal requests at once have one effect, and a repeat after a
 * process died between the effect and the answer answers what the first would have answered. An endpoint without a case
 * fails the test.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { endpoints } from '../../api/endpoints.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { IS_LONG } from '../support/long.ts';
import { sessionOf } from '../support/session-of.ts';

const AT_ONCE = IS_LONG ? 50 : 6;
const FILE = { filename: 'x.pdb', contentType: 'chemical/x-pdb', size: 7 };
const CONTENT = 'HEADER\n';

const EXPERIMENTS = 'molecular/docking/experiments';
const EXPERIMENT = {
  name: 'an experiment',
  receptor: { source: { kind: 'pdb', pdbId: '1A28' } },
  ligand: { ligandId: 'l', label: 'L', source: { kind: 'smiles', smiles: 'CCO' }, preparation: {} },
  parameters: { box: { derivation: { kind: 'ligand', componentId: 'STR' } }, protocol: {} },
};
const BATCHES = 'molecular/docking/batches';
const batchOf = (noop: object): object => ({
  ...{ name: 'a batch', engine: 'noop', metadata: { noop } },
  ligands: [{ ligandId: 'l', label: 'L', source: { kind: 'smiles', smiles: 'CCO' }, preparation: {} }],
});
const CANCELLED_JOB = {
  status: 202,
  effects: `select count(*)::int as n from jobs where account_id = $1 and cancel_requested_at is not null`,
  count: 1,
};

interface Case {
  readonly method?: 'POST' | 'PUT';
  /** The caller is an owner with a session. */
  readonly isForPeople?: true;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  /** What the effect is counted in: rows, or what changes with each further effect. */
  readonly effects: string;
  /** How many effects one request has. */
  readonly count: number;
  /** Ends what the effect has begun and no test waits for. */
  readonly undo?: (answer: Answer) => Promise<unknown>;
}

/**
 * Members of answers that are made anew for each answer: addresses and tokens, with their times, and how a job, a run or an export
 * stands.
 */
const FRESH =
  /"(uploadUrl|url|expiresAt|resolutionToken|quoteId|quoteExpiresAt|headers|status|message|counts|started_at|finished_at|artifact|failure)":("[^"]*"|\{[^}]*\}|null)/g;

/**
 * Inspections and conversions run a tool for a while; `test/services/inspections.test.ts` shows the same of inspections. A key or a session
 * that has ended itself can repeat nothing; `test/api/keys.test.ts` and `test/api/sessions.test.ts` show what it is answered, and `test/api/account.test.ts` of a closed account. A
 * new key is shown once, so its repeat is refused; `test/api/session-keys.test.ts` shows how. Secrets and codes of second
 * factors are shown once, too; `test/api/totp.test.ts` shows what repeats are answered. Licence servers are kept by people;
 * `test/services/license-servers.test.ts` shows the same of them, and `test/services/webhooks.test.ts` of webhooks. Cost limits and mails are set to what is sent, so a repeat changes
 * nothing; `test/services/billing-settings.test.ts` and `test/services/alerts.test.ts` show that. A top-up and a subscription
 * need a provider of payments; `test/services/topups.test.ts` shows their repeats.  A code for a command line is shown once, and a repeat draws another one. A change of a project is one transaction
 * with its key, so no process can die between the two; `test/services/molecular-projects.test.ts` shows its repeats.
 */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...['inspectReceptor', 'convertFile', 'revokeThisApiKey', 'signOut', 'createApiKey', 'rotateApiKey'],
  'closeAccount',
  ...['beginSecondFactor', 'confirmSecondFactor', 'disableSecondFactor'],
  ...['approveCli', 'addLicenseServer', 'changeLicenseServer', 'testLicenseServer'],
  ...endpoints.filter(({ path }) => path.startsWith('/webhooks')).map(({ operationId }) => operationId),
  ...['setBillingSettings', 'setNotificationSettings', 'startTopup', 'subscribe', 'openBillingPortal'],
  ...endpoints.filter(({ keyRequired }) => keyRequired === true).map(({ operationId }) => operationId),
]);

describe('writes under one key', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let person: Readonly<Record<string, string>>;
  let storageKey: string;
  before(async () => {
    api = await testApi();
    owner = await api.account();
    person = (await sessionOf(api, owner.accountId)).headers;
    storageKey = await api.upload(owner.liveKey, CONTENT);
  });

  const post = (path: string, body: unknown): Promise<Answer> => api.call(owner.liveKey, 'POST', path, body);
  const send = ({ method = 'POST', isForPeople, path, body }: Case, key: string): Promise<Answer> =>
    api.call(isForPeople === true ? null : owner.liveKey, method, path, body, {
      headers: { ...(isForPeople === true ? person : {}), 'idempotency-key': key },
    });
  const openUpload = async (): Promise<string> => (await post('uploads', FILE)).body.uploadId;
  const ROWS = (table: string): string => `select count(*)::int as n from ${table} where account_id = $1`;

  interface MadeBatch {
    readonly batch: { readonly id: string; readonly run_id: string };
  }
  let docked: Promise<MadeBatch> | undefined;
  const dockedBatch = async (): Promise<MadeBatch> => {
    const made = await post(BATCHES, batchOf({ seconds: 0 }));
    await api.ends(owner.liveKey, made.body.jobId, 60);
    return made.body;
  };
  /** The export of a batch that has ended; `of` says of what. The file of the export is made while the requests are repeated. */
  const exportOf = async (of: (made: MadeBatch) => string): Promise<Case> => {
    const made = await (docked ??= dockedBatch());
    return {
      ...{ path: `${of(made)}/export`, body: { format: 'csv' }, status: 202 },
      ...{ effects: ROWS('docking_exports'), count: 1 },
    };
  };

  const CASES: Readonly<Record<string, () => Promise<Case>>> = {
    submitJob: async () => ({
      ...{ path: 'jobs/submit', body: noopJob(), status: 200, effects: ROWS('jobs'), count: 1 },
    }),
    estimateJob: async () => ({
      path: 'jobs/estimate',
      body: { jobType: 'simulation', simulator: 'noop', taskCount: 1 },
      ...{ status: 200, effects: ROWS('jobs'), count: 0 },
    }),
    cancelJob: async () => {
      const job = await post('jobs/submit', noopJob(1, { seconds: 600 }));
      const effects = `select count(*)::int as n from jobs where account_id = $1 and cancel_requested_at is not null`;
      return { path: `jobs/${job.body.jobId}/cancel`, body: {}, status: 202, effects, count: 1 };
    },
    resumeJob: async () => {
      // The job fails again after its resume, so that no instance is kept from the tests that follow.
      const job = await post(
        'jobs/submit',
        noopJob(1, { seconds: 0.1, fail: [{ index: 0, kind: 'error' }] }),
      );
      const { jobId } = job.body;
      await api.reaches(owner.liveKey, jobId, 'FAILED');
      const effects = `select count(*)::int as n from job_executions e join jobs j on j.id = e.job_id
        where j.account_id = $1 and e.n > 1`;
      return { path: `jobs/${jobId}/resume`, body: {}, status: 202, effects, count: 1 };
    },
    createUploadUrl: async () => ({
      ...{ path: 'jobs/upload-url', body: FILE, status: 200, effects: ROWS('stored_objects'), count: 1 },
    }),
    initMultipartUpload: async () => ({
      ...{ path: 'uploads', body: FILE, status: 201, effects: ROWS('uploads'), count: 1 },
    }),
    createPartUrls: async () => ({
      path: `uploads/${await openUpload()}/parts`,
      ...{ body: { parts: [{ partNumber: 1 }] }, status: 200, effects: ROWS('uploads'), count: 0 },
    }),
    completeMultipartUpload: async () => {
      const { uploadId, parts } = (await post('uploads', FILE)).body;
      const put = await fetch(parts[0].url, { method: 'PUT', body: CONTENT });
      const body = { parts: [{ partNumber: 1, etag: put.headers.get('etag') }] };
      const effects = `select count(*)::int as n from uploads where account_id = $1 and state = 'COMPLETED'`;
      return { path: `uploads/${uploadId}/complete`, body, status: 200, effects, count: 1 };
    },
    registerDockingArtifact: async () => ({
      path: 'molecular/docking/artifacts',
      ...{ body: { storageKey, format: 'pdb' }, status: 201, effects: ROWS('artifacts'), count: 1 },
    }),
    createDockingArtifactDownloadUrl: async () => {
      const made = await post('molecular/docking/artifacts', { storageKey, format: 'mmcif' });
      const path = `molecular/docking/artifacts/${made.body.artifact.artifactId}/download-url`;
      return { path, status: 200, effects: ROWS('artifacts'), count: 0 };
    },
    inviteMember: async () => ({
      ...{ isForPeople: true, path: 'invitations', status: 201 },
      body: { email: `${randomUUID()}@example.org`, role: 'member' },
      ...{ effects: ROWS('invitations'), count: 1 },
    }),
    changeMember: async () => {
      const userId = randomUUID();
      await api.db.query(`insert into users (id, account_id, email, role) values ($1, $2, $3, 'member')`, [
        ...[userId, owner.accountId, `${userId}@example.org`],
      ]);
      const effects = `select count(*)::int as n from audit_log where account_id = $1 and action = 'member.changed'`;
      return {
        ...{ isForPeople: true, method: 'PUT', path: `members/${userId}`, body: { role: 'owner' } },
        ...{ status: 200, effects, count: 1 },
      };
    },
    createDockingExperiment: async () => ({
      ...{ path: EXPERIMENTS, body: EXPERIMENT, status: 201 },
      ...{ effects: ROWS('docking_experiments'), count: 1 },
    }),
    createDockingRun: async () => {
      const { body: made } = await post('molecular/docking/artifacts', {
        ...{ storageKey: await api.upload(owner.liveKey, CONTENT), format: 'pdb' },
      });
      const { body } = await post(EXPERIMENTS, {
        ...{ ...EXPERIMENT, receptor: { artifactId: made.artifact.artifactId } },
      });
      return {
        ...{ path: `${EXPERIMENTS}/${body.experiment.id}/runs`, body: {}, status: 202 },
        ...{ effects: ROWS('docking_runs'), count: 1 },
        undo: ({ body: { run } }) => post(`molecular/docking/runs/${run.id}/cancel`, {}),
      };
    },
    cancelDockingRun: async () => {
      const { body } = await post(BATCHES, batchOf({ seconds: 20 }));
      return { path: `molecular/docking/runs/${body.batch.run_id}/cancel`, ...CANCELLED_JOB };
    },
    createDockingBatch: async () => ({
      ...{ path: BATCHES, body: batchOf({ seconds: 0 }), status: 202 },
      ...{ effects: ROWS('docking_batches'), count: 1 },
    }),
    cancelDockingBatch: async () => {
      const { body } = await post(BATCHES, batchOf({ seconds: 20 }));
      return { path: `${BATCHES}/${body.batch.id}/cancel`, ...CANCELLED_JOB };
    },
    retryFailedDocking: async () => {
      const made = await post(BATCHES, batchOf({ seconds: 0, fail: [{ index: 0, kind: 'exit' }] }));
      await api.ends(owner.liveKey, made.body.jobId, 60);
      return {
        ...{ path: `${BATCHES}/${made.body.batch.id}/retry-failed`, status: 202 },
        ...{ effects: ROWS('docking_runs'), count: 1 },
      };
    },
    exportDockingBatch: () => exportOf(({ batch }) => `${BATCHES}/${batch.id}`),
    exportDockingRun: () => exportOf(({ batch }) => `molecular/docking/runs/${batch.run_id}`),
    resolveLigand: async () => ({
      path: 'molecular/docking/ligands/resolve',
      ...{ body: { query: 'C', kind: 'smiles' }, status: 200, effects: ROWS('jobs'), count: 0 },
    }),
  };
  const count = async (sql: string): Promise<number> => {
    const [row] = await api.db.query<{ n: number }[]>(sql, [owner.accountId]);
    return row?.n ?? NaN;
  };
  const sameOf = ({ status, body }: Answer): unknown => [
    status,
    JSON.parse(JSON.stringify({ ...body, idempotentReplay: undefined }).replaceAll(FRESH, '"$1":0')),
  ];
  /** Leaves the key as a process does that was killed between the effect and the answer, a minute ago. */
  const dieBeforeAnswer = (key: string): Promise<unknown> =>
    api.db.query(
      `update idempotency_keys set response_status = null, response_body = null, locked_until = now() - interval '1 second'
       where account_id = $1 and key = $2`,
      [owner.accountId, key],
    );

  // Keys belong to an account, and whoever signs up or in has none yet: there, codes are used once and tries are counted.
  const writes = endpoints.filter(
    ({ method, access }) => (method === 'POST' || method === 'PUT') && access !== 'none',
  );
  for (const endpoint of writes) {
    const { operationId } = endpoint;
    if (ELSEWHERE.has(operationId)) continue;
    it(`have one effect and one answer: ${operationId}`, async () => {
      const make = CASES[operationId] ?? expect.fail(`${operationId} is a write without a case in this test`);
      const request = await make();
      const { status, effects, count: expected } = request;
      const key = `at-once-${randomUUID()}`;
      const before = await count(effects);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => send(request, key)));
      const done = answers.filter((answer) => answer.status === status);
      const others = answers.filter((answer) => answer.status !== status);
      expect(done.length, JSON.stringify(others[0]?.body)).to.be.greaterThan(0);
      for (const { status: other, body: refusal } of others)
        expect(`${other} ${refusal.code}`).to.be.oneOf([
          '409 IDEMPOTENCY_IN_PROGRESS',
          '503 SERVICE_UNAVAILABLE',
        ]);
      expect((await count(effects)) - before, 'effects').to.equal(expected);

      await dieBeforeAnswer(key);
      const [first] = done;
      const repeat = await send(request, key);
      expect(repeat.headers.get('location')).to.equal(first?.headers.get('location') ?? null);
      expect(sameOf(repeat)).to.deep.equal(sameOf(first ?? expect.fail()));
      expect((await count(effects)) - before, 'effects of the repeat').to.equal(expected);
      expect(sameOf(await send(request, key)), 'a second repeat').to.deep.equal(sameOf(repeat));
      await request.undo?.(repeat);
    });
  }
});
