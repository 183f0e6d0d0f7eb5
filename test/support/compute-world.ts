/** A job with tasks in a real database, a real store and a real gateway, as an instance meets them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { v7 as uuidv7 } from 'uuid';

import type { InstanceClaims, ShardInput } from '../../src/contracts/instance.ts';
import { COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import { computeQueue } from '../../src/contracts/names.ts';
import type { LaunchRequest } from '../../src/contracts/local-host.ts';
import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { startGateway } from '../../src/gateway/server.ts';
import type { RunningGateway } from '../../src/gateway/server.ts';
import { createGatewayService } from '../../src/services/execution/gateway.ts';
import type { ComputeDependencies } from '../../src/services/execution/gateway.ts';
import { signCredential } from '../../src/services/execution/instances/bootstrap.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { openTestStore } from './object-store.ts';
import type { TestStore } from './object-store.ts';
import { TEST_TOOLS } from './test-tools.ts';

/** The secret that signs every token of a test. */
export const TEST_SECRET = 'ab'.repeat(32);

/** A seeded job with one instance. */
export interface SeededJob {
  readonly jobId: string;
  readonly accountId: string;
  readonly claims: InstanceClaims;
  readonly token: string;
  readonly launch: LaunchRequest;
  shard(...ordinals: number[]): ShardInput;
}

/** A task as its row has it. */
export interface TaskRow {
  readonly ordinal: number;
  readonly state: string;
  readonly attempts: number;
  readonly slot: number | null;
  readonly generation: number | null;
  readonly progress_percent: number;
  readonly log_bytes: number;
}

/** An answer of the gateway; tests look into bodies of every shape. */
export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads it as what it expects
  readonly body: any;
}

/** The world of an instance. */
export interface ComputeWorld {
  readonly database: TestDatabase;
  readonly store: TestStore;
  readonly folder: string;
  readonly gatewayUrl: string;
  /** Ends the gateway; `startGateway` starts the gateway again on the same port. */
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
  /** A job of noop tasks that is running, with an instance of generation 1 in slot 0. */
  seedJob(
    noop?: Readonly<Record<string, unknown>>,
    taskCount?: number,
    more?: Partial<SubmitJobRequest>,
  ): Promise<SeededJob>;
  tasks(jobId: string): Promise<TaskRow[]>;
  fence(job: SeededJob): Promise<void>;
  /** The lines that the instances of a host's folder wrote, one for each start. */
  starts(folder: string): Promise<{ start: string; ordinal?: number; pid?: number }[]>;
  call(
    path: string,
    token: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens a world; each test file opens one. */
export async function openComputeWorld(
  options: Pick<ComputeDependencies, 'tokenSeconds' | 'onEnd'> = {},
): Promise<ComputeWorld> {
  const [database, store, folder] = await Promise.all([
    openTestDatabase(),
    openTestStore(),
    mkdtemp(join(tmpdir(), 'dockyard-test-compute-')),
  ]);
  const { db } = database;
  const tools = createToolRegistry({ testTools: TEST_TOOLS });
  const newGateway = (port: number): Promise<RunningGateway> =>
    startGateway(
      createGatewayService({
        db,
        store: store.store,
        secret: TEST_SECRET,
        findTool: (id) => tools.find(id),
        urlSeconds: 900,
        taskTimeoutSeconds: 3600,
        legSeconds: 3600,
        ...options,
      }),
      { host: '127.0.0.1', port },
      ({ error }) => console.error(error),
    );
  let gateway: RunningGateway | null = await newGateway(0);
  const { port } = gateway;
  const gatewayUrl = `http://127.0.0.1:${port}`;

  const seedJob: ComputeWorld['seedJob'] = async (noop = {}, taskCount = 4, more = {}) => {
    const request: SubmitJobRequest = {
      jobType: 'simulation',
      simulator: 'noop',
      taskCount,
      metadata: { noop: { seconds: 0, ...noop } },
      ...more,
    };
    const [jobId, accountId, userId, launchToken] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()] as [
      string,
      string,
      string,
      string,
    ];
    await db.query('insert into accounts (id) values ($1)', [accountId]);
    await db.query('insert into users (id, account_id, email) values ($1, $2, $3)', [
      userId,
      accountId,
      `${userId}@example.org`,
    ]);
    await db.query(
      `insert into jobs (id, account_id, user_id, job_type, simulator, tool_id, provider, status, request, fingerprint, submit_response, first_run_id, unit, task_total)
       values ($1, $2, $3, 'simulation', 'noop', 'noop', 'local', 'RUNNING', $4, 'f', '{}', 'r', 'task', $5)`,
      [jobId, accountId, userId, JSON.stringify(request), taskCount],
    );
    await db.query(
      `insert into tasks (job_id, kind, ordinal, item_id) select $1, 'task', n, n::text from generate_series(0, $2::int - 1) n`,
      [jobId, taskCount],
    );
    await db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, vcpus) values ($1, 0, 1, 'local', $2, 2)`,
      [jobId, launchToken],
    );
    const claims = { jobId, slot: 0, generation: 1, expiresAt: Math.floor(Date.now() / 1000) + 3600 };
    const token = signInstanceToken(TEST_SECRET, claims);
    const launch = {
      jobId,
      slot: 0,
      generation: 1,
      token: launchToken,
      taskQueue: computeQueue(jobId, 0, 1),
      vcpus: 2,
      gpus: 0,
      toolSlots: 2,
      market: 'ON_DEMAND' as const,
      credential: signCredential(TEST_SECRET, { launchToken, toolSlots: 2 }),
    };
    return {
      jobId,
      accountId,
      claims,
      token,
      launch,
      shard: (...ordinals) => ({ jobId, execution: 1, slot: 0, generation: 1, kind: 'task', ordinals }),
    };
  };

  return {
    database,
    store,
    folder,
    gatewayUrl,
    seedJob,
    async stopGateway() {
      await gateway?.close();
      gateway = null;
    },
    async startGateway() {
      gateway ??= await newGateway(port);
    },
    tasks: (jobId) => db.query('select * from tasks where job_id = $1 order by kind, ordinal', [jobId]),
    async fence({ jobId }) {
      await db.query(`update instances set fenced_at = now(), fence_cause = 'test' where job_id = $1`, [
        jobId,
      ]);
    },
    async starts(hostFolder) {
      const text = await readFile(join(hostFolder, 'starts.log'), 'utf8').catch(() => '');
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    async call(path, token, body, headers = {}) {
      const isBytes = body instanceof Uint8Array;
      const answer = await fetch(`${gatewayUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          [PROTOCOL_HEADER]: String(COMPUTE_PROTOCOL),
          'content-type': isBytes ? 'application/octet-stream' : 'application/json',
          ...headers,
        },
        body: isBytes ? Buffer.from(body) : typeof body === 'string' ? body : JSON.stringify(body),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    },
    async close() {
      await gateway?.close();
      await Promise.all([database.close(), store.close(), rm(folder, { recursive: true, force: true })]);
    },
  };
}
