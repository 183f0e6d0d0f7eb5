/**
 * WAVEWATCH III over the whole stack with the real programs: every file is that of the bare programs, also where the run is cut. The
 * suite needs programs that somebody has built, and says so where there are none.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { InstalledPack } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { wavewatch3Pack } from '../../src/tools/wavewatch3/pack.ts';
import { testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import type { Json } from '../support/docking-ligands.ts';
import { untilOffered } from '../support/offered.ts';
import { realBuild } from '../support/real-packs.ts';

const run = promisify(execFile);
const MAKE = join(repositoryRoot, 'examples/ww3/make_case.py');
const MAKERS = ['ww3_grid', 'ww3_strt', 'ww3_shel', 'ww3_outf', 'ww3_outp'];
const RESULTS = ['mod_def.ww3', 'out_grd.ww3', 'out_pnt.ww3', 'tab33.ww3', 'ww3.26010102.hs'];

describe('WAVEWATCH III', function () {
  this.timeout(JOB_SECONDS * 1000);
  let api: TestApi;
  let owner: NewAccount;
  let pack: InstalledPack;
  let scratch: string;

  before(async function () {
    this.timeout(400_000);
    const found = await realBuild(wavewatch3Pack);
    if (found === null) return this.skip();
    pack = found;
    scratch = await mkdtemp(join(tmpdir(), 'dockyard-test-ww3-'));
    api = await testApi();
    owner = await api.account();
    return untilOffered(api, owner.liveKey, 'wavewatch3');
  });
  after(async () => {
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  });

  const packed = async (folder: string): Promise<string> => {
    const { stdout } = await run('tar', ['-C', folder, '-czf', '-', '.'], {
      encoding: 'buffer',
      maxBuffer: 2 ** 28,
    });
    return api.upload(owner.liveKey, new Uint8Array(stdout), { filename: 'case.tar.gz' });
  };
  const physics = (): Json => (pack.variant === null ? {} : { parameters: { physics: pack.variant } });

  it('gives every file of the bare programs, in the variant that the request names', async () => {
    const [folder, work] = [join(scratch, 'case'), join(scratch, 'bare')];
    await run('python3', [MAKE, '--out', folder, '--hours', '3']);
    await cp(folder, work, { recursive: true });
    for (const name of MAKERS) await run(pack.programs[name] ?? expect.fail(name), [], { cwd: work });
    const customer = dockingCustomer(api, owner.liveKey);
    const status = await customer.ended({
      ...{ jobType: 'simulation', simulator: 'ww3', sceneFile: await packed(folder), ...physics() },
      simulationParams: { estimatedRuntimeSeconds: 30 },
    });
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    expect(status.recovery).to.include({ resumable: true, resumableReason: null });
    const outputs = await customer.outputsOf(status.jobId);
    for (const name of RESULTS) {
      const digest = createHash('sha256').update(await readFile(join(work, name)));
      expect(outputs.get(name)?.sha256, name).to.equal(digest.digest('hex'));
    }
    const report = JSON.parse(await customer.read(outputs, 'summary.json'));
    expect(report.provenance.program).to.include({ variant: pack.variant, packSha256: pack.digest });
    expect(report.provenance.program.switches).to.match(/^(?:\w+ )*SHRD(?: \w+)+$/);
    expect(status.cost.chargedCents).to.be.greaterThan(0);
  });

  it('names file and line of what is wrong with a case, and charges nothing', async () => {
    const folder = join(scratch, 'bad');
    await run('python3', [MAKE, '--out', folder, '--hours', '1']);
    await rm(join(folder, 'bottom.dat'));
    const customer = dockingCustomer(api, owner.liveKey);
    const status = await customer.ended({
      ...{ jobType: 'simulation', simulator: 'wavewatch3', sceneFile: await packed(folder), ...physics() },
    });
    expect([status.status, status.failures[0]?.code]).to.deep.equal(['FAILED', 'CASE_FILE_MISSING']);
    expect(status.failures[0]?.message).to.match(/^ww3_grid\.inp, line 11: the file 'bottom\.dat'/);
    expect(status.cost.chargedCents).to.equal(0);
  });
});
