/**
 * Signing in by a browser. The command line draws a secret, opens the page of the service with its digest, and waits on a port of this
 * machine for the code that the page draws when the person says yes. Only the code and the secret together begin the session.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';

import { beginSession } from '../../../client/index.ts';
import { VERSION } from '../../../version.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import type { Environment } from '../../settings.ts';
import { withAdvice } from '../service.ts';
import { openLoopback } from './loopback.ts';
import { writeSession } from './session-file.ts';

const WAIT_MS = 300_000;
const SECRET_BYTES = 32;

/** Signs in, and keeps the session for the commands that need a person. */
export async function loginByBrowser(
  { env, progress }: CommandContext,
  apiUrl: string,
  mayOpen: boolean,
): Promise<CommandResult> {
  const [verifier, state] = [draw(), draw()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const loopback = await openLoopback(state, WAIT_MS);
  try {
    const page = new URL(`${apiUrl}/cli-login`);
    page.search = new URLSearchParams({ challenge, state, port: String(loopback.port) }).toString();
    progress(`Allow this login in the browser, if the page shows ${markOf(challenge)}: ${page.href}`);
    if (mayOpen) openInBrowser(env, page.href);
    const code = await loopback.code();
    const options = { apiUrl, userAgent: `dockyard-cli/${VERSION}` };
    const { session, person } = await beginSession(options, { code, verifier });
    const { user, account, expiresAt } = person;
    const file = writeSession(env, { apiUrl, session, expiresAt, accountId: account.id });
    return {
      data: { apiUrl, file, user, account, expiresAt },
      text: `Signed in to ${apiUrl} as ${user.email} until ${expiresAt}. The session is kept in ${file}.\n`,
    };
  } catch (error) {
    throw withAdvice(error, apiUrl, env);
  } finally {
    loopback.close();
  }
}

function draw(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Makes the mark of the challenge that the page shows. */
function markOf(challenge: string): string {
  return `${challenge.slice(0, 4)}-${challenge.slice(4, 8)}`;
}

/** Opens the page where a browser can be had; the address stands on the screen in any case. */
function openInBrowser(env: Environment, url: string): void {
  const [program, ...args] = browserOf(env);
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

function browserOf(env: Environment): readonly [string, ...string[]] {
  const named = env['BROWSER'] ?? '';
  if (named !== '') return [named];
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    default:
      return ['xdg-open'];
  }
}
