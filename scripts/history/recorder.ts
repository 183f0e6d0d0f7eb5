/** A stack whose jobs are recorded: submits over the public API, faults by the supervisor, histories from Temporal. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { Client as TemporalClient, Connection } from '@temporalio/client';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { createJobWorkflows } from '../../src/adapters/temporal/client.ts';
import type { JobWorkflows } from '../../src/adapters/temporal/client.ts';
import { createClient } from '../../src/client/index.ts';
import type { Client } from '../../src/client/index.ts';
import { loadConfig } from '../../src/config.ts';
import { jobWorkflowId } from '../../src/contracts/names.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { startStack } from '../../src/stack/stack.ts';
import type { Stack } from '../../src/stack/stack.ts';
import { findTool } from '../../src/stack/tools.ts';
import type { RecordedHistory } from './files.ts';

const execute = promisify(execFile);

/** The most parts of one job that are kept; more of them show nothing new. */
const PARTS_KEPT = 3;
const WAIT_MS = 90_000;

/** A running stack with its clients. */
export interface Recorder {
  readonly stack: Stack;
  readonly db: Database;
  readonly client: Client;
  /** The key of that client, for calls that it has no method for. */
  readonly apiKey: string;
  readonly workflows: JobWorkflows;
  /** The client of a new account. */
  newClient(creditsPence: number): Promise<Client>;
  temporal(): Promise<TemporalClient>;
  /** The state in the job's row. */
  stateOf(jobId: string): Promise<string>;
  verifiedOf(jobId: string): Promise<number>;
  /** The histories of a job and of some of its parts, once all of them are closed. */
  histories(jobId: string): Promise<RecordedHistory[]>;
  close(): Promise<void>;
}

/** Starts the stack. */
export async function openRecorder(settings: Readonly<Record<string, string>>): Promise<Recorder> {
  const home = mkdtempSync(join(tmpdir(), 'dockyard-histories-'));
  const stack = await startStack({
    home,
    environment: process.env,
    settings,
    randomPorts: true,
    durable: false,
  });
  await stack.ready;
  const db = await createDatabase(loadConfig('cli', stack.env).databaseUrl, { poolSize: 2 });
  const workflows = createJobWorkflows(plainAccess(stack.temporalAddress, stack.temporalNamespace));
  const keyOf = async (creditsPence: number): Promise<string> =>
    (await createAccount(db, { email: `${randomUUID()}@example.com`, creditsPence })).liveKey;
  const clientOf = (apiKey: string): Client =>
    createClient({ apiUrl: stack.apiUrl, apiKey, userAgent: 'history-record' });
  const apiKey = await keyOf(1_000_000);
  let connection: Connection | null = null;
  const temporal = async (): Promise<TemporalClient> => {
    connection ??= await Connection.connect({ address: stack.temporalAddress });
    return new TemporalClient({ connection, namespace: stack.temporalNamespace });
  };
  return {
    stack,
    db,
    client: clientOf(apiKey),
    apiKey,
    newClient: async (creditsPence) => clientOf(await keyOf(creditsPence)),
    workflows,
    temporal,
    stateOf: (jobId) => textOf(db, 'select status as value from jobs where id = $1', jobId),
    verifiedOf: async (jobId) =>
      Number(
        await textOf(
          db,
          `select count(*)::text as value from tasks where job_id = $1 and kind = 'task' and state = 'SUCCEEDED'`,
          jobId,
        ),
      ),
    histories: async (jobId) => historiesOf(await temporal(), stack, jobId),
    async close() {
      await db.destroy();
      await workflows.close();
      await connection?.close();
      await stack.stop({ force: true });
      stack.remove();
    },
  };
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  everyMs = 50,
): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > WAIT_MS) throw new Error(`waited in vain: ${what}`);
    await sleep(everyMs);
  }
}

/** One closed run of a workflow. */
export interface Run {
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
}

/** Every closed run of a workflow, oldest first. */
export async function runsOf(temporal: TemporalClient, query: string): Promise<Run[]> {
  const runs = [];
  for await (const { workflowId, runId, type, startTime, status } of temporal.workflow.list({ query })) {
    if (status.name === 'RUNNING') throw new Error(`${workflowId} still runs`);
    runs.push({ workflowId, runId, type, startTime });
  }
  return runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
}

async function historiesOf(
  temporal: TemporalClient,
  stack: Stack,
  jobId: string,
): Promise<RecordedHistory[]> {
  const workflowId = jobWorkflowId(jobId);
  // A job that has ended is visible as such a moment later.
  await until(`${workflowId} is closed`, async () => {
    const open = `(WorkflowId = "${workflowId}" OR WorkflowId STARTS_WITH "${workflowId}/") AND ExecutionStatus = "Running"`;
    const all = `WorkflowId = "${workflowId}" AND ExecutionStatus != "Running"`;
    const [running, closed] = await Promise.all([
      temporal.workflow.count(open),
      temporal.workflow.count(all),
    ]);
    return running.count === 0 && closed.count > 0;
  });
  const jobs = await runsOf(temporal, `WorkflowId = "${workflowId}"`);
  const parts = await runsOf(temporal, `WorkflowId STARTS_WITH "${workflowId}/"`);
  const kept = [...jobs, ...parts.slice(0, PARTS_KEPT)];
  return Promise.all(kept.map((run) => historyOf(run, stack)));
}

/** One run's history, by the tool that comes with the server: the form that every other tool reads. */
export async function historyOf(run: Run, stack: Stack): Promise<RecordedHistory> {
  const place = ['--address', stack.temporalAddress, '--namespace', stack.temporalNamespace];
  const show = ['workflow', 'show', '--workflow-id', run.workflowId, '--run-id', run.runId];
  const { stdout } = await execute(
    findTool('temporal', process.env),
    [...show, '--output', 'json', ...place, '--disable-config-file', '--disable-config-env'],
    { maxBuffer: 100_000_000 },
  );
  const history: unknown = JSON.parse(stdout);
  return { workflow: run.type, history };
}

async function textOf(db: Database, statement: string, jobId: string): Promise<string> {
  const [row] = await db.query<{ value: string }[]>(statement, [jobId]);
  return row?.value ?? '';
}
