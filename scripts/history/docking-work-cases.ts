/** Batches of docking and their runs as they are recorded: whole, with a sample, repeated, and cancelled in every phase. */
import type { CreateDockingBatchRequest } from '../../src/client/types.ts';
import { dockingWorkflowId } from '../../src/contracts/docking.ts';
import type { DockingWorkKind } from '../../src/contracts/docking.ts';
import { insist, job, reaches, submit } from './cases.ts';
import type { Case } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { holdsText } from './history-text.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** A batch that was started, with its job. */
export interface Started {
  readonly id: string;
  readonly jobId: string;
}

/** A batch with a name that may not be recorded. */
export function batchOf(
  count: number,
  noop: object,
  more: Partial<CreateDockingBatchRequest> = {},
): CreateDockingBatchRequest {
  return {
    name: 'confidential-campaign',
    engine: 'noop',
    metadata: { noop: { outputBytes: 100, ...noop } },
    ligands: Array.from({ length: count }, (_, index) => ({
      ligandId: `l${index}`,
      label: 'confidential-ligand',
      preparation: {},
      source: { kind: 'smiles', smiles: `${'C'.repeat(index + 1)}(=O)O` },
    })),
    ...more,
  };
}

/** Starts a batch. */
export async function start({ client }: Recorder, request: CreateDockingBatchRequest): Promise<Started> {
  const { batch, jobId } = await client.docking.createBatch(request);
  return { id: batch.id, jobId };
}

/** The histories of the workflow once it has ended. */
export async function endedWork(
  recorder: Recorder,
  kind: DockingWorkKind,
  id: string,
): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const workflowId = dockingWorkflowId(kind, id);
  await temporal.workflow.getHandle(workflowId).result();
  const query = `WorkflowId = "${workflowId}" AND ExecutionStatus != "Running"`;
  await until(`${workflowId} is closed`, async () => (await temporal.workflow.count(query)).count > 0);
  return Promise.all(
    (await runsOf(temporal, `WorkflowId = "${workflowId}"`)).map((run) => historyOf(run, recorder.stack)),
  );
}

/** Obstacle that keeps a job in its state until the cancel has come: other work, or a process that is stopped. */
type Keeper = 'work' | 'compute' | 'storage' | null;

/** Cancels the workflow of a batch in a state of its job. */
function cancelIn(state: string, request: CreateDockingBatchRequest, keeper: Keeper): Case {
  return {
    name: `cancel-${state.toLowerCase()}-batch`,
    async run(recorder) {
      const other = keeper === 'work' ? await submit(recorder, job(8, { seconds: 2 })) : null;
      if (other !== null) await reaches(recorder, other, 'RUNNING');
      const process = keeper === 'compute' || keeper === 'storage' ? keeper : null;
      // An instance of the local host starts within a moment, so the host is stopped before the batch begins, and after those before have ended.
      if (process === 'compute') {
        await until('the capacity is free', () => isCapacityFree(recorder));
        recorder.stack.pause(process);
      }
      const { id } = await cancelled(recorder, { request, state, process }).finally(() => {
        if (process !== null) recorder.stack.resume(process);
      });
      const histories = await endedWork(recorder, 'batch', id);
      if (other !== null) await recorder.client.cancel(other);
      insist(holdsText(histories, '"state":"CANCELLED"'), `a batch that was cancelled in ${state}`);
      return histories;
    },
  };
}

async function isCapacityFree({ db }: Recorder): Promise<boolean> {
  const rows = await db.query<unknown[]>(`select 1 from capacity_requests where state = 'GRANTED'`);
  return rows.length === 0;
}

/** Starts a batch and cancels its workflow in the state; the cancel has reached the job at the end. */
async function cancelled(
  recorder: Recorder,
  { request, state, process }: { request: CreateDockingBatchRequest; state: string; process: string | null },
): Promise<Started> {
  const started = await start(recorder, request);
  await reaches(recorder, started.jobId, state);
  if (process === 'storage') recorder.stack.pause(process);
  await (await recorder.temporal()).workflow.getHandle(dockingWorkflowId('batch', started.id)).cancel();
  await until('the cancel has reached the job', () => isCancelling(recorder, started.jobId));
  return started;
}

async function isCancelling({ db }: Recorder, jobId: string): Promise<boolean> {
  const rows = await db.query<unknown[]>(
    'select 1 from jobs where id = $1 and cancel_requested_at is not null',
    [jobId],
  );
  return rows.length > 0;
}

/** Cases of batches and of their runs. */
export const dockingWorkCases: readonly Case[] = [
  {
    name: 'sampled-batch',
    async run(recorder) {
      const { id } = await start(recorder, batchOf(8, { seconds: 0 }, { sample: true }));
      const histories = await endedWork(recorder, 'batch', id);
      insist(holdsText(histories, '"kind":"other"'), 'a sample with another seed');
      return histories;
    },
  },
  {
    name: 'repeated-run',
    async run(recorder) {
      const fail = [{ index: 1, kind: 'exit' }];
      const { id } = await start(recorder, batchOf(4, { seconds: 0, fail }));
      const first = await endedWork(recorder, 'batch', id);
      const { run } = await recorder.client.docking.retryFailed(id, {});
      return [...first, ...(await endedWork(recorder, 'run', run.id))];
    },
  },
  cancelIn('QUEUED', batchOf(4, { seconds: 1 }), 'work'),
  cancelIn('PROVISIONING', batchOf(4, { seconds: 1 }), 'compute'),
  cancelIn('RUNNING', batchOf(12, { seconds: 2 }), null),
  cancelIn('FINALIZING', batchOf(3, { seconds: 1 }), 'storage'),
];
