/** What people see when the service is away, busy or refuses, and when somebody else sits down: each by real means. */
import { expect } from 'chai';

import { reactivateAccount, suspendAccount } from '../../src/services/identity/index.ts';
import { findAccount } from '../../src/services/operator.ts';
import { until } from '../support/until.ts';
import { sharedWeb, WEB_PASSWORD } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

describe('refusals and outages on the web', function () {
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

  it('says that the service is busy while the database is away, keeps what is there, and goes on by itself', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByText('No job yet').waitFor();
    // What is kept has to have come: the balance is asked for beside the list, and may come after it.
    await page.getByRole('link', { name: '£1.00 available' }).waitFor();
    // A page that reads its answer again every few seconds.
    const other = await visitor.context.newPage();
    await other.goto('/developers/webhooks');
    await other.getByText('No server is told what happens.').waitFor();
    const stale = other.getByText(/^From \d\d:\d\d.*; it could not be read again$/);
    await web.api.stack.stopChild('postgres');
    try {
      await page.getByRole('combobox', { name: 'State' }).selectOption('FAILED');
      await page.getByText('This page tries again by itself.').first().waitFor();
      await page.getByRole('link', { name: '£1.00 available' }).waitFor();
      expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).to.equal('FAILED');
      await stale.waitFor();
      await other.getByText('No server is told what happens.').waitFor();
    } finally {
      await web.api.stack.startChild('postgres');
    }
    await page.getByText('No job is like this.').waitFor();
    await stale.waitFor({ state: 'hidden' });
  });

  it('says that the computer is offline, and goes on when it is not', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByText('No job yet').waitFor();
    const offline = page.getByText('This computer is offline. Jobs go on');
    await visitor.context.setOffline(true);
    await offline.waitFor();
    await visitor.context.setOffline(false);
    await offline.waitFor({ state: 'hidden' });
    await page.getByRole('combobox', { name: 'State' }).selectOption('FAILED');
    await page.getByText('No job is like this.').waitFor();
  });

  it('says how long to wait after too many wrong passwords', async () => {
    const { page, email } = visitor;
    const data = { email, password: 'wrong horse battery' };
    const headers = { 'sec-fetch-site': 'same-origin' };
    await until('the tries are used up', async () => {
      const answer = await visitor.context.request.post('/api/v1/auth/sign-in', { data, headers });
      return answer.status() === 429;
    });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Too many requests', { exact: true }).waitFor();
    await page.getByText(/Too many tries for this address: .* Wait \d+ s\./).waitFor();
    expect(await page.getByLabel('E-mail address').inputValue()).to.equal(email);
  });

  it('tells a member what owners keep, and refuses a role that was taken away meanwhile', async () => {
    const owner = await web.visitor();
    await owner.signedIn();
    await owner.write('/invitations', { email: visitor.email, role: 'owner' });
    await until('the mail', () => web.codesFor(visitor.email).length > 0);
    const { page } = visitor;
    await page.goto(`/join#code=${web.codesFor(visitor.email)[0]}`);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Send the invitation' }).waitFor();
    const { members } = await (await owner.context.request.get('/api/v1/members')).json();
    const { userId } = members.find(({ email }: { email: string }) => email === visitor.email);
    const headers = { 'sec-fetch-site': 'same-origin' };
    const changed = await owner.context.request.put(`/api/v1/members/${userId}`, {
      data: { role: 'member' },
      headers,
    });
    expect(changed.status(), await changed.text()).to.equal(200);
    await page.getByText('Owners invite people').waitFor();
    await page.goto('/settings/licence-servers');
    await page.getByText('Owners keep this').waitFor();
    await owner.close();
    expect(owner.faults).to.deep.equal([]);
  });

  it('says why an account may do nothing while its operator has suspended it, and goes on afterwards', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByText('No job yet').waitFor();
    const { db } = web.api;
    const accountId = await findAccount(db, visitor.email);
    await suspendAccount(db, { accountId, reason: 'The card was reported stolen' });
    await page.getByRole('combobox', { name: 'State' }).selectOption('FAILED');
    await page.getByText('You may not do this', { exact: true }).first().waitFor();
    await page
      .getByText(/The account is suspended/)
      .first()
      .waitFor();
    await page.getByText('Ask the operator of the service').first().waitFor();
    await page.reload();
    await page
      .getByText(/The account is suspended/)
      .first()
      .waitFor();
    await reactivateAccount(db, { accountId, reason: null });
    // Processes remember for some seconds that the account is suspended.
    await until('the page is back', async () => {
      const again = page.getByRole('button', { name: 'Try again' }).first();
      await again.click({ timeout: 1_000 }).catch(() => undefined);
      return page.getByText('No job is like this.').isVisible();
    });
  });

  it('shows nothing of one person to the next one in the same browser', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByRole('button', { name: `Your account, ${visitor.email}` }).waitFor();
    const next = await web.visitor();
    await next.signedIn();
    const other = await visitor.context.newPage();
    await other.goto('/');
    await other.getByRole('button', { name: 'Your account' }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByLabel('E-mail address').fill(next.email);
    await other.getByLabel('Password').fill(WEB_PASSWORD);
    await other.getByRole('button', { name: 'Sign in' }).click();
    for (const tab of [other, page])
      await tab.getByRole('button', { name: `Your account, ${next.email}` }).waitFor();
    expect(await page.content()).not.to.contain(visitor.email);
    await next.close();
  });
});
