/**
 * The API over a real stack, as a customer and as an auditor: calls over HTTP, and looks into database and store for
 * what a refusal must not leave. The API itself validates its answers against their schemas.
 */
import { createHash, randomUUID } from 'node:crypto';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { createS3Store } from '../../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { loadConfig } from '../../src/config.ts';
import { REQUEST_ROOT } from '../../src/contracts/names.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { testArchive } from './archive.ts';
import { startTestStack } from './stack.ts';
import { until } from './until.ts';
import { settingsOf, tuned } from './tuning.ts';

/** An answer with its parsed body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Differences of a call from a plain JSON one. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it stands, instead of JSON. */
  readonly raw?: string;
}

/** Traces of a refused submit: none. */
export const NOTHING = { jobs: 0, holds: 0, executions: 0, heldPence: 0, requests: 0 };

/** A stack with its database and store open. */
export interface TestApi {
  readonly stack: Stack;
  readonly db: Database;
  readonly store: ObjectStore;
  account(pence?: number): Promise<NewAccount>;
  call(
    key: string | null,
    method: string,
    path: string,
    body?: unknown,
    options?: CallOptions,
  ): Promise<Answer>;
  submit(key: string, body: unknown, idempotencyKey?: string): Promise<Answer>;
  /** Jobs, holds and stored requests of an account. */
  leftovers(accountId: string): Promise<typeof NOTHING>;
  /** Announces a file, PUTs its bytes (unless told not to), and returns its storage key. */
  upload(
    key: string,
    content: string | Uint8Array<ArrayBuffer>,
    options?: { readonly put?: boolean; readonly digest?: boolean; readonly filename?: string },
  ): Promise<string>;
  /** Waits until the job is in one of the states. */
  reaches(key: string, jobId: string, ...states: string[]): Promise<Answer>;
  /** Waits until the job has ended, in whatever state. */
  ends(key: string, jobId: string, seconds: number): Promise<Answer>;
}

/** A noop job with this number of tasks. */
export function noopJob(
  taskCount = 1,
  noop: Readonly<Record<string, unknown>> = { seconds: 0 },
): Record<string, unknown> {
  return { jobType: 'simulation', simulator: 'noop', taskCount, metadata: { noop } };
}

/** The answer to an estimate without its quote, of which no two are the same. */
export function withoutQuote(body: object): object {
  return { ...body, quoteId: undefined, quoteExpiresAt: undefined };
}

/** A secret that the stack signs nothing with, and whose tokens it takes. */
export const FURTHER_SECRET = 'f0'.repeat(32);

