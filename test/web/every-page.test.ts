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
import { IS_LONG, withLong } from '../support/long.ts';
import { freePort } from '../support/ports.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';
import { routes } from '../../web/src/app/routes.ts';
import { furnish, STATES } from './shown.ts';
import type { Shown } from './shown.ts';

const WIDTHS = [1280, 640, 320];
const HEIGHT = 900;
/** The folder to which pages are drawn; nothing is drawn without one. */
const SCREENS = process.env['DOCKYARD_WEB_SCREENS'] ?? '';
const JOB_TABS = ['bill', 'recovery', 'outputs', 'log', 'receipt', 'request'];
const CREDITS_TABS = ['topup', 'transactions', 'limits', 'statements'];

describe('every page', function () {
  let web: Web;
  let person: Visitor;
  let anybody: Visitor;
  /** What the `$names` of addresses stand for. */
  let ids: Readonly<Record<string, string>> = {};
  before(async () => {
    web = await sharedWeb();
    [person, anybody] = await Promise.all([web.visitor(), web.visitor()]);
    await person.signedIn('/jobs');
    const fail = [{ index: 2, kind: 'error' }];
    const { jobId } = await person.write('/jobs/submit', {
      ...noopJob(4, { seconds: 0, fail }),
      // Words that can be broken, and one that cannot.
      jobName: `A name ${'that is long '.repeat(12)}`.padEnd(512, 'n'),
    });
    await person.page.goto(`/jobs/${jobId}`);
    await person.page.getByText('Partly done').waitFor({ timeout: 60_000 });
    // Nobody listens there.
    const url = `http://127.0.0.1:${await freePort()}/${'a-long-way/'.repeat(20)}`;
    const { id: webhookId } = await person.write('/webhooks', {
      url,
      types: ['job.succeeded', 'job.failed'],
    });
    ids = { jobId, webhookId, ...(IS_LONG ? await furnish(web, person) : {}) };
    if (SCREENS !== '') mkdirSync(SCREENS, { recursive: true });
  });
  after(async () => {
    for (const { context, faults } of [person, anybody]) {
      await context.close();
      expect(faults).to.deep.equal([]);
    }
  });

  const addressOf = (path: string): string => path.replace(/\$(\w+)/, (_, name: string) => ids[name] ?? '');
  /** What is wrong with what is shown, in words. */
  const faultsOf = async ({ name, path, act }: Shown, page: Page): Promise<string[]> => {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' });
    await act?.(page, web, person.email);
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
    const tabs = [
      ...JOB_TABS.map((tab) => ({ name: `job ${tab}`, path: addressOf(`/jobs/$jobId?tab=${tab}`) })),
      ...CREDITS_TABS.map((tab) => ({ name: `credits ${tab}`, path: `/credits?tab=${tab}` })),
    ].map((shown) => ({ ...shown, visitor: person }));
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
