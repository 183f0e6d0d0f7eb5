/** What pages show in their states and their dialogs, and an account in which each of them can be shown. */
import { randomUUID } from 'node:crypto';

import type { Page } from 'playwright-core';

import { noopJob } from '../support/api.ts';
import { until } from '../support/until.ts';
import { WEB_PASSWORD } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** Asks by a button, and waits for the question. */
const asks = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** What a page shows when something was done on it. */
export interface Shown {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page, web: Web, email: string) => Promise<unknown>;
}

const RESUME = /^Resume for at most/;
/** The dialogs that a button of a page opens. */
const DIALOGS: readonly (readonly [name: string, path: string, button: string | RegExp])[] = [
  ['cancelling a job', '/jobs/$openId', 'Cancel job'],
  ['resuming a job', '/jobs/$crashedId', RESUME],
  ['removing a file', '/files', /^Remove /],
  ['rotating a key', '/developers/keys', /^Rotate /],
  ['revoking a key', '/developers/keys', /^Revoke /],
  ['rotating a secret', '/developers/webhooks/$webhookId', 'Rotate secret'],
  ['removing a webhook', '/developers/webhooks/$webhookId', 'Delete webhook'],
  ['sending again', '/developers/webhooks/$webhookId', 'Redeliver failed'],
  ['changing a role', '/settings/members', /^Make owner: /],
  ['removing a member', '/settings/members', /^Remove /],
  ['leaving', '/settings/members', 'Leave the account'],
  ['ending an invitation', '/settings/members', /^End the invitation of/],
  ['ending a session', '/settings/security', /^End the session of/],
  ['removing a licence server', '/settings/licence-servers', /^Remove /],
];

export const STATES: readonly Shown[] = [
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
  ...DIALOGS.map(([name, path, button]) => ({ name, path, act: asks(button) })),
  {
    name: 'signing in over the page',
    path: '/settings/notifications',
    async act(page, { api }, email) {
      await api.db.query(
        `update sessions set created_at = now() - interval '13 hours'
         where user_id = (select id from users where email = $1)`,
        [email],
      );
      await page.reload();
      await page.getByRole('dialog').waitFor();
    },
  },
];

/** Gives an account what the dialogs ask about; answers a job that goes on, and one that can be resumed. */
export async function furnish(
  web: Web,
  person: Visitor,
): Promise<Readonly<Record<'openId' | 'crashedId', string>>> {
  const guest = await web.visitor();
  await person.write('/invitations', { email: guest.email, role: 'member' });
  await until('the mail', () => web.codesFor(guest.email).length > 0);
  const [code] = web.codesFor(guest.email);
  await guest.write('/auth/invitations/accept', { code, password: WEB_PASSWORD });
  await guest.close();
  await person.write('/invitations', { email: `${randomUUID()}@example.org`, role: 'owner' });
  const elsewhere = await web.visitor();
  await elsewhere.write('/auth/sign-in', { email: person.email, password: WEB_PASSWORD });
  await elsewhere.close();
  await person.write('/keys', { name: 'Cluster', scopes: ['credits:read'] });
  const server = { software: 'houdini', protocol: 'tcp', host: 'licences.invalid', port: 5053 };
  await person.write('/settings/license-servers', { name: 'Render licences', ...server });
  await person.page.goto('/files');
  await person.page
    .locator('input[type=file][multiple]')
    .setInputFiles({ name: `${'n'.repeat(508)}.smi`, mimeType: '', buffer: Buffer.from('CCO ethanol\n') });
  await person.page.getByRole('button', { name: /^Remove / }).waitFor();
  const fail = [{ index: 0, kind: 'exit' }];
  const { jobId: crashedId } = await person.write('/jobs/submit', noopJob(1, { seconds: 0, fail }));
  await person.page.goto(`/jobs/${crashedId}`);
  await person.page.getByRole('button', { name: RESUME }).waitFor();
  const { jobId: openId } = await person.write('/jobs/submit', noopJob(1, { seconds: 600 }));
  return { openId, crashedId };
}
