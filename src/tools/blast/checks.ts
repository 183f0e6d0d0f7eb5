/** Checks of a search beyond the schema: which database, of which type, and a name that the program knows. */
import { AppError } from '../../domain/errors.ts';
import type { SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';
import type { PlannableRequest, ReadBeginning } from '../tool.ts';
import { SEARCH_REFUSALS } from './codes.ts';
import { checkQueries } from './fasta.ts';
import { databaseFiles } from './inputs.ts';
import { QUERY_BYTES, taskCountOf } from './parameters.ts';
import type { SearchProgram } from './program.ts';
import type { JobWarning } from '../../domain/warnings.ts';

/** Each task writes files of its own, and a merge names them all. */
const MOST_TASKS = 10_000;
/** Most files of queries are smaller and so are seen as a whole. */
const LOOKED_AT_BYTES = 1024 * 1024;
const PARAMETERS = ['task', QUERY_BYTES];
/** BLAST itself warns of fewer. */
const LEAST_HITS = 5;

/** Request of a search as it is checked at submit and at estimate. */
export type CheckedRequest = PlannableRequest & Pick<SubmitJobRequest, 'sceneFile' | 'attachments'>;

/**
 * Checks a request; an estimate may leave the database out.
 * @throws VALIDATION_ERROR, DATABASE_MISSING, DATABASE_CONFLICT, DATABASE_TYPE_MISMATCH, DATABASE_FILE_MISSING.
 */
export function checkSearch(request: CheckedRequest, program: SearchProgram, estimate: boolean): void {
  const params = request.simulationParams ?? {};
  checkParameters(request, program);
  if (taskCountOf(request) > MOST_TASKS) {
    throw new AppError('VALIDATION_ERROR', `taskCount: must be at most ${MOST_TASKS} for ${program.id}.`);
  }
  const { blastDatabaseName: name, blastDatabasePath: path, blastDatabaseType: type } = params;
  if (name !== undefined && path !== undefined) {
    throw new AppError(
      SEARCH_REFUSALS.DATABASE_CONFLICT,
      'simulationParams.blastDatabaseName and blastDatabasePath name two databases. Send one of them.',
    );
  }
  if (type !== undefined && type !== program.molecule) {
    throw new AppError(
      SEARCH_REFUSALS.DATABASE_TYPE_MISMATCH,
      `simulationParams.blastDatabaseType: is ${type}; ${program.id} searches a database of type ${program.molecule}.`,
    );
  }
  if (!estimate) checkDatabase(request, params);
}

/**
 * A search that is to keep few sequences finds others than the best ones of a search that keeps many: the program drops
 * sequences by a first score, before it has aligned them.
 */
export function warnOfFewHits({ simulationParams }: PlannableRequest): readonly JobWarning[] {
  const kept = simulationParams?.blastMaxHits;
  if (kept === undefined || kept >= LEAST_HITS) return [];
  const message = `blastMaxHits is ${kept}: the program may leave out better hits than it keeps, so what is found need not be the best. Ask for ${LEAST_HITS} or more, and take the first of them.`;
  return [{ code: 'BLAST_HITS_FEW', message }];
}

/**
 * Looks at the beginning of the queries; a small file is seen as a whole, so that its queries are counted too.
 * @throws QUERY_EMPTY, QUERY_INVALID, QUERY_TYPE_MISMATCH, QUERY_TOO_LARGE, TASK_COUNT_MISMATCH.
 */
export async function lookIntoQueries(
  request: SubmitJobRequest,
  program: SearchProgram,
  read: ReadBeginning,
): Promise<void> {
  if (request.sceneFile === undefined) return;
  const count = checkQueries(await read(request.sceneFile, LOOKED_AT_BYTES), program.molecule);
  const tasks = taskCountOf(request);
  if (count === null || tasks <= count) return;
  throw new AppError(
    'TASK_COUNT_MISMATCH',
    `taskCount: is ${tasks}, but the file has ${count} queries. A task is at least one query.`,
  );
}

function checkParameters({ parameters = {} }: CheckedRequest, program: SearchProgram): void {
  const strange = Object.keys(parameters).find((name) => !PARAMETERS.includes(name));
  if (strange !== undefined) {
    throw new AppError('VALIDATION_ERROR', `parameters.${strange}: ${program.id} has no such parameter.`);
  }
  const { task, [QUERY_BYTES]: queryBytes = '0' } = parameters;
  if (!/^\d{1,15}$/.test(queryBytes)) {
    throw new AppError('VALIDATION_ERROR', `parameters.${QUERY_BYTES}: must be a number of bytes in digits.`);
  }
  if (task !== undefined && !program.searches.includes(task)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `parameters.task: must be one of ${program.searches.join(', ')} for ${program.id}.`,
    );
  }
}

function checkDatabase(request: CheckedRequest, params: SimulationParams): void {
  const { blastDatabasePath: path, blastDatabaseName: name } = params;
  // The catalogue is asked for a name when the rest of the request is known to be right.
  if (name !== undefined) return;
  if (path === undefined) {
    throw new AppError(
      SEARCH_REFUSALS.DATABASE_MISSING,
      'simulationParams: names no database. Send blastDatabasePath and the file among attachments.',
    );
  }
  if (databaseFiles(request).length === 0) {
    throw new AppError(
      SEARCH_REFUSALS.DATABASE_FILE_MISSING,
      'simulationParams.blastDatabasePath: no attachment has this name, and no file of the project package of sceneFile has this path. Add the storage key of the file to attachments.',
    );
  }
}
