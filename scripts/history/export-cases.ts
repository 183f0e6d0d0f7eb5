/** Exports of docking results as they are recorded: one that is made, and one that is tried in vain until an operator cancels it. */
import { exportWorkflowId } from '../../src/contracts/docking.ts';
import { isRecord } from '../../src/domain/is-record.ts';
import { insist } from './cases.ts';
import type { Case } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** A call of an endpoint that the client has no method for. */
async function call(recorder: Recorder, path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${recorder.stack.apiUrl}/api/v1/molecular/docking/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${recorder.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text);
}

/** A text within an answer. */
function textIn(answer: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), answer);
  if (typeof found !== 'string') throw new Error(`the answer has no ${path.join('.')}`);
  return found;
}

/** An export of a batch of the test tool that has ended. */
async function asked(recorder: Recorder): Promise<string> {
  const made = await call(recorder, 'batches', {
    name: 'confidential-campaign',
    engine: 'noop',
    metadata: { noop: { seconds: 0, outputBytes: 10 } },
    ligands: ['a', 'b'].map((ligandId) => ({
      ligandId,
      label: 'confidential-ligand',
      preparation: {},
      source: { kind: 'smiles', smiles: 'CCO' },
    })),
  });
  await until(
    'the batch has ended',
    async () => (await recorder.stateOf(textIn(made, 'jobId'))) === 'SUCCEEDED',
  );
  const answer = await call(recorder, `batches/${textIn(made, 'batch', 'id')}/export`, { format: 'csv' });
  return textIn(answer, 'export', 'id');
}

/** Waits until no run of the export is open, and answers how many there were. */
async function closed(recorder: Recorder, exportId: string, runs: number): Promise<void> {
  const temporal = await recorder.temporal();
  const query = `WorkflowId = "${exportWorkflowId(exportId)}"`;
  await until(`run ${runs} of the export has ended`, async () => {
    const all = await temporal.workflow.count(`${query} AND ExecutionStatus != "Running"`);
    return all.count === runs;
  });
}

async function historiesOf(recorder: Recorder, exportId: string, status: string): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const ended = await statusOf(recorder, exportId);
  insist(ended === status, `an export that is ${status}, but ${ended}`);
  const runs = await runsOf(temporal, `WorkflowId = "${exportWorkflowId(exportId)}"`);
  return Promise.all(runs.map((run) => historyOf(run, recorder.stack)));
}

async function statusOf(recorder: Recorder, exportId: string): Promise<string> {
  return textIn(await call(recorder, `exports/${exportId}`), 'export', 'status');
}

/** Makes the export once more, from a row that no activity can read. */
async function makeInVain(recorder: Recorder, exportId: string): Promise<void> {
  await recorder.db.query(
    `update docking_exports set state = 'QUEUED', artifact_id = null, finished_at = null, query = '{"sort": "none"}' where id = $1`,
    [exportId],
  );
  await recorder.workflows.startExport({ exportId, accountId: exportId, format: 'csv', results: 2 });
  await until('an attempt was made', async () => (await statusOf(recorder, exportId)) === 'RUNNING');
}

/** Exports. */
export const EXPORT_CASES: readonly Case[] = [
  {
    name: 'export-made',
    async run(recorder) {
      const exportId = await asked(recorder);
      await closed(recorder, exportId, 1);
      return historiesOf(recorder, exportId, 'SUCCEEDED');
    },
  },
  {
    name: 'export-cancelled',
    async run(recorder) {
      const exportId = await asked(recorder);
      await closed(recorder, exportId, 1);
      await makeInVain(recorder, exportId);
      const temporal = await recorder.temporal();
      await temporal.workflow.getHandle(exportWorkflowId(exportId)).cancel();
      await closed(recorder, exportId, 2);
      return (await historiesOf(recorder, exportId, 'FAILED')).slice(-1);
    },
  },
];
