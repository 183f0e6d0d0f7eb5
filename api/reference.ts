/**
 * `/docs`: the API document as a page for people. The page and all that it loads come from this process: no other host is
 * asked, and the policy of the page lets the browser ask no other. The page needs nobody to be signed in, and what a reader
 * tries out on the page is sent without cookies, so that no page of others' code acts with a session. Files have the digest of
 * their version in their path and are kept by browsers for good.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';

import { API_BASE } from './endpoints.ts';
import type { Answer, Endpoint } from './http/endpoint.ts';
import { defineEndpoint } from './http/endpoint.ts';
import { TAGS } from './http/tags.ts';

const PACKAGE = 'swagger-ui-dist';
const pathInPackage = (name: string): string => createRequire(import.meta.url).resolve(`${PACKAGE}/${name}`);

/** Starts the page. Addresses are relative, so that the page also works below another path. */
const START = `'use strict';
window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '${API_BASE.slice(1)}/openapi.json',
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'none',
    validatorUrl: null,
    requestInterceptor: (request) => Object.assign(request, { credentials: 'omit' }),
  });
});
`;

const VERSION = createHash('sha256')
  .update(readFileSync(pathInPackage('package.json')))
  .update(START)
  .digest('hex')
  .slice(0, 16);

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Dockyard API</title>
    <link rel="icon" type="image/png" href="docs/${VERSION}/favicon-32x32.png">
    <link rel="stylesheet" href="docs/${VERSION}/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <noscript><p>This page needs scripts. The document itself is at <a href="${API_BASE.slice(1)}/openapi.json">openapi.json</a>.</p></noscript>
    <script src="docs/${VERSION}/swagger-ui-bundle.js"></script>
    <script src="docs/${VERSION}/start.js"></script>
  </body>
</html>
`;

/** Everything from this host, and nothing framed or sent elsewhere; the style sheet brings small pictures within itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SHORTLY = 'public, max-age=300';
const FOR_GOOD = 'public, max-age=31536000, immutable';

interface Asset {
  readonly path: string;
  readonly operationId: string;
  readonly what: string;
  readonly mediaType: string;
  readonly caching: string;
  read(): Promise<Buffer>;
}

/** A file of the package; the file is read once. */
function packageFile(name: string, operationId: string, mediaType: string): Asset {
  let read: Promise<Buffer> | null = null;
  return {
    ...{ path: `/docs/${VERSION}/${name}`, operationId, mediaType, caching: FOR_GOOD },
    what: `The file ${name} of the page.`,
    read: () => (read ??= readFile(pathInPackage(name))),
  };
}

const ASSETS: readonly Asset[] = [
  {
    ...{ path: '/docs', operationId: 'reference', what: 'The page.', mediaType: 'text/html; charset=utf-8' },
    caching: SHORTLY,
    read: async () => Buffer.from(PAGE),
  },
  {
    ...{ path: `/docs/${VERSION}/start.js`, operationId: 'referenceStart', what: 'The start of the page.' },
    mediaType: 'text/javascript; charset=utf-8',
    caching: FOR_GOOD,
    read: async () => Buffer.from(START),
  },
  packageFile('swagger-ui.css', 'referenceStyle', 'text/css; charset=utf-8'),
  packageFile('swagger-ui-bundle.js', 'referenceScript', 'text/javascript; charset=utf-8'),
  packageFile('favicon-32x32.png', 'referenceIcon', 'image/png'),
];

function answerOf(content: Buffer, { mediaType, caching }: Asset): Answer {
  return {
    status: 200,
    stream: Readable.from([content]),
    headers: {
      'Content-Type': mediaType,
      'Content-Length': String(content.byteLength),
      'Content-Security-Policy': POLICY,
      'Cache-Control': caching,
    },
  };
}

function serve(asset: Asset): Endpoint {
  const { path, operationId, what, mediaType } = asset;
  return defineEndpoint({
    ...{ method: 'GET', path, operationId, tag: TAGS.discovery },
    summary: 'Read the API document as a page',
    description: what,
    access: 'none',
    limit: 'read',
    idempotency: 'none',
    answers: { 200: { description: what, mediaType } },
    errors: [],
    async handle() {
      return answerOf(await asset.read(), asset);
    },
  });
}

/** The page and its files. */
export const referenceEndpoints: readonly Endpoint[] = ASSETS.map(serve);