/** SHA-256 in hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

const ENDS = ['SUCCEEDED', 'PARTIALLY_SUCCEEDED', 'FAILED', 'CANCELLED'];

let shared: Promise<TestApi> | null = null;

/** The API that the test files of this process share. */
export function testApi(): Promise<TestApi> {
  // A real instance takes a second to start; the suites of integration and faults test real instances.
  shared ??= openTestApi({ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' });
  return shared;
}

/** The API over a stack of its own, with settings, and perhaps variables of the environment, of its own; `onStarting` sees the stack before it serves. */
export async function openTestApi(
  settings: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
  onStarting: (stack: Stack) => void = () => undefined,
): Promise<TestApi> {
  const archive = await testArchive();
  const stack = await startTestStack({
    ...{ environment, onStarting },
    settings: settingsOf(
      {
        DOCKYARD_VALIDATE_ANSWERS: 'true',
        // No test asks an archive outside of this machine.
        DOCKYARD_STRUCTURES_URL: archive.url,
        DOCKYARD_RATE_LIMIT_SCALE: '100',
        DOCKYARD_FURTHER_SECRETS: FURTHER_SECRET,
        // Servers of tests listen on this machine.
        DOCKYARD_WEBHOOKS_LOOPBACK: 'true',
      },
      tuned({ commitDelayMs: 50 }),
      settings,
    ),
  });
  const config = loadConfig('cli', stack.env);
  const db = await createDatabase(config.databaseUrl, { poolSize: 4 });
  const store = createS3Store(config);
  closing.push(() => db.destroy());

  const call: TestApi['call'] = async (key, method, path, body, options = {}) => {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const answer = await fetch(`${stack.apiUrl}${path.startsWith('/') ? '' : '/api/v1/'}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await bodyOf(answer);
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    };
  };
  const api: TestApi = {
    stack,
    db,
    store,
    call,
    account: (pence = 100_000) =>
      createAccount(db, { email: `${randomUUID()}@example.com`, creditsPence: pence }),
    submit: (key, body, idempotencyKey) =>
      call(
        key,
        'POST',
        'jobs/submit',
        body,
        idempotencyKey === undefined ? {} : { headers: { 'idempotency-key': idempotencyKey } },
      ),
    leftovers: (accountId) => leftovers(db, store, accountId),
    upload: (key, content, options) => upload(call, key, content, options),
    reaches: (key, jobId, ...states) => reaches(call, key, jobId, states),
    ends: (key, jobId, seconds) => reaches(call, key, jobId, ENDS, seconds),
  };
  return api;
}

/** The body of an answer; of a stream of events, which does not end by itself, the first part. */
async function bodyOf(answer: Response): Promise<string> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true) return answer.text();
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return Buffer.from(first?.value ?? []).toString();
}

const closing: (() => Promise<unknown>)[] = [];
if (typeof after === 'function') {
  after(async () => {
    for (const close of closing) await close();
  });
}

async function leftovers(db: Database, store: ObjectStore, accountId: string): Promise<typeof NOTHING> {
  const [row] = await db.query<Omit<typeof NOTHING, 'requests'>[]>(
    `select (select count(*)::int from jobs where account_id = $1) as jobs,
       (select count(*)::int from holds where account_id = $1) as holds,
       (select count(*)::int from job_executions e join jobs j on j.id = e.job_id where j.account_id = $1) as executions,
       (select coalesce(sum(wallet_held + monthly_held), 0)::int from ledger_balances where account_id = $1) as "heldPence"`,
    [accountId],
  );
  if (row === undefined) throw new Error('no row');
  let requests = 0;
  for await (const page of store.list(`${REQUEST_ROOT}${accountId}/`)) requests += page.length;
  return { ...row, requests };
}

async function upload(
  call: TestApi['call'],
  key: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: { readonly put?: boolean; readonly digest?: boolean; readonly filename?: string } = {},
): Promise<string> {
  const announced = await call(key, 'POST', 'jobs/upload-url', {
    filename: options.filename ?? 'input.pdb',
    contentType: 'chemical/x-pdb',
    size: Buffer.byteLength(content),
    ...(options.digest === false ? {} : { sha256: sha256(content) }),
  });
  if (announced.status !== 200) throw new Error(`upload-url answered ${announced.status}`);
  if (options.put === false) return announced.body.s3Key;
  const put = await fetch(announced.body.uploadUrl, {
    method: 'PUT',
    body: content,
    headers: announced.body.headers,
  });
  if (put.status !== 200) throw new Error(`the store answered ${put.status}`);
  return announced.body.s3Key;
}

async function reaches(
  call: TestApi['call'],
  key: string,
  jobId: string,
  states: readonly string[],
  seconds = 180,
): Promise<Answer> {
  let last: Answer | null = null;
  let etag = '';
  await until(
    `job ${jobId} is ${states.join(' or ')}`,
    async () => {
      // A long poll: a look every few hundredths of a second is a tenth of what the whole job computes.
      const headers = etag === '' ? undefined : { 'if-none-match': etag, prefer: 'wait=5' };
      const answer = await call(key, 'GET', `jobs/${jobId}/status`, undefined, headers && { headers });
      if (answer.status === 304) return false;
      last = answer;
      etag = answer.headers.get('etag') ?? '';
      return states.includes(answer.body.status);
    },
    seconds * 1000,
  );
  if (last === null) throw new Error('unreachable: asked at least once');
  return last;
}
