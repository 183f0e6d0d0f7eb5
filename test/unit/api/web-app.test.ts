/** The web app as the API process serves it: pages, files, and what is at an address without a page. */
import { brotliCompressSync, gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { expectError, TestApp } from './test-app.ts';

const forms = (text: string) => ({
  identity: Buffer.from(text),
  gzip: gzipSync(text),
  br: brotliCompressSync(text),
});
const STORE = 'https://store.example:9000';
const BROWSER = { accept: 'text/html,*/*;q=0.8' };

describe('the web app', () => {
  const web = {
    storeOrigin: STORE,
    app: {
      document: forms('<!doctype html>'),
      files: [{ path: '/assets/a-1.js', mediaType: 'text/javascript; charset=utf-8', ...forms('1') }],
      pages: ['/', '/jobs', '/jobs/:jobId'],
    },
  };
  const app = new TestApp({ web });
  before(() => app.start());
  after(() => app.stop());

  it('has its document at every page, which no browser keeps, no other site reads, and which loads nothing of others', async () => {
    for (const path of ['/', '/jobs', '/jobs/0198a7c2?tab=bill']) {
      const { status, headers, text } = await app.call('GET', path, { key: null });
      expect([status, headers.get('content-type'), text], path).to.deep.equal([
        200,
        'text/html; charset=utf-8',
        '<!doctype html>',
      ]);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('access-control-allow-origin')).to.equal(null);
      expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
      expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
      expect(headers.get('permissions-policy')).to.contain('camera=()');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).to.contain("default-src 'none'").and.contain("require-trusted-types-for 'script'");
      expect(policy.match(/https?:[^ ;]+/g)).to.deep.equal([STORE]);
      expect(policy).to.not.match(/unsafe|\*/);
    }
  });

  it('has its files for good, in the smallest form that a browser takes', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
      ['identity', null],
    ] as const) {
      const headers = { 'accept-encoding': accepted };
      const reply = await app.call('GET', '/assets/a-1.js', { key: null, headers });
      expect([reply.headers.get('content-encoding'), reply.text], accepted).to.deep.equal([encoding, '1']);
      expect(reply.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(reply.headers.get('vary')).to.equal('Accept-Encoding');
    }
  });

  it('tells a browser on its own page, and a program in JSON, that an address has no page', async () => {
    const { status, headers, text } = await app.call('GET', '/nothing/here', { key: null, headers: BROWSER });
    expect([status, text, headers.get('cache-control')]).to.deep.equal([404, '<!doctype html>', 'no-store']);
    expect(headers.get('access-control-allow-origin')).to.equal(null);
    expectError(await app.call('GET', '/nothing/here', { key: null }), 404, 'NOT_FOUND');
    for (const path of [
      '/api/v1/nothing',
      '/docs/nothing',
      '/hooks/nothing',
      '/.well-known/nothing',
      '/assets/nothing.js',
    ])
      expectError(await app.call('GET', path, { key: null, headers: BROWSER }), 404, 'NOT_FOUND');
    expectError(await app.call('POST', '/nothing', { key: null, headers: BROWSER }), 404, 'NOT_FOUND');
  });
});
