/** The specifications that the session gets, and the identity by which a prepared database is found again. */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { isRecord } from '../../domain/is-record.ts';
import { canonicalSha256 } from '../canonical.ts';
import type { PinnedFiles, PreparationIdentity, TaskContext } from '../tool.ts';
import { databaseInputs, databaseName, folderOf, QUERIES } from './inputs.ts';
import { searchOf, taskCountOf } from './parameters.ts';
import type { SearchProgram } from './program.ts';

type Json = Readonly<Record<string, unknown>>;

/** The specification that all tasks of the job share. */
export function searchSessionSpec(
  request: SubmitJobRequest,
  inputs: PinnedFiles,
  { program, toolchainSha256 }: { readonly program: SearchProgram; readonly toolchainSha256: string },
): Json {
  const { search, ...settings } = searchOf(request, program);
  return {
    program: program.id,
    task: search,
    ...settings,
    taskCount: taskCountOf(request),
    queriesSha256: inputs.get(QUERIES)?.sha256 ?? null,
    toolchainSha256,
    database: {
      name: databaseName(request),
      type: program.molecule,
      checksum: request.simulationParams?.blastDatabaseChecksum?.toLowerCase() ?? null,
      version: request.simulationParams?.blastDatabaseVersion ?? null,
      date: request.simulationParams?.blastDatabaseDate ?? null,
      files: databaseInputs(request),
      cacheKey: databaseIdentity(request, inputs, { program, toolchainSha256 }).cacheKey,
    },
  };
}

/** The specification of one task or step. */
export function searchTaskSpec(
  request: SubmitJobRequest,
  kind: 'task' | 'prepare' | 'control' | 'merge',
  ordinal: number,
  context: TaskContext,
): Json {
  switch (kind) {
    case 'prepare':
      return { cached: context.cached };
    case 'task':
      return { ordinal, prefix: folderOf(request, ordinal) };
    case 'merge': {
      const { verified } = context;
      const prefixes = Object.fromEntries(verified.map((of) => [of, folderOf(request, of)]));
      return { verified, prefixes };
    }
    case 'control':
      return {};
    default:
      return kind satisfies never;
  }
}

/** Identity of a prepared database: the files, the name, the type and the code decide it. */
export function databaseIdentity(
  request: SubmitJobRequest,
  inputs: PinnedFiles,
  { program, toolchainSha256 }: { readonly program: SearchProgram; readonly toolchainSha256: string },
): PreparationIdentity {
  const files = Object.entries(databaseInputs(request)).map(([fileName, name]) => ({
    fileName,
    sha256: inputs.get(name)?.sha256 ?? null,
  }));
  const checksum = request.simulationParams?.blastDatabaseChecksum?.toLowerCase() ?? null;
  const identity = { name: databaseName(request), type: program.molecule, checksum, files, toolchainSha256 };
  return { cacheKey: canonicalSha256({ preparation: 'database', ...identity }), staleField: null };
}

/** The key of the database that a preparation's summary names; null when it names none. */
export function preparedAs(summary: unknown): string | null {
  const cacheKey = isRecord(summary) ? summary['cacheKey'] : null;
  return typeof cacheKey === 'string' ? cacheKey : null;
}
