/** A command line that is let in by the page of the app: who asks, the same mark, and nothing without a yes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { notedBrowser } from '../support/noted-browser.ts';
import { sharedWeb, WEB_PASSWORD } from '../support/web.ts';
import type { Visitor, Web } from '../support/web.ts';

describe('letting a command line in on the web', function () {
  this.timeout(240_000);
  let web: Web;
  let visitor: Visitor;
  let folder: string;
  before(async () => {
    web = await sharedWeb();
  });
  beforeEach(async () => {
    visitor = await web.visitor();
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-cli-login-'));
  });
  afterEach(async () => {
    await visitor.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Begins a login, and answers its page and its end. */
  const begin = async (): Promise<{ readonly asked: URL; readonly ending: Promise<CommandEnding> }> => {
    const browser = notedBrowser(folder);
    const env = { XDG_CONFIG_HOME: folder, DOCKYARD_API_URL: web.api.stack.apiUrl, ...browser.env };
    const ending = runCommand(['login', '--browser'], env, folder);
    return { asked: await browser.page(), ending };
  };
  /** The one place outside of the service that the browser went to: the port of the command line. */
  const wentTo = (asked: URL): string => `asked http://127.0.0.1:${asked.searchParams.get('port')}/callback?`;

  it('signs the person in on the page, shows the same mark, and hands the code to the port of the command line', async () => {
    const page = await visitor.signedIn();
    await visitor.write('/auth/sign-out', {});
    const { asked, ending } = await begin();
    await page.goto(asked.href);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByRole('link', { name: 'Sign in by your organisation' }).waitFor();
    await page.getByLabel('E-mail address').fill(visitor.email);
    await page.getByLabel('Password').fill(WEB_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Let a command line in' }).waitFor();
    const mark = await page.getByText(/^[\w-]{4}-[\w-]{4}$/).innerText();
    expect(visitor.faults).to.deep.equal([]);
    await page.getByRole('button', { name: 'Allow' }).click();
    const { code, out, err } = await ending;
    expect(code, err).to.equal(0);
    expect(out).to.contain(`as ${visitor.email} until`);
    expect(err).to.contain(`if the page shows ${mark}:`);
    expect(visitor.faults).to.have.length(1);
    expect(visitor.faults[0]).to.contain(wentTo(asked));
  });

  it('draws nothing without a yes, and asks nothing of whoever comes with something else', async () => {
    const page = await visitor.signedIn();
    const drawn: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/cli/approve')) drawn.push(request.url());
    });
    const { asked, ending } = await begin();
    for (const wrong of [
      '',
      '?challenge=x&state=s&port=4321',
      asked.search.replace(/port=\d+/, 'port=80'),
      asked.search.replace(/state=[^&]+/, 'state=%3Cimg%3E'),
    ]) {
      await page.goto(`/cli-login${wrong}`);
      await page.getByText('No command line has opened this page').waitFor();
    }
    await page.goto(asked.href);
    await page.getByRole('button', { name: 'Refuse' }).click();
    const { code, err } = await ending;
    expect([code === 0, err]).to.deep.equal([false, err]);
    expect(err).to.contain('refused');
    expect(drawn).to.deep.equal([]);
    expect(visitor.faults).to.have.length(1);
    expect(visitor.faults[0]).to.contain(wentTo(asked));
  });
});
