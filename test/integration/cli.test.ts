/** The operator's command line over a running stack, which the command line finds by the data folder. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { viewJobWorkflow } from '../../src/adapters/temporal/job-view.ts';
import { loadPart } from '../../src/config.ts';
import { TEMPORAL_ACCESS } from '../../src/cli/settings.ts';
import { endpointsFile } from '../../src/stack/endpoints.ts';
import { VERSION } from '../../src/version.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { noopJob, testApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { containmentHere } from '../support/containments.ts';
import { createEmptyDatabase, openTestDatabase } from '../support/database.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const entry = join(root, 'src', 'bin', 'dockyard.ts');

describe('dockyard', function () {
  this.timeout(120_000);
  let api: TestApi;
  before(async () => {
    api = await testApi();
  });

  const asProcess = (
    command: string,
    args: readonly string[],
    env: Record<string, string>,
  ): Promise<CommandEnding> =>
    new Promise((resolve) => {
      const environment = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...KEPT_MODULES, ...env };
      execFile(process.execPath, [command, ...args], { env: environment, cwd: root }, (error, out, err) => {
        const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
        resolve({ code, out, err, data: args.includes('--json') && out !== '' ? JSON.parse(out) : null });
      });
    });
  const run = (args: readonly string[], env: Readonly<Record<string, string>>): Promise<CommandEnding> =>
    runCommand(args, env, root);
  const dockyard = (...args: string[]): Promise<CommandEnding> =>
    run(args, { DOCKYARD_HOME: api.stack.home });
  const email = (): string => `${randomUUID()}@example.com`;

  it('reconciles the books, without a provider of payments those of holds alone', async () => {
    const { code, data } = await dockyard('admin', 'reconcile', '--json');
    expect(data).to.deep.include({ checks: ['checkouts', 'balance', 'subscriptions', 'holds'] });
    expect(code).to.equal(data.ok === true ? 0 : 1);
  });

  it('says of the machines which tools they can run, and how they contain them', async () => {
    const { code, data } = await dockyard('admin', 'tools', '--json');
    expect(code).to.equal(0);
    const [{ provider, containment, tools }] = data.providers;
    expect({ provider, containment }).to.deep.equal({
      ...{ provider: 'inprocess', containment: await containmentHere() },
    });
    expect(tools).to.deep.include({
      ...{
        toolId: 'autodock-vina',
        variant: null,
        available: true,
        reason: null,
        version: null,
        digest: null,
      },
    });
    const { metricsUrls } = JSON.parse(readFileSync(endpointsFile(api.stack.home), 'utf8'));
    const metrics = await (await fetch(metricsUrls.compute)).text();
    expect(metrics).to.include(`dockyard_tool_containment{kind="${String(containment.kind)}"} 1\n`);
    const { out } = await dockyard('admin', 'tools');
    const words = { bubblewrap: 'tools run in a sandbox (', 'process-group': 'TOOLS RUN WITHOUT A SANDBOX' };
    expect(out).to.include(words[(await containmentHere()).kind]);
  });

  it('creates an account whose keys work at once', async () => {
    const address = email();
    const create = ['admin', 'account', 'create', '--email', address, '--credits-pence', '1000', '--json'];
    const { code, err, data } = await asProcess(
      entry,
      [...create, '--credits-key', address, '--credits-reason', 'A trial'],
      { DOCKYARD_HOME: api.stack.home },
    );
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(data).to.have.all.keys('accountId', 'liveKey', 'testKey');
    for (const key of [data.liveKey, data.testKey]) {
      const balance = await api.call(key, 'GET', 'credits/balance');
      expect(balance.status).to.equal(200);
      expect(balance.body.available_cents).to.equal(1_000);
    }
    const { body } = await api.call(data.liveKey, 'GET', 'credits/transactions');
    expect(body.transactions[0]).to.include({ type: 'promo', description: 'A trial' });
    const twice = await dockyard(
      ...['admin', 'account', 'create', '--email', email(), '--credits-pence', '1000', '--json'],
      ...['--credits-key', address, '--credits-reason', 'A trial'],
    );
    expect(JSON.parse(twice.err).code).to.equal('IDEMPOTENCY_KEY_REUSED');
    const again = await dockyard('admin', 'account', 'create', '--email', address.toUpperCase());
    expect(again.code).to.equal(2);
    expect(again.out).to.equal('');
    expect(again.err).to.match(/^dockyard: .* already\.\n$/);
  });

  it('shows a new account to people', async () => {
    const address = email();
    const { code, out } = await dockyard('admin', 'account', 'create', '--email', address);
    expect(code).to.equal(0);
    expect(out).to.match(
      /^Account {3}[0-9a-f-]{36}\nE-mail {4}\S+\nCredits {3}£0\.00\nLive key {2}svc_live_\w+\n/,
    );
    const wrong = await dockyard('admin', 'account', 'create', '--email', 'nobody');
    expect(wrong.code).to.equal(2);
  });

  it('grants credits once per key, by id and by address', async () => {
    const address = email();
    const made = await dockyard('admin', 'account', 'create', '--email', address, '--json');
    const { accountId, liveKey } = made.data;
    const grant = (account: string, pence: string, key: string): Promise<CommandEnding> =>
      dockyard(
        ...['admin', 'credits', 'grant', '--account', account, '--pence', pence, '--key', key],
        ...['--reason', 'Sorry for the delay', '--json'],
      );
    const key = randomUUID();
    expect((await grant(address, '250', key)).data).to.include({
      accountId,
      amountPence: 250,
      replayed: false,
    });
    expect((await grant(accountId, '250', key)).data).to.include({ replayed: true });
    const other = await grant(accountId, '300', key);
    expect(other.code).to.equal(2);
    expect(JSON.parse(other.err).code).to.equal('IDEMPOTENCY_KEY_REUSED');
    const { body } = await api.call(liveKey, 'GET', 'credits/transactions');
    expect(body.transactions).to.have.length(1);
    expect(body.transactions[0]).to.include({
      type: 'promo',
      amount_cents: 250,
      description: 'Sorry for the delay',
    });
    const nobody = await grant(randomUUID(), '1', randomUUID());
    expect(nobody.code).to.equal(2);
    expect(JSON.parse(nobody.err).code).to.equal('NOT_FOUND');
  });

  it('suspends, reactivates and closes an account, and its customer notices each', async () => {
    const { accountId, liveKey } = await api.account();
    const balance = async (): Promise<readonly [number, string | undefined]> => {
      const { status, body } = await api.call(liveKey, 'GET', 'credits/balance');
      return [status, body.code];
    };
    const change = (what: string, ...more: string[]): Promise<CommandEnding> =>
      dockyard('admin', 'account', what, '--account', accountId, '--json', ...more);
    expect(await balance()).to.deep.equal([200, undefined]);
    const suspended = await change('suspend', '--reason', 'a stolen card');
    expect(suspended.data).to.include({ accountId, former: 'ACTIVE', state: 'SUSPENDED', openJobs: 0 });
    await until('its keys are refused', async () => (await balance())[1] === 'ACCOUNT_SUSPENDED', 3_000);
    expect(await balance()).to.deep.equal([403, 'ACCOUNT_SUSPENDED']);
    const granted = await dockyard(
      ...['admin', 'credits', 'grant', '--account', accountId, '--pence', '1'],
      ...['--key', randomUUID(), '--reason', 'A gift', '--json'],
    );
    expect([granted.code, JSON.parse(granted.err).code]).to.deep.equal([2, 'ACCOUNT_SUSPENDED']);

    expect((await change('reactivate')).data).to.include({ former: 'SUSPENDED', state: 'ACTIVE' });
    await until('its keys work again', async () => (await balance())[0] === 200, 3_000);
    expect((await change('close')).data).to.include({ state: 'CLOSED', keysRevoked: 2 });
    await until('its keys are refused', async () => (await balance())[0] === 401, 3_000);
    const late = await change('reactivate');
    expect([late.code, JSON.parse(late.err).code]).to.deep.equal([2, 'VALIDATION_ERROR']);
  });

  it('takes a lost second factor away, signs the person out, and tells the owners why', async () => {
    const { accountId } = await api.account();
    const [{ id: userId, email: address } = { id: '', email: '' }] = await api.db.query<
      { id: string; email: string }[]
    >('select id, email from users where account_id = $1', [accountId]);
    const reset = (): Promise<CommandEnding> =>
      dockyard(
        ...['admin', 'people', 'reset-second-factor', address.toUpperCase()],
        ...['--reason', 'a lost phone', '--json'],
      );
    expect((await reset()).data).to.deep.equal({ userId, hadFactor: false, endedSessions: 0 });
    await api.db.query(`update users set totp_secret = 'sealed', totp_enabled_at = now() where id = $1`, [
      userId,
    ]);
    await api.db.query(`insert into recovery_codes (user_id, code_sha256) values ($1, 'c')`, [userId]);
    const { headers } = await sessionOf(api, accountId);
    const balance = (): Promise<Answer> => api.call(null, 'GET', 'credits/balance', undefined, { headers });
    expect((await balance()).status).to.equal(200);

    expect((await reset()).data).to.deep.equal({ userId, hadFactor: true, endedSessions: 1 });
    expect((await balance()).status, 'at once').to.equal(401);
    const own = await sessionOf(api, accountId);
    const get = (path: string): Promise<Answer> =>
      api.call(null, 'GET', path, undefined, { headers: own.headers });
    expect((await get('auth/totp')).body).to.deep.equal({ enabled: false, recoveryCodesLeft: 0 });
    const { entries } = (await get('audit?action=totp.reset')).body;
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({ subject: userId, after: { reason: 'a lost phone' } });
    expect(entries[0].author).to.deep.include({ kind: 'operator', id: null });

    const nobody = await dockyard(
      ...['admin', 'people', 'reset-second-factor', email(), '--reason', 'nobody', '--json'],
    );
    expect([nobody.code, JSON.parse(nobody.err).code]).to.deep.equal([2, 'NOT_FOUND']);
  });

  it('lists the keys of an account, and revokes one that has leaked', async () => {
    const { accountId, liveKey } = await api.account();
    const list = (...more: string[]): Promise<CommandEnding> =>
      dockyard('admin', 'keys', 'list', '--account', accountId, '--json', ...more);
    expect((await list()).data.keys).to.have.length(2);
    const revoked = await dockyard('admin', 'keys', 'revoke', liveKey, '--json');
    expect({ code: revoked.code, err: revoked.err }).to.deep.equal({ code: 0, err: '' });
    expect(revoked.data).to.include({ status: 'REVOKED' });
    await until(
      'the key is refused',
      async () => (await api.call(liveKey, 'GET', 'jobs')).status === 401,
      3_000,
    );
    expect((await list()).data.keys).to.have.length(1);
    const all = (await list('--all')).data.keys;
    expect(all.map(({ status }: { status: string }) => status)).to.have.members(['ACTIVE', 'REVOKED']);
    expect(JSON.stringify(all)).to.not.contain(liveKey.slice(13, 40));
    const again = await dockyard('admin', 'keys', 'revoke', revoked.data.id);
    expect([again.code, again.out]).to.deep.equal([
      0,
      `${revoked.data.id} is revoked since ${revoked.data.revokedAt}.\n`,
    ]);
    const nothing = await dockyard('admin', 'keys', 'revoke', randomUUID(), '--json');
    expect([nothing.code, JSON.parse(nothing.err).code]).to.deep.equal([2, 'NOT_FOUND']);
  });

  it('lists and pauses jobs, and gives back what a paused one held', async () => {
    const { accountId, liveKey } = await api.account();
    const { body } = await api.submit(liveKey, noopJob(100, { seconds: 1 }));
    const { jobId } = body;
    await api.reaches(liveKey, jobId, 'RUNNING');

    const running = await dockyard('admin', 'jobs', 'list', '--account', accountId, '--json');
    expect(running.data.jobs).to.have.length(1);
    expect(running.data.jobs[0]).to.include({ jobId, accountId, tasks: 100, heldPence: 102 });
    const instances = await dockyard('admin', 'instances', '--json');
    expect(instances.data.instances.map((one: { jobId: string }) => one.jobId)).to.include(jobId);

    const shown = await dockyard('admin', 'jobs', 'show', jobId, '--json');
    expect(shown.code, shown.err).to.equal(0);
    expect(shown.data).to.deep.include({
      jobId,
      accountId,
      status: 'RUNNING',
      heldPence: 102,
      chargedPence: 0,
    });
    expect(shown.data.workflow).to.include({ kind: 'run', status: 'RUNNING', failure: null });
    expect(shown.data.workflow.historyEvents).to.be.greaterThan(10);
    expect(shown.data.instances[0]).to.include({ slot: 0, generation: 1, fenceCause: null });
    expect(shown.data.next).to.have.length.greaterThan(0);

    // Without a verified task not even the start fee is due.
    const progress = async () =>
      (await api.call(liveKey, 'GET', `jobs/${jobId}/status`)).body.progress.completed;
    await until('a task is verified', async () => (await progress()) > 0);
    const paused = await dockyard('admin', 'jobs', 'pause', jobId, '--json');
    expect(paused.code, paused.err).to.equal(0);
    expect(paused.data).to.include({ jobId, outcome: 'requested' });
    const status = await api.reaches(liveKey, jobId, 'PAUSED');
    expect(status.body.pauseReason).to.equal('OPERATOR');
    const chargedCents = 2 + Number(status.body.progress.completed);
    expect(status.body.cost).to.include({ chargedCents, releasedCents: 102 - chargedCents });
    expect((await dockyard('admin', 'jobs', 'pause', jobId)).out).to.contain('paused already');

    const listed = await dockyard('admin', 'jobs', 'list', '--status', 'paused', '--account', accountId);
    // Nothing is held any more, and everything that is verified was charged.
    const money = new RegExp(` £0\\.00 +£${(chargedCents / 100).toFixed(2)} `);
    const [heading, row, ...rest] = listed.out.split('\n');
    expect(heading).to.match(/^JOB +ACCOUNT +STATUS +REASON +/);
    expect(row).to.match(new RegExp(`^${jobId} +${accountId} +PAUSED +OPERATOR +noop +\\d+/100 `));
    expect(row).to.match(money);
    expect(rest).to.deep.equal(['']);
    await until('its instances are gone', async () => {
      const now = await dockyard('admin', 'instances', '--json');
      return !now.data.instances.some((one: { jobId: string }) => one.jobId === jobId);
    });
    const all = await dockyard('admin', 'instances', '--all', '--json');
    expect(all.data.instances.map((one: { jobId: string }) => one.jobId)).to.include(jobId);

    const resumed = await dockyard('admin', 'jobs', 'resume', jobId, '--reason', 'Looked at', '--json');
    expect(resumed.code, resumed.err).to.equal(0);
    expect(resumed.data).to.include({ jobId, execution: 2, told: true });
    await api.reaches(liveKey, jobId, 'RUNNING');
    const again = await dockyard('admin', 'jobs', 'resume', jobId, '--reason', 'Twice', '--json');
    expect({ code: again.code, error: JSON.parse(again.err).code }).to.deep.equal({
      ...{ code: 2, error: 'JOB_NOT_RESUMABLE' },
    });
    const audited = await api.db.query<{ after: unknown }[]>(
      `select after from audit_log where subject = $1 and action = 'job.resume-requested' order by created_at`,
      [jobId],
    );
    expect(audited).to.deep.equal([{ after: { reason: 'Looked at' } }, { after: { reason: 'Twice' } }]);

    expect((await api.call(liveKey, 'POST', `jobs/${jobId}/cancel`)).status).to.equal(202);
    await api.reaches(liveKey, jobId, 'CANCELLED');
    const ended = await dockyard('admin', 'jobs', 'pause', jobId, '--json');
    expect(ended.code).to.equal(2);
    expect(JSON.parse(ended.err).code).to.equal('NOT_PAUSABLE');
    expect((await dockyard('admin', 'jobs', 'pause', randomUUID())).code).to.equal(2);
  });

  it('tells of a job without Temporal and without a history, and of none that there is not', async () => {
    const { liveKey } = await api.account();
    const { body } = await api.submit(liveKey, noopJob(1));
    await api.reaches(liveKey, body.jobId, 'SUCCEEDED');
    const away = await run(['admin', 'jobs', 'show', body.jobId], {
      ...api.stack.env,
      DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1',
    });
    expect(away.code, away.err).to.equal(0);
    expect(away.out).to.match(/^Workflow +not known: Temporal at 127\.0\.0\.1:1 does not answer \(/m);
    expect(away.out).to.match(/^Status +SUCCEEDED since /m);
    expect(away.out).to.match(/^Charged +£0\.03$/m);
    const explained = await dockyard('admin', 'jobs', 'explain', body.jobId);
    expect(explained.out).to.match(/^Why\n {2}For \d+ s SUCCEEDED: .+\nWhat to do\n {2}\S/);
    const place = loadPart('cli', TEMPORAL_ACCESS, api.stack.env);
    expect(await viewJobWorkflow(place, randomUUID())).to.deep.equal({ kind: 'gone' });
    for (const what of ['show', 'explain']) {
      const none = await dockyard('admin', 'jobs', what, randomUUID(), '--json');
      expect({ code: none.code, error: JSON.parse(none.err).code }, what).to.deep.equal({
        ...{ code: 2, error: 'NOT_FOUND' },
      });
    }
  });

  it('sweeps without Temporal, and leaves what is young or explained', async () => {
    const nothing = { ended: 0, leaked: [] };
    for (const argv of [['sweep'], ['sweep', '--dry-run'], ['instances', '--leaked']])
      for (const [askedTemporal, env] of [
        [true, {}],
        [false, { DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1' }],
      ] as const) {
        const { code, data } = await run(['admin', ...argv, '--json'], { ...api.stack.env, ...env });
        expect({ code, data }, argv.join(' ')).to.deep.equal({
          code: 0,
          data: { ...nothing, askedTemporal },
        });
      }
    const away = await run(['admin', 'sweep'], {
      ...api.stack.env,
      DOCKYARD_COMPUTE_URL: 'http://127.0.0.1:1',
    });
    expect(away.code).to.equal(6);
    expect(away.err).to.contain('A provider of instances (inprocess) does not answer');
  });

  it('says 6 when Temporal does not take a message, within seconds', async () => {
    const { liveKey } = await api.account();
    const { body } = await api.submit(liveKey, noopJob(2, { seconds: 20 }));
    const timed = async (...args: string[]): Promise<CommandEnding & { readonly ms: number }> => {
      const startedAt = performance.now();
      const ending = await asProcess(entry, args, {
        ...api.stack.env,
        DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1',
      });
      return { ...ending, ms: performance.now() - startedAt };
    };
    // On a busy machine a command that needs no Temporal takes long, too.
    const { ms: ownMs } = await timed('admin', 'jobs', '--help');
    const { code, err, ms } = await timed('admin', 'jobs', 'pause', body.jobId);
    expect(code).to.equal(6);
    expect(err).to.contain('Temporal');
    expect(ms).to.be.below(20_000 + 5 * ownMs);
    await api.call(liveKey, 'POST', `jobs/${body.jobId}/cancel`);
    await api.reaches(liveKey, body.jobId, 'CANCELLED');
  });

  it('verifies the ledger of the stack, and names what is broken in another', async () => {
    const sound = await dockyard('ledger', 'verify', '--json');
    expect(sound.code, sound.out).to.equal(0);
    expect(sound.data).to.deep.include({ ok: true, violations: [] });
    expect((await dockyard('ledger', 'verify')).out).to.match(/^The ledger adds up: \d+ checks/);

    const broken = await openTestDatabase();
    try {
      const env = { DOCKYARD_DATABASE_URL: broken.url };
      const made = await run(
        [
          ...['admin', 'account', 'create', '--email', email(), '--credits-pence', '5', '--json'],
          ...['--credits-key', 'k', '--credits-reason', 'A trial'],
        ],
        env,
      );
      await broken.tamper(`update ledger_balances set wallet = wallet + 1 where account_id = $1`, [
        made.data.accountId,
      ]);
      const found = await run(['ledger', 'verify', '--json'], env);
      expect(found.code).to.equal(1);
      expect(found.data.ok).to.equal(false);
      expect(found.data.violations[0].check).to.equal('balance-is-sum-of-entries');
      const people = await run(['ledger', 'verify'], env);
      expect(people.code).to.equal(1);
      expect(people.out).to.contain('does NOT add up');
    } finally {
      await broken.close();
    }
  });

  it('migrates an empty database, again without effect, and back', async () => {
    const env = { DOCKYARD_DATABASE_URL: await createEmptyDatabase() };
    const early = await run(['ledger', 'verify', '--json'], env);
    expect(early.code).to.equal(2);
    expect(JSON.parse(early.err)).to.include({ code: 'NOT_MIGRATED' });
    const first = await run(['migrate', '--json'], env);
    expect(first.data.applied).to.have.length.greaterThan(0);
    expect((await run(['migrate'], env)).out).to.equal('The schema is up to date.\n');
    expect((await run(['ledger', 'verify'], env)).code).to.equal(0);
    expect((await run(['migrate', '--revert', '--json'], env)).data).to.deep.equal({ reverted: true });
    expect((await run(['migrate', '--json'], env)).data.applied).to.have.length(1);
  });

  it('runs as npx runs it, with its exit code', async () => {
    const script = join(root, 'scripts', 'dockyard.mjs');
    expect(await asProcess(script, ['--version'], {})).to.include({ code: 0, out: `${VERSION}\n`, err: '' });
    expect((await asProcess(script, ['nonsense'], {})).code).to.equal(2);
  });
});
