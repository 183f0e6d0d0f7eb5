/**
 * Renders on a real stack, with the real Blender, while something goes wrong: frames are the same files for the same price, whoever is
 * killed; what is done stays. Only the long runs have these tests, where the pack is found.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { JobStatusResponse } from '../../src/client/types.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { instanceIdOf } from '../../src/local-host/host-table.ts';
import { packVariableOf } from '../../src/packs/pack.ts';
import { blenderPack } from '../../src/tools/blender/pack.ts';
import { makeBlenderProgram } from '../support/blender-program.ts';
import { SETTING_WITHOUT_SANDBOX } from '../support/containments.ts';
import { leavesNothing, processesOf } from '../support/faults/aftermath.ts';
import { instanceOf, startsOf, stateOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { measured } from '../support/faults/times.ts';
import { openFaultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { inLongRuns } from '../support/long.ts';
import { realPack } from '../support/real-packs.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const MAKE = join(repositoryRoot, 'examples/blender/make_scene.py');
const CUBE = join(repositoryRoot, 'test/fixtures/blender/cube.py');
const DEAR = pathToFileURL(join(repositoryRoot, 'test/fixtures/dear-cores/raise-price.mjs')).href;
const RUN_MS = 900_000;
/** The longest time until a frame is drawn again, on a busy machine. */
const FRAME_MS = 240_000;
const MS_PER_SECOND = 1000;
/** Time after a cancel in which the tool is gone. */
const TOOLS_GONE_SECONDS = 10;
/** A task that the system kills is given up at this attempt. */
const LAST_ATTEMPT = 4;

const longIt = inLongRuns(it);

interface FrameRow {
  readonly frame: string;
  readonly state: string;
  readonly attempts: number;
  readonly metered: number | null;
}

/** Without it a frame is drawn on all vCPUs of an instance, by one process. */
const TWO_AT_ONCE = { threads: '1' };

/** No history of a job may have more events. */
const MOST_EVENTS = 10_000;
/** Frames of 160 pixels with so many samples take some seconds, in chunks of so many. */
const CUT = { width: '160', samples: '2048', chunk: 128 };

/** Width, height and samples of frames that take seconds. */
const SIZE = ['200', '150', '48'];

/** The charge of a job, and the seconds that it is for. */
interface Priced {
  readonly pence: number;
  readonly seconds: number;
}

