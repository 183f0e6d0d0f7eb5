/**
 * People at the real doors: the HTTP application over a real database, with a real server for mail, and passwords that are
 * counted as they are computed. Each call may come from a network of its own, as through a proxy.
 */
import { randomInt, randomUUID } from 'node:crypto';

import { pino } from 'pino';

import type { IdentityProvider } from '../../src/adapters/identity/identity-provider.ts';
import { openMailer } from '../../src/adapters/mail/open.ts';
import {
  approveCli,
  beginCliSession,
  closeOwnAccount,
  createAttemptCookies,
  createMembers,
  createOidc,
  createPasswords,
  createPeople,
  createPost,
  createSessionCookies,
  createSessionReader,
  beginTotp,
  confirmTotp,
  disableTotp,
  endSession,
  endSessions,
  listSessions,
  readOwnAccount,
  totpState,
} from '../../src/services/people/index.ts';
import { createSecretBox } from '../../src/services/secret-box.ts';
import type { SessionReader } from '../../src/services/people/index.ts';
import { listAudit } from '../../src/services/audit/index.ts';
import {
  issueKey,
  listKeys,
  revokeOwnKey,
  revokeThisKey,
  rotateKey,
} from '../../src/services/identity/index.ts';
import { TestApp } from '../unit/api/test-app.ts';
import type { Reply } from '../unit/api/test-app.ts';
import { openTestDatabase } from './database.ts';
import type { TestDatabase } from './database.ts';
import { openMailServer } from './mail-server.ts';
import type { Received } from './mail-server.ts';
import { until } from './until.ts';

export const PUBLIC_ORIGIN = 'https://dockyard.example';
export const PASSWORD = 'correct horse battery';
const COOKIE_NAME = '__Host-dockyard-session';

/** Cookie and content of a person's call. */
export interface PersonCall {
  readonly cookie?: string;
  readonly body?: unknown;
  /** The network of the caller; another one each time when it is left out. */
  readonly from?: string;
  readonly headers?: Record<string, string>;
}

/** The doors, and what can be seen behind them. */
export interface PeopleWorld {
  readonly test: TestDatabase;
  readonly app: TestApp;
  readonly sessions: SessionReader;
  readonly mails: readonly Received[];
  /** Argon2 computations so far. */
  readonly computed: () => number;
  call(method: string, path: string, call?: PersonCall): Promise<Reply>;
  /** The code of the newest mail to an address, once it has come. */
  codeTo(email: string, after?: number): Promise<string>;
  /** Signs up, confirms and signs in; answers the value of the cookie. */
  person(email?: string): Promise<{ readonly email: string; readonly cookie: string; readonly reply: Reply }>;
  signIn(email: string, password?: string, call?: PersonCall): Promise<Reply>;
  close(): Promise<void>;
}

/** The value of the cookie that an answer sets; null when it sets none. */
export function cookieOf({ headers }: Reply): string | null {
  const [, value = ''] = /^__Host-dockyard-session=([^;]*)/.exec(headers.get('set-cookie') ?? '') ?? [];
  return value === '' ? null : value;
}

/** A network that no other call of a test has. */
export function someNetwork(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
}

