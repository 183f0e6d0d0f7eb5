/**
 * Instances that hand in what no honest instance would. The test tells each lie to the real control worker with the
 * token of a real instance. The lie fails its own task with a code, and harms neither other tasks nor the worker.
 */
import { createHash } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { ClaimedTask } from '../../src/contracts/instance.ts';
import type { SubmitJobRequest } from '../../src/domain/requests.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import { smilesLigand } from '../support/docking.ts';
import { leavesNothing } from '../support/faults/aftermath.ts';
import { ended, reaches, tasksOf } from '../support/faults/jobs.ts';
import type { FaultJob } from '../support/faults/jobs.ts';
import { openLiarWorld } from '../support/faults/liar.ts';
import type { LiarWorld, Work, WrittenFile } from '../support/faults/liar.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { inLongRuns, IS_LONG } from '../support/long.ts';
import { until } from '../support/until.ts';
import { poses, preparation } from '../tools/autodock-vina/outputs.ts';

const GIBIBYTE = 1024 ** 3;
const MEGABYTE = 1_000_000;
/** More levels than the stack of a recursive reader takes, in ten kilobytes of text. */
const NESTED_LEVELS = 5_000;
const WORKER_BYTES = 400 * MEGABYTE;
/** The number of attempts after which outputs that do not verify fail their task. */
const ATTEMPTS = 4;

type Files = Readonly<Record<string, WrittenFile>>;

const longIt = inLongRuns(it);

