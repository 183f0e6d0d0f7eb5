/** The workflow of a webhook, over a server whose clock jumps over timers and a real database: all tries, and a workflow that is lost. */
import { Worker } from '@temporalio/worker';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { expect } from 'chai';

import { createWebhookActivities } from '../../activities/webhooks.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, WEBHOOK_QUEUE, webhookWorkflowId } from '../../src/contracts/names.ts';
import { WEBHOOK_MESSAGES } from '../../src/contracts/webhook.ts';
import { createWebhooks, fanOut, wakeWebhooks } from '../../src/services/webhooks/index.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';
import { until } from '../support/until.ts';
import { happen, signedInOwner, webhookDeps, WebhookReceiver } from '../support/webhook-receiver.ts';

describe('the workflow of a webhook', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let time: TestWorkflowEnvironment;
  let workers: readonly Worker[] = [];
  let running: Promise<unknown>;
  let receiver: WebhookReceiver;

  before(async () => {
    quietRuntime();
    [test, time] = await Promise.all([openTestDatabase(), openTimeSkipping()]);
    const clock = async (): Promise<string> => new Date(await time.currentTimeMs()).toISOString();
    const activities = createWebhookActivities({ ...webhookDeps(test.db, undefined, 2_000), clock });
    const connection = time.nativeConnection;
    const workflowBundle = { codePath: await ensureBundle() };
    workers = [
      await Worker.create({ connection, taskQueue: CONTROL_QUEUE, workflowBundle }),
      await Worker.create({ connection, taskQueue: WEBHOOK_QUEUE, activities }),
    ];
    running = Promise.all(workers.map((worker) => worker.run()));
  });
  beforeEach(async () => (receiver = await new WebhookReceiver().open()));
  afterEach(() => receiver.close());
  after(async () => {
    for (const worker of workers) worker.shutdown();
    await running;
    await time.teardown();
    await test.close();
  });

  const start = (webhookId: string, maxHistoryEvents: number) =>
    time.client.workflow.signalWithStart('webhook', {
      ...{ workflowId: webhookWorkflowId(webhookId), taskQueue: CONTROL_QUEUE },
      ...{ args: [{ webhookId, maxHistoryEvents }], signal: WEBHOOK_MESSAGES.due, signalArgs: [] },
    });
  /** A new webhook with so many deliveries that are due. */
  const due = async (events: number): Promise<string> => {
    const who = await signedInOwner(test.db);
    const body = { url: receiver.url, types: ['topup.paid'] };
    const command = { body, idempotencyKey: null, fingerprint: 'f', address: '192.0.2.7' };
    const { id } = await createWebhooks(webhookDeps(test.db)).create(who, command);
    await happen(test.db, who.accountId, events);
    await fanOut(test.db);
    return id;
  };
  const states = async (webhookId: string): Promise<readonly string[]> => {
    const rows = await test.db.query<{ state: string; attempt: number }[]>(
      'select state, attempt from webhook_deliveries where webhook_id = $1',
      [webhookId],
    );
    return [...new Set(rows.map(({ state, attempt }) => `${state} ${String(attempt)}`))];
  };

  it('makes all ten tries in their time, over several runs, and ends', async () => {
    receiver.answer = 500;
    const webhookId = await due(2);
    const began = await time.currentTimeMs();
    const handle = await start(webhookId, 20);
    const { signaledRunId: firstRunId } = handle;
    await handle.result();
    expect(await states(webhookId)).to.deep.equal(['FAILED 10']);
    expect(receiver.received).to.have.length(20);
    // Once nothing runs, the clock of the server goes on to the end of whatever it keeps, so the rows are asked.
    const [last] = await test.db.query<{ hours: number }[]>(
      'select extract(epoch from max(attempted_at) - $2::timestamptz)::float8 / 3600 as hours from webhook_deliveries where webhook_id = $1',
      [webhookId, new Date(began).toISOString()],
    );
    expect(last?.hours).to.be.within(75.5, 76.5);
    const runs = time.client.workflow.getHandle(webhookWorkflowId(webhookId), firstRunId);
    expect((await runs.describe()).status.name).to.equal('CONTINUED_AS_NEW');
  });

  it('is taken up from the rows when somebody has terminated it, and sends what is new at once', async () => {
    receiver.answer = 'never';
    const webhookId = await due(1);
    const workflow = time.client.workflow.getHandle(webhookWorkflowId(webhookId));
    let starts = 0;
    const wake = (): Promise<void> =>
      wakeWebhooks(test.db, async (id) => {
        if (id !== webhookId) return;
        await start(id, 10_000);
        starts += 1;
      });
    await wake();
    await until('a try has begun', () => receiver.received.length > 0);
    await workflow.terminate('by hand');
    receiver.answer = 200;
    // The activity of the workflow that was lost may still send what is due.
    await until('another workflow was started', async () => {
      await test.db.query(
        `update webhook_deliveries set state = 'PENDING', due_at = now(), claimed_until = null where webhook_id = $1`,
        [webhookId],
      );
      await test.db.query(`update webhooks set woken_at = now() - interval '1 hour' where id = $1`, [
        webhookId,
      ]);
      await wake();
      return starts === 2;
    });
    await workflow.result();
    expect((await states(webhookId)).join()).to.match(/^SUCCEEDED \d$/);
    expect(new Set(receiver.ids)).to.have.property('size', 1);
  });
});
