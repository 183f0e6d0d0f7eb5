/** The client of a customer's command, and the advice that is shown when the service refuses its key. */
import { CLIENT_CODES, ClientError, createClient } from '../../client/index.ts';
import type { Client } from '../../client/index.ts';
import { VERSION } from '../../version.ts';
import type { CommandContext } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import type { Environment } from '../settings.ts';
import { findSession, notSignedIn } from './people/session-file.ts';
import type { KeptSession } from './people/session-file.ts';
import { API_KEY, API_URL, findKey, findLogin, isSet } from './profile.ts';
import type { Login } from './profile.ts';

/** How long a command waits for a service that does not answer. */
export type Patience = 'short' | 'long';

/** Commands that end at once give up after seconds; commands that watch or submit a job wait for the minute that a restart takes. */
const ATTEMPTS = { short: 4, long: 10 } satisfies Record<Patience, number>;

/** The key, else the session, that commands call the service with. */
export type Caller = Login | KeptSession;

/** Finds who calls: the key of the environment or of the last login, else the session of a person. @throws CommandProblem without any. */
export function findCaller(env: Environment, folder: string): Caller {
  return findKey(env, folder) ?? findSession(env, folder) ?? findLogin(env, folder);
}

/** A client of a caller. */
export function clientFor(caller: Caller, patience: Patience): Client {
  return createClient({
    ...caller,
    userAgent: `dockyard-cli/${VERSION}`,
    retry: { attempts: ATTEMPTS[patience] },
  });
}

/** Works with the service as the customer who is logged in. */
export async function withService<T>(
  context: Pick<CommandContext, 'env' | 'folder'>,
  patience: Patience,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const caller = findCaller(context.env, context.folder);
  try {
    return await work(clientFor(caller, patience));
  } catch (error) {
    throw withCallerAdvice(error, caller, context.env);
  }
}

/** Adds advice to an error; a session that the service refuses is over. */
export function withCallerAdvice(error: unknown, caller: Caller, env: Environment): unknown {
  const isOver = 'session' in caller && error instanceof ClientError && error.code === 'UNAUTHORIZED';
  return isOver ? notSignedIn(caller.apiUrl) : withAdvice(error, caller.apiUrl, env);
}

/**
 * Adds advice to an error whose text does not say what to do. Address and key that the environment names are named by their
 * variables, since another login changes nothing of them.
 */
export function withAdvice(error: unknown, apiUrl: string, env: Environment): unknown {
  if (!(error instanceof ClientError)) return error;
  if (error.code === CLIENT_CODES.connectionLost) {
    const named = isSet(env, API_URL) ? `, which ${API_URL} names,` : '';
    const message = `${error.message} Check the address${named} and whether the service is up.`;
    return new CommandProblem(EXIT.unreachable, error.code, message, error);
  }
  if (error.code === 'UNAUTHORIZED') {
    const [key, advice] = isSet(env, API_KEY)
      ? [
          `the key of the variable ${API_KEY}`,
          'Correct the variable, or unset it to use the key of dockyard login.',
        ]
      : ['the key', 'Log in again with: dockyard login'];
    const message = `${apiUrl} does not accept ${key}: ${error.message} ${advice}`;
    return new CommandProblem(EXIT.refused, error.code, message, error);
  }
  return error;
}
