/** A search in a database of the catalogue: what the request says of the database must agree with the catalogue. */
import type { DatabaseCatalogue } from '../../domain/databases.ts';
import { AppError } from '../../domain/errors.ts';
import type { NamedDatabase, PlannableRequest } from '../tool.ts';
import { SEARCH_REFUSALS } from './codes.ts';
import type { SearchProgram } from './program.ts';

const MOST_NAMES = 20;

/**
 * The database that a request names, with the parameters as the catalogue completes them; null when the request brings its own.
 * @throws DATABASE_MISMATCH with the field, DATABASE_TYPE_MISMATCH.
 */
export async function findDatabase(
  request: PlannableRequest,
  program: SearchProgram,
  catalogue: DatabaseCatalogue,
): Promise<NamedDatabase | null> {
  const params = request.simulationParams ?? {};
  const { blastDatabaseName: name } = params;
  if (name === undefined) return null;
  const found = await catalogue.find(name);
  if (found === null) {
    throw mismatch(
      'blastDatabaseName',
      `there is no database ${name}; ${namesText(await catalogue.names())}.`,
    );
  }
  if (found.type !== program.molecule) {
    throw new AppError(
      SEARCH_REFUSALS.DATABASE_TYPE_MISMATCH,
      `simulationParams.blastDatabaseName: ${name} is of type ${found.type}; ${program.id} searches a database of type ${program.molecule}.`,
    );
  }
  const sent = [
    ['blastDatabaseVersion', params.blastDatabaseVersion, found.version],
    ['blastDatabaseDate', params.blastDatabaseDate, found.date],
    ['blastDatabaseChecksum', params.blastDatabaseChecksum?.toLowerCase(), found.checksum],
  ] as const;
  for (const [field, said, is] of sent) {
    if (said !== undefined && said !== is)
      throw mismatch(field, `is ${said}; the database ${name} has ${is}.`);
  }
  return {
    database: found,
    params: {
      ...params,
      blastDatabaseVersion: found.version,
      blastDatabaseDate: found.date,
      blastDatabaseType: found.type,
      blastDatabaseChecksum: found.checksum,
    },
  };
}

function mismatch(field: string, why: string): AppError {
  return new AppError(SEARCH_REFUSALS.DATABASE_MISMATCH, `simulationParams.${field}: ${why}`);
}

function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'this installation has no databases';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}
