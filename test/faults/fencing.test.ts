/** A frozen compute worker is fenced; when the worker wakes up, nothing that it says or stages counts, and it ends. */
import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { endsWell, processesOf, stagedFiles } from '../support/faults/aftermath.ts';
import { guestOf } from '../support/faults/guest.ts';
import type { Guest } from '../support/faults/guest.ts';
import { instanceOf, submitNoop, taskStarts } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { FaultWorld } from '../support/faults/world.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';
import { RECORDERS } from '../support/recorders.ts';

const TASKS = 3;
const FORGED = Buffer.from('an output that nobody asked for');
const FORGED_FILE = {
  name: 'result.bin',
  byteSize: FORGED.byteLength,
  sha256: createHash('sha256').update(FORGED).digest('hex'),
};

describe('a compute worker that is stopped until it is fenced', function () {
  this.timeout(RECOVERY_MS * 3);
  let world: FaultWorld;
  let job: FaultJob;
  let guest: Guest;
  let upload: Awaited<ReturnType<Guest['uploadUrl']>>;
  let instance: string;
  before(async function () {
    this.timeout(120_000 + RECOVERY_MS);
    world = await faultWorld();
    job = await submitNoop(world, { tasks: TASKS, seconds: timed({ scaled: 2, full: 20 }) });
    await until('both tools run', async () => (await taskStarts(world, job)).size === 2, RECOVERY_MS);
    instance = await instanceOf(world, job);
    guest = guestOf(world, { jobId: job.jobId, slot: 0, generation: 1 });
    upload = await guest.uploadUrl(0, FORGED_FILE);
    // The host would end a fenced instance at once; the host is stopped too, so that the worker lives to wake up.
    world.stack.pause('compute');
    world.stack.pause(instance);
  });

  it('its job fences it after the give-up time', async () => {
    const stoppedAt = performance.now();
    await until('generation 1 is fenced', async () => (await fenceCause()) !== null, RECOVERY_MS);
    expect(await fenceCause()).to.equal('INSTANCE_SILENT');
    measured('fenced', { afterSeconds: (performance.now() - stoppedAt) / 1000 });
  });

  it('its contact, claims, progress, logs and results are refused with 409 FENCED, and it gets no new URL', async () => {
    const calls: [string, unknown][] = [
      ['/v1/contact', { running: [{ kind: 'task', ordinal: 0, percent: 99 }] }],
      ['/v1/tasks/claim', { execution: 1, kind: 'task', ordinals: [0, 1, 2] }],
      ['/v1/tasks/upload-urls', { kind: 'task', files: [{ ordinal: 0, ...FORGED_FILE }] }],
      ['/v1/tasks/task/0/log?attempt=1&from=0', 'late words'],
    ];
    for (const [path, body] of calls) {
      const { status, code } = await guest.post(path, body);
      expect({ path, status, code }).to.deep.equal({ path, status: 409, code: 'FENCED' });
    }
  });

  it('what it PUTs with an old URL is staged and never committed', async () => {
    const put = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: FORGED });
    expect(put.status).to.equal(200);
    const result = await commitTasks(
      {
        db: world.db,
        store: world.store,
        tools: createToolRegistry({ testTools: TEST_TOOLS }),
        recorders: RECORDERS,
      },
      { jobId: job.jobId, execution: 1, slot: 0, generation: 1, kind: 'task', reports: [forgedReport()] },
    );
    expect(result).to.deep.equal({ fenced: true, verified: 0, failed: 0, redo: [] });
  });

  it('woken up it is refused, kills its tools and exits by itself', async () => {
    const id = instance.slice('instance/'.length);
    expect(processesOf(id).length, 'worker and tools before').to.be.at.least(3);
    const wokenAt = performance.now();
    world.stack.resume(instance);
    await until('no process of the fenced instance is left', () => processesOf(id).length === 0, RECOVERY_MS);
    measured('woken up', { goneAfterSeconds: (performance.now() - wokenAt) / 1000 });
  });

  it('what it staged is swept, and the job ends right on the next instance', async () => {
    world.stack.resume('compute');
    await endsWell(world, job, TASKS);
    const forged = await world.rows('select 1 from artifacts where job_id = $1 and sha256 = $2', [
      job.jobId,
      FORGED_FILE.sha256,
    ]);
    expect(forged).to.deep.equal([]);
    const starts = [...(await taskStarts(world, job)).values()];
    expect(
      starts.reduce((sum, count) => sum + count, 0),
      'task starts',
    ).to.be.at.most(TASKS + 2);
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery.events.map(({ cause }) => cause)).to.deep.equal(['INSTANCE_SILENT']);
  });

  it('what it PUTs after the end of its job is swept too', async () => {
    const put = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: FORGED });
    expect(put.status).to.equal(200);
    expect(await stagedFiles(world, job.jobId)).to.have.length(1);
    const stagedAt = performance.now();
    await until(
      'the staged file is swept',
      async () => (await stagedFiles(world, job.jobId)).length === 0,
      RECOVERY_MS,
    );
    measured('late PUT', { sweptAfterSeconds: (performance.now() - stagedAt) / 1000 });
  });

  const fenceCause = async (): Promise<string | null> => {
    const [row] = await world.rows<{ fence_cause: string | null }>(
      'select fence_cause from instances where job_id = $1 and slot = 0 and generation = 1',
      [job.jobId],
    );
    return row?.fence_cause ?? null;
  };
});

function forgedReport() {
  const { name, byteSize, sha256 } = FORGED_FILE;
  const output = {
    name,
    byteSize,
    sha256,
    kind: 'result',
    mediaType: 'application/octet-stream',
    format: null,
  };
  return { ordinal: 0, end: 'done', outputs: [output], seconds: 1, summary: null } as const;
}
