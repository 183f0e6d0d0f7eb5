/**
 * The page /cli-login, on which a person lets a command line in. The page alone does nothing: what it does on a click are calls
 * of the API from a page of the service, which the session of the browser may make. The page is framed by nobody and sends its address,
 * which names a port and a digest, nowhere.
 */
import { FOR_GOOD, serveAsset } from '../http/assets.ts';
import type { Asset } from '../http/assets.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { PAGE, SCRIPT, STYLE, VERSION } from './page.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const summary = 'Let a command line in';

const ASSETS: readonly Asset[] = [
  {
    path: '/cli-login',
    operationId: 'cliLoginPage',
    what: 'The page.',
    caching: 'no-store',
    policy,
    summary,
    mediaType: 'text/html; charset=utf-8',
    read: async () => Buffer.from(PAGE),
  },
  {
    path: `/cli-login/${VERSION}/page.js`,
    operationId: 'cliLoginScript',
    what: 'The script of the page.',
    caching: FOR_GOOD,
    policy,
    summary,
    mediaType: 'text/javascript; charset=utf-8',
    read: async () => Buffer.from(SCRIPT),
  },
  {
    path: `/cli-login/${VERSION}/page.css`,
    operationId: 'cliLoginStyle',
    what: 'The style of the page.',
    caching: FOR_GOOD,
    policy,
    summary,
    mediaType: 'text/css; charset=utf-8',
    read: async () => Buffer.from(STYLE),
  },
];

/** The page and its files. */
export const cliPageEndpoints: readonly Endpoint[] = ASSETS.map(serveAsset);
