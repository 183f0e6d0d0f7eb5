/**
 * Every page, and what pages show in their states and dialogs: no fault that axe knows in either theme, and nothing to scroll sideways at 200 %
 * of a screen of 1,280 pixels or on a phone of 320. `npm run web:screens` draws each of them meanwhile.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { AxeBuilder } from '@axe-core/playwright';
import { expect } from 'chai';
import type { Page } from 'playwright-core';

import { noopJob } from '../support/api.ts';
import { withLong } from '../support/long.ts';
import { freePort } from '../support/ports.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';
import { routes } from '../../web/src/app/routes.ts';

const WIDTHS = [1280, 640, 320];
const HEIGHT = 900;
/** The folder to which pages are drawn; nothing is drawn without one. */
const SCREENS = process.env['DOCKYARD_WEB_SCREENS'] ?? '';
const JOB_TABS = ['bill', 'recovery', 'outputs', 'log', 'receipt', 'request'];

/** What a page shows when something was done on it. */
interface Shown {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<unknown>;
}

const STATES: readonly Shown[] = [
  { name: 'no such page', path: '/nowhere' },
  { name: 'finder', path: '/jobs', act: (page) => page.keyboard.press('/') },
  { name: 'keys of the keyboard', path: '/jobs', act: (page) => page.keyboard.press('?') },
  {
    name: 'new key',
    path: '/developers/keys',
    act: (page) => page.getByRole('button', { name: 'Make a key' }).click(),
  },
  {
    name: 'second factor',
    path: '/settings/security',
    async act(page) {
      await page.getByRole('button', { name: 'Set up a second factor' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
    },
  },
  {
    name: 'closing',
    path: '/settings',
    act: (page) => page.getByRole('button', { name: 'Close the account' }).click(),
  },
  {
    name: 'licence server',
    path: '/settings/licence-servers',
    act: (page) => page.getByRole('button', { name: 'Add a licence server' }).click(),
  },
  {
    name: 'new webhook',
    path: '/developers/webhooks',
    act: (page) => page.getByRole('button', { name: 'Add a webhook' }).click(),
  },
  {
    name: 'delivery that failed',
    path: '/developers/webhooks/$webhookId',
    async act(page) {
      await page.getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('Tried again').first().waitFor();
    },
  },
  { name: 'receivers', path: '/developers/webhooks/$webhookId?tab=verify' },
  {
    name: 'refused sign-in',
    path: '/sign-in',
    async act(page) {
      await page.getByLabel('E-mail').fill('nobody@example.org');
      await page.getByLabel('Password').fill('wrong horse');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  },
];

describe('every page', function () {
  let web: Web;
  let person: Visitor;
  let anybody: Visitor;
  let jobId = '';
  let webhookId = '';
  before(async () => {
    web = await sharedWeb();
    [person, anybody] = await Promise.all([web.visitor(), web.visitor()]);
    await person.signedIn('/jobs');
    const fail = [{ index: 2, kind: 'error' }];
    ({ jobId } = await person.write('/jobs/submit', {
      ...noopJob(4, { seconds: 0, fail }),
      jobName: `A name ${'that is long '.repeat(12)}`,
    }));
    await person.page.goto(`/jobs/${jobId}`);
    await person.page.getByText('Partly done').waitFor({ timeout: 60_000 });
    // Nobody listens there.
    const url = `http://127.0.0.1:${await freePort()}/${'a-long-way/'.repeat(20)}`;
    ({ id: webhookId } = await person.write('/webhooks', { url, types: ['job.succeeded', 'job.failed'] }));
    if (SCREENS !== '') mkdirSync(SCREENS, { recursive: true });
  });
  after(async () => {
    for (const { context, faults } of [person, anybody]) {
      await context.close();
      expect(faults).to.deep.equal([]);
    }
  });

  const addressOf = (path: string): string => path.replace('$jobId', jobId).replace('$webhookId', webhookId);
  /** What is wrong with what is shown, in words. */
  const faultsOf = async ({ name, path, act }: Shown, page: Page): Promise<string[]> => {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' });
    await act?.(page);
    const found: string[] = [];
    const judge = async (theme: string, builder: AxeBuilder): Promise<void> => {
      for (const { id, help, nodes } of (await builder.analyze()).violations)
        found.push(`${name}, ${theme}: ${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
    };
    await judge('light', new AxeBuilder({ page }));
    await page.emulateMedia({ colorScheme: 'dark' });
    await judge('dark', new AxeBuilder({ page }).withRules('color-contrast'));
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      const wide = await page
        .locator('html')
        .evaluate(({ scrollWidth }: { scrollWidth: number }) => scrollWidth);
      if (wide > width) found.push(`${name}: ${wide} wide on ${width}`);
      if (SCREENS === '' || width === 640) continue;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        const path = join(SCREENS, `${name.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
    }
    return found;
  };

  it('is open to whoever sees badly, has no mouse or a small screen', async function () {
    this.timeout(600_000);
    const pages = routes.map(({ path, open }) => {
      const address = addressOf(path);
      return {
        name: path === '/' ? 'home' : path.slice(1),
        path: address,
        visitor: open === true ? anybody : person,
      };
    });
    const tabs = JOB_TABS.map((tab) => ({
      name: `job ${tab}`,
      path: `/jobs/${jobId}?tab=${tab}`,
      visitor: person,
    }));
    const states = STATES.map((state) => ({
      ...state,
      path: addressOf(state.path),
      visitor: state.path === '/sign-in' ? anybody : person,
    }));
    const found: string[] = [];
    for (const { visitor, ...shown } of withLong<(typeof states)[number]>(pages, [...tabs, ...states]))
      found.push(...(await faultsOf(shown, visitor.page)));
    expect(found).to.deep.equal([]);
  });
});
