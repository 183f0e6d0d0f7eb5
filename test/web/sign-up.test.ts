/** From nothing to a person who is signed in, in a real browser on a real stack. */
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

import { noopJob } from '../support/api.ts';
import { until } from '../support/until.ts';
import { sharedWeb, WEB_PASSWORD, WELCOME_PENCE } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

/** Waits for the page to sign up on: the one to sign in on has fields of the same names, into which a busy machine would type. */
const onSignUp = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign up' }).waitFor();

describe('signing up and in on the web', function () {
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

  it('signs up, confirms by the link of the mail with one typing of the password, and has the welcome credits', async () => {
    const { page, email } = visitor;
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign up' }).click();
    await onSignUp(page);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('A mail is on its way').waitFor();
    await until('the mail', () => web.codesFor(email).length > 0);
    await page.goto(`/confirm#code=${web.codesFor(email)[0]}`);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    expect(page.url()).to.match(/\/confirm$/);
    await page.getByRole('button', { name: 'Confirm and sign in' }).click();
    await page.getByRole('link', { name: '£1.00 available' }).waitFor();
    await page.getByRole('heading', { name: 'Three steps to your first result' }).waitFor();
  });

  it('leads a newcomer from nothing to the running example by at most twelve inputs and clicks, paid from the welcome credits', async () => {
    const { page, email } = visitor;
    let acts = 0;
    const click = async (what: Locator): Promise<void> => {
      acts += 1;
      await what.click();
    };
    const type = async (label: string, text: string): Promise<void> => {
      acts += 1;
      await page.getByLabel(label).fill(text);
    };
    await page.goto('/');
    await click(page.getByRole('link', { name: 'Sign up' }));
    await onSignUp(page);
    await type('E-mail address', email);
    await type('Password', WEB_PASSWORD);
    await click(page.getByRole('button', { name: 'Sign up' }));
    await page.getByText('A mail is on its way').waitFor();
    await until('the mail', () => web.codesFor(email).length > 0);
    acts += 1;
    await page.goto(`/confirm#code=${web.codesFor(email)[0]}`);
    await type('Password', WEB_PASSWORD);
    await click(page.getByRole('button', { name: 'Confirm and sign in' }));
    await click(page.getByRole('link', { name: 'Look at the example' }));
    await click(page.getByRole('button', { name: /^Run job for at most/ }));
    await page.getByText('Running', { exact: true }).waitFor();
    // At most twelve are allowed.
    expect(acts).to.equal(9);
    const jobId = page.url().split('/').at(-1) ?? '';
    const [held] = await web.api.db.query<{ pence: number }[]>(
      'select held_pence::int as pence from holds where job_id = $1',
      [jobId],
    );
    expect(held?.pence).to.be.within(1, WELCOME_PENCE);
    await visitor.write(`/jobs/${jobId}/cancel`, {});
  });

  it('shows jobs as they come, and asks over the page when the session has ended', async () => {
    const page = await visitor.signedIn('/jobs');
    await page.getByText('No job yet').waitFor();
    const submit = (jobName: string): Promise<unknown> =>
      visitor.write('/jobs/submit', { ...noopJob(2), jobName });
    await submit('First');
    const row = page.getByRole('row').filter({ hasText: 'First' });
    await row.getByText('Done').waitFor({ timeout: 60_000 });
    await submit('Second');
    await page.getByRole('button', { name: 'Show 1 new job' }).click({ timeout: 60_000 });
    await page.getByRole('row').filter({ hasText: 'Second' }).getByText('Done').waitFor({ timeout: 60_000 });
    await visitor.write('/auth/sign-out', {});
    await page.getByRole('combobox', { name: 'State' }).selectOption('FAILED');
    const over = page.getByRole('dialog');
    await over.getByLabel('Password').fill(WEB_PASSWORD);
    await over.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No job is like this.').waitFor();
    expect(new URL(page.url()).search).to.equal('?status=FAILED');
  });

  it('signs out in every tab', async () => {
    const page = await visitor.signedIn('/jobs');
    const other = await visitor.context.newPage();
    await other.goto('/');
    await other.getByRole('heading', { name: 'Three steps to your first result' }).waitFor();
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [page, other]) await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
