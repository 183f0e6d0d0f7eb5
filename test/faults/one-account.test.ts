/**
 * One account hands in much heavy work at once: 64 completed uploads with a digest to verify, from a store that reads
 * slowly, on one control worker. Meanwhile the jobs and the money of other accounts go on as usual.
 */
import { readFileSync } from 'node:fs';

import { expect } from 'chai';

import { jobWorkflowId } from '../../src/contracts/names.ts';
import { endpointsFile } from '../../src/stack/endpoints.ts';
import type { Endpoints } from '../../src/stack/endpoints.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { endsWell } from '../support/faults/aftermath.ts';
import { submitNoop } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { bytesOf, multipartClient, PART } from '../support/multipart.ts';
import { openTestStore } from '../support/object-store.ts';
import type { TestStore } from '../support/object-store.ts';
import { startSlowStore } from '../support/slow-store.ts';
import type { SlowStore } from '../support/slow-store.ts';
import { endTestStack } from '../support/stack.ts';
import { digestOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

const UPLOADS = 64;
const SIZE = PART + 10;
const ROUNDS = 3;
/** The seconds that a machine with other work may add to any job. */
const ALLOWANCE_SECONDS = 2;
/** The number of files of one account that are worked on at once, by default. */
const OF_ACCOUNT = 1;

describe('64 uploads of one account that are to be verified', function () {
  this.timeout(180_000);
  let store: TestStore;
  let slow: SlowStore;
  let world: FaultWorld;

  before(async () => {
    store = await openTestStore();
    slow = await startSlowStore(store.url);
    world = await openFaultWorld({
      settings: { ...store.environment, DOCKYARD_STORAGE_ENDPOINT: slow.url },
    });
  });
  after(async () => {
    await endTestStack(world.stack);
    await slow.close();
    await store.close();
  });

  const call: TestApi['call'] = async (key, method, path, body): Promise<Answer> => {
    const answer = await fetch(`${world.stack.apiUrl}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${String(key)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const timedJob = async (): Promise<{ job: FaultJob; seconds: number }> => {
    const startedAt = performance.now();
    const job = await submitNoop(world, { tasks: 1, seconds: 0 });
    await endsWell(world, job, 1);
    return { job, seconds: (performance.now() - startedAt) / 1000 };
  };

  it('leave the job of another account its time, and money and state wait for less than a second', async () => {
    await timedJob();
    const alone = Math.max(...(await inTurn(ROUNDS, timedJob)).map(({ seconds }) => seconds));
    const uploads = await sendAll(await world.customer());
    const done = Promise.allSettled(uploads.map((complete) => complete()));
    await until('all are asked for, and files are read', () => {
      return slow.listings.count >= UPLOADS && slow.reading.now > 0;
    });

    const beside = await inTurn(ROUNDS, timedJob);
    expect(slow.reading.now, 'files that are still read').to.be.greaterThan(0);
    expect(slow.reading.most, 'files that were read at once').to.be.at.most(OF_ACCOUNT);
    const longest = Math.max(...beside.map(({ seconds }) => seconds));
    const waits = (await Promise.all(beside.map(({ job }) => controlWaits(world, job)))).flat();
    measured('a job', { alone, beside: longest, 'longest wait of money and state': Math.max(...waits) });
    expect(longest).to.be.lessThan(2 * alone + ALLOWANCE_SECONDS);
    expect(waits.length).to.be.greaterThan(ROUNDS * 5);
    expect(Math.max(...waits)).to.be.lessThan(1000);
    await tellsOperators();

    slow.release();
    await until('all are verified', async () => (await stateCount('COMPLETED')) === UPLOADS, 90_000);
    await done;
  });

  /** The metrics that a scraper reads from the control worker meanwhile. */
  const tellsOperators = async (): Promise<void> => {
    const endpoints: Endpoints = JSON.parse(readFileSync(endpointsFile(world.stack.home), 'utf8'));
    let text = '';
    const value = (series: string): number => {
      const line = text.split('\n').find((each) => each.startsWith(`${series} `));
      return line === undefined ? Number.NaN : Number(line.slice(series.length));
    };
    // An upload whose parts were listed asks for its turn a moment later, so the last one may not wait yet.
    await until('each upload has its turn or waits for it', async () => {
      text = await (await fetch(endpoints.metricsUrls['control'] ?? '')).text();
      return value('dockyard_file_turns{state="waiting"}') === UPLOADS - OF_ACCOUNT;
    });
    for (const [queue, slots] of Object.entries({ control: 32, storage: 16, provider: 32 })) {
      expect(value(`dockyard_activity_slots{queue="${queue}"}`)).to.equal(slots);
      expect(value(`dockyard_activity_slots_used{queue="${queue}"}`)).to.be.within(0, slots);
      const series = `{queue="${queue}",kind="activity"}`;
      expect(value(`dockyard_task_queue_depth${series}`)).to.be.at.least(0);
      expect(value(`dockyard_task_queue_age_seconds${series}`)).to.be.at.least(0);
    }
    expect(value('dockyard_task_queue_depth{queue="control",kind="workflow"}')).to.be.at.least(0);
    expect(value('dockyard_activity_slots_used{queue="storage"}')).to.be.at.least(OF_ACCOUNT);
    expect(value('dockyard_file_turns{state="held"}')).to.equal(OF_ACCOUNT);
    expect(value('dockyard_file_turns{state="waiting"}')).to.equal(UPLOADS - OF_ACCOUNT);
  };
  const stateCount = async (state: string): Promise<number> =>
    (await world.rows('select 1 from uploads where state = $1', [state])).length;

  /** Sends the parts of all uploads; answers the completion of each upload. */
  const sendAll = async ({ key }: { readonly key: string }): Promise<(() => Promise<Answer>)[]> => {
    const bytes = bytesOf(SIZE);
    const sha256 = digestOf(bytes);
    const client = multipartClient({ call }, key);
    return inTurn(UPLOADS, async () => {
      const { body: upload } = await client.init({ size: SIZE, partSize: PART, sha256 });
      const parts = await client.send(upload, bytes);
      return () => client.complete(upload.uploadId, parts);
    });
  };
});

/** The milliseconds that each activity of a job's own run waited for a slot on the queue of money and state. */
async function controlWaits(world: FaultWorld, { jobId }: FaultJob): Promise<number[]> {
  const { workflow } = await world.temporal();
  const ids = new Set([jobWorkflowId(jobId)]);
  for await (const { workflowId } of workflow.list({
    query: `WorkflowId STARTS_WITH "${jobWorkflowId(jobId)}"`,
  }))
    ids.add(workflowId);
  const waits: number[] = [];
  for (const id of ids) {
    const { events } = await workflow.getHandle(id).fetchHistory();
    const scheduledAt = new Map<string, number>();
    for (const event of events ?? []) {
      const at = Number(event.eventTime?.seconds) * 1000 + Number(event.eventTime?.nanos) / 1e6;
      const { taskQueue } = event.activityTaskScheduledEventAttributes ?? {};
      if (taskQueue?.name === 'control') scheduledAt.set(String(event.eventId), at);
      const started = event.activityTaskStartedEventAttributes;
      const since = scheduledAt.get(String(started?.scheduledEventId));
      if (since !== undefined) waits.push(at - since);
    }
  }
  return waits;
}

async function inTurn<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make());
  return made;
}
