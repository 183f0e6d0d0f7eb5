/**
 * The main way by the keyboard alone, on a phone of 320 pixels and at 200 % of a screen of 1,280: sign in, make a job, look at it, send a file, make
 * a key. Wherever the keys lead, the focus is somewhere, is seen, and is covered by nothing.
 */
import { expect } from 'chai';
import type { Page } from 'playwright-core';

import { noopJob } from '../support/api.ts';
import { withLong } from '../support/long.ts';
import { until } from '../support/until.ts';
import { IN_PAGE, sharedWeb, WEB_PASSWORD } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** More things to reach than any page of this test has. */
const MOST_STEPS = 80;

/** Where the focus is: its name, and what is wrong with how it is shown. */
interface Focus {
  readonly name: string;
  readonly fault: string | null;
}

describe('the web app by the keyboard alone', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
    visitor = await web.visitor();
    await visitor.context.addInitScript({ path: IN_PAGE });
    await visitor.signedIn('/sign-in');
    visitor.page.on('filechooser', (choice) => {
      const buffer = Buffer.from(`a file of ${choice.page().viewportSize()?.width} pixels`);
      const name = `keys-${choice.page().viewportSize()?.width}.pdb`;
      void choice.setFiles({ name, mimeType: 'chemical/x-pdb', buffer });
    });
  });
  after(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  /** Goes on with Tab until what has the name has the focus; each step is judged. */
  const reach = async (page: Page, name: RegExp): Promise<void> => {
    const passed: string[] = [];
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await page.keyboard.press('Tab');
      const now = await page.evaluate<Focus>('inPage.focusNow()');
      expect(now.fault, `after ${passed.slice(-3).join(', ')}`).to.equal(null);
      if (name.test(now.name)) return;
      passed.push(now.name);
    }
    throw new Error(`${name} is not reached. There are: ${passed.join(' | ')}`);
  };
  /** Presses a key, waits until what it leads to is there, and finds the focus. */
  const press = async (page: Page, key: string, thing: () => Promise<unknown>): Promise<void> => {
    await page.keyboard.press(key);
    await thing();
    await until(
      'the focus is somewhere',
      async () => (await page.evaluate<Focus>('inPage.focusNow()')).fault === null,
    );
  };
  const go = async (page: Page, letter: string, title: string): Promise<void> => {
    await page.keyboard.press('g');
    await press(page, letter, () => page.getByRole('heading', { level: 1, name: title }).waitFor());
  };

  const sizes = withLong<readonly [number, number]>([[320, 640]], [[640, 400]]);
  for (const [width, height] of sizes)
    it(`signs in, makes a job, looks at it, sends a file and makes a key on ${width} pixels`, async () => {
      const { page, email } = visitor;
      const { keyboard } = page;
      const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
      await page.setViewportSize({ width, height });
      await visitor.context.clearCookies();
      await page.goto('/sign-in');
      await heading('Sign in');
      await reach(page, /^E-mail/);
      await keyboard.type(email);
      await reach(page, /^Password/);
      await keyboard.type(WEB_PASSWORD);
      await press(page, 'Enter', () => page.getByRole('navigation', { name: 'Places' }).waitFor());

      await press(page, 'n', () => heading('New job'));
      await reach(page, /^Job as JSON/);
      await keyboard.press('Control+A');
      await keyboard.insertText(
        JSON.stringify({ ...noopJob(2, { seconds: 0 }), jobName: `By keys ${width}` }),
      );
      await page.getByRole('button', { name: /^Run job for at most/ }).waitFor();
      await reach(page, /^Run job/);
      await press(page, 'Enter', () => heading(`By keys ${width}`));
      await page.getByText('Done', { exact: true }).first().waitFor();
      await reach(page, /^Tasks/);
      await keyboard.press('ArrowRight');
      await press(page, 'Enter', () => page.getByText('Charged in all').waitFor());

      await go(page, 'f', 'Files');
      await reach(page, /^Choose files/);
      await keyboard.press('Enter');
      await page.getByRole('cell', { name: `keys-${width}.pdb`, exact: true }).waitFor();

      await go(page, 'd', 'API keys');
      await reach(page, /^Make a key/);
      await press(page, 'Enter', () => page.getByLabel('Name', { exact: true }).waitFor());
      await keyboard.type(`Keys ${width}`);
      await press(page, 'Enter', () => page.getByText('I have stored it').waitFor());
      await press(page, 'Enter', () => page.getByRole('button', { name: `Revoke Keys ${width}` }).waitFor());
    });
});
