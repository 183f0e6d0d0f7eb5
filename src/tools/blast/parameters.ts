/** Parameters of a search in a request, with the defaults. */
import type { SimulationParams } from '../../domain/requests.ts';
import type { PlannableRequest } from '../tool.ts';
import type { SearchProgram } from './program.ts';

/** The simulation parameters that a search reads. */
export const SEARCH_PARAMETERS = [
  'blastDatabasePath',
  'blastDatabaseName',
  'blastDatabaseVersion',
  'blastDatabaseDate',
  'blastDatabaseType',
  'blastDatabaseChecksum',
  'blastEvalue',
  'blastMaxHits',
  'blastThreads',
  'blastTimeoutSeconds',
  'blastMaxOutputBytes',
] as const satisfies readonly (keyof SimulationParams)[];

/**
 * The entry of `parameters` by which an estimate tells how many of the bytes are queries, in decimal digits. A submit
 * measures the file and does not read the entry.
 */
export const QUERY_BYTES = 'queryBytes';

/** The contract's largest value of `blastMaxOutputBytes`, and its default. */
export const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;
/** BLAST keeps the hits of so many sequences when nobody says how many. */
export const DEFAULT_MAX_HITS = 500;
const DEFAULT_TIMEOUT_SECONDS = 3600;

/** The parameters of a search. */
export interface SearchSettings {
  /** The program's own name of the way of searching. */
  readonly search: string;
  /** Null: BLAST's own threshold, which is 10. */
  readonly evalue: number | null;
  readonly maxHits: number;
  readonly threads: number;
  readonly timeoutSeconds: number;
  readonly maxOutputBytes: number;
}

/** The parameters of a request, with defaults. */
export function searchOf(request: PlannableRequest, program: SearchProgram): SearchSettings {
  const params = request.simulationParams ?? {};
  return {
    search: request.parameters?.['task'] ?? program.searches[0] ?? program.id,
    evalue: params.blastEvalue ?? null,
    maxHits: params.blastMaxHits ?? DEFAULT_MAX_HITS,
    threads: params.blastThreads ?? 1,
    timeoutSeconds: params.blastTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
    maxOutputBytes: params.blastMaxOutputBytes ?? MOST_OUTPUT_BYTES,
  };
}

/** How many tasks the queries are cut into. */
export function taskCountOf(request: Pick<PlannableRequest, 'taskCount'>): number {
  return request.taskCount ?? 1;
}
