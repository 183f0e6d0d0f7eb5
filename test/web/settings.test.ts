/** Settings of a person in the browser: the second factor and the sessions. */
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import decodeQr from '../../web/node_modules/qr/decode.js';
import { sharedWeb, WEB_PASSWORD } from '../support/web.ts';
import type { Locator } from 'playwright-core';
import type { Visitor, Web } from '../support/web.ts';

/** What a camera reads in a picture of the page. */
async function textOfPicture(picture: Locator): Promise<string> {
  const png = (await picture.screenshot()).toString('base64');
  const drawn = await picture.page().evaluate<{
    width: number;
    height: number;
    data: number[];
  }>(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${png}';
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
    canvas.drawImage(image, 0, 0);
    const { width, height, data } = canvas.getImageData(0, 0, image.width, image.height);
    return { width, height, data: [...data] };
  })()`);
  return decodeQr({ ...drawn, data: Uint8Array.from(drawn.data) });
}

describe('settings on the web', function () {
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

  it('sets up a second factor, shows its recovery codes once, and one of them signs in', async () => {
    const page = await visitor.signedIn('/settings/security');
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const secret = await page.getByText(/^[A-Z2-7]{32}$/).innerText();
    const address = await textOfPicture(page.getByRole('img', { name: 'QR code' }));
    expect(new URL(address).searchParams.get('secret')).to.equal(secret);
    expect(decodeURIComponent(address))
      .to.match(/^otpauth:\/\/totp\//)
      .and.to.contain(visitor.email);
    const code = page.getByLabel('Code of the authenticator');
    await code.fill('12');
    await page.getByRole('button', { name: 'Turn the second factor on' }).click();
    await page.getByText('It has not the form').waitFor();
    await code.fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByRole('button', { name: 'Turn the second factor on' }).click();
    const codes = await page.getByRole('region', { name: 'Store these recovery codes' }).innerText();
    const [first = ''] = codes.split('\n');
    expect(first).to.match(/^\w{4}(-\w{4}){3}$/);
    await page.getByRole('button', { name: 'I have stored them' }).click();
    await page.getByText('10 recovery codes are left').waitFor();
    expect(await page.content()).not.to.contain(first);
    await visitor.write('/auth/sign-out', {});
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill(visitor.email);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code of your authenticator').fill(first);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Your account' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Sign-in' }).click();
    await page.getByText('9 recovery codes are left').waitFor();
  });

  it('ends another session of the person by its row, and this one stays', async () => {
    const page = await visitor.signedIn();
    const other = await web.visitor();
    await other.write('/auth/sign-in', { email: visitor.email, password: WEB_PASSWORD });
    await page.goto('/settings/security');
    await page.getByRole('button', { name: /^End the session of/ }).click();
    await page.getByRole('button', { name: 'End session' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await other.context.request.get('/api/v1/account')).status()).to.equal(401);
    expect((await visitor.context.request.get('/api/v1/account')).status()).to.equal(200);
    await other.close();
  });
});
