/** Services that record their calls; the real services are tested in test/api. */
import { Readable } from 'node:stream';

import type { Services } from '../../../api/services.ts';
import type { IdempotencyRequest } from '../../../src/services/idempotency.ts';
import type { StatusWait } from '../../../src/services/jobs/status.ts';
import type { ArtifactReference } from '../../../src/domain/requests.ts';
import type { SubmitCommand } from '../../../src/services/jobs/submit.ts';
import type { KeyActor, Scope, SessionActor } from '../../../src/domain/access.ts';
import { SCOPES } from '../../../src/domain/access.ts';
import { AppError } from '../../../src/domain/errors.ts';

import { fakeDocking, fakeDockingExports } from './fake-docking.ts';
import { fakeMoney } from './fake-money.ts';
import { AT, JOB_ID, fakeMembers } from './fake-people.ts';
import { fakeLicenseServers } from './fake-settings.ts';
import { fakeWebhooks } from './fake-webhooks.ts';
import type { Loose } from './samples.ts';
import type { JobStatusResponse, SubmitJobResponse } from '../../../src/domain/answers.ts';

export { JOB_ID } from './fake-people.ts';

/** The operations that tests of this folder call; a new one has no fake, because the others are tested on the real services alone. */
export type Faked = { readonly [Room in keyof Services]?: Partial<Services[Room]> };

/** A file of the fake services. */
const ARTIFACT: ArtifactReference = {
  ...{ schema: 'svc.docking.artifact/v1', artifactId: JOB_ID, storageKey: 'k', sha256: 'a'.repeat(64) },
  ...{ byteSize: 1, mediaType: 'text/plain', format: 'pdb' },
};

const actorOf = (keyId: string, patch: Partial<KeyActor> = {}): KeyActor => ({
  accountId: 'account',
  userId: 'user',
  kind: 'key',
  keyId,
  environment: 'live',
  scopes: SCOPES,
  plan: 'free',
  ...patch,
});

const personOf = (role: SessionActor['role']): SessionActor => ({
  ...{ accountId: 'account', userId: 'user', plan: 'free' },
  ...{ kind: 'session', sessionId: `session of the ${role}`, role, isRecent: true },
});

const ACTORS: Readonly<Record<string, KeyActor>> = {
  ...{ svc_live_all: actorOf('live'), svc_live_other: actorOf('other', { accountId: 'other' }) },
  svc_live_pro: actorOf('pro', { plan: 'pro' }),
  svc_test_all: actorOf('test', { environment: 'test' }),
  svc_live_none: actorOf('none', { scopes: ['convert'] satisfies Scope[] }),
};

/** People by the values of their cookies. */
const PEOPLE: Readonly<Record<string, SessionActor>> = {
  person_owner: personOf('owner'),
  person_member: personOf('member'),
};

export const submitted: SubmitJobResponse = {
  jobId: JOB_ID,
  jobType: 'simulation',
  estimatedCost: 1.5,
  currency: 'USD',
  status: 'SUBMITTED',
  provider: 'local',
  message: 'Held 120 pence.',
  creditCurrency: 'GBP',
  fxRate: 0.79,
  heldCents: 120,
};

export const status: JobStatusResponse = {
  jobId: JOB_ID,
  jobType: 'simulation',
  jobName: null,
  status: 'RUNNING',
  execution: 1,
  provider: 'local',
  statusReason: null,
  pauseReason: null,
  cancelReason: null,
  queue: null,
  progress: { unit: 'task', total: 4, completed: 1, failed: 0, running: 1, percent: 25, etaSeconds: null },
  recovery: {
    mode: 'standard',
    resumable: false,
    resumableReason: 'The tool keeps no checkpoints.',
    recoveries: 1,
    ...{ tasksSetBack: 1, secondsLost: 2, chargedCents: 0 },
    events: [{ at: AT, cause: 'lost', tasksKept: 1, secondsLost: 2, chargedCents: 0 }],
  },
  instances: [],
  cost: {
    estimatedCost: 1.5,
    accruedCost: 0.4,
    currency: 'USD',
    creditCurrency: 'GBP',
    fxRate: 0.79,
    heldCents: 120,
    chargedCents: 0,
    releasedCents: 0,
    limitCents: null,
    ...{ forecast: null, toFinishCents: null, toFinishAdvice: null, toFinishFailsAgain: false },
  },
  failures: [],
  warnings: [],
  docking: null,
  render: null,
  outputsAvailable: true,
  submittedAt: AT,
  startedAt: AT,
  updatedAt: AT,
  finishedAt: null,
};

