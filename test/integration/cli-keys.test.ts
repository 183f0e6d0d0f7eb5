/** Signing in by a browser and managing keys, with the command line over a running stack. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { runCommandLine } from '../../src/cli/program.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import type { TestApi } from '../support/api.ts';
import { testApi } from '../support/api.ts';
import { sessionOf } from '../support/session-of.ts';
import type { OwnSession } from '../support/session-of.ts';
import { until } from '../support/until.ts';

interface Ending {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  // Tests look into answers of every shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
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
    owner = await api.account();
    person = await sessionOf(api, owner.accountId);
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-person-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (argv: readonly string[], env: Record<string, string> = {}): Promise<Ending> => {
    let [out, err] = ['', ''];
    const code = await runCommandLine(argv, {
      env: { XDG_CONFIG_HOME: join(folder, 'xdg'), DOCKYARD_API_URL: api.stack.apiUrl, ...env },
      folder,
      out: (text) => (out += text),
      err: (text) => (err += text),
    });
    return { code, out, err, data: argv.includes('--json') && out !== '' ? JSON.parse(out) : null };
  };
  const sessionFile = (): string => join(folder, 'xdg', 'dockyard', 'session.json');
  /** A browser that only notes what it is asked to open. */
  const opened = (): { readonly env: Record<string, string>; readonly page: () => Promise<URL> } => {
    const [program, note] = [join(folder, 'browser.sh'), join(folder, 'opened.txt')];
    writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${note}.new' && mv '${note}.new' '${note}'\n`, {
      mode: 0o755,
    });
    const page = async (): Promise<URL> => {
      const read = (): string => {
        try {
          return readFileSync(note, 'utf8');
        } catch {
          return '';
        }
      };
      await until('the browser', () => read() !== '');
      return new URL(read());
    };
    return { env: { BROWSER: program }, page };
  };
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
    const browser = opened();
    const ending = run(['login', '--browser'], browser.env);
    const page = await browser.page();
    await back(page, { code: await approve(page), state: page.searchParams.get('state') ?? '' });
    return ending;
  };

  it('signs in by the browser, and keeps the session for its owner only', async () => {
    const browser = opened();
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

  it('is told that the person has refused', async () => {
    const browser = opened();
    const ending = run(['login', '--browser', '--json'], browser.env);
    const page = await browser.page();
    await back(page, { error: 'refused', state: page.searchParams.get('state') ?? '' });
    const { code, err } = await ending;
    expect([code, JSON.parse(err).code]).to.deep.equal([2, 'LOGIN_REFUSED']);
    expect(() => statSync(sessionFile())).to.throw('ENOENT');
  });
});
