/**
 * Long runs of wave models on a real stack, with the real programs: a run that is paused, killed or told to go gives the bytes of the bare
 * programs, and no second of it is charged twice or to nobody. Only the long runs have these tests, where the programs are found.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { JobStatusResponse, SubmitJobRequest } from '../../../src/client/types.ts';
import { grantCredits } from '../../../src/services/ledger/index.ts';
import { verifyLedger } from '../../../src/services/ledger/verify.ts';
import { packVariableOf, PACKS_FROM } from '../../../src/packs/pack.ts';
import type { InstalledPack, PackDefinition } from '../../../src/packs/pack.ts';
import { SETTING_WITHOUT_SANDBOX } from '../containments.ts';
import { leavesNothing } from './aftermath.ts';
import { ledgerOf, startsOf, stateOf } from './jobs.ts';
import type { FaultJob } from './jobs.ts';
import { takeAway } from './spot.ts';
import { measured } from './times.ts';
import { openFaultWorld } from './world.ts';
import type { Customer, FaultWorld } from './world.ts';
import { inLongRuns } from '../long.ts';
import { realBuild } from '../real-packs.ts';
import { endTestStack } from '../stack.ts';
import { until } from '../until.ts';

const run = promisify(execFile);
const DEAR = pathToFileURL(join(repositoryRoot, 'test/fixtures/dear-cores/raise-price.mjs')).href;
/** The longest time of a run on a busy machine. */
const RUN_MS = 1_500_000;
const MS_PER_SECOND = 1000;
/** Shortest time of the bare programs: builds differ by four times, and a run that ends sooner cannot be disturbed in its middle. */
const LEAST_SECONDS = 60;

const longIt = inLongRuns(it);

interface Kept {
  readonly kept: number;
  readonly paid: number;
  readonly metered: number | null;
  readonly attempts: number;
}

/** A wave model, and a case of it that takes a minute and more. */
export interface WaveRuns {
  readonly simulator: string;
  readonly pack: PackDefinition;
  /** The script of the example, and what it is told besides the cells to make the case. */
  readonly make: readonly [string, ...string[]];
  /** The cells along a side of the grid that are tried first. */
  readonly cells: number;
  /** Files that the case writes. */
  readonly results: readonly string[];
  /** Runs the programs by themselves on the files of the case. */
  readonly bare: (programs: InstalledPack['programs'], folder: string) => Promise<void>;
}

