/** The customer's command line over a running stack: exit codes, files and money. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import type { TestApi } from '../support/api.ts';
import { noopJob, NOTHING, sha256, testApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { ETHANOL_SDF } from '../support/docking-ligands.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { IS_LONG } from '../support/long.ts';
import { failureOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const RECEPTOR = join(root, 'examples', '1a28', '1a28.pdb');

describe('commands of customers', function () {
  this.timeout(180_000);
  let api: TestApi;
  let owner: NewAccount;
  let folder = '';
  before(async () => {
    api = await testApi();
    owner = await api.account();
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-customer-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const environment = (env: Readonly<Record<string, string>>): Record<string, string> => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DOCKYARD_API_URL: api.stack.apiUrl,
    DOCKYARD_API_KEY: owner.liveKey,
    ...KEPT_MODULES,
    ...env,
  });
  const start = (args: readonly string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [join(root, 'src', 'bin', 'dockyard.ts'), ...args], {
      cwd: folder,
      env: environment(env),
    });
  const ended = async (child: ChildProcess, isJson: boolean): Promise<CommandEnding> => {
    if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code: code ?? -1, out, err, data: isJson && out !== '' ? JSON.parse(out) : null };
  };
  /** A `dockyard watch` of its own process that has told that the job runs. */
  const watched = async (
    jobId: string,
  ): Promise<{ readonly child: ChildProcess; readonly watching: Promise<CommandEnding> }> => {
    const child = start(['watch', jobId]);
    let seen = '';
    child.stderr?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    const watching = ended(child, false);
    await until('it watches the running job', () => seen.includes('RUNNING\n'));
    return { child, watching };
  };
  const as = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandEnding> =>
    runCommand(args, environment(env), folder);
  const dockyard = (...args: string[]): Promise<CommandEnding> => as({}, ...args);
  const file = (name: string, content: unknown): string => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  const submit = async (job: unknown): Promise<string> => {
    const { code, err, data } = await dockyard('submit', file(`${randomUUID()}.json`, job), '--json');
    expect(code, err).to.equal(0);
    return data.jobId;
  };

  it('log in with a key that the service knows, and keep it for themselves', async () => {
    const stored = join(folder, 'xdg', 'dockyard', 'login.json');
    const env = { XDG_CONFIG_HOME: join(folder, 'xdg'), DOCKYARD_API_URL: '', DOCKYARD_API_KEY: '' };
    const login = async (key: string): Promise<CommandEnding> => {
      const child = start(['login', '--url', `${api.stack.apiUrl}/api/v1`, '--key', '-'], env);
      child.stdin?.end(`${key}\n`);
      return ended(child, false);
    };
    const wrong = await login('svc_live_wrong');
    expect(wrong.code).to.equal(2);
    expect(wrong.err).to.contain('does not accept the key').and.not.to.contain('svc_live_wrong');
    expect(() => statSync(stored)).to.throw('ENOENT');
    const right = await login(owner.liveKey);
    expect(right.code, right.err).to.equal(0);
    expect(right.out).not.to.contain(owner.liveKey);
    expect(statSync(stored).mode & 0o777).to.equal(0o600);
    const balance = await as(env, 'balance', '--json');
    expect(balance.data).to.have.property('available_cents').that.is.a('number');
    const hidden = await as({ ...env, DOCKYARD_API_KEY: 'svc_live_wrong' }, 'balance');
    expect([hidden.code, hidden.out]).to.deep.equal([2, '']);
    expect(hidden.err)
      .to.contain('the key of the variable DOCKYARD_API_KEY')
      .and.contain('unset it to use the key of dockyard login')
      .and.not.contain('Log in again');
  });

  it('tell what a ligand may be, and what is not to be found', async () => {
    const found = await dockyard('ligands', 'resolve', 'imatinib');
    expect([found.code, found.err]).to.deep.equal([0, '']);
    expect(found.out)
      .to.match(/^IMATINIB \(4-\(4-METHYL-PIPERAZIN/)
      .and.match(/\n {2}Source +component STI\n/)
      .and.match(/\n {2}Formula +C29H31N7O\n/)
      .and.match(/\n {2}Charge +\+1 at pH 7\.4\n/);
    const both = await dockyard('ligands', 'resolve', 'CO', '--json');
    expect(both.data.candidates.map(({ source }: { source: object }) => source)).to.deep.equal([
      { kind: 'ccd', componentId: 'CO' },
      { kind: 'smiles', smiles: 'CO' },
    ]);
    const wrong = await dockyard('ligands', 'resolve', 'c1ccccc', '--kind', 'smiles');
    expect([wrong.code, wrong.out]).to.deep.equal([
      2,
      'LIGAND_PARSE_FAILED: The SMILES cannot be read: unclosed ring.\n',
    ]);
    expect((await dockyard('ligands', 'resolve', 'CO', '--kind', 'inchi')).code).to.equal(2);
  });

  it('end with the code of how the job ended', async () => {
    const fail = (index: number): object => ({ index, kind: 'error' });
    const jobs = await Promise.all([
      submit(noopJob(2)),
      submit(noopJob(2, { seconds: 0, fail: [fail(0)] })),
      submit(noopJob(1, { seconds: 0, fail: [fail(0)] })),
      submit(noopJob(1, { seconds: 60 })),
    ]);
    const [good, partial, bad, slow] = jobs;
    const { watching } = await watched(slow);
    const cancelled = await dockyard('cancel', slow, '--reason', 'enough', '--json');
    expect([cancelled.code, cancelled.data.jobId]).to.deep.equal([0, slow]);
    const ends = await Promise.all([good, partial, bad].map((job) => dockyard('watch', job, '--json')));
    expect(ends.map(({ code }) => code)).to.deep.equal([0, 3, 4]);
    expect(ends.map(({ data }) => data.status.status)).to.deep.equal([
      'SUCCEEDED',
      'PARTIALLY_SUCCEEDED',
      'FAILED',
    ]);
    for (const { err } of ends) expect(err).to.equal('');
    const people = await watching;
    expect(people.code, people.err).to.equal(5);
    expect(people.err).to.contain('RUNNING\n').and.to.contain('CANCELLED\n');
    expect(people.out)
      .to.match(/^Job +[0-9a-f-]{36}\n/)
      .and.match(/\nStatus +CANCELLED/);
    const told = await Promise.all([good, partial, bad, slow].map((job) => dockyard('status', job)));
    expect(told.map(({ code }) => code)).to.deep.equal([0, 3, 4, 5]);
    expect(told[1]?.out).to.match(/\n0 +NOOP_ERROR +The task was told to fail\./);
    expect((await dockyard('status', randomUUID(), '--json')).code).to.equal(2);
  });

  it('let a job that failed in part go on, once, follow it to its end, and say what a refusal means', async () => {
    const fail = [{ index: 0, kind: 'error', times: 1 }];
    const jobId = await submit(noopJob(2, { seconds: 0, fail }));
    expect((await dockyard('watch', jobId)).code).to.equal(3);
    const resumed = await dockyard('resume', jobId);
    expect([resumed.code, resumed.err]).to.deep.equal([0, '']);
    expect(resumed.out).to.contain(`Follow it: dockyard watch ${jobId}\n`);
    const watched = await dockyard('watch', jobId, '--json');
    expect([watched.code, watched.data.status.status]).to.deep.equal([0, 'SUCCEEDED']);
    const told = await dockyard('recoveries', jobId);
    expect(told.out).to.contain('RESUME');
    const again = await dockyard('resume', jobId, '--json');
    expect([again.code, JSON.parse(again.err).code]).to.deep.equal([2, 'JOB_NOT_RESUMABLE']);
    const { out } = await dockyard('explain', 'JOB_NOT_RESUMABLE');
    expect(out).to.contain('resume a job that is paused or has ended with something missing');
  });

  it('submit once per key, and refuse what costs more than it may', async () => {
    const { accountId, liveKey } = await api.account(50);
    const job = file('job.json', { ...noopJob(10), jobName: 'kept' });
    const run = (...args: string[]): Promise<CommandEnding> =>
      as({ DOCKYARD_API_KEY: liveKey }, ...args, '--json');
    const estimate = await run('estimate', job);
    expect(estimate.data).to.include({ heldCents: 12 });
    const dear = await run('submit', job, '--max-price', '0.11');
    expect([dear.code, JSON.parse(dear.err).code]).to.deep.equal([2, 'PRICE_ABOVE_MAXIMUM']);
    const poor = await run('submit', file('dear.json', noopJob(100)));
    expect([poor.code, JSON.parse(poor.err).code]).to.deep.equal([2, 'INSUFFICIENT_CREDITS']);
    expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);
    const key = randomUUID();
    const first = await run('submit', job, '--idempotency-key', key, '--max-price', '0.12');
    const second = await run('submit', job, '--idempotency-key', key);
    expect([first.code, second.code]).to.deep.equal([0, 0]);
    expect(second.data).to.include({ jobId: first.data.jobId, idempotentReplay: true });
    const plain = await as({ DOCKYARD_API_KEY: liveKey }, 'submit', job, '--idempotency-key', key);
    expect([plain.code, plain.out], plain.err).to.deep.equal([0, `${first.data.jobId}\n`]);
    expect(plain.err).to.contain(`Follow it with: dockyard watch ${first.data.jobId}\n`);
    const other = await run('submit', file('other.json', noopJob(3)), '--idempotency-key', key);
    expect([other.code, JSON.parse(other.err).code]).to.deep.equal([2, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await api.leftovers(accountId)).to.include({ jobs: 1 });
  });

  it('keep projects: save, see, restore and share versions, and never overwrite another one', async () => {
    const content = { notes: 'α', unknown: [1.5] };
    const made = await dockyard(
      'project',
      'save',
      file('kinase.json', content),
      '--name',
      'Kinase',
      '--json',
    );
    expect([made.code, made.data.currentVersion], made.err).to.deep.equal([0, 1]);
    const { id } = made.data;
    const at = (version: number): string[] => ['--expected-version', String(version)];
    const next = file('next.json', { notes: 'second' });
    const unsaid = await dockyard('project', 'save', next, '--project', id);
    expect([unsaid.code, unsaid.err]).to.deep.equal([
      2,
      `dockyard: Add --expected-version; dockyard project show ${id} tells the version of the head.\n`,
    ]);
    const saved = await dockyard('project', 'save', next, '--project', id, ...at(1), '--message', 'hinge');
    expect([saved.code, saved.out]).to.satisfy(
      ([code, out]: [number, string]) => code === 0 && /Version +2\n/.test(out),
    );
    const late = await dockyard('project', 'save', next, '--project', id, ...at(1));
    expect([late.code, late.out]).to.deep.equal([2, '']);
    expect(late.err)
      .to.contain('at version 2, not 1')
      .and.to.contain('Nothing was changed')
      .and.to.contain('--expected-version 2');
    const shared = await dockyard('project', 'share', id, ...at(2));
    expect(shared.code, shared.err).to.equal(0);
    expect((await dockyard('project', 'restore', id, '1', ...at(2))).code).to.equal(0);
    const history = await dockyard('project', 'history', id);
    expect(history.out).to.match(/^VERSION.*\n +3 .* 1\n +2 .*hinge\n +1 /);
    const written = await dockyard('project', 'show', id, '--content', 'head.json', '--json');
    expect(written.data).to.include({ currentVersion: 3 }).and.not.to.have.property('content');
    expect(JSON.parse(readFileSync(join(folder, 'head.json'), 'utf8'))).to.deep.equal(content);
    const second = await dockyard('project', 'show', id, '--revision', '2', '--content', '-');
    expect(JSON.parse(second.out)).to.deep.equal({ notes: 'second' });
    const shown = async (): Promise<unknown[]> => {
      const answer = await fetch(shared.out.trim());
      const body = (await answer.json()) as { content?: { notes?: string } };
      return [answer.status, body.content?.notes];
    };
    expect(await shown()).to.deep.equal([200, 'second']);
    const revoked = await dockyard('project', 'revoke', id, ...at(3), '--json');
    expect([revoked.code, revoked.data.shares]).to.deep.equal([0, []]);
    expect(await shown()).to.deep.equal([410, undefined]);
    const listed = await dockyard('project', 'list');
    expect(listed.out).to.match(new RegExp(`^${id}  Kinase +3 `, 'm'));
    for (const args of [
      ['show', randomUUID()],
      ['show', 'x'],
      ['restore', id, '0', ...at(3)],
      ['share', id],
    ])
      expect((await dockyard('project', ...args)).code, args.join(' ')).to.equal(2);
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey });
    await client.projects.delete(id, { expectedVersion: 3 });
    expect((await failureOf(client.projects.get(id))).code).to.equal('NOT_FOUND');
  });

  it('show what was spent on which job, and stored files, of which one is deleted when no open job needs it', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'what a job is given');
    const [key = ''] = (await dockyard('upload', file)).out.trim().split('\n');
    const body = { ...noopJob(1, { seconds: 3600 }), jobName: 'needs a file', sceneFile: key };
    const { jobId } = (await api.submit(owner.liveKey, body)).body;
    const byJob = await dockyard('usage', '--by', 'job');
    expect(byJob.out, byJob.err)
      .to.match(/^From .*\nTo .*\nSpent +£\d+\.\d\d\nHeld now +£\d+\.\d\d\n\nJOB +NAME +SPENT +HELD\n/)
      .and.match(new RegExp(`^${String(jobId)} +needs a file +£0\\.00 +£\\d`, 'm'));
    const listed = await dockyard('files', 'list');
    const [, uploadId = ''] = /^(\S{36}) +19 +\S+ +notes\.txt /m.exec(listed.out) ?? [];
    expect(listed.out).to.match(/\nStored +\d+ bytes in \d+ files\n/);
    const refused = await dockyard('files', 'delete', uploadId);
    expect([refused.code, refused.out]).to.deep.equal([2, '']);
    expect(refused.err).to.contain(`notes.txt is needed by job ${String(jobId)}`);
    await dockyard('cancel', jobId);
    await api.reaches(owner.liveKey, jobId, 'CANCELLED');
    const deleted = await dockyard('files', 'delete', uploadId);
    expect([deleted.code, deleted.out]).to.deep.equal([0, `${uploadId} is deleted.\n`]);
    expect((await dockyard('files', 'list')).out).to.not.contain(uploadId);
  });

  it('read a job from standard input', async () => {
    const child = start(['submit', '-', '--watch', '--json']);
    child.stdin?.end(JSON.stringify(noopJob(1)));
    const { code, data, err } = await ended(child, true);
    expect(code, err).to.equal(0);
    expect(data).to.deep.include({ hasEnded: true, ranking: [] });
  });

  it('leave the job running when the watching is interrupted, and say so', async () => {
    const jobId = await submit(noopJob(4, { seconds: 20 }));
    const { child, watching } = await watched(jobId);
    child.kill('SIGINT');
    const { code, out, err } = await watching;
    expect({ code, out }).to.deep.equal({ code: 130, out: '' });
    expect(err).to.contain('goes on without you').and.to.contain(`dockyard watch ${jobId}`);
    const status = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`);
    expect(status.body.status).to.equal('RUNNING');
    await api.call(owner.liveKey, 'POST', `jobs/${jobId}/cancel`);
    await api.reaches(owner.liveKey, jobId, 'CANCELLED');
  });

  it('download what is missing only, go on by range, and refuse other bytes', async () => {
    const jobId = await submit(noopJob(3, { seconds: 0, outputBytes: 300_000 }));
    await api.reaches(owner.liveKey, jobId, 'SUCCEEDED');
    const to = join(folder, 'out');
    const download = (): Promise<CommandEnding> => dockyard('outputs', jobId, '--download', 'out', '--json');
    const first = await download();
    expect(first.code, first.err).to.equal(0);
    expect(first.data).to.include({ fetched: 4, kept: 0, resumed: 0, folder: to, final: true });
    const { data } = await dockyard('outputs', jobId, '--json');
    const results = data.outputs.filter((one: { kind: string }) => one.kind === 'result');
    expect(results).to.have.length(3);
    const place = (index: number): string => join(to, 'tasks', String(index), 'result.bin');
    for (const { taskIndex, sha256: announced } of results)
      expect(sha256(readFileSync(place(taskIndex)))).to.equal(announced);
    expect((await download()).data).to.include({ fetched: 0, kept: 4, bytesMoved: 0 });

    const half = readFileSync(place(0)).subarray(0, 200_000);
    rmSync(place(0));
    const { sha256: digest } = results.find((one: { taskIndex: number }) => one.taskIndex === 0);
    writeFileSync(join(to, 'tasks', '0', `.result.bin.${digest.slice(0, 16)}.part`), half);
    truncateSync(place(1), 10);
    const resumed = await download();
    expect(resumed.code, resumed.err).to.equal(0);
    expect(resumed.data).to.include({ fetched: 1, resumed: 1, kept: 2, bytesMoved: 400_000 });
    expect(readdirSync(join(to, 'tasks', '0'))).to.deep.equal(['result.bin']);

    const stored = results.find((one: { taskIndex: number }) => one.taskIndex === 2);
    await api.store.put(stored.storageKey, Buffer.alloc(300_000), 'application/octet-stream');
    rmSync(place(2));
    const refused = await download();
    expect({ code: refused.code, out: refused.out }).to.deep.equal({ code: 1, out: '' });
    expect(JSON.parse(refused.err).code).to.equal('DIGEST_MISMATCH');
    expect(readdirSync(join(to, 'tasks', '2'))).to.deep.equal([]);
  });

  it('dock files, without a question only when told so, and leave the poses behind', async () => {
    const { accountId, liveKey } = await api.account();
    // The second record is a thiol: equal records are docked once, as the third one.
    file(
      'some.sdf',
      `${ETHANOL_SDF}${ETHANOL_SDF.replace('ethanol', 'ethanol again').replace(' O ', ' S ')}${ETHANOL_SDF}`,
    );
    const dock = [
      ...['dock', '--receptor', RECEPTOR, '--chains', 'A', '--ligands', 'some.sdf'],
      ...['--box-from-ligand', 'STR:A:1', '--exhaustiveness', '1', '--modes', '1', '--seed', '7'],
    ];
    const run = (...args: string[]): Promise<CommandEnding> =>
      as({ DOCKYARD_API_KEY: liveKey }, ...dock, ...args);
    const unasked = await run('--json');
    expect([unasked.code, JSON.parse(unasked.err).code]).to.deep.equal([2, 'CONFIRMATION_REQUIRED']);
    const dear = await run('--yes', '--max-price', '0.01', '--json');
    expect([dear.code, JSON.parse(dear.err).code]).to.deep.equal([2, 'PRICE_ABOVE_MAXIMUM']);
    expect(await api.leftovers(accountId)).to.deep.equal(NOTHING);

    if (IS_LONG) {
      // The quote is by the sizes of these ligands, one of which cannot be counted.
      const sizes = ['Oc1ccccc1 small', `${'C'.repeat(25)} middle`, `${'C'.repeat(35)} large`, 'C1CC broken'];
      writeFileSync(join(folder, 'sizes.smi'), `${sizes.join('\n')}\n`);
      const { liveKey: otherKey } = await api.account();
      const other = { DOCKYARD_API_KEY: otherKey };
      const sized = await as(other, ...dock, '--ligands', 'sizes.smi', '--yes', '--json');
      expect(sized.code, sized.err).to.equal(0);
      const { jobId: sizedId } = JSON.parse(sized.out);
      expect((await as(other, 'cancel', sizedId)).code).to.equal(0);
    }

    const key = randomUUID();
    const docked = await run('--yes', '--out', 'poses', '--idempotency-key', key);
    expect(docked.code, docked.err).to.equal(0);
    expect(docked.err).to.contain('at most £').and.to.contain('3 records, 1 equal');
    expect(docked.out)
      .to.match(/\n +1 +ethanol +-\d/)
      .and.contain('not measured affinities');
    for (const id of ['ethanol', 'ethanol-again'])
      expect(readdirSync(join(folder, 'poses', 'ligands', id))).to.include.members([
        'poses.sdf',
        'result.json',
      ]);
    expect(readFileSync(join(folder, 'poses', 'ranking.csv'), 'utf8')).to.contain('ethanol-again');
    const again = await run('--yes', '--watch', '--json', '--idempotency-key', key);
    expect([again.code, again.data.submitted.idempotentReplay], again.err).to.deep.equal([0, true]);
    expect(again.data.ranking).to.have.length(2);
    // A script sees no progress, and is told all the same.
    expect(again.data.notes.join('\n')).to.match(/^Line \d+: ethanol-2 equals ethanol\.$/m);
    expect(await api.leftovers(accountId)).to.include({ jobs: 1, heldPence: 0 });
  });
});
