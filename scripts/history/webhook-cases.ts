/** Webhooks as they are recorded: a try in vain and a good one, and a wait that goes on in another run and ends with the webhook. */
import { randomUUID } from 'node:crypto';
import http from 'node:http';

import { webhookWorkflowId } from '../../src/contracts/names.ts';
import { WEBHOOK_MESSAGES } from '../../src/contracts/webhook.ts';
import type { Case } from './cases.ts';
import { insist } from './cases.ts';
import type { RecordedHistory } from './files.ts';
import { holdsText } from './history-text.ts';
import { historyOf, runsOf, until } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** Sends one delivery to a server that answers with these statuses, the last one for ever. */
async function sendTo(
  recorder: Recorder,
  statuses: readonly number[],
  follow: (webhookId: string, tries: () => number) => Promise<void>,
): Promise<RecordedHistory[]> {
  let tries = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(statuses[Math.min(tries, statuses.length - 1)] ?? 500).end();
      tries += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const webhookId = randomUUID();
    const place = server.address();
    if (place === null || typeof place === 'string') throw new Error('the server has no port');
    await recorder.db.query(
      `insert into webhooks (id, account_id, url, types, request_sha256, created_by)
       select $1, account_id, $2, '{topup.paid}', 'f', id from users limit 1`,
      [webhookId, `http://127.0.0.1:${place.port}/confidential-path`],
    );
    await recorder.db.query(
      `insert into webhook_deliveries (webhook_id, event_id, type, body, state, due_at)
       values ($1, $1, 'topup.paid', '{"confidential":"body"}', 'PENDING', now())`,
      [webhookId],
    );
    await follow(webhookId, () => tries);
    const temporal = await recorder.temporal();
    const query = `WorkflowId = "${webhookWorkflowId(webhookId)}"`;
    await until('the workflow of the webhook has ended', async () => {
      const open = await temporal.workflow.count(`${query} AND ExecutionStatus = "Running"`);
      const closed = await temporal.workflow.count(`${query} AND ExecutionStatus != "Running"`);
      return open.count === 0 && closed.count > 0;
    });
    const histories = await Promise.all(
      (await runsOf(temporal, query)).map((run) => historyOf(run, recorder.stack)),
    );
    insist(!holdsText(histories, 'confidential'), 'histories without addresses and bodies');
    return histories;
  } finally {
    server.close();
  }
}

/** Webhooks whose histories are short. */
export const WEBHOOK_CASES: readonly Case[] = [
  {
    name: 'webhook-retried',
    run: (recorder) =>
      sendTo(recorder, [500, 200], async (_webhookId, tries) => {
        await until('the second try was made', () => tries() === 2);
      }),
  },
];

/** Webhooks whose histories grow until they continue as new. */
export const WEBHOOK_BIG_CASES: readonly Case[] = [
  {
    name: 'webhook-continued',
    async run(recorder) {
      const histories = await sendTo(recorder, [500], async (webhookId, tries) => {
        await until('the second try was made', () => tries() === 2);
        const temporal = await recorder.temporal();
        const handle = temporal.workflow.getHandle(webhookWorkflowId(webhookId));
        const { runId } = await handle.describe();
        await until('the workflow goes on in another run', async () => {
          await handle.signal(WEBHOOK_MESSAGES.due);
          return (await handle.describe()).runId !== runId;
        });
        await recorder.db.query('update webhooks set removed_at = now() where id = $1', [webhookId]);
        await handle.signal(WEBHOOK_MESSAGES.due);
      });
      insist(histories.length > 1, 'more than one run');
      return histories;
    },
  },
];