/** Opens the doors. */
export async function openPeople(
  provider: IdentityProvider | null = null,
  { welcomePence = 0 }: { readonly welcomePence?: number } = {},
): Promise<PeopleWorld> {
  const test = await openTestDatabase();
  const smtp = await openMailServer();
  const { mails } = smtp;
  let computed = 0;
  const real = createPasswords();
  const passwords: typeof real = {
    hash: (password) => ((computed += 1), real.hash(password)),
    matches: (stored, password) => ((computed += 1), real.matches(stored, password)),
  };
  const cookies = createSessionCookies('ab'.repeat(32));
  const mailer = openMailer({
    smtpUrl: smtp.url,
    smtpTls: 'required',
    mailFrom: 'Dockyard <no-reply@example.org>',
    mailDir: '',
  });
  const { db } = test;
  const post = createPost(mailer, pino({ level: 'silent' }));
  const factors = { db, box: createSecretBox(`test:${'ab'.repeat(32)}`) };
  const people = createPeople({
    ...{ ...factors, passwords, cookies, post, publicUrl: PUBLIC_ORIGIN, welcomePence },
  });
  const installation = {
    ...{ signInProvider: provider !== null, payments: false, welcomeCents: welcomePence },
    uploadOrigin: 'https://store.example',
  };
  const oidc = createOidc({
    ...{ ...factors, cookies, provider, welcomePence, attempts: createAttemptCookies('ab'.repeat(32)) },
  });
  const reader = createSessionReader(db, cookies);
  const app = await new TestApp({
    ...{
      trustProxy: true,
      publicOrigin: PUBLIC_ORIGIN,
      quotas: { public: 100_000, anonymous: 100_000, write: 100_000 },
    },
    services: {
      keys: {
        list: (actor, query) => listKeys(db, actor, query),
        issue: (actor, command) => issueKey(db, actor, command),
        revoke: (actor, keyId, address) => revokeOwnKey(db, actor, keyId, address),
        rotate: (actor, keyId, command) => rotateKey(db, actor, keyId, command),
        revokeThis: (actor, address) => revokeThisKey(db, actor, address),
      },
      audit: { list: (actor, query) => listAudit(db, actor, query) },
      members: createMembers({ db, passwords, post, publicUrl: PUBLIC_ORIGIN }),
      people: {
        ...people,
        startOidc: (returnTo) => oidc.start(returnTo),
        oidcReturnTo: (sent) => oidc.returnTo(sent),
        oidcCallback: (visit, query, sent) => oidc.callback(visit, query, sent),
        finishOidc: (visit, body, sent) => oidc.finish(visit, body, sent),
        installation: () => installation,
        ownAccount: (actor) => readOwnAccount({ db, installation }, actor),
        closeOwnAccount: (actor, closing) => closeOwnAccount({ db }, actor, closing),
        sessions: (actor) => listSessions(db, actor),
        endSession: (actor, id, address) => endSession(db, actor, id, address),
        endSessions: (actor, address) => endSessions(db, actor, address),
        totp: (actor) => totpState(db, actor),
        beginTotp: (actor) => beginTotp(factors, actor),
        confirmTotp: (actor, code, address) => confirmTotp(factors, actor, code, address),
        disableTotp: (actor, code, address) => disableTotp(factors, actor, code, address),
        approveCli: (actor, challenge) => approveCli(db, actor, challenge),
        beginCliSession: (visit, body) => beginCliSession({ db, cookies }, visit, body),
      },
    },
    sessions: { session: (cookie) => reader.find(cookie), wasSession: (cookie) => reader.wasOpen(cookie) },
  }).start();
  const call: PeopleWorld['call'] = (method, path, { cookie, body, from = someNetwork(), headers } = {}) =>
    app.call(method, `/api/v1${path}`, {
      key: null,
      ...(body === undefined ? {} : { body }),
      headers: {
        'x-forwarded-for': from,
        ...(cookie === undefined ? {} : { cookie: `${COOKIE_NAME}=${cookie}`, origin: PUBLIC_ORIGIN }),
        ...headers,
      },
    });
  const codeTo: PeopleWorld['codeTo'] = async (email, after = 0) => {
    const of = (): Received | undefined => mails.filter(({ to, at }) => to === email && at >= after).at(-1);
    await until(`a mail to ${email}`, () => of() !== undefined);
    return /^ {4}(\S{43})$/m.exec(of()?.text ?? '')?.[1] ?? '';
  };
  const signIn: PeopleWorld['signIn'] = (email, password = PASSWORD, more = {}) =>
    call('POST', '/auth/sign-in', { ...more, body: { email, password } });
  return {
    ...{ test, app, sessions: reader, mails, computed: () => computed, call, codeTo, signIn },
    async person(email = `${randomUUID()}@example.org`) {
      await call('POST', '/auth/sign-up', { body: { email, password: PASSWORD } });
      await call('POST', '/auth/verify', { body: { code: await codeTo(email), password: PASSWORD } });
      const reply = await signIn(email);
      return { email, reply, cookie: cookieOf(reply) ?? '' };
    },
    async close() {
      await app.stop();
      await post.close();
      await smtp.close();
      await test.close();
    },
  };
}