const LOG = 'line one\nline two\n';

export interface Calls {
  submit: SubmitCommand[];
  wait: StatusWait[];
  query: unknown[];
  claims: IdempotencyRequest[];
  lookUps: number;
  uploads: number;
  /** Mails that left after their answers. */
  mails: number;
  cancels: unknown[];
  kept: unknown[];
  events: { readonly body: Buffer; readonly signature: string }[];
}

/** Services that throw where a test has put an error for the named call. */
export interface Fakes {
  readonly services: Services;
  readonly calls: Calls;
  readonly failures: Map<string, unknown>;
  /** Keys that are authenticated without a look-up, as those of a cache are. */
  readonly remembered: Map<string, KeyActor | Promise<KeyActor>>;
  /** Keys that were good when they were looked up last. */
  readonly good: Set<string>;
}

const CONVERSION = {
  ...{ conversionId: JOB_ID, createdAt: AT, message: null, artifact: null, warnings: [] },
  status: 'RUNNING' as const,
};
const INSPECTION = { inspectionId: JOB_ID, createdAt: AT, message: null, report: null };

export function createFakes(): Fakes {
  const calls: Calls = {
    submit: [],
    wait: [],
    query: [],
    claims: [],
    ...{ lookUps: 0, uploads: 0, mails: 0 },
    cancels: [],
    kept: [],
    events: [],
  };
  const failures = new Map<string, unknown>();
  const remembered: Fakes['remembered'] = new Map();
  const good: Fakes['good'] = new Set();
  /** The answers under keys; null while the first request runs. */
  const answers = new Map<string, { status: number; body: unknown } | null>();
  const fail = (name: string): void => {
    if (failures.has(name)) throw failures.get(name);
  };
  const page = async (query: unknown, key: string): Promise<Loose> => {
    calls.query.push(query);
    return { [key]: [], nextCursor: null };
  };
  const upload = (suffix: string): Loose => {
    calls.uploads += 1;
    return {
      uploadUrl: `http://store/${suffix}`,
      s3Key: 'accounts/a/uploads/u/x',
      method: 'PUT',
      expiresIn: 3600,
      provider: 'aws-s3',
    };
  };
  const provenance = { kind: 'upload', uploadId: JOB_ID } as const;

  const services: Faked = {
    identity: {
      recall: (token) => remembered.get(token) ?? null,
      wasGood: (token) => good.has(token),
      authenticate: async (token) => {
        calls.lookUps += 1;
        fail('authenticate');
        const actor = ACTORS[token];
        if (actor === undefined) throw new AppError('UNAUTHORIZED', 'This key is not valid.');
        return actor;
      },
      session: async (cookie) => {
        calls.lookUps += 1;
        fail('session');
        const person = PEOPLE[cookie];
        if (person === undefined) throw new AppError('UNAUTHORIZED', 'You are not signed in.');
        return person;
      },
      wasSession: (cookie) => PEOPLE[cookie] !== undefined,
    },
    jobs: {
      submit: async (_actor, command) => {
        calls.submit.push(command);
        fail('submit');
        return submitted;
      },
      estimate: async () => ({
        estimatedCost: 1,
        currency: 'USD',
        heldCents: 80,
        ceilingCents: 80,
        longestTaskSeconds: 600,
        creditCurrency: 'GBP',
        fxRate: 0.79,
        fxSource: null,
        fxDate: null,
        warnings: [],
        quoteId: 'q'.repeat(40),
        quoteExpiresAt: '2026-11-22T12:15:00.000Z',
      }),
      list: async (_actor, query) => page(query, 'jobs'),
      status: async (_actor, _jobId, wait) => {
        calls.wait.push(wait);
        fail('status');
        return { version: 'v1', status };
      },
      outputs: async (_actor, jobId, query) => {
        calls.query.push(query);
        return {
          jobId,
          status: 'RUNNING',
          complete: false,
          final: false,
          expected: 4,
          present: 1,
          failed: ['0'],
          failedCount: 1,
          missing: ['1', '2'],
          missingCount: 2,
          outputs: [],
          manifest: null,
          nextCursor: null,
        };
      },
      taskLog: async (_actor, _jobId, _index, { start, end }) => ({
        totalBytes: LOG.length,
        stream: Readable.from([Buffer.from(LOG.slice(start, end === undefined ? undefined : end + 1))]),
      }),
      cancel: async (_actor, jobId, body) => {
        calls.cancels.push(body);
        fail('cancel');
        return {
          changed: true,
          response: { jobId, status: 'RUNNING', cancelRequestedAt: AT, message: 'Cancelling.' },
        };
      },
      resume: async (_actor, jobId) => ({
        ...{ jobId, status: 'SUBMITTED', execution: 2, estimatedCost: 0.42, currency: 'GBP' },
        ...{ creditCurrency: 'GBP', fxRate: 1, heldCents: 42, message: 'The job goes on.' },
      }),
    },
    uploads: {
      createUploadUrl: async () => upload('first'),
      renewUploadUrl: async () => upload('renewed'),
      partUrls: async () => ({
        ...{ uploadId: JOB_ID, partSize: 5_242_880, partCount: 1, expiresIn: 3600, provider: 'aws' },
        parts: [{ partNumber: 1, url: 'http://store/part', headers: {} }],
      }),
      complete: async () => ({ key: 'k', size: 1, verified: true, integrity: 'size', provider: 'aws' }),
    },
    simulators: {
      list: async () => ({
        simulators: [
          {
            ...{ id: 'noop', aliases: [], jobType: 'simulation', title: 'No work', available: true },
            ...{
              reason: null,
              version: null,
              packDigest: null,
              variants: [],
              unit: 'task',
              priceModel: 'fixed',
            },
            ...{
              licence: { name: 'MIT', url: 'https://example.org' },
              needsSceneFile: false,
              parameters: [],
            },
          },
        ],
      }),
    },
    ...fakeMoney,
    credits: {
      balance: async () => {
        fail('balance');
        return {
          wallet_cents: 1,
          wallet_held_cents: 0,
          wallet_available_cents: 1,
          monthly_cents: 0,
          monthly_held_cents: 0,
          monthly_available_cents: 0,
          monthly_reset_at: null,
          total_credited_cents: 1,
          held_cents: 0,
          available_cents: 1,
          available_display: '£0.01',
          debt_cents: 0,
        };
      },
      transactions: async (_actor, query) => page(query, 'transactions'),
    },
    dockingExports: fakeDockingExports,
    artifacts: {
      register: async () => ({
        created: true,
        response: { artifact: ARTIFACT, verified: true, verifiedAt: AT, provenance },
      }),
      get: async () => ({ artifact: ARTIFACT, verified: true, verifiedAt: AT, provenance }),
      downloadUrl: async () => ({
        artifactId: JOB_ID,
        url: 'http://store/download',
        method: 'GET',
        expiresIn: 900,
        expiresAt: AT,
        filename: 'x.pdb',
        mediaType: 'text/plain',
        byteSize: 1,
        sha256: 'a'.repeat(64),
      }),
    },
    docking: fakeDocking,
    ligands: { resolve: async () => ({ candidates: [], warnings: [] }) },
    inspections: {
      inspect: async () => {
        fail('inspect');
        return { ...INSPECTION, status: 'RUNNING', message: 'Waits.' };
      },
      get: async () => ({ ...INSPECTION, status: 'SUCCEEDED', report: {} }),
    },
    conversions: { convert: async () => CONVERSION, get: async () => CONVERSION },
    payments: {
      receive: async (body, signature) => {
        fail('receive');
        calls.events.push({ body, signature });
        return () => undefined;
      },
    },
    licenseServers: fakeLicenseServers,
    webhooks: fakeWebhooks,
    members: fakeMembers(calls),
    idempotency: {
      begin: async (_actor, claim) => {
        calls.claims.push(claim);
        fail('begin');
        const answer = answers.get(claim.key);
        if (answer === null) throw new AppError('IDEMPOTENCY_IN_PROGRESS', 'The first one runs.');
        if (answer !== undefined) return { outcome: 'replay', ...answer };
        answers.set(claim.key, null);
        return { outcome: 'started', reference: claim.key, resumedSince: null };
      },
      complete: async (reference, answer) => {
        fail('complete');
        calls.kept.push(answer.body);
        answers.set(reference, answer);
      },
      abandon: async (reference) => {
        answers.delete(reference);
      },
    },
    health: {
      check: async () => {
        fail('health');
        const up = { ok: true };
        const temporal = failures.has('temporal') ? { ok: false, detail: 'no answer' } : up;
        return {
          ok: temporal.ok,
          dependencies: { postgres: up, temporal, storage: up, gateway: up },
          notes: [],
        };
      },
    },
  };
  return { services: services as Services, calls, failures, remembered, good };
}
