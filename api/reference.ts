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

import { API_BASE } from './endpoints.ts';
import { FOR_GOOD, serveAsset, SHORTLY } from './http/assets.ts';
import type { Asset } from './http/assets.ts';
import type { Endpoint } from './http/endpoint.ts';

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

const SUMMARY = 'Read the API document as a page';

/** A file of the package; the file is read once. */
function packageFile(name: string, operationId: string, mediaType: string): Asset {
  let read: Promise<Buffer> | null = null;
  return {
    path: `/docs/${VERSION}/${name}`,
    operationId,
    mediaType,
    caching: FOR_GOOD,
    summary: SUMMARY,
    policy: POLICY,
    what: `The file ${name} of the page.`,
    read: () => (read ??= readFile(pathInPackage(name))),
  };
}

const ASSETS: readonly Asset[] = [
  {
    path: '/docs',
    operationId: 'reference',
    what: 'The page.',
    mediaType: 'text/html; charset=utf-8',
    caching: SHORTLY,
    summary: SUMMARY,
    policy: POLICY,
    read: async () => Buffer.from(PAGE),
  },
  {
    path: `/docs/${VERSION}/start.js`,
    operationId: 'referenceStart',
    what: 'The start of the page.',
    mediaType: 'text/javascript; charset=utf-8',
    caching: FOR_GOOD,
    summary: SUMMARY,
    policy: POLICY,
    read: async () => Buffer.from(START),
  },
  packageFile('swagger-ui.css', 'referenceStyle', 'text/css; charset=utf-8'),
  packageFile('swagger-ui-bundle.js', 'referenceScript', 'text/javascript; charset=utf-8'),
  packageFile('favicon-32x32.png', 'referenceIcon', 'image/png'),
];

/** The page and its files. */
export const referenceEndpoints: readonly Endpoint[] = ASSETS.map(serveAsset);
