/**
 * The pages in a pseudo-language, whose texts are marked and a third longer: what is not marked stands in no catalogue, unless it is of the data,
 * and what is longer is cut nowhere, wide and on a phone. The build is of this test alone; the service of the pages is asked as it is.
 */
import { execFile } from 'node:child_process';
import { createReadStream, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';
import ts from 'typescript';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { noopJob } from '../support/api.ts';
import { inLongRuns } from '../support/long.ts';
import { freePort } from '../support/ports.ts';
import { nodesOf } from '../support/sources.ts';
import { IN_PAGE, sharedWeb } from '../support/web.ts';
import { routes } from '../../web/src/app/routes.ts';

const WIDTHS = [1280, 320];
const JOB_TABS = ['bill', 'recovery', 'outputs', 'log', 'receipt', 'request'];
/** Names that every language has. */
const OWN_NAMES = ['Dockyard', 'JSON', 'curl', 'TypeScript', 'Python', 'SHA-256'];
/** A word; units and signs are shorter. */
const LETTERS = /\p{L}{3}/u;
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the built pages, and hands on whatever is the service's. */
async function openPages(folder: string, apiUrl: string): Promise<http.Server> {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', apiUrl);
    if (pathname.startsWith('/api/')) {
      const { method, headers } = request;
      const onward = http.request(new URL(request.url ?? '/', apiUrl), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
      return;
    }
    const file = join(folder, extname(pathname) === '' ? 'index.html' : pathname);
    response.writeHead(existsSync(file) ? 200 : 404, {
      'content-type': MEDIA_TYPES[extname(file)] ?? 'text/plain',
    });
    createReadStream(file)
      .on('error', () => response.end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Texts of a page that are not marked, and marked ones that are cut. What is code, a name, a time or typed is of the data. */
interface Texts {
  readonly bare: readonly string[];
  readonly cut: readonly string[];
}

/** Tags whose content is no language. */
const CODE = new Set(['code', 'kbd', 'pre']);

describe('the words of the web app', function () {
  this.timeout(600_000);

  it('stand in catalogues: no page has a text of its own', () => {
    const found: string[] = [];
    for (const file of globSync('web/src/**/*.tsx', { cwd: repositoryRoot })) {
      const text = readFileSync(join(repositoryRoot, file), 'utf8');
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
      for (const node of nodesOf(source)) {
        const words = ts.isJsxText(node) ? node.text.replaceAll(/&\w+;/g, '').trim() : '';
        if (!LETTERS.test(words) || OWN_NAMES.includes(words)) continue;
        const { parent } = node;
        const tag = ts.isJsxElement(parent) ? parent.openingElement.tagName.getText(source) : '';
        if (!CODE.has(tag)) found.push(`${file}: ${words}`);
      }
    }
    expect(found).to.deep.equal([]);
  });

  /** Texts of the API document, line by line: fields, codes and types are told in its words. */
  const documented = (): ReadonlySet<string> => {
    const words = new Set<string>();
    const add = (value: unknown): void => {
      if (typeof value === 'string')
        for (const line of value.split('\n')) words.add(line.replace(/^`[A-Z0-9_]+`: /, '').trim());
      else if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) add(inner);
    };
    add(JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8')));
    return words;
  };

  inLongRuns(it)('are all marked in a pseudo-language, and none is cut, wide and on a phone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-pseudo-'));
    const build = [join(repositoryRoot, 'web', 'build', 'build.ts'), '--pseudo', folder];
    await promisify(execFile)(process.execPath, build, { cwd: repositoryRoot });
    const web = await sharedWeb();
    const server = await openPages(join(folder, 'dist'), web.api.stack.apiUrl);
    const visitor = await web.visitor();
    const anybody = await web.visitor();
    for (const { context } of [visitor, anybody]) await context.addInitScript({ path: IN_PAGE });
    const page = await visitor.signedIn('/jobs');
    const fail = [{ index: 2, kind: 'error' }];
    const { jobId } = await visitor.write('/jobs/submit', {
      ...noopJob(4, { seconds: 0, fail }),
      jobName: 'Of data',
    });
    const { id: webhookId } = await visitor.write('/webhooks', {
      url: `http://127.0.0.1:${await freePort()}/hooks`,
      types: ['job.failed'],
    });
    await page.goto(`/jobs/${jobId}`);
    await page.getByText('Partly done').first().waitFor({ timeout: 60_000 });
    const data = new Set([...documented(), ...OWN_NAMES, visitor.email]);
    const note = (value: unknown): void => {
      if (typeof value === 'string') data.add(value.trim());
      else if (typeof value === 'object' && value !== null)
        for (const inner of Object.values(value)) note(inner);
    };
    for (const { context } of [visitor, anybody])
      context.on('response', (response) => {
        if (response.headers()['content-type']?.includes('json') === true)
          void response.json().then(note, () => undefined);
      });
    const isData = (text: string): boolean =>
      text
        // A failure has its code before its words.
        .replace(/^[A-Z0-9_]+: /, '')
        .split(' · ')
        .every(
          (part) =>
            !LETTERS.test(part) || data.has(part.replace(/^[^\p{L}]+|[^\p{L}.)]+$/gu, '')) || data.has(part),
        );
    const found: string[] = [];
    const { port } = server.address() as AddressInfo;
    const tabs = JOB_TABS.map((tab) => ({ path: `/jobs/$jobId?tab=${tab}`, open: false }));
    for (const { path, open } of [...routes, ...tabs]) {
      const { page } = open === true ? anybody : visitor;
      const address = path.replace('$jobId', jobId).replace('$webhookId', webhookId);
      await page.goto(`http://127.0.0.1:${port}${address}`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const { bare, cut } = await page.evaluate<Texts>('inPage.textsNow()');
        found.push(
          ...bare.filter((text) => !isData(text)).map((text) => `${path}: in no catalogue: ${text}`),
        );
        found.push(...cut.map((text) => `${path}, ${width}: cut: ${text}`));
      }
    }
    await Promise.all([visitor.close(), anybody.close()]);
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
    expect([...new Set(found)]).to.deep.equal([]);
  });
});
