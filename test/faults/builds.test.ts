/**
 * Two builds of control workers beside each other, and new work that is sent to one and to the other under load. Jobs end on the build
 * that they began on, nothing is begun again, and no task runs twice.
 */
import { expect } from 'chai';

import { jobWorkflowId, uploadWorkflowId } from '../../src/contracts/names.ts';
import { endsWell, startedOnce } from '../support/faults/aftermath.ts';
import { openBuilds } from '../support/faults/builds.ts';
import type { Builds } from '../support/faults/builds.ts';
import { submitNoop, taskStarts, tasksOf, untilRunning } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { IS_FULL, measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { PART } from '../support/multipart.ts';
import { tuned } from '../support/tuning.ts';

const TASKS = 3;
const JOB = { tasks: TASKS, seconds: 2 };
/** Enough tasks for a workflow of a job that continues as new after the fewest events. */
const MANY = 2500;
const SWITCHES = timed({ scaled: 2, full: 16 });
/** Jobs that begin on each build between two changes. */
const JOBS = timed({ scaled: 1, full: 3 });

/** Quicker to start than a process for each instance; what is at stake here are the control workers. */
const IN_PROCESS = { DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' };

describe('builds of control workers', function () {
  this.timeout((IS_FULL ? 4 : 2) * RECOVERY_MS);
  let world: FaultWorld;
  let builds: Builds;
  before('starts a stack without control workers', async () => {
    world = await openFaultWorld({
      roles: ['gateway', 'compute', 'api'],
      settings: { ...tuned({ maxHistoryEvents: 100 }), ...(IS_FULL ? {} : IN_PROCESS) },
    });
    builds = await openBuilds(world);
  });
  after(() => builds.close());

  /** The job ended as if nothing had happened; the builds of each of its runs, parts and all. */
  const endsUndisturbed = async (job: FaultJob, taskCount: number): Promise<string[]> => {
    await endsWell(world, job, taskCount);
    await startedOnce(world, job, taskCount);
    const { recovery } = await job.customer.client.status(job.jobId);
    expect(recovery.recoveries).to.equal(0);
    const runs = await builds.runsOf(jobWorkflowId(job.jobId));
    expect(runs.length, 'job and part').to.be.at.least(2);
    return runs.map((run) => run.builds.join(' and '));
  };
  const endsOn = async (job: FaultJob, buildId: string): Promise<void> => {
    expect(new Set(await endsUndisturbed(job, TASKS)), job.jobId).to.deep.equal(new Set([buildId]));
    const own = await builds.runsOf(jobWorkflowId(job.jobId));
    expect(own.filter(({ workflowId }) => workflowId === jobWorkflowId(job.jobId))).to.have.lengthOf(1);
  };

  if (IS_FULL) {
    it('goes on, with the first build that has a name, with what began before builds had names', async () => {
      await builds.start('');
      const job = await submitNoop(world, JOB);
      await untilRunning(world, job);
      await builds.end('', 'SIGTERM');
      await builds.start('one');
      await builds.untilCurrent('one');
      expect(new Set(await endsUndisturbed(job, TASKS))).to.include.keys(' and one');
    });
  } else {
    it('lets the first build become current by itself', async () => {
      await builds.start('one');
      await builds.untilCurrent('one');
    });
  }

  it('makes no later build current by itself, and none that has no workers', async () => {
    const refused = await builds.command('set-current', 'two', '--yes', '--json');
    expect({ code: refused.code, error: refused.error }).to.deep.equal({ code: 2, error: 'BUILD_NOT_READY' });
    await builds.start('two');
    const waited = await builds.command('set-current', 'two', '--wait', '60', '--json');
    expect({ code: waited.code, error: waited.error }).to.deep.equal({
      code: 2,
      error: 'CONFIRMATION_REQUIRED',
    });
    const { data } = await builds.command('show', '--json');
    expect(data.currentBuild).to.equal('one');
    expect(data.builds.map((build: { buildId: string }) => build.buildId)).to.have.members(['one', 'two']);
  });

  it('changes nothing where somebody else has changed it since it was looked at', async () => {
    const known = await builds.deployments.read();
    await builds.setCurrent('two');
    expect(await builds.deployments.setCurrent('one', known?.token ?? new Uint8Array())).to.equal(false);
    await builds.setCurrent('one');
  });

  it('ends each job on the build that the job began on, forward and back under load', async () => {
    const startedAt = performance.now();
    const jobs: { readonly job: FaultJob; readonly buildId: string }[] = [];
    const begin = async (buildId: string, seconds = JOB.seconds): Promise<void> => {
      const fresh = await Promise.all(
        Array.from({ length: JOBS }, () => submitNoop(world, { ...JOB, seconds })),
      );
      jobs.push(...fresh.map((job) => ({ job, buildId })));
    };
    // What the first jobs need is looked at after two commands, which take some seconds each on a busy machine.
    await begin('one', 4 * JOB.seconds);
    for (let n = 0; n < SWITCHES; n += 1) {
      await Promise.all(jobs.slice(-JOBS).map(({ job }) => untilRunning(world, job)));
      const [from, to] = n % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
      const changed = await builds.command('set-current', to, '--yes', '--json');
      expect(changed.data).to.deep.equal({ deployment: 'dockyard', from, to });
      if (n === 0) {
        const { data } = await builds.command('show', '--json');
        const before = data.builds.find((build: { buildId: string }) => build.buildId === 'one');
        // Each job with its part.
        expect(before.standing)
          .to.deep.include({ kind: 'needed', hasWorkers: true })
          .and.property('open')
          .above(1);
      }
      await begin(to);
    }
    for (const { job, buildId } of jobs) await endsOn(job, buildId);
    measured('jobs over changes of the build', {
      ...{ jobs: jobs.length, changes: SWITCHES, seconds: (performance.now() - startedAt) / 1000 },
    });
  });

  it('goes on with the current build where an upload is open', async () => {
    await builds.setCurrent('one');
    const customer = await world.customer();
    const { uploadId } = await call(world, customer, 'POST', 'uploads', {
      ...{ filename: 'scene.glb', contentType: 'model/gltf-binary', size: 2 * PART, partSize: PART },
    });
    await builds.setCurrent('two');
    await call(world, customer, 'DELETE', `uploads/${uploadId}`);
    const [run, ...more] = await builds.runsOf(uploadWorkflowId(uploadId));
    expect(run?.builds).to.deep.equal(['one', 'two']);
    expect(more).to.deep.equal([]);
  });

  if (IS_FULL) {
    it('keeps each run of a long job on one build, and no task runs twice', async () => {
      await builds.setCurrent('one');
      const job = await submitNoop(world, { tasks: MANY, seconds: 0, shardSize: 10 });
      await untilRunning(world, job);
      await builds.setCurrent('two');
      const runs = await endsUndisturbed(job, MANY);
      expect(runs.filter((each) => each !== 'one' && each !== 'two')).to.deep.equal([]);
      const own = (await builds.runsOf(jobWorkflowId(job.jobId))).filter(
        ({ workflowId }) => workflowId === jobWorkflowId(job.jobId),
      );
      expect(own.length, 'runs of the job').to.be.above(1);
      measured('a job that continued as new', { runs: own.length, builds: [...new Set(runs)].join(', ') });
    });

    it('lets jobs wait while workers of their build are away, and loses nothing', async () => {
      await builds.setCurrent('one');
      const job = await submitNoop(world, { tasks: TASKS, seconds: 2 });
      await untilRunning(world, job);
      await builds.setCurrent('two');
      await builds.end('one', 'SIGKILL');
      const other = await submitNoop(world, JOB);
      await endsOn(other, 'two');
      expect((await tasksOf(world, job)).some(({ state }) => state !== 'SUCCEEDED')).to.equal(true);
      await builds.start('one');
      await endsOn(job, 'one');
      expect([...(await taskStarts(world, job)).values()]).to.deep.equal(Array(TASKS).fill(1));
    });
  }
});

/** A call of the API that must succeed; the answer's body. */
async function call(
  world: FaultWorld,
  { key }: Customer,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly uploadId: string }> {
  const answer = await fetch(`${world.stack.apiUrl}/api/v1/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.ok, text).to.equal(true);
  return text === '' ? { uploadId: '' } : JSON.parse(text);
}
