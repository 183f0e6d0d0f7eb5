/** A job of 40 noop tasks and its two steps in the database; the first task and both steps run on instance 0.1. */
import { createHash, randomUUID } from 'node:crypto';

import type { Database } from '../../src/adapters/database.ts';
import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import type { StructureSource } from '../../src/adapters/structures/structures.ts';
import type { TaskReport } from '../../src/contracts/instance.ts';
import type { JobAdmission, WorkKind } from '../../src/contracts/job.ts';
import { jobPrefix, stagedKey } from '../../src/contracts/names.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { planTasks } from '../../src/services/execution/plan/plan.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { admissionOf, newAccount } from './admissions.ts';
import { fileWork } from './file-work.ts';
import { RECORDERS } from './recorders.ts';
import { TEST_TOOLS } from './test-tools.ts';

/** The ids of the job, its account and its user. */
export interface RunningJob {
  readonly jobId: string;
  readonly accountId: string;
}

/** The database and the store of the job. */
export interface JobHome {
  readonly db: Database;
  readonly store: ObjectStore;
}

const NO_ARCHIVE: StructureSource = {
  fetch: () => Promise.reject(new Error('no job of these tests names a structure')),
};

/** Admits, plans and starts a job; `steps` are the steps of its plan, `more` is what its admission has of its own. */
export async function runningJob(
  { db, store }: JobHome,
  steps: readonly Exclude<WorkKind, 'task'>[] = [],
  more: Partial<JobAdmission> = {},
): Promise<RunningJob> {
  const owner = await newAccount(db, 100);
  const admission = admissionOf(owner, { inputs: [], ...more });
  const { jobId } = admission;
  await admitJob(db, admission, randomUUID());
  const tools = createToolRegistry({ testTools: TEST_TOOLS });
  const plan = { ...admission.plan, steps };
  const deps = { db, store, tools, recorders: RECORDERS, structures: NO_ARCHIVE, ...fileWork(db, store) };
  await planTasks(deps, { jobId, execution: 1, plan });
  for (const [index, to] of (['QUEUED', 'PROVISIONING', 'RUNNING'] as const).entries())
    await recordState(db, { jobId, transition: index + 1, to, reason: null });
  await db.query(
    `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus) values ($1, 0, 1, 'local', $2, 'RUNNING', 2)`,
    [jobId, randomUUID()],
  );
  await startAgain(db, jobId);
  return { jobId, accountId: admission.accountId };
}

/** Starts the first task and the steps on instance 0.1, as a claim does. */
export async function startAgain(db: Database, jobId: string): Promise<void> {
  await db.query(
    `update tasks set state = 'RUNNING', attempts = attempts + 1, slot = 0, generation = 1
     where job_id = $1 and ordinal = 0 and state = 'PENDING'`,
    [jobId],
  );
}

/** The report of a first task, or of a step, with one output. */
export function reportOf(name: string, content: string, more: object = {}): TaskReport {
  const sha256 = createHash('sha256').update(content).digest('hex');
  const output = { name, kind: 'result', mediaType: 'application/octet-stream', format: null };
  return {
    ...{ ordinal: 0, end: 'done', seconds: 1, summary: null },
    outputs: [{ ...output, byteSize: content.length, sha256, ...more }],
  };
}

/** Stages the output of a first task or of a step. */
export async function stage(
  { store }: JobHome,
  jobId: string,
  content: string,
  kind: WorkKind = 'task',
): Promise<void> {
  const key = stagedKey(jobId, 0, 1, kind, 0, 'result.bin');
  await store.put(key, Buffer.from(content), 'application/octet-stream');
}

/** The keys of the job's outputs in the store. */
export async function objectsOf({ store }: JobHome, { accountId, jobId }: RunningJob): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of store.list(jobPrefix(accountId, jobId))) keys.push(...page.map(({ key }) => key));
  return keys;
}
