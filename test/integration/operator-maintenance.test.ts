/** What an operator does to the jobs of customers in the days of a move: takes none for a while, and cancels one. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { noopJob, testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { until } from '../support/until.ts';

const REASON = 'The database moves until 14:00 UTC.';

describe('the maintenance mode', function () {
  this.timeout(120_000);
  let api: TestApi;
  let folder: string;
  before(async () => {
    api = await testApi();
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-maintenance-'));
  });
  afterEach(() => dockyard('admin', 'maintenance', 'off'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const dockyard = (...args: string[]): Promise<CommandEnding> =>
    runCommand(args, { DOCKYARD_HOME: api.stack.home }, folder);
  const audited = (subject: string): Promise<unknown> =>
    api.db.query(
      `select action, author_kind, before, after from audit_log where subject = $1 order by created_at desc limit 1`,
      [subject],
    );

  it('refuses new jobs by each door with the reason, and everything else goes on', async () => {
    const { accountId, liveKey } = await api.account();
    const key = randomUUID();
    const accepted = await api.submit(liveKey, noopJob(100, { seconds: 1 }), key);
    const { jobId } = accepted.body;
    const receptor = await api.upload(liveKey, 'HEADER a structure\n', { filename: 'a.pdb' });
    const registered = await api.call(liveKey, 'POST', 'molecular/docking/artifacts', {
      ...{ storageKey: receptor, format: 'pdb' },
    });
    const experiment = await api.call(liveKey, 'POST', 'molecular/docking/experiments', {
      name: 'an experiment',
      receptor: { artifactId: registered.body.artifact.artifactId },
      ligand: { ligandId: 'a', label: 'A', source: { kind: 'smiles', smiles: 'CCO' }, preparation: {} },
      parameters: {
        box: { derivation: { kind: 'explicit' }, center: [0, 0, 0], size: [20, 20, 20] },
        protocol: { exhaustiveness: 1 },
      },
    });
    await api.reaches(liveKey, jobId, 'RUNNING');
    const before = await api.leftovers(accountId);

    const on = await dockyard('admin', 'maintenance', 'on', '--reason', REASON, '--json');
    expect([on.code, on.data.on, on.data.reason], on.err).to.deep.equal([0, true, REASON]);
    expect(await audited('maintenance')).to.deep.equal([
      { action: 'maintenance.on', author_kind: 'operator', before: null, after: { reason: REASON } },
    ]);
    const isRefused = ({ status, headers, body }: Answer): void => {
      expect([status, body.code, headers.get('retry-after')]).to.deep.equal([...[503, 'MAINTENANCE', '300']]);
      expect(body.error).to.include(REASON.slice(0, -1)).and.not.include('..');
    };
    isRefused(await api.submit(liveKey, noopJob()));
    const runs = `molecular/docking/experiments/${experiment.body.experiment.id}/runs`;
    isRefused(await api.call(liveKey, 'POST', runs, {}));
    expect(await api.leftovers(accountId)).to.deep.equal(before);

    const replay = await api.submit(liveKey, noopJob(100, { seconds: 1 }), key);
    expect([replay.status, replay.body.jobId, replay.body.idempotentReplay]).to.deep.equal([
      200,
      jobId,
      true,
    ]);
    const estimate = { jobType: 'simulation', simulator: 'noop', taskCount: 1 };
    expect((await api.call(liveKey, 'POST', 'jobs/estimate', estimate)).status).to.equal(200);
    expect((await api.call(liveKey, 'GET', `jobs/${jobId}/status`)).body.status).to.equal('RUNNING');
    await until('readiness says so, and serves on', async () => {
      const answer = await fetch(`${api.stack.apiUrl}/readyz`);
      const { notes } = (await answer.json()) as { notes: string[] };
      return answer.status === 200 && notes.includes(`No new jobs are taken: ${REASON}`);
    });
    expect((await dockyard('admin', 'maintenance', 'show')).out).to.include(`Reason: ${REASON}`);

    const off = await dockyard('admin', 'maintenance', 'off');
    expect([off.code, off.out]).to.deep.equal([0, 'Maintenance is off: jobs are taken.\n']);
    expect((await api.submit(liveKey, noopJob())).status).to.equal(200);
  });

  it('is told at once by the command line, which waits for nothing that may take hours', async () => {
    const { liveKey } = await api.account();
    await dockyard('admin', 'maintenance', 'on', '--reason', REASON);
    const file = join(folder, 'job.json');
    writeFileSync(file, JSON.stringify(noopJob()));
    const environment = { DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: liveKey };
    const startedAt = performance.now();
    const { code, err } = await runCommand(['submit', file], environment, folder);
    expect(performance.now() - startedAt).to.be.below(60_000);
    expect(code).to.equal(6);
    expect(err).to.not.include('is not known');
    expect(err).to.include('takes no new jobs').and.include('14:00 UTC');
  });

  it('has beside it a cancel in the place of the customer, who reads why', async () => {
    const { accountId, liveKey } = await api.account();
    const { jobId } = (await api.submit(liveKey, noopJob(100, { seconds: 1 }))).body;
    await api.reaches(liveKey, jobId, 'RUNNING');
    const cancel = ['admin', 'jobs', 'cancel', jobId, '--json'];
    const silent = await dockyard(...cancel);
    expect(silent.code).to.equal(2);
    expect(silent.err).to.include('--reason');
    const told = await dockyard(...cancel, '--reason', 'Asked for by mail');
    expect([told.code, told.data.jobId], told.err).to.deep.equal([0, jobId]);
    const { body } = await api.reaches(liveKey, jobId, 'CANCELLED');
    expect(Number(body.cost.chargedCents) + Number(body.cost.releasedCents)).to.equal(102);
    expect(body.cancelReason).to.equal('Asked for by mail');
    expect((await api.leftovers(accountId)).heldPence).to.equal(0);
    expect(await audited(jobId)).to.deep.equal([
      {
        ...{ action: 'job.cancel-requested', author_kind: 'operator' },
        ...{ before: { status: 'RUNNING' }, after: { reason: 'Asked for by mail' } },
      },
    ]);
    const again = await dockyard(...cancel, '--reason', 'Asked for by mail');
    expect([again.code, again.data.status]).to.deep.equal([0, 'CANCELLED']);
    const nobody = await dockyard('admin', 'jobs', 'cancel', randomUUID(), '--reason', 'Nobody', '--json');
    expect([nobody.code, JSON.parse(nobody.err).code]).to.deep.equal([2, 'NOT_FOUND']);
  });
});
