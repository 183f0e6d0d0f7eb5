/** Signing in by a browser and managing keys, with the command line over a running stack. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { runCommandLine } from '../../src/cli/program.ts';
import { noTerminal } from '../../src/cli/terminal.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import type { TestApi } from '../support/api.ts';
import { noopJob, testApi } from '../support/api.ts';
import { notedBrowser } from '../support/noted-browser.ts';
import { sessionOf } from '../support/session-of.ts';
import type { OwnSession } from '../support/session-of.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'correct horse battery staple';

interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

describe('the command line of a person', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  let person: OwnSession;
  let folder: string;
  before(async () => {
    api = await testApi();
    owner = await api.account(1_000);
    person = await sessionOf(api, owner.accountId);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-person-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (
    argv: readonly string[],
    env: Record<string, string> = {},
    terminal?: Terminal,
  ): Promise<Ending> => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(argv, {
      ...(terminal === undefined ? {} : { terminal }),
      env: { XDG_CONFIG_HOME: join(folder, 'xdg'), DOCKYARD_API_URL: api.stack.apiUrl, ...env },
      folder,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err, data: argv.includes('--json') && out !== '' ? JSON.parse(out) : null };
  };
  const sessionFile = (): string => join(folder, 'xdg', 'dockyard', 'session.json');
  const back = (page: URL, query: Record<string, string>): Promise<Response> =>
    fetch(
      `http://127.0.0.1:${page.searchParams.get('port')}/callback?${new URLSearchParams(query).toString()}`,
    );
  const approve = async (page: URL): Promise<string> => {
    const challenge = page.searchParams.get('challenge');
    const { status, body } = await api.call(
      null,
      'POST',
      'auth/cli/approve',
      { challenge },
      { headers: person.headers },
    );
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.code;
  };
  const login = async (): Promise<Ending> => {
    const browser = notedBrowser(folder);
    const ending = run(['login', '--browser'], browser.env);
    const page = await browser.page();
    await back(page, { code: await approve(page), state: page.searchParams.get('state') ?? '' });
    return ending;
  };

  it('signs in by the browser, and keeps the session for its owner only', async () => {
    const browser = notedBrowser(folder);
    const ending = run(['login', '--browser'], browser.env);
    const page = await browser.page();
    expect(page.origin + page.pathname).to.equal(`${api.stack.apiUrl}/cli-login`);
    expect((await fetch(page)).headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const state = page.searchParams.get('state') ?? '';
    const code = await approve(page);
    // Another page of the browser knows neither the state nor what to ask for.
    expect((await back(page, { code: 'x'.repeat(43), state: 'guess' })).status).to.equal(404);
    expect((await back(page, { error: 'refused' })).status).to.equal(404);
    const answer = await back(page, { code, state });
    expect([answer.status, answer.headers.get('cache-control')]).to.deep.equal([200, 'no-store']);
    const { code: exit, out, err } = await ending;
    expect(exit, err).to.equal(0);
    const mark = page.searchParams.get('challenge')?.slice(0, 4);
    expect(err).to.contain(`if the page shows ${mark}-`);
    const kept = JSON.parse(readFileSync(sessionFile(), 'utf8'));
    expect(statSync(sessionFile()).mode & 0o777).to.equal(0o600);
    expect(out + err).to.not.contain(kept.session);
    expect(
      await back(page, { code, state }).then(
        () => 'open',
        () => 'closed',
      ),
    ).to.equal('closed');
  });

  it('lists, makes, rotates and revokes keys, and signs out', async () => {
    expect((await login()).code).to.equal(0);
    const made = await run([
      'keys',
      'create',
      '--name',
      'CI',
      '--scope',
      'credits:read',
      '--month-pence',
      '500',
      '--json',
    ]);
    expect(made.code, made.err).to.equal(0);
    expect(made.data).to.deep.include({ name: 'CI', scopes: ['credits:read'], monthlyLimitCents: 500 });
    expect((await api.call(made.data.key, 'GET', 'credits/balance')).status).to.equal(200);
    const rotated = await run(['keys', 'rotate', made.data.id, '--overlap-seconds', '3600', '--json']);
    expect(rotated.data.replaces.id, rotated.err).to.equal(made.data.id);
    const listed = await run(['keys', 'list']);
    expect(listed.out).to.contain(made.data.id).and.contain(rotated.data.id).and.not.contain(made.data.key);
    const revoked = await run(['keys', 'revoke', made.data.id]);
    expect([revoked.code, revoked.out]).to.deep.equal([0, revoked.out]);
    expect(revoked.out).to.match(/ is revoked since /);
    expect((await run(['keys', 'list'])).out).to.not.contain(made.data.id);
    expect((await run(['keys', 'list', '--all'])).out).to.contain(made.data.id);
    const wrong = await run(['keys', 'create', '--name', 'x', '--scope', 'everything']);
    expect([wrong.code, wrong.out]).to.deep.equal([2, '']);
    const out = await run(['logout']);
    expect([out.code, out.out]).to.deep.equal([0, 'Signed out.\n']);
    expect(() => statSync(sessionFile())).to.throw('ENOENT');
    expect((await run(['keys', 'list', '--json'])).err).to.contain('NOT_SIGNED_IN');
  });

  it('sends the session to no other service, and says when the session is over', async () => {
    expect((await login()).code).to.equal(0);
    const other = await run(['keys', 'list', '--json'], { DOCKYARD_API_URL: 'http://127.0.0.1:9' });
    expect([other.code, JSON.parse(other.err).code]).to.deep.equal([2, 'NOT_SIGNED_IN']);
    const sessions = await api.call(null, 'GET', 'auth/sessions', undefined, { headers: person.headers });
    const mine = sessions.body.sessions.find(({ userAgent }: { userAgent: string | null }) =>
      userAgent?.startsWith('dockyard-cli/'),
    );
    await api.call(null, 'DELETE', `auth/sessions/${mine.id}`, undefined, { headers: person.headers });
    const ended = await run(['keys', 'list', '--json']);
    expect([ended.code, JSON.parse(ended.err).code]).to.deep.equal([2, 'NOT_SIGNED_IN']);
  });

  /** A person who answers each question of the command line, told by its first words. */
  const answering = (answers: Readonly<Record<string, () => Promise<string>>>): Terminal => ({
    ...noTerminal(() => undefined),
    isInteractive: true,
    ask: (question) =>
      Object.entries(answers).find(([words]) => question.startsWith(words))?.[1]() ??
      expect.fail(`nobody answers: ${question}`),
  });
  const said = (text: string) => (): Promise<string> => Promise.resolve(text);
  const codeTo = async (email: string): Promise<string> => {
    const mails = join(api.stack.home, 'mail');
    const found = (): string | undefined =>
      (existsSync(mails) ? readdirSync(mails) : [])
        .filter((name) => name.endsWith('.txt'))
        .map((name) => readFileSync(join(mails, name), 'utf8'))
        .find((text) => text.includes(`\nTo: ${email}\n`));
    await until(`a mail to ${email}`, () => found() !== undefined);
    return /^ {4}(\S{43})$/m.exec(found() ?? '')?.[1] ?? '';
  };

  it('signs up, and pays, sets limits and makes keys without a key', async () => {
    const email = `${randomUUID()}@example.org`;
    const answers = {
      Address: said(''),
      'E-mail': said(email),
      Password: said(PASSWORD),
      'The same': said(PASSWORD),
      Code: () => codeTo(email),
    };
    const joined = await run(['sign-up'], {}, answering(answers));
    expect(joined.code, joined.err).to.equal(0);
    expect(joined.out).to.contain(`as ${email}`).and.contain('dockyard topup');
    const kept = JSON.parse(readFileSync(sessionFile(), 'utf8'));
    expect(statSync(sessionFile()).mode & 0o777).to.equal(0o600);
    expect(joined.out + joined.err).to.not.contain(kept.session);
    // The session is one of a program, which is over within twelve hours, and the only one.
    expect(Date.parse(kept.expiresAt) - Date.now()).to.be.within(11 * 3_600_000, 12 * 3_600_000);
    const cookie = { cookie: `__Host-dockyard-session=${kept.session}` };
    const { body } = await api.call(null, 'GET', 'auth/sessions', undefined, { headers: cookie });
    expect(body.sessions).to.have.length(1);

    expect((await run(['balance', '--json'])).data, 'welcome credits').to.include({ available_cents: 100 });
    expect((await run(['account', '--json'])).data.account).to.include({ role: 'owner', plan: 'free' });
    expect((await run(['usage', '--json'])).data).to.include({ by: 'day', spent_cents: 0, held_cents: 0 });
    expect((await run(['files', 'list', '--json'])).data.usage).to.include({ usedBytes: 0, files: 0 });
    const tiers = await run(['topup']);
    expect(tiers.out, tiers.err).to.match(/^TIER +PRICE BEFORE TAX +CREDITS\n/);
    const unpaid = await run(['topup', 'topup-10', '--json']);
    expect([unpaid.code, JSON.parse(unpaid.err).code]).to.deep.equal([2, 'PAYMENTS_NOT_CONFIGURED']);
    const made = await run(['keys', 'create', '--name', 'CI', '--scope', 'jobs:read', '--json']);
    const set = await run([
      ...['limits', '--month-pence', '2000', '--low-balance-pence', '100'],
      ...['--key', made.data.id, '--key-month-pence', '500'],
    ]);
    expect(set.code, set.err).to.equal(0);
    expect(set.out)
      .to.match(/^Plan +free\n/)
      .and.match(/\nSpent in the month +£0\.00 of £20\.00, £20\.00 left\n/)
      .and.match(/\nOne job +no limit\n/)
      .and.contain(`Key ${made.data.id}`)
      .and.match(/ £0\.00 of £5\.00, £5\.00 left\n/);
    const other = await run(['limits', '--month-pence', 'none', '--json']);
    expect(other.data, other.err).to.deep.include({
      ...{ monthLimitCents: null, lowBalanceCents: 100 },
      keyLimits: [{ keyId: made.data.id, monthLimitCents: 500 }],
    });
    const keys = await run(['keys', 'list']);
    expect(keys.out)
      .to.match(/LIMIT +SPENT +LEFT/)
      .and.match(/ £5\.00 +£0\.00 +£5\.00 /);
  });

  it('begins a sign-up without a terminal and ends it with the code, and never takes a password as an argument', async () => {
    const email = `${randomUUID()}@example.org`;
    const piped = { ...noTerminal(() => undefined), readInput: said(`${PASSWORD}\n`) };
    const words = ['sign-up', '--email', email, '--password'];
    const begun = await run([...words, '-'], {}, piped);
    expect([begun.code, begun.out], begun.err).to.deep.equal([
      0,
      `Confirm your address with: dockyard sign-up --email ${email} --code CODE\n`,
    ]);
    const wrong = await run([...words, '-', '--code', 'x'.repeat(43), '--json'], {}, piped);
    expect([wrong.code, JSON.parse(wrong.err).code]).to.deep.equal([2, 'CODE_EXPIRED']);
    const ended = await run([...words, '-', '--code', await codeTo(email)], {}, piped);
    expect(ended.code, ended.err).to.equal(0);
    expect((await run([...words, PASSWORD])).err).to.contain('read from standard input');
  });

  it('submits by the quote of an estimate, which prints the quote alone', async () => {
    expect((await login()).code).to.equal(0);
    const job = join(folder, 'job.json');
    writeFileSync(job, JSON.stringify(noopJob(3)));
    const estimate = await run(['estimate', job, '--quote']);
    expect(estimate.code, estimate.err).to.equal(0);
    const quote = estimate.out.trim();
    const both = await run(['submit', job, '--quote', quote, '--max-price', '1']);
    expect([both.code, both.out]).to.deep.equal([2, '']);
    const submitted = await run(['submit', job, '--quote', quote, '--json']);
    expect(submitted.code, submitted.err).to.equal(0);
    const other = join(folder, 'other.json');
    writeFileSync(other, JSON.stringify(noopJob(4)));
    const refused = await run(['submit', other, '--quote', quote, '--json']);
    expect([refused.code, JSON.parse(refused.err).code]).to.deep.equal([2, 'QUOTE_MISMATCH']);
  });

  it('is told that the person has refused', async () => {
    const browser = notedBrowser(folder);
    const ending = run(['login', '--browser', '--json'], browser.env);
    const page = await browser.page();
    await back(page, { error: 'refused', state: page.searchParams.get('state') ?? '' });
    const { code, err } = await ending;
    expect([code, JSON.parse(err).code]).to.deep.equal([2, 'LOGIN_REFUSED']);
    expect(() => statSync(sessionFile())).to.throw('ENOENT');
  });
});