describe('a render while something goes wrong', function () {
  this.timeout(RUN_MS);
  let world: FaultWorld;
  let scratch: string;

  before(async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    scratch = await mkdtemp(join(tmpdir(), 'dockyard-test-render-faults-'));
    await run(pack.python ?? '', [MAKE, join(scratch, 'film'), ...SIZE]);
    await run(pack.python ?? '', [CUBE, join(scratch, 'cube/shot.blend'), '64']);
    await run(pack.python ?? '', [CUBE, join(scratch, 'cut/shot.blend'), CUT.width, CUT.samples]);
    // Hosts find Blender as a program of the site, which cuts what may be cut.
    const site = join(scratch, 'site');
    await makeBlenderProgram(site, pack.python ?? '', { chunk: CUT.chunk });
    world = await openFaultWorld({
      settings: {
        ...SETTING_WITHOUT_SANDBOX,
        [packVariableOf(blenderPack.name)]: site,
        // One instance, so that a test knows which one draws.
        DOCKYARD_MAX_INSTANCES_PER_JOB: '1',
        NODE_OPTIONS: `--import=${DEAR}`,
      },
    });
    const { client } = await world.customer();
    await until(
      'Blender is offered',
      async () =>
        (await client.simulators()).simulators.some(({ id, available }) => id === 'blender' && available),
      120_000,
    );
    return undefined;
  });
  after(async function () {
    this.timeout(240_000);
    if (world !== undefined) await endTestStack(world.stack);
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  });

  const submitted = async (
    frames: string,
    parameters: Readonly<Record<string, string>> = {},
    folder = join(scratch, 'film'),
  ): Promise<FaultJob> => {
    const customer: Customer = await world.customer(10_000_000);
    const { files } = await customer.client.uploadFolder({ path: folder });
    const sceneFile = files.find(({ logicalPath }) => logicalPath.endsWith('shot.blend'))?.storageKey ?? '';
    const { jobId, heldCents } = await customer.client.submit({
      ...{ jobType: 'render', sceneFile, parameters: { frames, ...parameters } },
      // Far above what a frame takes, so that no hold has to grow.
      metadata: { renderTimeMinutes: 1 },
    });
    return { jobId, customer, heldPence: heldCents };
  };
  const framesOf = ({ jobId }: FaultJob): Promise<FrameRow[]> =>
    world.rows<FrameRow>(
      `select item_id as frame, state, attempts, metered_ms::int as metered from tasks
       where job_id = $1 and kind = 'task' order by item_id::int`,
      [jobId],
    );
  const many = async (job: FaultJob, state: string, count: number): Promise<void> =>
    until(
      `${count} frames are ${state}`,
      async () => (await framesOf(job)).filter((frame) => frame.state === state).length >= count,
      RUN_MS,
    );
  const endOf = async (job: FaultJob, state: string): Promise<JobStatusResponse> => {
    const ends = ['SUCCEEDED', 'FAILED', 'PARTIALLY_SUCCEEDED', 'CANCELLED'];
    await until('the job ends', async () => ends.includes((await stateOf(world, job)) ?? ''), RUN_MS);
    const status = await job.customer.client.status(job.jobId);
    expect(status.status, JSON.stringify(status.failures)).to.equal(state);
    await leavesNothing(world, job);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
    return status;
  };
  /** The frames of a job that has ended, each with the digest of its file. */
  const digestsOf = async ({ jobId, customer }: FaultJob): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for await (const { name, sha256 } of customer.client.outputs(jobId))
      if (name.startsWith('frames/')) found.set(name, sha256);
    return found;
  };
  /** What a second of drawing has cost; the seconds of the bill are those of the verified frames. */
  const pricedOf = async (job: FaultJob, { cost }: JobStatusResponse): Promise<Priced> => {
    const metered = (await framesOf(job)).reduce((sum, frame) => sum + (frame.metered ?? 0), 0);
    const { executions } = await job.customer.client.bill(job.jobId);
    const billed = executions.flatMap(({ lines }) => lines.map(({ meteredMs }) => meteredMs ?? 0));
    expect(billed.reduce((sum, ms) => sum + ms, 0)).to.equal(metered);
    return { pence: cost.chargedCents, seconds: metered / MS_PER_SECOND };
  };
  /** A second costs the same in both jobs; each charge is in whole pence, and a penny of one is more where the other is longer. */
  const expectSamePrice = (one: Priced, other: Priced): void => {
    expect(other.seconds, 'what was lost is not counted').to.be.closeTo(one.seconds, 0.25 * one.seconds);
    const ratio = other.seconds / one.seconds;
    expect(other.pence).to.be.closeTo(one.pence * ratio, Math.max(1, ratio));
  };
  const lastTool = async (job: FaultJob): Promise<number> =>
    (await startsOf(world, job)).findLast(({ start }) => start === 'process')?.pid ?? expect.fail('no tool');

  longIt(
    'that loses a tool, an instance and a control worker gives the same files, and a second costs the same',
    async () => {
      const quiet = await submitted('1-8', TWO_AT_ONCE);
      const undisturbed = await pricedOf(quiet, await endOf(quiet, 'SUCCEEDED'));
      const job = await submitted('1-8', TWO_AT_ONCE);
      await many(job, 'SUCCEEDED', 1);
      await many(job, 'RUNNING', 1);
      process.kill(await lastTool(job), 'SIGKILL');
      await many(job, 'SUCCEEDED', 3);
      await many(job, 'RUNNING', 1);
      world.stack.kill(await instanceOf(world, job));
      await many(job, 'SUCCEEDED', 5);
      await world.killAndRestart('control');
      const status = await endOf(job, 'SUCCEEDED');
      expectSamePrice(undisturbed, await pricedOf(job, status));
      const digests = await digestsOf(quiet);
      expect(digests.size).to.equal(8);
      expect(await digestsOf(job)).to.deep.equal(digests);
      const attempts = (await framesOf(job)).reduce((sum, frame) => sum + frame.attempts, 0);
      expect(attempts, 'two kills lost a frame each').to.be.at.least(10);
      measured('with three kills', { attempts, ...undisturbed });
    },
  );

  longIt(
    'that loses its tool in the middle of a frame goes on from its chunks to the same file',
    async () => {
      const cut = join(scratch, 'cut');
      // On one slot, because a second one would start a tool ahead, and there is one frame.
      const quiet = await submitted('1', {}, cut);
      const undisturbed = await pricedOf(quiet, await endOf(quiet, 'SUCCEEDED'));
      const job = await submitted('1', {}, cut);
      const keptMs = async (): Promise<number> =>
        (
          await world.rows<{ kept: number }>(
            `select kept_ms::int as kept from tasks where job_id = $1 and kind = 'task'`,
            [job.jobId],
          )
        )[0]?.kept ?? 0;
      let kept = 0;
      for (const attempt of [1, 2]) {
        const tool = await toolOf(job, 0, attempt);
        const before = await keptMs();
        await until(`attempt ${attempt} has kept a chunk`, async () => (await keptMs()) > before, FRAME_MS);
        kept = await keptMs();
        process.kill(tool, 'SIGKILL');
      }
      const status = await endOf(job, 'SUCCEEDED');
      expect(status.recovery.resumable).to.equal(true);
      // The bill has the seconds of the chunks that both lost attempts have kept, at the price of any second.
      expectSamePrice(undisturbed, await pricedOf(job, status));
      const [frame] = await framesOf(job);
      expect(frame?.attempts).to.equal(3);
      expect(frame?.metered).to.be.above(kept);
      const digests = await digestsOf(quiet);
      expect(digests.size).to.equal(1);
      expect(await digestsOf(job)).to.deep.equal(digests);
      measured('a frame in chunks with two kills', { keptMs: kept, meteredMs: frame?.metered ?? 0 });
    },
  );

  longIt(
    'that is cancelled keeps the frames that are done, and its tool is gone in ten seconds',
    async () => {
      const job = await submitted('1-25', TWO_AT_ONCE);
      await many(job, 'SUCCEEDED', 2);
      await many(job, 'RUNNING', 1);
      const [row] = await world.rows<{ token: string }>(
        'select launch_token as token from instances where job_id = $1 and fenced_at is null',
        [job.jobId],
      );
      const id = instanceIdOf(row?.token ?? expect.fail('no instance'));
      expect(processesOf(id).some((one) => one.startsWith('tool'))).to.equal(true);
      const cancelledAt = performance.now();
      await job.customer.client.cancel(job.jobId);
      await until('no tool runs', async () => !processesOf(id).some((one) => one.startsWith('tool')), 60_000);
      const goneAfter = (performance.now() - cancelledAt) / MS_PER_SECOND;
      expect(goneAfter).to.be.below(TOOLS_GONE_SECONDS);
      const status = await endOf(job, 'CANCELLED');
      const done = (await framesOf(job)).filter(({ state }) => state === 'SUCCEEDED');
      expect(done.length).to.be.within(2, 24);
      expect((await digestsOf(job)).size).to.equal(done.length);
      expect(status.cost.chargedCents).to.be.greaterThan(0);
      await pricedOf(job, status);
      measured('cancel in mid-frame', { toolsGoneAfterSeconds: goneAfter, kept: done.length });
    },
  );

  longIt('of which one frame is killed each time is done but for that frame, which is named', async () => {
    const job = await submitted('1-10', { order: 'linear', resolutionPercent: '60' });
    for (let attempt = 1; attempt <= LAST_ATTEMPT; attempt += 1)
      process.kill(await toolOf(job, 4, attempt), 'SIGKILL');
    const { failures, progress } = await endOf(job, 'PARTIALLY_SUCCEEDED');
    expect(failures.map(({ id, code, attempts }) => ({ id, code, attempts }))).to.deep.equal([
      { id: '5', code: 'ENGINE_OUT_OF_MEMORY', attempts: LAST_ATTEMPT },
    ]);
    expect(progress).to.include({ completed: 9, failed: 1 });
    expect([...(await digestsOf(job)).keys()]).to.not.include('frames/shot.0005.png');
  });

  longIt('of a thousand frames has no history above ten thousand events', async () => {
    const job = await submitted('1-1000', TWO_AT_ONCE, join(scratch, 'cube'));
    await endOf(job, 'SUCCEEDED');
    expect((await digestsOf(job)).size).to.equal(1000);
    const temporal = await world.temporal();
    const lengths: number[] = [];
    const query = `WorkflowId STARTS_WITH "job/${job.jobId}"`;
    for await (const { workflowId, runId } of temporal.workflow.list({ query })) {
      const { events } = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
      lengths.push(events?.length ?? 0);
    }
    measured('a thousand frames', { histories: lengths.length, longest: Math.max(...lengths) });
    expect(lengths.length).to.be.above(1);
    expect(Math.max(...lengths)).to.be.below(MOST_EVENTS);
  });

  /** Waits until a frame is drawn for the so many-th time; answers its process, which is the last that was started before. */
  const toolOf = async (job: FaultJob, ordinal: number, attempt: number): Promise<number> => {
    let tool: number | undefined;
    await until(
      `frame ${ordinal} is drawn for the ${attempt}. time`,
      async () => {
        const starts = await startsOf(world, job);
        const place = starts.findIndex(
          (one) => one.ordinal === ordinal && one.kind === 'task' && one.attempt === attempt,
        );
        tool = starts.slice(0, Math.max(0, place)).findLast(({ start }) => start === 'process')?.pid;
        return tool !== undefined;
      },
      FRAME_MS,
    );
    return tool ?? expect.fail('no tool');
  };
});
