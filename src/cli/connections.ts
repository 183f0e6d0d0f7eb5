/** Connections for the length of one command. */
import type { Database } from '../adapters/database.ts';
import { isAway } from '../domain/away.ts';
import type { CommandContext } from './command.ts';
import { CommandProblem, EXIT, messageOf } from './problems.ts';

/** Works with the database and closes it. @throws CommandProblem when it cannot be reached. */
export async function withDatabase<T>(
  { settings }: CommandContext,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = await settings.read('databaseUrl');
  const { createDatabase } = await import('../adapters/database.ts');
  const db = await createDatabase(databaseUrl, { poolSize: 2, applicationName: 'dockyard-cli' }).catch(
    (error: unknown) => {
      throw databaseAway(databaseUrl, settings.advice(), error);
    },
  );
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

/** Runs what connects by itself. @throws CommandProblem when the database cannot be reached. */
export async function reachingDatabase<T>(
  { settings }: CommandContext,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = await settings.read('databaseUrl');
  try {
    return await work(databaseUrl);
  } catch (error) {
    throw isAway(error) || isRefusal(error) ? databaseAway(databaseUrl, settings.advice(), error) : error;
  }
}

/** Wrong user, wrong password, no such database. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(28...|3D000)$/.test(error.code)
  );
}

/** The address without its password. */
function databaseAway(url: string, advice: string, error: unknown): CommandProblem {
  const place = URL.canParse(url) ? new URL(url) : null;
  const where = place === null ? 'PostgreSQL' : `PostgreSQL at ${place.host}${place.pathname}`;
  const message = `${where} cannot be reached (${messageOf(error)}). ${advice}`;
  return new CommandProblem(EXIT.unreachable, 'SERVICE_UNAVAILABLE', message, error);
}
