/**
 * Fields of a request that mean something elsewhere only: in jobs of another type, or to another simulator. Clients that
 * always send them must not break, so such fields are accepted when they are valid by themselves. They are dropped before
 * anything reads the request, so that no price, plan, task or input can depend on them, and each is told as a warning.
 * A field that nobody knows is refused by the schema.
 */
import type { JobType, SimulationParams, SubmitJobRequest } from './requests.ts';
import type { JobWarning } from './responses.ts';

/** The code of the warning that a field is not used. */
export const PARAMETER_UNUSED = 'PARAMETER_UNUSED';

/** A tool, as far as it says which simulation parameters it reads; null: it is given all of them. */
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

/** The job types that a field is for; a field that is not named here is for all. A pipeline simulates and renders. */
const TYPES_OF_FIELD: Owners = {
  frameStart: ['render', 'pipeline'],
  frameEnd: ['render', 'pipeline'],
  frameStep: ['render', 'pipeline'],
  outputFormat: ['render', 'pipeline'],
  simulator: ['simulation', 'pipeline'],
  taskCount: ['simulation', 'pipeline'],
  simulationParams: ['simulation', 'pipeline'],
};

/** The same for metadata. It stays with the job, because plugins and workers may read what the service does not. */
const TYPES_OF_METADATA: Owners = {
  resolution: ['molecular'],
  fps: ['molecular'],
  renderEngine: ['molecular'],
  samples: ['molecular', 'render', 'pipeline'],
};

/** What the schema fills in. A value that equals it may not have been sent, and changes nothing where it was. */
const FILLED_IN: Readonly<Record<string, unknown>> = { maxPockets: 10 };

/** Drops the fields that the job of a tool does not use, and tells each. */
export function dropUnused(sent: SubmitJobRequest, tool: ParameterReader): UsedRequest {
  const { jobType, metadata = {} } = sent;
  const fields = ofOtherTypes(sent, TYPES_OF_FIELD, jobType);
  const noted = ofOtherTypes(metadata, TYPES_OF_METADATA, jobType);
  const request = without(sent, fields);
  const params = request.simulationParams ?? {};
  const foreign = Object.keys(params).filter((name) => tool.reads?.some((read) => read === name) === false);
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
