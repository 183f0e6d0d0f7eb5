/** Signing in by the provider of an organisation, with a second factor here. */
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** Time within which every process refuses a key that was revoked. */
const REFUSED_MS = 3_000;

describe('signing in by a provider on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  before(async () => {
    web = await sharedWeb();
    visitor = await web.visitor();
  });
  after(async () => {
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  it('gives an account with welcome credits, asks for the second factor from then on, and leads back to the page that was asked for', async () => {
    const { page, context, email } = visitor;
    const name = web.provider.know({ email, email_verified: true });
    const byProvider = async (path: string): Promise<void> => {
      await page.goto(path);
      await page.getByRole('link', { name: 'Sign in by your organisation' }).click();
      await page.waitForURL(/\/interaction\//);
      await page.goto(`${page.url()}?as=${name}`);
    };
    await byProvider('/credits');
    await page.getByRole('link', { name: '£1.00 available' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/credits');

    await page.goto('/settings/security');
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText();
    await page
      .getByLabel('Code of the authenticator')
      .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByRole('button', { name: 'Turn the second factor on' }).click();
    const codes = await page.getByRole('region', { name: 'Store these recovery codes' }).innerText();
    const [recoveryCode = ''] = codes.split('\n');
    await page.getByRole('button', { name: 'I have stored them' }).click();

    // Neither this service nor the provider knows the browser any more.
    await context.clearCookies();
    await byProvider('/developers/keys');
    await page.getByLabel('Code of your authenticator').fill(recoveryCode);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Make a key' }).click();
    expect(new URL(page.url()).pathname).to.equal('/developers/keys');

    await page.getByLabel('Name', { exact: true }).fill('Cluster');
    await page.getByRole('button', { name: 'Make a key' }).last().click();
    const key = await page.getByRole('status').locator('code').first().innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    const balance = async (): Promise<number> => (await web.api.call(key, 'GET', 'credits/balance')).status;
    expect(await balance()).to.equal(200);
    await page.getByRole('button', { name: 'Revoke Cluster' }).click();
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await until('the key is refused', async () => (await balance()) === 401, REFUSED_MS);
  });
});
