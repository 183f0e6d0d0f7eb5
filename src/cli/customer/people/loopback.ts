/**
 * The port of this machine to which the browser brings the code. The port listens on the loopback address alone, answers one path, takes
 * what has the state of this login, once, and ends after some minutes. Any other page that calls the port learns nothing.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { CommandProblem, EXIT } from '../../problems.ts';

/** A port that waits for a browser. */
export interface Loopback {
  readonly port: number;
  /** The code. @throws CommandProblem when the person refuses, or does nothing for too long. */
  code(): Promise<string>;
  close(): void;
}

const HOST = '127.0.0.1';
const CODE = /^[A-Za-z0-9_-]{43}$/;
/** The look of the web app, in which the page before this one was. */
const STYLE = `:root{color-scheme:light dark;background:light-dark(#f7f8f9,#0e1214);color:light-dark(#14202a,#e6ecef);font:14px/20px system-ui,sans-serif}
main{max-width:440px;margin:64px auto;padding:24px;background:light-dark(#ffffff,#151b1e);border:1px solid light-dark(#dde2e5,#283136);border-radius:8px}
h1{margin:0 0 8px;font-size:20px;line-height:28px}p{margin:0}`;
const STYLE_DIGEST = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_DIGEST}'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

/** Opens the port. */
export async function openLoopback(state: string, waitMs: number): Promise<Loopback> {
  const brought = Promise.withResolvers<string>();
  brought.promise.catch(() => undefined);
  const server = createServer((request, response) => take(request, response, state, brought));
  server.listen(0, HOST);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The port of the login has no number.');
  const timer = setTimeout(() => brought.reject(tooLate()), waitMs);
  return {
    port: address.port,
    code: () => brought.promise,
    close() {
      clearTimeout(timer);
      server.close();
      server.closeIdleConnections();
    },
  };
}

function take(
  request: IncomingMessage,
  response: ServerResponse,
  state: string,
  brought: PromiseWithResolvers<string>,
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${HOST}`);
  const isOurs = request.method === 'GET' && pathname === '/callback';
  if (!isOurs || !isEqual(searchParams.get('state') ?? '', state)) {
    response.writeHead(404, HEADERS).end('This is the login of a command line.\n');
    return;
  }
  const code = searchParams.get('code') ?? '';
  const isAllowed = CODE.test(code);
  const [title, text] = isAllowed
    ? ['The command line is signed in', 'It goes on by itself. You can close this page.']
    : ['The command line was not let in', 'It can do nothing for you now. You can close this page.'];
  response.writeHead(200, HEADERS).end(pageOf(title, text), () => {
    if (isAllowed) brought.resolve(code);
    else brought.reject(refused());
  });
}

function pageOf(title: string, text: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title} · Dockyard</title><style>${STYLE}</style><main><h1>${title}</h1><p>${text}</p></main></html>\n`;
}

function isEqual(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refused(): CommandProblem {
  return new CommandProblem(EXIT.refused, 'LOGIN_REFUSED', 'The login was refused in the browser.');
}

function tooLate(): CommandProblem {
  const message = 'Nobody has allowed the login in the browser in time. Run dockyard login --browser again.';
  return new CommandProblem(EXIT.refused, 'LOGIN_TIMED_OUT', message);
}
