/** Webhooks in the browser: a server is named, its secret is shown once, and what was sent is seen, sent again, mended. */
import { expect } from 'chai';

import { until } from '../support/until.ts';
import { sharedWeb } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';
import { verified, WebhookReceiver } from '../support/webhook-receiver.ts';

const EVIL = '<img src=x onerror="document.title=1">';

describe('developers on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  let receiver: WebhookReceiver;
  before(async () => {
    web = await sharedWeb();
    visitor = await web.visitor();
    receiver = await new WebhookReceiver().open();
  });
  after(async () => {
    await receiver.close();
    await visitor.close();
    expect(visitor.faults).to.deep.equal([]);
  });

  const secretOf = async (): Promise<string> => {
    const { page } = visitor;
    const secret = await page.getByRole('status').locator('code').innerText();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    return secret;
  };

  it('adds a webhook whose secret is shown once and verifies, sends a test, and has a delivery sent again', async () => {
    const page = await visitor.signedIn('/developers/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    const form = page.locator('form');
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByText('This is needed.').waitFor();
    await form.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/hooks');
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('alert').waitFor();
    await form.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
    await form.getByText('4 of').waitFor();
    await form.getByRole('button', { name: 'Add a webhook' }).click();
    const secret = await secretOf();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    expect(await page.content()).not.to.contain(secret);

    receiver.answer = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    const panel = page.locator('section').filter({ hasText: 'What is sent' });
    await panel.getByText('Tried again').waitFor();
    await panel.getByText('500', { exact: true }).waitFor();
    await page.getByText('The server takes nothing now').waitFor();
    const [first] = receiver.received;
    if (first === undefined) throw new Error('nothing came');
    expect(verified(first, secret)).to.include({ type: 'webhook.test' });
    await panel.getByText(first.id).first().waitFor();

    receiver.answer = 204;
    await panel.getByRole('button', { name: 'Send it again' }).click();
    await panel.getByText('Taken').waitFor();
    expect(new Set(receiver.ids).size).to.equal(1);
    await page.getByText('The server takes nothing now').waitFor({ state: 'detached' });
    // A server of the public internet would have answered it.
    const [, webhookId = ''] = /webhooks\/([\w-]+)/.exec(page.url()) ?? [];
    await web.api.db.query('update webhook_deliveries set answer = $1 where webhook_id = $2', [
      EVIL,
      webhookId,
    ]);
    await panel.getByText(EVIL).waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).to.be.a('string');
  });

  it('turns a webhook on again that its server has ended, and has sent again what it missed', async () => {
    const { page } = visitor;
    receiver.answer = 410;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Turned off: the server answered 410').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Given up' });
    await page.getByRole('cell', { name: '410' }).waitFor();
    expect(new URL(page.url()).searchParams.get('state')).to.equal('FAILED');
    receiver.answer = 204;
    await page.getByRole('button', { name: 'Turn it on' }).click();
    await page.getByRole('button', { name: 'Redeliver failed' }).click();
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByText('1 delivery is sent again.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('No delivery is like this.').waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Any state' });
    await until(
      'both are taken',
      async () => (await page.getByRole('cell', { name: 'Taken' }).count()) === 2,
    );
  });

  it('rotates the secret, changes what is sent, and deletes the webhook', async () => {
    const { page } = visitor;
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('button', { name: 'Make the new secret' }).click();
    await page.getByText('each message is signed with the old secret, too').waitFor();
    const secret = await secretOf();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await until('the test comes', () => receiver.received.length > before);
    const last = receiver.received.at(-1);
    if (last === undefined) throw new Error('nothing came');
    expect(last.headers['webhook-signature']?.split(' ')).to.have.length(2);
    verified(last, secret);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('job.progress').check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('5 types of events').waitFor();
    await page.getByRole('tab', { name: 'Verify in your server' }).click();
    await page.getByText('verifyWebhook(').waitFor();
    await page.getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByText('No server is told what happens.').waitFor();
  });
});