/** The tests of long runs of one model. */
export function testLongRuns(model: WaveRuns): void {
  describe(`a long run of ${model.pack.title}`, function () {
    this.timeout(RUN_MS);
    let world: FaultWorld;
    let scratch: string;
    let archive: string;
    const wanted = new Map<string, string>();
    /** Price of an undisturbed run for its time. */
    let pencePerMs: number | undefined;
    let undisturbedMs: number | null = null;

    before(async function () {
      const found = await realBuild(model.pack);
      if (found === null) return this.skip();
      scratch = await mkdtemp(join(tmpdir(), 'dockyard-test-waves-'));
      // The site's programs: those without a name, and a variant.
      for (const folder of ['bin', 'coastal/bin']) {
        const place = join(scratch, 'programs', model.pack.name, folder);
        await mkdir(place, { recursive: true });
        for (const [name, program] of Object.entries(found.programs))
          await symlink(program, join(place, name));
      }
      archive = await made(found.programs);
      world = await openFaultWorld({
        settings: {
          ...SETTING_WITHOUT_SANDBOX,
          [PACKS_FROM]: join(scratch, 'programs'),
          [packVariableOf(model.pack.name)]: '',
          DOCKYARD_COMPUTE_SPOT_PLACES: '1',
          NODE_OPTIONS: `--import=${DEAR}`,
        },
      });
      const { client } = await world.customer();
      await until(
        'the model is offered',
        async () =>
          (await client.simulators()).simulators.some(
            ({ id, available }) => id === model.simulator && available,
          ),
        120_000,
      );
      return undefined;
    });
    after(async function () {
      this.timeout(240_000);
      if (world !== undefined) await endTestStack(world.stack);
      if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
    });

    /** Makes the case of the example, and runs it with the bare programs; answers its archive. */
    const made = async (programs: InstalledPack['programs'], cells = model.cells): Promise<string> => {
      const [folder, work] = [join(scratch, `case${cells}`), join(scratch, `bare${cells}`)];
      const [script, ...options] = model.make;
      const told = ['--out', folder, '--cells', String(cells), ...options];
      await run('python3', [join(repositoryRoot, script), ...told]);
      await run('tar', ['-C', folder, '-czf', `${folder}.tar.gz`, '.']);
      await cp(folder, work, { recursive: true });
      const before = performance.now();
      await model.bare(programs, work);
      const seconds = (performance.now() - before) / MS_PER_SECOND;
      measured('the bare programs', { cells, seconds });
      if (seconds < LEAST_SECONDS)
        return made(programs, Math.ceil(cells * Math.sqrt((1.2 * LEAST_SECONDS) / seconds)));
      for (const each of model.results) {
        const digest = createHash('sha256').update(await readFile(join(work, each)));
        wanted.set(each, digest.digest('hex'));
      }
      return `${folder}.tar.gz`;
    };
    const submitted = async (customer: Customer, more: Partial<SubmitJobRequest> = {}): Promise<FaultJob> => {
      const { client } = customer;
      const { storageKey } = await client.upload({ path: archive }, { stateFolder: null });
      const { jobId, heldCents } = await client.submit({
        ...{ jobType: 'simulation', simulator: model.simulator, sceneFile: storageKey },
        // Far above what it takes, so that no hold has to grow.
        simulationParams: { estimatedRuntimeSeconds: 600 },
        ...more,
      });
      return { jobId, customer, heldPence: heldCents };
    };
    const work = async ({ jobId }: FaultJob): Promise<Kept> => {
      const [row] = await world.rows<Kept>(
        `select kept_ms::int as kept, paid_ms::int as paid, metered_ms::int as metered, attempts from tasks
       where job_id = $1 and kind = 'task'`,
        [jobId],
      );
      return row ?? { kept: 0, paid: 0, metered: null, attempts: 0 };
    };
    const keptMoreThan = (job: FaultJob, ms: number): Promise<void> =>
      until('a checkpoint is kept', async () => (await work(job)).kept > ms, RUN_MS);
    const reachesOnce = (job: FaultJob, ...states: readonly string[]): Promise<void> =>
      until(
        `the job is ${states.join(' or ')}`,
        async () => states.includes((await stateOf(world, job)) ?? ''),
        RUN_MS,
      );
    /** Waits for the end; the files are those of the bare program, and each piece is in the log once. */
    const endsAsOneRun = async (job: FaultJob): Promise<JobStatusResponse> => {
      await reachesOnce(job, 'SUCCEEDED', 'FAILED', 'PARTIALLY_SUCCEEDED', 'CANCELLED');
      const status = await job.customer.client.status(job.jobId);
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      const found = new Map<string, { readonly sha256: string; readonly url: string }>();
      for await (const output of job.customer.client.outputs(job.jobId)) found.set(output.name, output);
      for (const name of model.results) expect(found.get(name)?.sha256, name).to.equal(wanted.get(name));
      const report = await (await fetch(found.get('summary.json')?.url ?? '')).json();
      expect(report).to.include({ resumable: true });
      await leavesNothing(world, job);
      expect(await verifyLedger(world.db)).to.deep.equal([]);
      return status;
    };

    longIt('runs in the variant that it asks for, and says so in its provenance', async () => {
      const customer = await world.customer();
      const { simulators } = await customer.client.simulators();
      const variants = simulators.find(({ id }) => id === model.simulator)?.variants.map(({ name }) => name);
      expect(variants).to.deep.equal(['coastal']);
      const refused = await submitted(customer, { parameters: { physics: 'deep' } }).catch(
        (error: unknown) => error,
      );
      expect(refused).to.include({ code: 'UNSUPPORTED_SIMULATOR' });
      const job = await submitted(customer, { parameters: { physics: 'coastal' } });
      const { cost } = await endsAsOneRun(job);
      const found = new Map<string, string>();
      for await (const { name, url } of customer.client.outputs(job.jobId)) found.set(name, url);
      const report = await (await fetch(found.get('summary.json') ?? '')).json();
      expect(report).to.have.nested.property('provenance.program.variant', 'coastal');
      const { metered } = await work(job);
      undisturbedMs = metered;
      pencePerMs = cost.chargedCents / (metered ?? 0);
      measured('undisturbed', { seconds: (metered ?? 0) / MS_PER_SECOND });
    });

    longIt(
      'of ten times its estimate is paused at a checkpoint, charged for what is kept, and goes on once it is paid for',
      async () => {
        const probe = await (
          await world.customer()
        ).client.estimate({
          ...{ jobType: 'simulation', simulator: model.simulator },
          simulationParams: { estimatedRuntimeSeconds: 18 },
        });
        const customer = await world.customer(Math.ceil(probe.estimatedCost * 100));
        const job = await submitted(customer, { simulationParams: { estimatedRuntimeSeconds: 6 } });
        await reachesOnce(job, 'PAUSED');
        const paused = await customer.client.status(job.jobId);
        expect(paused).to.include({ pauseReason: 'CREDITS' });
        const before = await work(job);
        expect(before.kept).to.equal(before.paid).and.be.greaterThan(0);
        expect(paused.cost.chargedCents).to.be.greaterThan(0);
        await grantCredits(world.db, {
          ...{ accountId: customer.accountId, amountPence: 1_000_000, key: `more/${customer.accountId}` },
          description: 'More',
        });
        await customer.client.resume(job.jobId);
        await until(
          'it tells what it comes to',
          async () => (await customer.client.status(job.jobId)).cost.forecast?.basis === 'PROGRESS',
          RUN_MS,
        );
        const { cost, ...status } = await endsAsOneRun(job);
        const after = await work(job);
        const { executions } = await customer.client.bill(job.jobId);
        expect(executions.reduce((sum, { chargedCents }) => sum + chargedCents, 0)).to.equal(
          cost.chargedCents,
        );
        const billed = executions.flatMap(({ lines }) => lines.map(({ meteredMs }) => meteredMs ?? 0));
        expect(billed.reduce((sum, ms) => sum + ms, 0)).to.equal(after.metered);
        expect(status.recovery.resumable).to.equal(true);
        // All work is paid, also that which outgrows the cover between two checkpoints.
        const undisturbed =
          (pencePerMs ?? expect.fail('the first test gives the price')) * (after.metered ?? 0);
        expect(cost.chargedCents).to.be.closeTo(undisturbed, 0.05 * undisturbed);
        measured('ten times its estimate', {
          keptSeconds: before.kept / MS_PER_SECOND,
          seconds: (after.metered ?? 0) / MS_PER_SECOND,
          charged: cost.chargedCents,
        });
      },
    );

    longIt(
      'loses a tool, an instance and a control worker, is the run all the same, and costs its pieces once',
      async () => {
        const customer = await world.customer();
        const job = await submitted(customer);
        await keptMoreThan(job, 0);
        const tool = (await startsOf(world, job)).findLast(({ start }) => start === 'process')?.pid;
        process.kill(tool ?? expect.fail('no tool'), 'SIGKILL');
        await keptMoreThan(job, (await work(job)).kept);
        const [instance] = await world.rows<{ id: string }>(
          'select provider_id as id from instances where job_id = $1 and fenced_at is null',
          [job.jobId],
        );
        world.stack.kill(`instance/${instance?.id ?? ''}`);
        await world.killAndRestart('control');
        const { cost } = await endsAsOneRun(job);
        const { metered, attempts } = await work(job);
        const { executions } = await customer.client.bill(job.jobId);
        const billed = executions.flatMap(({ lines }) => lines.map(({ meteredMs }) => meteredMs ?? 0));
        expect(billed.reduce((sum, ms) => sum + ms, 0)).to.equal(metered);
        expect(attempts).to.be.greaterThan(2);
        // Its pieces cost what they cost undisturbed; what was lost of pieces costs nothing. A second is as long as the machine makes it.
        const quietMs = undisturbedMs ?? expect.fail('the first test gives the seconds');
        expect(metered).to.be.closeTo(quietMs, 0.2 * quietMs);
        const undisturbed = (pencePerMs ?? expect.fail('the first test gives the price')) * (metered ?? 0);
        expect(cost.chargedCents).to.be.closeTo(undisturbed, 0.02 * undisturbed);
        measured('with three kills', {
          seconds: (metered ?? 0) / MS_PER_SECOND,
          attempts,
          charged: cost.chargedCents,
        });
      },
    );

    longIt('on a spot instance that is taken away loses nothing after its last checkpoint', async () => {
      const job = await submitted(await world.customer(), {
        recovery: { mode: 'resumable' },
      });
      await keptMoreThan(job, 0);
      const [spot] = await world.rows<{ id: string }>(
        `select provider_id as id from instances where job_id = $1 and fenced_at is null and market = 'SPOT'`,
        [job.jobId],
      );
      await takeAway(world, spot?.id ?? expect.fail('no spot instance'), 120);
      await endsAsOneRun(job);
      const losses = (await ledgerOf(job)).map(({ kind, cause, chargedCents }) => ({
        kind,
        cause,
        chargedCents,
      }));
      expect(losses).to.deep.equal([{ kind: 'LOSS', cause: 'PREEMPTED', chargedCents: 0 }]);
    });
  });
}
