/** Calls of the person who has signed in at the command line. */
import { ClientError, createClient, Person } from '../../../client/index.ts';
import type { Client, PersonOptions } from '../../../client/index.ts';
import { VERSION } from '../../../version.ts';
import type { CommandContext } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { withAdvice } from '../service.ts';
import { findKeptSession, notSignedIn } from './session-file.ts';

/** Works with the operations of people as the person who has signed in. */
export async function asPerson<T>(cli: CommandContext, work: (person: Person) => Promise<T>): Promise<T> {
  return signedIn(cli, (options) => work(new Person(options)));
}

/** Works with the client as the person who has signed in, also where a key is at hand. */
export async function asSignedIn<T>(cli: CommandContext, work: (client: Client) => Promise<T>): Promise<T> {
  return signedIn(cli, (options) => work(createClient({ ...options, retry: { attempts: 4 } })));
}

async function signedIn<T>(cli: CommandContext, work: (options: PersonOptions) => Promise<T>): Promise<T> {
  const { apiUrl, session } = findKeptSession(cli.env, cli.folder);
  try {
    return await work({ apiUrl, session, userAgent: `dockyard-cli/${VERSION}` });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.code === 'UNAUTHORIZED') throw notSignedIn(apiUrl);
    if (error.code !== 'SIGN_IN_AGAIN') throw withAdvice(error, apiUrl, cli.env);
    const message = `${error.message} Sign in with: dockyard login --browser`;
    throw new CommandProblem(EXIT.refused, error.code, message, error);
  }
}
