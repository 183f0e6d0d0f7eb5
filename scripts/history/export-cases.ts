/** Exports of docking results as they are recorded: one that is made, and one that is tried in vain until an operator cancels it. */
import { setTimeout as sleep } from 'node:timers/promises';

import { exportWorkflowId } from '../../src/contracts/docking.ts';
import { insist } from './cases.ts';
import type { Case } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

interface Answer {
  readonly jobId: string;
  readonly batch: { readonly id: string };
  readonly export: { readonly id: string; readonly status: string };
}

/** A call of an endpoint that the client does not have a method for. */
async function call(recorder: Recorder, path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${recorder.stack.apiUrl}/api/v1/molecular/docking/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${recorder.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${text}`);
  return JSON.parse(text) as Answer;
}

/** A batch of the test tool that has ended, with an export whose row is changed before its workflow starts. */
async function asked(recorder: Recorder): Promise<string> {
  const made = await call(recorder, 'batches', {
    ...{ name: 'confidential-campaign', engine: 'noop', metadata: { noop: { seconds: 0, outputBytes: 10 } } },
    ligands: ['a', 'b'].map((ligandId) => ({
      ...{ ligandId, label: 'confidential-ligand', preparation: {} },
      source: { kind: 'smiles', smiles: 'CCO' },
    })),
  });
  await until('the batch has ended', async () => (await recorder.stateOf(made.jobId)) === 'SUCCEEDED');
  const answer = await call(recorder, `batches/${made.batch.id}/export`, { format: 'csv' });
  return answer.export.id;
}

async function historiesOf(recorder: Recorder, exportId: string, status: string): Promise<RecordedHistory[]> {
  const temporal = await recorder.temporal();
  const query = `WorkflowId = "${exportWorkflowId(exportId)}"`;
  await until('the export has ended', async () => {
    const open = await temporal.workflow.count(`${query} AND ExecutionStatus = "Running"`);
    const closed = await temporal.workflow.count(`${query} AND ExecutionStatus != "Running"`);
    return open.count === 0 && closed.count > 0;
  });
  const { export: ended } = await call(recorder, `exports/${exportId}`);
  insist(ended.status === status, `an export that is ${status}, but ${ended.status}`);
  return Promise.all(
    (await runsOf(temporal, query)).map((run) => historyOf(run, recorder.stack.temporalAddress)),
  );
}

/** The export is made anew with nothing that its activity can read, until it is changed back or cancelled. */
async function broken(recorder: Recorder, exportId: string): Promise<void> {
  await until(
    'the first file is made',
    async () => (await call(recorder, `exports/${exportId}`)).export.status === 'SUCCEEDED',
  );
  await recorder.db.query(
    `update docking_exports set state = 'QUEUED', artifact_id = null, finished_at = null, query = '{"sort": "none"}' where id = $1`,
    [exportId],
  );
  await recorder.workflows.startExport({ exportId, accountId: exportId, format: 'csv', results: 2 });
}

/** Exports. */
export const EXPORT_CASES: readonly Case[] = [
  {
    name: 'export-made',
    run: async (recorder) => historiesOf(recorder, await asked(recorder), 'SUCCEEDED'),
  },
  {
    name: 'export-cancelled',
    async run(recorder) {
      const exportId = await asked(recorder);
      await broken(recorder, exportId);
      await sleep(2_000);
      const temporal = await recorder.temporal();
      await temporal.workflow.getHandle(exportWorkflowId(exportId)).cancel();
      const histories = await historiesOf(recorder, exportId, 'FAILED');
      return histories.slice(-1);
    },
  },
];
