/** Settings in the browser: the second factor, sessions, people, licence servers, mails, the audit log and the end of the account. */
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';

import decodeQr from '../../web/node_modules/qr/decode.js';
import { noopJob } from '../support/api.ts';
import { until } from '../support/until.ts';
import { sharedWeb, WEB_PASSWORD } from '../support/web.ts';
import type { Locator, Page } from 'playwright-core';
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

/** Signs in again over the page. */
async function signInOver(page: Page): Promise<void> {
  const over = page.getByRole('dialog', { name: 'Sign in to go on' });
  await over.getByLabel('Password').fill(WEB_PASSWORD);
  await over.getByRole('button', { name: 'Sign in' }).click();
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

  /** Makes the sign-in of the visitor one of 13 hours ago. */
  const ageSession = async (): Promise<void> => {
    await web.api.db.query(
      `update sessions set created_at = now() - interval '13 hours' where user_id = (select id from users where email = $1)`,
      [visitor.email],
    );
  };

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

  it('invites somebody, tells a member what owners keep, changes a role after a sign-in over the page, and removes', async () => {
    const page = await visitor.signedIn('/settings/members');
    const guest = await web.visitor();
    await page.getByLabel('E-mail address').fill('nobody');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('It has not the form').waitFor();
    await page.getByLabel('E-mail address').fill(guest.email);
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText(`on its way to ${guest.email}`).waitFor();
    await page.getByRole('button', { name: `End the invitation of ${guest.email}` }).waitFor();
    await until('the mail', () => web.codesFor(guest.email).length > 0);
    await guest.page.goto(`/join#code=${web.codesFor(guest.email)[0]}`);
    await guest.page.getByLabel('Password').fill(WEB_PASSWORD);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('link', { name: 'Settings' }).click();
    await guest.page.getByRole('link', { name: 'Members' }).click();
    await guest.page.getByText('Owners invite people').waitFor();
    await page.getByRole('button', { name: `Make owner: ${guest.email}` }).click();
    await ageSession();
    await page.getByRole('dialog').getByRole('button', { name: 'Make owner' }).click();
    await signInOver(page);
    await page.getByRole('button', { name: `Make member: ${guest.email}` }).waitFor();
    await guest.page.getByRole('button', { name: 'Send the invitation' }).waitFor();
    await page.getByRole('button', { name: `Remove ${guest.email}` }).click();
    await page.getByRole('button', { name: 'Remove from the account' }).click();
    await page.getByText('left no API key behind').waitFor();
    expect((await guest.context.request.get('/api/v1/account')).status()).to.equal(401);
    await guest.close();
    expect(guest.faults).to.deep.equal([]);
  });

  it('lets a member leave, and says why an account in which something goes on is neither left nor closed', async () => {
    const page = await visitor.signedIn('/settings');
    const guest = await web.visitor();
    await visitor.write('/invitations', { email: guest.email, role: 'member' });
    await until('the mail', () => web.codesFor(guest.email).length > 0);
    await guest.page.goto(`/join#code=${web.codesFor(guest.email)[0]}`);
    await guest.page.getByLabel('Password').fill(WEB_PASSWORD);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByRole('link', { name: 'Settings' }).click();
    await guest.page.getByRole('link', { name: 'Members' }).click();
    await guest.page.getByRole('button', { name: 'Leave the account' }).click();
    await guest.page.getByRole('dialog').getByRole('button', { name: 'Leave the account' }).click();
    await guest.page.getByText('You have left the account').waitFor();
    expect((await guest.context.request.get('/api/v1/account')).status()).to.equal(401);
    await guest.close();
    expect(guest.faults).to.deep.equal([]);

    const { jobId } = await visitor.write('/jobs/submit', noopJob(1, { seconds: 600 }));
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Close the account' }).click();
    await page.getByLabel(/^Type .* to confirm$/).fill(visitor.email);
    await dialog.getByRole('button', { name: 'Close the account' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'open job' }).waitFor();
    await dialog.getByRole('button', { name: 'Keep the account' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Leave the account' }).click();
    await dialog.getByRole('button', { name: 'Leave the account' }).click();
    await dialog.getByRole('alert').filter({ hasText: 'This is the last owner' }).waitFor();
    await visitor.write(`/jobs/${jobId}/cancel`, {});
    expect((await visitor.context.request.get('/api/v1/account')).status()).to.equal(200);
  });

  it('keeps licence servers and mails, tells all of it in the audit log, and closes the account', async () => {
    const page = await visitor.signedIn('/settings/licence-servers');
    await page.getByText('No licence server yet').waitFor();
    const add = page.getByRole('button', { name: 'Add a licence server' });
    await add.click();
    await page.getByLabel('Name').fill('Render <img src=x onerror=alert(1)>');
    await page.getByLabel('Software').fill('houdini');
    await page.getByLabel('Host').fill('licences.invalid');
    await page.getByLabel('Port').fill('70000');
    await page.getByLabel('Secret').fill('open-sesame');
    await add.click();
    await page.getByText('A whole number from 1 to 65535').waitFor();
    await page.getByLabel('Port').fill('5053');
    await add.click();
    await page.getByRole('button', { name: /^Test Render/ }).click();
    await page.getByText('was not reached').waitFor();
    await page.getByText('No address was found for the name').waitFor();
    expect(await page.content()).not.to.contain('open-sesame');
    await page.getByRole('button', { name: /^Remove Render/ }).click();
    await page.getByRole('button', { name: 'Remove the licence server' }).click();
    await page.getByText('No licence server yet').waitFor();
    await ageSession();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await signInOver(page);
    await page.getByLabel('When credits run low').uncheck();
    await page.getByRole('button', { name: 'Save notifications' }).click();
    await page.getByText('Saved').waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row').filter({ hasText: 'Licence server removed' }).waitFor();
    await page.getByLabel('Kind').selectOption('Mails about money changed');
    await page.getByRole('row').filter({ hasText: 'Licence server removed' }).waitFor({ state: 'detached' });
    await page.getByText('lowBalance true → false').waitFor();
    expect(await page.getByRole('row').count()).to.equal(2);
    expect(new URL(page.url()).search).to.equal('?action=notifications.changed');
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByText('Credits that would be lost').waitFor();
    const close = page.getByRole('button', { name: 'Close the account' });
    await close.click();
    await close.last().click();
    await page.getByText('Type the address exactly').waitFor();
    await page.getByLabel(/^Type .* to confirm$/).fill(visitor.email);
    await close.last().click();
    await page.getByText('The account is closed').waitFor();
    expect((await visitor.context.request.get('/api/v1/account')).status()).to.equal(401);
  });
});
