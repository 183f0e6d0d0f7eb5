/** A command line that a person lets in: what the page draws is worth nothing to anybody else, nor twice, nor later. */
import { createHash, randomBytes } from 'node:crypto';
import vm from 'node:vm';

import { expect } from 'chai';

import { cookieOf, openPeople, PASSWORD, PUBLIC_ORIGIN } from '../support/people.ts';
import type { PeopleWorld } from '../support/people.ts';
import { until } from '../support/until.ts';
import type { Reply } from '../unit/api/test-app.ts';

const HOUR_MS = 3_600_000;
const draw = (): string => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

describe('a command line that is let in', function () {
  this.timeout(240_000);
  let world: PeopleWorld;
  let cookie: string;
  let email: string;
  before(async () => {
    world = await openPeople();
    ({ cookie, email } = await world.person());
  });
  after(() => world.close());

  const rows = <T>(sql: string, ...parameters: unknown[]): Promise<T[]> =>
    world.test.db.query<T[]>(sql, parameters);
  const approve = (verifier: string, of = cookie, headers: Record<string, string> = {}): Promise<Reply> =>
    world.call('POST', '/auth/cli/approve', {
      cookie: of,
      body: { challenge: challengeOf(verifier) },
      headers,
    });
  const exchange = (code: string, verifier: string): Promise<Reply> =>
    world.call('POST', '/auth/cli/session', {
      body: { code, verifier },
      headers: { 'user-agent': 'dockyard-cli/1' },
    });
  const letIn = async (of = cookie): Promise<Reply> => {
    const verifier = draw();
    return exchange((await approve(verifier, of)).body.code, verifier);
  };
  const refuses = ({ status, body, headers }: Reply, ...expected: [number, string]): void => {
    expect([status, body.code], JSON.stringify(body)).to.deep.equal(expected);
    expect(headers.get('set-cookie')).to.equal(null);
  };
  const asProgram = (session: string, method: string, path: string): Promise<Reply> =>
    world.call(method, path, {
      headers: { cookie: `__Host-dockyard-session=${session}`, 'sec-fetch-site': 'same-origin' },
    });

  it('is the person, in the list of sessions, until twelve hours after the sign-in of the browser', async () => {
    await rows(`update sessions set created_at = now() - interval '2 hours' where ended_at is null`);
    const reply = await letIn();
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.body.user.email).to.equal(email);
    const session = cookieOf(reply) ?? '';
    expect(session).to.not.equal(cookie);
    const { body } = await asProgram(session, 'GET', '/auth/sessions');
    const [newest] = body.sessions;
    expect(newest).to.include({ current: true, userAgent: 'dockyard-cli/1', id: reply.body.sessionId });
    expect(Date.parse(newest.expiresAt) - Date.now()).to.be.within(9.9 * HOUR_MS, 10 * HOUR_MS);
    expect((await asProgram(session, 'GET', '/keys')).status).to.equal(200);

    // Neither a use nor another command line moves the end.
    await rows(
      `update sessions set last_seen_at = now() - interval '1 hour' where id = $1`,
      reply.body.sessionId,
    );
    await asProgram(session, 'GET', '/keys');
    const second = await letIn(session);
    expect(second.body.expiresAt).to.equal(newest.expiresAt);
    const [kept] = await rows<{ at: string }>(
      `select (expires_at = ends_at)::text as at from sessions where id = $1`,
      reply.body.sessionId,
    );
    expect(kept?.at).to.equal('true');
    expect((await asProgram(session, 'POST', '/auth/sign-out')).status).to.equal(200);
    expect((await asProgram(session, 'GET', '/keys')).status).to.equal(401);
    const actions = await rows<{ action: string }>(
      'select action from audit_log where subject = $1 order by created_at, id',
      reply.body.sessionId,
    );
    expect(actions.map(({ action }) => action)).to.deep.equal(['session.started', 'session.ended']);
  });

  it('takes a code once, also of ten that come at once', async () => {
    const verifier = draw();
    const { code } = (await approve(verifier)).body;
    const replies = await Promise.all(Array.from({ length: 10 }, () => exchange(code, verifier)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(9).fill(410)]);
    refuses(await exchange(code, verifier), 410, 'CODE_EXPIRED');
  });

  it('gives whoever has seen the code nothing, and the code is used up by the attempt', async () => {
    const verifier = draw();
    const { code } = (await approve(verifier)).body;
    refuses(await exchange(code, draw()), 410, 'CODE_EXPIRED');
    refuses(await exchange(code, verifier), 410, 'CODE_EXPIRED');
    refuses(await exchange(draw(), verifier), 410, 'CODE_EXPIRED');
    expect(JSON.stringify(await rows('select * from cli_codes'))).to.not.contain(code);
  });

  it('becomes nobody else by a code that another person has drawn', async () => {
    const other = await world.person();
    const mine = draw();
    const { code } = (await approve(draw(), other.cookie)).body;
    refuses(await exchange(code, mine), 410, 'CODE_EXPIRED');
  });

  it('takes no code that is older than two minutes, nor one whose person has left the browser or has a new password', async () => {
    const [late, left, reset] = [draw(), draw(), draw()];
    const { code: lateCode } = (await approve(late)).body;
    await rows(`update cli_codes set created_at = created_at - interval '121 seconds' where used_at is null`);
    refuses(await exchange(lateCode, late), 410, 'CODE_EXPIRED');

    const other = await world.person();
    const { code: leftCode } = (await approve(left, other.cookie)).body;
    await world.call('POST', '/auth/sign-out', { cookie: other.cookie });
    refuses(await exchange(leftCode, left), 410, 'CODE_EXPIRED');

    const again = cookieOf(await world.signIn(other.email)) ?? '';
    const { code: resetCode } = (await approve(reset, again)).body;
    const program = cookieOf(await letIn(again)) ?? '';
    const asked = performance.now();
    await world.call('POST', '/auth/password/forgot', { body: { email: other.email } });
    const mailed = await world.codeTo(other.email, asked);
    await world.call('POST', '/auth/password/reset', { body: { code: mailed, password: `${PASSWORD}!` } });
    refuses(await exchange(resetCode, reset), 410, 'CODE_EXPIRED');
    expect((await asProgram(program, 'GET', '/auth/sessions')).status).to.equal(401);
  });

  it('is let in by nobody who is asked by another site, or who has signed in long ago, or who has not', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
      { origin: '', 'sec-fetch-site': 'same-site' },
    ])
      refuses(await approve(draw(), cookie, headers), 403, 'CROSS_SITE_REQUEST');
    const old = await world.person();
    await rows(
      `update sessions set created_at = now() - interval '13 hours' where id = $1`,
      old.reply.body.sessionId,
    );
    refuses(await approve(draw(), old.cookie), 403, 'SIGN_IN_AGAIN');
    refuses(await approve(draw(), `${cookie}x`), 401, 'UNAUTHORIZED');
    const challenge = draw().slice(1);
    refuses(
      await world.call('POST', '/auth/cli/approve', { cookie, body: { challenge } }),
      ...([400, 'VALIDATION_ERROR'] as const),
    );
  });

  it('is let into no account that is suspended', async () => {
    const other = await world.person();
    const verifier = draw();
    const { code } = (await approve(verifier, other.cookie)).body;
    await rows(`update accounts set state = 'SUSPENDED' where id = $1`, other.reply.body.account.id);
    refuses(await exchange(code, verifier), 403, 'ACCOUNT_SUSPENDED');
  });

  describe('the page', () => {
    const page = (): Promise<Reply> => world.app.call('GET', '/cli-login?challenge=x', { key: null });

    it('comes from this service alone, is framed by nobody and tells its address to nobody', async () => {
      const { status, headers, text } = await page();
      expect(status).to.equal(200);
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(text).to.not.match(/https?:|<script>|style=|onclick/);
      for (const [, path = ''] of text.matchAll(/(?:src|href)="(cli-login\/[^"]+)"/g))
        expect((await world.app.call('GET', `/${path}`, { key: null })).status, path).to.equal(200);
    });

    it('signs the person in, asks, and hands the code to the port of the machine', async () => {
      const other = await world.person();
      const verifier = draw();
      const browser = await openPage(`?challenge=${challengeOf(verifier)}&state=here&port=4321`);
      await until('the sign-in', () => browser.shows() === 'sign-in');
      Object.assign(browser.element('email'), { value: other.email });
      Object.assign(browser.element('password'), { value: 'not the password' });
      await browser.act('sign-in', 'submit');
      await until('the refusal', () => browser.element('told').textContent.includes('wrong'));
      Object.assign(browser.element('password'), { value: PASSWORD });
      await browser.act('sign-in', 'submit');
      await until('the question', () => browser.shows() === 'approve');
      // Base64url has a '-' of its own, so the mark is compared as it is drawn: two groups of four.
      const challenge = challengeOf(verifier);
      expect(browser.element('mark').textContent).to.equal(
        `${challenge.slice(0, 4)}-${challenge.slice(4, 8)}`,
      );
      expect(browser.went()).to.equal(null);
      await browser.act('approve', 'submit');
      await until('the way back', () => browser.went() !== null);
      const back = new URL(browser.went() ?? '');
      expect([back.origin, back.pathname]).to.deep.equal(['http://127.0.0.1:4321', '/callback']);
      expect(back.searchParams.get('state')).to.equal('here');
      const reply = await exchange(back.searchParams.get('code') ?? '', verifier);
      expect(reply.body.user.email).to.equal(other.email);
    });

    it('draws nothing without a click, and asks nothing of whoever was sent there with something else', async () => {
      const refusing = await openPage(`?challenge=${challengeOf('x')}&state=here&port=4321`, cookie);
      await until('the question', () => refusing.shows() === 'approve');
      const before = await rows('select 1 from cli_codes');
      await refusing.act('refuse', 'click');
      expect(refusing.went()).to.equal('http://127.0.0.1:4321/callback?error=refused&state=here');
      expect(await rows('select 1 from cli_codes')).to.have.length(before.length);
      for (const asked of [
        '',
        '?challenge=x&state=s&port=4321',
        `?challenge=${challengeOf('x')}&state=s&port=80`,
      ])
        expect((await openPage(asked, cookie)).shows()).to.equal('wrong');
    });

    it('sends the person to the provider with its own address, and tells what came of it', async () => {
      const search = `?challenge=${challengeOf('x')}&state=here&port=4321`;
      const page = await openPage(search);
      const { searchParams, pathname } = new URL(page.element('by-provider').href, PUBLIC_ORIGIN);
      expect([pathname, searchParams.get('returnTo')]).to.deep.equal([
        ...['/api/v1/auth/oidc/start', `/cli-login${search}`],
      ]);
      const refused = await openPage(search, null, '#sign-in=OIDC_ADDRESS_UNVERIFIED');
      await until('the sign-in', () => refused.shows() === 'sign-in');
      expect(refused.element('told').textContent).to.contain('not proved at both');
      expect(refused.address(), 'the code is taken out of the address').to.equal(`/cli-login${search}`);
      const asked = await openPage(search, null, '#sign-in=TOTP_REQUIRED');
      expect(asked.shows()).to.equal('factor');
      Object.assign(asked.element('code'), { value: '000000' });
      await asked.act('factor', 'submit');
      await until(
        'that nothing was begun here',
        () => asked.shows() !== 'factor' || asked.element('told').textContent !== '',
      );
    });

    /** The script of the page with as much of a browser as the script uses. */
    async function openPage(search: string, signedIn: string | null = null, hash = ''): Promise<Browser> {
      let address = `/cli-login${search}${hash}`;
      const { text } = await page();
      const [path = ''] = /cli-login\/[^"]+\.js/.exec(text) ?? [];
      const script = (await world.app.call('GET', `/${path}`, { key: null })).text;
      const elements = new Map<string, FakeElement>();
      const element = (id: string): FakeElement => {
        expect(text, 'an element of the page').to.contain(`id="${id}"`);
        const known = elements.get(id) ?? new FakeElement();
        elements.set(id, known);
        return known;
      };
      let jar = signedIn;
      let gone: string | null = null;
      const call = async (
        to: string,
        { method, body }: { method: string; body?: string },
      ): Promise<unknown> => {
        const reply = await world.call(method, to.replace(/^api\/v1/, ''), {
          ...(body === undefined ? {} : { body: JSON.parse(body) }),
          ...(jar === null ? { headers: { origin: PUBLIC_ORIGIN } } : { cookie: jar }),
        });
        jar = cookieOf(reply) ?? jar;
        return { status: reply.status, json: async () => reply.body };
      };
      vm.runInNewContext(script, {
        ...{ URLSearchParams, document: { getElementById: element }, fetch: call },
        location: { search, hash, pathname: '/cli-login', replace: (url: string) => (gone = url) },
        history: { replaceState: (_state: unknown, _title: string, path: string) => (address = path) },
      });
      return {
        element,
        went: () => gone,
        address: () => address,
        shows: () =>
          ['wrong', 'sign-in', 'factor', 'approve', 'done'].find(
            (step) => elements.get(step)?.hidden === false,
          ) ?? null,
        act: async (id, event) => element(id).listeners.get(event)?.({ preventDefault: () => undefined }),
      };
    }
  });
});

interface Browser {
  element(id: string): FakeElement;
  went(): string | null;
  /** Path of the page with query and fragment. */
  address(): string;
  shows(): string | null;
  act(id: string, event: string): Promise<void>;
}

class FakeElement {
  value = '';
  href = '';
  textContent = '';
  hidden = true;
  readonly listeners = new Map<string, (event: object) => Promise<void>>();

  addEventListener(event: string, listener: (event: object) => Promise<void>): void {
    this.listeners.set(event, listener);
  }
}
