/**
 * Pages in words at the addresses to which a payment comes back, and at the root, for as long as no web application answers there.
 * The pages run no script and ask nobody anything: a payment counts by what its provider says to the service, not by who comes back.
 */
import { serveAsset, SHORTLY } from '../http/assets.ts';
import type { Endpoint } from '../http/endpoint.ts';

const POLICY =
  "default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

interface Page {
  readonly path: string;
  readonly operationId: string;
  readonly title: string;
  /** Paragraphs of HTML; addresses are relative, so that the page also works below another path. */
  readonly text: readonly string[];
}

const PAGES: readonly Page[] = [
  {
    path: '/',
    operationId: 'startPage',
    title: 'Dockyard',
    text: [
      'Dockyard runs dockings and searches, and charges for what was verified. Programs use its API, people its command line.',
      '<a href="docs">The operations of the API</a>, and <a href=".well-known/openapi.json">the same for programs</a>.',
      'To begin on the command line: <code>dockyard login --browser</code>, then <code>dockyard --help</code>.',
    ],
  },
  {
    path: '/dashboard/credits',
    operationId: 'creditsPage',
    title: 'Back from a top-up',
    text: [
      'If you have paid, your credits are added as soon as the provider of payments confirms the payment, mostly within a minute, whether this page is open or not. If you went back without paying, nothing was charged.',
      'Your credits: <code>dockyard balance</code>, or <code>GET /api/v1/credits/balance</code>. Your top-ups with their states: <code>GET /api/v1/credits/topups</code>.',
      'You can close this page.',
    ],
  },
  {
    path: '/dashboard/billing',
    operationId: 'billingPage',
    title: 'Back from your plan and cards',
    text: [
      'If you have taken out the plan, it and its monthly credits begin as soon as the provider of payments confirms the payment, mostly within a minute. If you went back, nothing has changed; what you changed about cards, invoices or the end of the plan counts already.',
      'Your credits: <code>dockyard balance</code>, or <code>GET /api/v1/credits/balance</code>. Your limits: <code>GET /api/v1/settings/billing</code>.',
      'You can close this page.',
    ],
  },
];

function htmlOf({ title, text }: Page): Buffer {
  return Buffer.from(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <h1>${title}</h1>
${text.map((paragraph) => `    <p>${paragraph}</p>`).join('\n')}
  </body>
</html>
`);
}

/** The pages. */
export const dashboardPages: readonly Endpoint[] = PAGES.map((page) =>
  serveAsset({
    path: page.path,
    operationId: page.operationId,
    summary: page.title,
    what: 'The page.',
    mediaType: 'text/html; charset=utf-8',
    caching: SHORTLY,
    policy: POLICY,
    read: async () => htmlOf(page),
  }),
);
