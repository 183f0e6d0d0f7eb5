/**
 * Browsers on the pages of a real stack: one stack with mail, welcome credits, payments and the tool of tests for all suites of a process,
 * and one browser; each person has a context of their own. Whatever a page asked of another host, or was refused by its policy, is a fault.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { TestApi } from './api.ts';
import { openTestApi } from './api.ts';
import { launchChromium } from './chromium.ts';
import { CLIENT, openProvider } from './identity-provider.ts';
import type { ProviderWorld } from './identity-provider.ts';
import { StripeStandIn, WEBHOOK_SECRET } from './stripe.ts';
import { until } from './until.ts';

export const WEB_PASSWORD = 'correct horse battery';
export const WELCOME_PENCE = 100;
/** How long a page is waited for, unless a test says otherwise. */
const MOST_MS = 120_000;

/** The stack and the browser. */
export interface Web {
  readonly api: TestApi;
  /** The provider of sign-ins of the stack. */
  readonly provider: ProviderWorld;
  /** The stand-in that takes the payments of the stack. */
  readonly stripe: StripeStandIn;
  /** Opens a browser of its own: other cookies, other storage; perhaps one that asks through a proxy. */
  visitor(proxyUrl?: string): Promise<Visitor>;
  /** The codes of the mails that went to an address, oldest first. */
  codesFor(email: string): readonly string[];
}

/** Somebody with a browser. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly email: string;
  /** Faults of all pages of this browser so far. */
  readonly faults: string[];
  /** Signs up by the API, as quickly as it goes, and opens a page signed in. */
  signedIn(path?: string): Promise<Page>;
  /** Does what a page would, by the API and with the session of this browser. */
  // oxlint-disable-next-line typescript/no-explicit-any
  write(path: string, body: object): Promise<any>;
  close(): Promise<void>;
}

/** The judgements inside a page, which a context gets as a script before those of its pages: `inPage.focusNow()`, `inPage.textsNow()`. */
export const IN_PAGE = join(repositoryRoot, 'test/fixtures/web/in-page.js');

let shared: Promise<Web> | null = null;
let browser: Browser | null = null;
let provider: ProviderWorld | null = null;
const stripe = new StripeStandIn();
const folder = mkdtempSync(join(tmpdir(), 'dockyard-web-'));

/** The stack and the browser that the suites of this process share. */
export function sharedWeb(): Promise<Web> {
  shared ??= openWeb();
  return shared;
}

after('closes the browser of the web tests', async () => {
  await browser?.close();
  await provider?.close();
  if (shared !== null) await stripe.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function openWeb(): Promise<Web> {
  await stripe.start();
  let apiUrl = '';
  provider = await openProvider(() => `${apiUrl}/api/v1/auth/oidc/callback`);
  const settings = {
    DOCKYARD_WELCOME_PENCE: String(WELCOME_PENCE),
    ...{ DOCKYARD_STRIPE_SECRET_KEY: 'sk_test_1', DOCKYARD_STRIPE_API_URL: stripe.url },
    DOCKYARD_STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
    ...{ DOCKYARD_OIDC_ISSUER: provider.issuer, DOCKYARD_OIDC_CLIENT_ID: CLIENT.id },
    DOCKYARD_OIDC_CLIENT_SECRET: CLIENT.secret,
  };
  const [api, opened] = await Promise.all([openTestApi(settings), launchChromium(folder)]);
  browser = opened;
  ({ apiUrl } = api.stack);
  const mails = join(api.stack.home, 'mail');
  const codesFor = (email: string): readonly string[] =>
    (existsSync(mails) ? readdirSync(mails) : [])
      .filter((name) => name.endsWith('.txt'))
      .sort()
      .map((name) => readFileSync(join(mails, name), 'utf8'))
      .filter((mail) => mail.includes(email))
      .flatMap((mail) => /#code=([\w-]+)/.exec(mail)?.[1] ?? []);
  const hosts = [api.stack.apiUrl, api.stack.storageUrl, stripe.url, provider.issuer] as const;
  const visitor: Web['visitor'] = (proxyUrl) => openVisitor(opened, { hosts, codesFor }, proxyUrl);
  const web: Web = { api, provider, stripe, codesFor, visitor };
  return web;
}

async function openVisitor(
  opened: Browser,
  { hosts, codesFor }: { readonly hosts: readonly [string, ...string[]]; readonly codesFor: Web['codesFor'] },
  proxyUrl?: string,
): Promise<Visitor> {
  const context = await opened.newContext({
    ...{ viewport: { width: 1280, height: 800 }, baseURL: hosts[0] },
    ...(proxyUrl === undefined ? {} : { proxy: { server: proxyUrl } }),
  });
  // A busy machine draws late.
  context.setDefaultTimeout(MOST_MS);
  const faults: string[] = [];
  const allowed = new Set(hosts.map((url) => new URL(url).origin));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && !allowed.has(url.origin)) faults.push(`asked ${request.url()}`);
  });
  context.on('console', (message) => {
    const isOfStatus = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isOfStatus) faults.push(message.text());
  });
  context.on('weberror', (error) => faults.push(String(error.error())));
  const page = await context.newPage();
  const email = `${randomUUID()}@example.org`;
  const write: Visitor['write'] = async (to, data) => {
    const headers = { 'sec-fetch-site': 'same-origin', 'idempotency-key': randomUUID() };
    const reply = await context.request.post(`/api/v1${to}`, { data, headers });
    expect(reply.status(), await reply.text()).to.be.lessThan(300);
    return reply.json();
  };
  return {
    ...{ context, page, email, faults, write },
    async signedIn(path = '/') {
      const credentials = { email, password: WEB_PASSWORD };
      const post = async (to: string, data: object): Promise<void> => {
        await write(to, data);
      };
      await post('/auth/sign-up', credentials);
      await until('the mail', () => codesFor(email).length > 0);
      const [code] = codesFor(email);
      await post('/auth/verify', { code, password: WEB_PASSWORD });
      await post('/auth/sign-in', credentials);
      await page.goto(path);
      return page;
    },
    close: () => context.close(),
  };
}