describe('instances that lie', function () {
  this.timeout(RECOVERY_MS * 2);
  let world: LiarWorld;
  before(async function () {
    this.timeout(120_000);
    world = await openLiarWorld();
  });
  after(() => world.close());

  /** Docks the named ligands; the name of a ligand says how its task lies. */
  const submit = async (...ligandIds: readonly string[]): Promise<FaultJob> => {
    const customer = await world.customer();
    const { storageKey } = await customer.client.upload({
      path: join(repositoryRoot, 'examples', '1a28', '1a28.pdb'),
    });
    const request: SubmitJobRequest = {
      jobType: 'simulation',
      simulator: 'autodock-vina',
      sceneFile: storageKey,
      simulationParams: {
        boxCenterAngstrom: [0, 0, 0],
        boxSizeAngstrom: 20,
        ligandLibrary: ligandIds.map((id) => smilesLigand(id, 'Oc1ccccc1')),
      },
    };
    const { jobId, heldCents } = await customer.client.submit(request);
    return { jobId, customer, heldPence: heldCents };
  };
  /** Honest work, except for the ligands that are named here. */
  const but =
    (lies: Readonly<Record<string, (task: ClaimedTask) => Files | null>>): Work =>
    (kind, task) => {
      if (kind === 'prepare') return preparation();
      return (lies[task.itemId] ?? honest)(task);
    };
  const honest = ({ itemId }: ClaimedTask): Files => poses(`ligands/${itemId}`, itemId);
  const nested = (task: ClaimedTask): Files => {
    const name = `ligands/${task.itemId}/result.json`;
    const files = honest(task);
    const file = files[name] ?? expect.fail(name);
    const deep = '['.repeat(NESTED_LEVELS) + ']'.repeat(NESTED_LEVELS);
    return {
      ...files,
      [name]: { ...file, text: file.text.replace('"provenance":{', `"provenance":{"deep":${deep},`) },
    };
  };
  const facts = async (job: FaultJob) =>
    (await tasksOf(world, job)).map(({ state, attempts, failure_code: code }) => ({ state, attempts, code }));
  const GOOD = { state: 'SUCCEEDED', attempts: 1, code: null };
  const UNVERIFIED = { state: 'FAILED', attempts: ATTEMPTS, code: 'OUTPUT_UNVERIFIED' };

  it('a result nested 5,000 levels fails its ligand; the one beside it is committed and the job ends', async () => {
    world.does(but({ nested }));
    const job = await submit('good', 'nested');
    const { status, cost } = await ended(world, job);
    expect(status).to.equal('PARTIALLY_SUCCEEDED');
    expect(await facts(job)).to.deep.equal([GOOD, UNVERIFIED]);
    expect(cost.chargedCents).to.be.greaterThan(0).and.below(job.heldPence);
    await leavesNothing(world, job);
    expect(await verifyLedger(world.db)).to.deep.equal([]);
  });

  longIt('a cancel is done while such results come in', async () => {
    world.does(but({ nested, endless: () => null }));
    const job = await submit('good', 'nested', 'endless');
    await until(
      'the others are decided',
      async () => {
        const [good, bad] = await facts(job);
        return good?.state === 'SUCCEEDED' && bad?.state === 'FAILED';
      },
      RECOVERY_MS,
    );
    await job.customer.client.cancel(job.jobId);
    await reaches(world, job, 'CANCELLED');
    await leavesNothing(world, job);
  });

  longIt(
    'a result of 1 GiB that is reported with 100 bytes fails its ligand and is never in the memory of the worker',
    async () => {
      const name = 'ligands/large/result.json';
      const sha256 = digestOfZeros(GIBIBYTE);
      const large = (task: ClaimedTask): Files => {
        const file = honest(task)[name] ?? expect.fail(name);
        return {
          ...honest(task),
          [name]: { ...file, text: '\0'.repeat(100), reported: { byteSize: 100, sha256 } },
        };
      };
      world.does(but({ large }), async ({ itemId, attempt }, fileOf) => {
        if (itemId === 'large' && attempt === 1) await truncate(fileOf(name), GIBIBYTE);
      });
      const worker = world.stack.pid('control') ?? expect.fail('no control worker');
      const job = await submit('large', 'good');
      // Resets the peak of the process's memory, so that the peak is measured from here on.
      writeFileSync(`/proc/${worker}/clear_refs`, '5');
      const { status } = await ended(world, job);
      expect(world.stack.pid('control'), 'the same worker').to.equal(worker);
      const peakBytes = peakOf(worker);
      measured('1 GiB reported as 100 bytes', { peakMegabytes: peakBytes / MEGABYTE });
      expect(status).to.equal('PARTIALLY_SUCCEEDED');
      expect(await facts(job)).to.deep.equal([UNVERIFIED, GOOD]);
      const { failures } = await job.customer.client.status(job.jobId);
      expect(failures.map(({ code }) => code)).to.deep.equal(['OUTPUT_UNVERIFIED']);
      expect(peakBytes).to.be.below(WORKER_BYTES);
      await leavesNothing(world, job);
    },
  );

  it('are counted by cause', async () => {
    const { metricsUrls } = JSON.parse(readFileSync(join(world.stack.home, 'endpoints.json'), 'utf8')) as {
      metricsUrls: Readonly<Record<string, string>>;
    };
    const text = await (await fetch(metricsUrls['control'] ?? expect.fail('no metrics'))).text();
    const count = (cause: string): number =>
      Number(new RegExp(`^dockyard_commits_bad_total\\{cause="${cause}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
    expect(count('unverified'), 'nested').to.equal((IS_LONG ? 2 : 1) * ATTEMPTS);
    expect(count('size'), 'large').to.equal(IS_LONG ? 1 : 0);
    expect(count('changed'), 'its later attempts').to.equal(IS_LONG ? ATTEMPTS - 1 : 0);
    expect(count('not_staged')).to.equal(0);
  });
});

/** The SHA-256 of `byteSize` zeros. */
function digestOfZeros(byteSize: number): string {
  const block = Buffer.alloc(16 * 1024 ** 2);
  const digest = createHash('sha256');
  for (let done = 0; done < byteSize; done += block.byteLength) digest.update(block);
  return digest.digest('hex');
}

/** The most resident memory that a process has had. */
function peakOf(pid: number): number {
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kibibytes ?? expect.fail('no peak')) * 1024;
}
