/** Final text of a batch, with the commands that go on from there. */
import type { Client } from '../../../client/index.ts';
import { FAILURES_OF_THE_ENGINE } from '../../../domain/codes/jobs.ts';
import { isTerminal } from '../../../domain/job-state.ts';
import { batchText, controlText, failuresText } from './text.ts';
import type { Followed } from './watch.ts';

/** Makes the part of a watch that is particular to a batch. */
export function concludeBatch(client: Client, batchId: string, jobId: string): Followed {
  return {
    jobId,
    scope: { batchId },
    again: `batch watch ${batchId}`,
    cancel: `batch cancel ${batchId}`,
    conclude: async () => {
      const { data, text } = await showBatch(client, batchId);
      return { data, text, status: data.batch.status };
    },
  };
}

/** A batch with what failed in it. */
export async function showBatch(
  client: Client,
  batchId: string,
): Promise<{ readonly data: Awaited<ReturnType<typeof readBatch>>; readonly text: string }> {
  const data = await readBatch(client, batchId);
  const { batch, failures } = data;
  // The report of a dry run has the failures already.
  const failed = batch.dry_run ? '' : failuresText(failures);
  const control = controlText(data.validation);
  return { data, text: `${batchText(data)}${control}${failed}${nextText(batchId, data)}` };
}

async function readBatch(client: Client, batchId: string) {
  const answer = await client.docking.batch(batchId);
  const { counts: failures } = await client.docking.listFailures(batchId, { limit: 1 });
  // The control of a run stands with each of its results.
  const { results } = await client.docking.listResults({ batchId }, { limit: 1 });
  return { ...answer, failures, validation: results[0]?.validation ?? null };
}

function nextText(batchId: string, { batch, failures }: Awaited<ReturnType<typeof readBatch>>): string {
  const { counts, dry_run: isDry } = batch;
  const retried: readonly string[] = FAILURES_OF_THE_ENGINE;
  const mayHelp = !isDry && isTerminal(batch.status) && failures.some(({ code }) => retried.includes(code));
  const lines = [
    ...(isDry || counts.succeeded === 0
      ? []
      : [
          `Results: dockyard batch results ${batchId} --top 50`,
          `Export:  dockyard batch export ${batchId} --format csv -o results.csv`,
        ]),
    ...(counts.failed === 0 ? [] : [`Failed:  dockyard batch failures ${batchId}`]),
    ...(mayHelp ? [`Again:   dockyard batch retry ${batchId}`] : []),
  ];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}
