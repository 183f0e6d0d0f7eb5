/**
 * Fields of a request that have a meaning only in jobs of another type or for another simulator. Clients that always
 * send every field must not break, so such a field is accepted when it is valid by itself. `dropUnused` drops these
 * fields before any other code reads the request, so no price, plan, task or input can depend on them, and the customer
 * gets a warning for each. The schema refuses a field that no job knows.
 */
import type { JobType, SimulationParams, SubmitJobRequest } from './requests.ts';
import type { JobWarning } from './warnings.ts';

/** The code of the warning that a field is not used. */
export const PARAMETER_UNUSED = 'PARAMETER_UNUSED';

/** The part of a tool that says which simulation parameters the tool reads; with null the tool gets all of them. */
export interface ParameterReader {
  readonly id: string;
  readonly reads: readonly (keyof SimulationParams)[] | null;
}

/** A request without the fields that its job does not use. */
export interface UsedRequest {
  readonly request: SubmitJobRequest;
  /** The paths of the fields that are not used, in the order of the warnings. */
  readonly unused: readonly string[];
  readonly warnings: readonly JobWarning[];
}

type Owners = Readonly<Record<string, readonly JobType[]>>;

/**
 * The job types that use a field; a field that is not named here is used by all job types. A pipeline simulates and
 * renders.
 */
const TYPES_OF_FIELD: Owners = {
  frameStart: ['render', 'pipeline'],
  frameEnd: ['render', 'pipeline'],
  frameStep: ['render', 'pipeline'],
  outputFormat: ['render', 'pipeline'],
  simulator: ['simulation', 'pipeline'],
  taskCount: ['simulation', 'pipeline'],
  simulationParams: ['simulation', 'pipeline'],
};

/**
 * The job types that use a field of the metadata. Metadata stays with the job, because plugins and workers may read
 * fields that the service does not read.
 */
const TYPES_OF_METADATA: Owners = {
  resolution: ['molecular'],
  fps: ['molecular'],
  renderEngine: ['molecular'],
  samples: ['molecular', 'render', 'pipeline'],
};

/**
 * The values that the schema fills in. The customer may not have sent a value that equals a default, and a sent default
 * changes nothing.
 */
const FILLED_IN: Readonly<Record<string, unknown>> = { maxPockets: 10 };

/** The parameters that no request can send and the service itself adds for the tool of the job. */
const SERVICE_PARAMETERS: ReadonlySet<string> = new Set([
  'libraryUse',
  'dryRun',
] satisfies (keyof SimulationParams)[]);

/** Drops the fields that the job of a tool does not use, and names each dropped field. */
export function dropUnused(sent: SubmitJobRequest, tool: ParameterReader): UsedRequest {
  const { jobType, metadata = {} } = sent;
  const fields = ofOtherTypes(sent, TYPES_OF_FIELD, jobType);
  const noted = ofOtherTypes(metadata, TYPES_OF_METADATA, jobType);
  const request = without(sent, fields);
  const params = request.simulationParams ?? {};
  const foreign = Object.keys(params).filter(
    (name) => tool.reads?.some((read) => read === name) === false && !SERVICE_PARAMETERS.has(name),
  );
  const told = [
    ...fields.map((name) => ofJobs(name, TYPES_OF_FIELD[name], jobType)),
    ...noted.map((name) => ofJobs(`metadata.${name}`, TYPES_OF_METADATA[name], jobType)),
    ...foreign
      .filter((name) => Reflect.get(params, name) !== FILLED_IN[name])
      .map((name) => [`simulationParams.${name}`, `is not used by ${tool.id}.`] as const),
  ];
  return {
    request: foreign.length === 0 ? request : { ...request, simulationParams: without(params, foreign) },
    unused: told.map(([path]) => path),
    warnings: told.map(([path, reason]) => ({ code: PARAMETER_UNUSED, message: `${path} ${reason}` })),
  };
}

function ofOtherTypes(fields: object, owners: Owners, jobType: JobType): string[] {
  return Object.keys(fields).filter((name) => owners[name]?.includes(jobType) === false);
}

function ofJobs(
  path: string,
  types: readonly JobType[] | undefined,
  jobType: JobType,
): readonly [path: string, reason: string] {
  return [path, `is for ${types?.[0] ?? 'other'} jobs; this ${jobType} job does not use it.`];
}

function without<T extends object>(fields: T, names: readonly string[]): T {
  const kept = { ...fields };
  for (const name of names) Reflect.deleteProperty(kept, name);
  return kept;
}
