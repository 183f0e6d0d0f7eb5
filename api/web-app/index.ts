/**
 * The web app: its document at the address of every page, and its files. Files have their digest in their path and are kept by browsers for
 * good; documents are never kept. Nothing of another place is loaded or asked, but for the object store, and no other site reads a document.
 */
import { Readable } from 'node:stream';

import { FOR_GOOD } from '../http/assets.ts';
import type { Context, Middleware } from '../http/context.ts';
import type { Answer, Endpoint } from '../http/endpoint.ts';
import { defineEndpoint } from '../http/endpoint.ts';
import { TAGS } from '../http/tags.ts';

/** The forms in which a file is kept, by the name that Accept-Encoding has for them. */
export interface Forms {
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

/** A file of the app. */
export interface AppFile extends Forms {
  readonly path: string;
  readonly mediaType: string;
}

/** The built app. */
export interface WebApp {
  readonly document: Forms;
  readonly files: readonly AppFile[];
  /** Addresses of pages, with `:name` for parts that differ. */
  readonly pages: readonly string[];
}

const HTML = 'text/html; charset=utf-8';
/** Paths under which programs ask: no page of the app is there, whoever asks. */
const OF_PROGRAMS = /^\/(api|docs|hooks|healthz|readyz|metrics|assets|\.well-known)(\/|$)/;
/** Devices and powers of a browser that no page uses. */
const NO_POWERS =
  'accelerometer bluetooth camera display-capture geolocation gyroscope hid magnetometer microphone midi payment serial usb xr-spatial-tracking';

/** The policy of documents: only this origin, and the store for files. Scripts make no HTML of texts. */
function policyOf(storeOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self' ${storeOrigin}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Sets the headers of the app in place of those that every answer begins with: no other site reads, opens or frames these. */
export function appHeaders(): Middleware {
  return (context, next) => {
    setAppHeaders(context);
    return next();
  };
}

function setAppHeaders(context: Context): void {
  context.remove('Access-Control-Allow-Origin');
  context.remove('Access-Control-Expose-Headers');
  context.set({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': NO_POWERS.replaceAll(/\S+/g, '$&=()').replaceAll(' ', ', '),
  });
}

/** Chooses the smallest form that a browser takes. */
function chosen(forms: Forms, accepted = ''): readonly [encoding: keyof Forms, content: Buffer] {
  const taken = new Set(accepted.split(',').map((each) => each.trim().replace(/;q=(?!0(\.0*)?$).*$/, '')));
  if (taken.has('br')) return ['br', forms.br];
  return taken.has('gzip') ? ['gzip', forms.gzip] : ['identity', forms.identity];
}

function headersOf(
  [encoding, content]: ReturnType<typeof chosen>,
  mediaType: string,
): Readonly<Record<string, string>> {
  return {
    'Content-Type': mediaType,
    'Content-Length': String(content.byteLength),
    Vary: 'Accept-Encoding',
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  };
}

function answerOf(form: ReturnType<typeof chosen>, headers: Readonly<Record<string, string>>): Answer {
  return { status: 200, stream: Readable.from([form[1]]), headers };
}

/** The endpoints of the app: a file or a page each. */
export function webAppEndpoints(
  { document, files, pages }: WebApp,
  storeOrigin: string,
): readonly Endpoint[] {
  const policy = policyOf(storeOrigin);
  const common = {
    method: 'GET',
    tag: TAGS.discovery,
    access: 'none',
    limit: 'read',
    idempotency: 'none',
    errors: [],
  } as const;
  return [
    ...pages.map((path) =>
      defineEndpoint({
        ...common,
        path,
        operationId: 'webPage',
        summary: 'A page of the web app',
        description: 'The document of the app, which draws the page.',
        answers: { 200: { description: 'The document.', mediaType: HTML } },
        async handle(_, { headers }) {
          const form = chosen(document, headers['accept-encoding']);
          return answerOf(form, { ...headersOf(form, HTML), 'Content-Security-Policy': policy });
        },
      }),
    ),
    ...files.map(({ path, mediaType, ...forms }) =>
      defineEndpoint({
        ...common,
        path,
        operationId: 'webFile',
        summary: 'A file of the web app',
        description: 'A file, whose path has its digest.',
        answers: { 200: { description: 'The file.', mediaType } },
        async handle(_, { headers }) {
          const form = chosen(forms, headers['accept-encoding']);
          return answerOf(form, { ...headersOf(form, mediaType), 'Cache-Control': FOR_GOOD });
        },
      }),
    ),
  ];
}

/** Answers a browser at an address without a page: the app says so on its own page. False where a program asks, or asks for something else. */
export function unknownPage({ document }: WebApp, storeOrigin: string): (context: Context) => boolean {
  const policy = policyOf(storeOrigin);
  return (context) => {
    const isRead = context.method === 'GET' || context.method === 'HEAD';
    if (!isRead || OF_PROGRAMS.test(context.path) || !context.get('Accept').includes('text/html'))
      return false;
    const form = chosen(document, context.get('Accept-Encoding'));
    setAppHeaders(context);
    context.set({ ...headersOf(form, HTML), 'Content-Security-Policy': policy });
    context.body = form[1];
    context.status = 404;
    context.type = HTML;
    return true;
  };
}
