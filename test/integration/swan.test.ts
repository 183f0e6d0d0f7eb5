/**
 * SWAN over the whole stack with the real program: every file is that of the bare program, also after its process is killed, and the
 * charge follows the seconds. The suite needs a program that somebody has built, and says so where there is none.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { InstalledPack } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { swanPack } from '../../src/tools/swan/pack.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import type { DockingCustomer, Output } from '../support/docking-customer.ts';
import type { Json } from '../support/docking-ligands.ts';
import { inLongRuns } from '../support/long.ts';
import { untilOffered } from '../support/offered.ts';
import { processApi } from '../support/process-api.ts';
import { realPack } from '../support/real-packs.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const MAKE = join(repositoryRoot, 'examples/swan/make_case.py');
/** What SWAN's own files are, apart from logs. */
const RESULTS = ['field', 'table', 'spectrum', 'restart'];

const longIt = inLongRuns(it);

describe('SWAN', function () {
  this.timeout(JOB_SECONDS * 1000);
  let api: TestApi;
  let owner: NewAccount;
  let customer: DockingCustomer;
  let pack: InstalledPack;
  let scratch: string;

  before(async function () {
    this.timeout(400_000);
    const found = await realPack(swanPack);
    if (found === null) return this.skip();
    pack = found;
    scratch = await mkdtemp(join(tmpdir(), 'dockyard-test-swan-'));
    api = await testApi();
    owner = await api.account();
    customer = dockingCustomer(api, owner.liveKey);
    return untilOffered(api, owner.liveKey, 'swan');
  });
  after(async () => {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  });

  /** Makes the example's case; answers its folder. */
  const made = async (name: string, ...options: readonly string[]): Promise<string> => {
    const folder = join(scratch, name);
    await run('python3', [MAKE, '--out', folder, ...options]);
    return folder;
  };
  const packed = async (folder: string, on = api, key = owner.liveKey): Promise<string> => {
    const { stdout } = await run('tar', ['-C', folder, '-czf', '-', '.'], {
      encoding: 'buffer',
      maxBuffer: 2 ** 28,
    });
    return on.upload(key, new Uint8Array(stdout), { filename: 'case.tar.gz' });
  };
  const job = (sceneFile: string, more: Json = {}): Json => ({
    jobType: 'simulation',
    simulator: 'swan',
    sceneFile,
    simulationParams: { estimatedRuntimeSeconds: 30 },
    ...more,
  });
  /** Runs the program by itself; answers the digests of all files. */
  const bare = async (folder: string, commandFile: string): Promise<Map<string, string>> => {
    const work = await mkdtemp(join(scratch, 'bare-'));
    await cp(folder, work, { recursive: true });
    await cp(join(folder, commandFile), join(work, 'INPUT'));
    await run(pack.programs['swan.exe'] ?? expect.fail('no program'), [], { cwd: work });
    const names = await readdir(work);
    const digests = names.map(async (name) => [name, await digestOf(join(work, name))] as const);
    return new Map(await Promise.all(digests));
  };
  const ended = async (body: Json): Promise<{ status: Answer['body']; outputs: Map<string, Output> }> => {
    const status = await customer.ended(body);
    return { status, outputs: await customer.outputsOf(status.jobId) };
  };

  it('gives every file of the bare program, and charges the seconds of the run', async () => {
    const folder = await made('one', '--hours', '4');
    const { status, outputs } = await ended(job(await packed(folder)));
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    const wanted = await bare(folder, 'storm.swn');
    const results = [...outputs.values()].filter(({ kind }) => RESULTS.includes(kind));
    expect(results.map(({ name }) => name).toSorted()).to.deep.equal([
      'buoys.spc',
      'buoys.tbl',
      'end.hot',
      'fields.mat',
    ]);
    for (const { name, sha256 } of results) expect(sha256, name).to.equal(wanted.get(name));
    const report = JSON.parse(await customer.read(outputs, 'summary.json'));
    expect(report.resumable).to.equal(true);
    expect(status.recovery).to.include({ resumable: true, resumableReason: null });
    expect(report.provenance.program.packSha256).to.equal(pack.digest);
    expect(report.tables[0].points).to.have.length(3);
    expect(status.cost.chargedCents).to.be.greaterThan(0);
  });

  it('runs four cases of one archive, each to the bytes of the bare program', async () => {
    const folder = await made('four', '--hours', '2', '--cells', '10', '--cases', '4');
    const body = job(await packed(folder), {
      taskCount: 4,
      parameters: { commandFile: 'storm{index}.swn' },
    });
    const { status, outputs } = await ended(body);
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    for (const index of [0, 1, 2, 3]) {
      const wanted = await bare(folder, `storm${index}.swn`);
      for (const name of ['buoys.spc', 'buoys.tbl', 'end.hot', 'fields.mat'])
        expect(outputs.get(`cases/${index}/${name}`)?.sha256, `${index} ${name}`).to.equal(wanted.get(name));
    }
  });

  longIt(
    'gives the same bytes where the instance is killed after a checkpoint, and charges the work once',
    async () => {
      const folder = await made('long', '--hours', '36', '--cells', '64');
      const apart = await processApi();
      const { liveKey: key } = await apart.account();
      await untilOffered(apart, key, 'swan');
      const other = dockingCustomer(apart, key);
      const { jobId } = await other.submitted(job(await packed(folder, apart, key)));
      const checkpoints = async (): Promise<number> => {
        const [row] = await apart.db.query<{ kept: number }[]>(
          `select count(*)::int as kept from tasks where job_id = $1 and checkpoint is not null`,
          [jobId],
        );
        return row?.kept ?? 0;
      };
      await until('a checkpoint is kept', async () => (await checkpoints()) > 0, 300_000);
      const [row] = await apart.db.query<{ provider_id: string }[]>(
        `select provider_id from instances where job_id = $1 and fenced_at is null`,
        [jobId],
      );
      apart.stack.kill(`instance/${row?.provider_id ?? expect.fail('no instance')}`);
      const status = (await apart.ends(key, jobId, JOB_SECONDS)).body;
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      expect(status.recovery.recoveries).to.equal(1);
      const outputs = await other.outputsOf(jobId);
      const wanted = await bare(folder, 'storm.swn');
      for (const name of ['buoys.spc', 'buoys.tbl', 'end.hot', 'fields.mat'])
        expect(outputs.get(name)?.sha256, name).to.equal(wanted.get(name));
      // Each piece is in the log once: nothing before the checkpoint was done again.
      const log = await other.read(outputs, 'PRINT');
      expect(log.split('Execution started').length - 1).to.be.greaterThan(1);
      expect(status.cost.chargedCents).to.be.greaterThan(0);
    },
  );

  it('names file and line of what is wrong with a case, charges nothing, and holds nothing', async () => {
    const folder = await made('bad', '--hours', '2', '--cells', '10');
    await rm(join(folder, 'swell.tpar'));
    const { status } = await ended(job(await packed(folder)));
    expect([status.status, status.failures[0]?.code]).to.deep.equal(['FAILED', 'CASE_FILE_MISSING']);
    expect(status.failures[0]?.message).to.match(/^storm\.swn, line 11: the file 'swell\.tpar'/);
    expect(status.cost.chargedCents).to.equal(0);
    const { body } = await api.call(owner.liveKey, 'GET', 'credits/balance');
    expect(body.held_cents).to.equal(0);
  });
});

async function digestOf(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
