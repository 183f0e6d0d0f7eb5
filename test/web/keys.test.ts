/** API keys in the browser: shown once, used by a program, revoked, refused. */
import { execFile } from 'node:child_process';
import { devNull } from 'node:os';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** Time within which every process refuses a key that was revoked. */
const REFUSED_MS = 3_000;
const NAME = '<img src=x onerror=alert(1)>';

describe('API keys on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
  });
  beforeEach(async () => {
    visitor = await web.visitor();
  });
  afterEach(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  /** What the API answers to a program that has the key. */
  const balanceBy = async (key: string): Promise<number> => {
    const url = new URL('/api/v1/credits/balance', web.api.stack.apiUrl).href;
    const told = ['--silent', '--output', devNull, '--write-out', '%{http_code}'];
    const { stdout } = await promisify(execFile)('curl', [
      ...told,
      '--header',
      `Authorization: Bearer ${key}`,
      url,
    ]);
    return Number(stdout);
  };

  it('makes a key that is shown once and works, and revokes it, so that it answers 401', async () => {
    const page = await visitor.signedIn('/developers/keys');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByLabel('Name', { exact: true }).fill(NAME);
    await page.getByLabel('Networks').fill('somewhere');
    await page.getByText('somewhere is no network').waitFor();
    await page.getByLabel('Networks').fill('127.0.0.0/8 ::1/128');
    await page.getByLabel('Limit of a month').fill('2.50');
    await page.getByRole('button', { name: 'Make a key' }).last().click();
    const secret = page.getByRole('status').locator('code');
    const key = await secret.first().innerText();
    expect(await balanceBy(key)).to.equal(200);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const row = page.getByRole('row').filter({ hasText: NAME });
    await row.getByText('£0.00 of £2.50').waitFor();
    expect(await page.content()).not.to.contain(key);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await row.waitFor({ state: 'detached' });
    await until('the key is refused', async () => (await balanceBy(key)) === 401, REFUSED_MS);
    await page.getByLabel('Show ended keys').check();
    await row.getByText('Revoked').waitFor();
  });

  it('rotates a key, counts down, and shows the old one as ended once it answers 401', async () => {
    const page = await visitor.signedIn();
    const old = await visitor.write('/keys', { name: 'Cluster', scopes: ['credits:read'] });
    await page.goto('/developers/keys');
    await page.getByRole('button', { name: 'Rotate Cluster' }).click();
    await page.getByLabel('The old key works on').selectOption({ label: 'For one hour' });
    await page.getByRole('button', { name: 'Make the new key' }).click();
    const key = await page.getByRole('status').locator('code').first().innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('until it answers 401').waitFor();
    for (const each of [old.key, key]) expect(await balanceBy(each)).to.equal(200);
    await page
      .getByRole('row')
      .filter({ hasText: key.slice(-4) })
      .getByRole('button', { name: 'Rotate' })
      .click();
    await page.getByLabel('The old key works on').selectOption({ label: 'Not at all: it ends now' });
    await page.getByRole('button', { name: 'Make the new key' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await until('the rotated key is refused', async () => (await balanceBy(key)) === 401, 60_000);
    await page.getByLabel('Show ended keys').check();
    await page
      .getByRole('cell', { name: /^–?\s*Ended/ })
      .first()
      .waitFor();
  });
});
