/** The page of the API document: all of it comes from this process, and it asks nobody else. */
import { expect } from 'chai';

import type { Reply } from './test-app.ts';
import { TestApp } from './test-app.ts';

type Loose = ReturnType<typeof JSON.parse>;

/** Addresses that a page or a style sheet names. */
const namedIn = (text: string): string[] =>
  [...text.matchAll(/(?:src|href)="([^"]+)"|url\(["']?([^"')]+)["']?\)/g)].map(
    ([, attribute, url]) => attribute ?? url ?? '',
  );

/** What a browser needs of a policy to load the page, and the sources that the policy allows for each kind of thing. */
function sourcesOf(policy: string | null): Map<string, readonly string[]> {
  return new Map(
    (policy ?? '').split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources];
    }),
  );
}

describe('the page of the document', () => {
  let app: TestApp;
  let page: Reply;
  const read = (path: string): Promise<Reply> => app.call('GET', path, { key: null });

  before(async () => {
    app = await new TestApp({ quotas: { read: 1_000 } }).start();
    page = await read('/docs');
  });
  after(() => app.stop());

  it('loads with all that it names, for anybody, from this process', async () => {
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const named = namedIn(page.text).map((path) => new URL(path, `${app.base}/docs`));
    expect(named).to.have.length(5);
    for (const { origin, pathname } of named) {
      expect(origin).to.equal(app.base);
      const reply = await read(pathname);
      expect([reply.status, reply.text.length > 0], pathname).to.deep.equal([200, true]);
      expect(reply.headers.get('x-content-type-options')).to.equal('nosniff');
    }
    const types = await Promise.all(
      named.map(async ({ pathname }) => (await read(pathname)).headers.get('content-type')?.split(';')[0]),
    );
    expect(types).to.deep.equal([
      ...['image/png', 'text/css', 'application/json', 'text/javascript', 'text/javascript'],
    ]);
  });

  it('shows the document of this process and nothing that a reader names', async () => {
    const [start = ''] = namedIn(page.text).filter((path) => path.endsWith('start.js'));
    const { text } = await read(`/${start}`);
    expect(text).to.contain("url: 'api/v1/openapi.json'").and.to.contain('validatorUrl: null');
    expect(text).to.not.match(/https?:|queryConfigEnabled|location/);
  });

  it('shows a document that the page can merge: no schema is part of itself by way of an allOf', async () => {
    const document: Loose = (await read('/api/v1/openapi.json')).body;
    const partsOf = (node: Loose): Loose[] =>
      typeof node?.$ref === 'string'
        ? [
            node.$ref
              .split('/')
              .slice(1)
              .reduce((at: Loose, name: string) => at[name], document),
          ]
        : Object.values(node ?? {}).filter((part) => typeof part === 'object');
    const reachable = (from: readonly Loose[]): ReadonlySet<Loose> => {
      const seen = new Set<Loose>();
      const rest = [...from];
      for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
        if (seen.has(node)) continue;
        seen.add(node);
        rest.push(...partsOf(node));
      }
      return seen;
    };
    const merged = [...reachable([document])].filter((node) => Array.isArray(node?.allOf));
    expect(merged.length).to.be.greaterThan(0);
    for (const node of merged)
      expect(reachable(node.allOf).has(node), JSON.stringify(node).slice(0, 200)).to.equal(false);
  });

  it('has a policy that lets the browser ask this host alone and run no script but its files', async () => {
    const sources = sourcesOf(page.headers.get('content-security-policy'));
    expect(sources.get('default-src')).to.deep.equal(["'none'"]);
    for (const [name, allowed] of sources)
      for (const source of allowed)
        expect(source, name).to.be.oneOf(["'none'", "'self'", ...(name === 'img-src' ? ['data:'] : [])]);
    // Nothing of the page is inline, so the policy does not keep the page from working.
    expect(page.text).to.not.match(/<style|style=|<script>|onload=/);
    const style = await read(`/${namedIn(page.text).find((path) => path.endsWith('.css')) ?? ''}`);
    for (const url of namedIn(style.text)) expect(url).to.match(/^(data:|#)/);
  });

  it('sends what is tried out without cookies, and sets none', async () => {
    const [start = ''] = namedIn(page.text).filter((path) => path.endsWith('start.js'));
    expect((await read(`/${start}`)).text).to.contain("credentials: 'omit'");
    expect(page.headers.get('set-cookie')).to.equal(null);
    // A cookie changes nothing.
    const withCookie = await app.call('GET', '/docs', { key: null, headers: { Cookie: 'a=b' } });
    expect(withCookie.text).to.equal(page.text);
    expect(app.fakes.calls.lookUps).to.equal(0);
  });

  it('is kept for minutes, and its files, whose paths change with their bytes, for good', async () => {
    expect(page.headers.get('cache-control')).to.equal('public, max-age=300');
    const files = namedIn(page.text).filter((path) => path.startsWith('docs/'));
    expect(new Set(files.map((path) => path.split('/')[1])).size).to.equal(1);
    for (const path of files) {
      const reply = await read(`/${path}`);
      expect(reply.headers.get('cache-control'), path).to.equal('public, max-age=31536000, immutable');
    }
  });

  it('is told of by HEAD alone, and counts against the network that asks', async () => {
    const head = await app.call('HEAD', '/docs', { key: null });
    expect([head.status, head.text]).to.deep.equal([200, '']);
    expect(page.headers.get('ratelimit-policy')).to.contain('"read"');
  });
});
