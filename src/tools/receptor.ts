/**
 * The structure that a tool reads: a deposited entry, an artifact or the scene file, and the part of its file that is
 * meant. Tools that read a structure mean the same by the same fields, and name its file alike.
 */
import { AppError } from '../domain/errors.ts';
import { invariantBroken } from '../domain/invariant.ts';
import type { SimulationParams, SubmitJobRequest } from '../domain/requests.ts';
import { canonicalSha256 } from './canonical.ts';
import { sortedSet } from './order.ts';
import type { NamedReference, NamedStructure, PinnedFiles, PlannableRequest } from './tool.ts';

/** The failures of a job whose entry the archive does not have or does not send. */
const NOT_TO_BE_HAD = { absent: 'RECEPTOR_NOT_FOUND', unreachable: 'RECEPTOR_FETCH_FAILED' };

/** The receptor as it was stored or fetched. */
export const RECEPTOR_SOURCE = 'receptor/source';

/** The simulation parameters that say which structure is meant, and which part of it. */
export const RECEPTOR_PARAMETERS = [
  'receptorPdbId',
  'receptorArtifact',
  'receptorAssemblyId',
  'receptorModel',
  'receptorChains',
] as const satisfies readonly (keyof SimulationParams)[];

/** The origin of the receptor: a deposited entry or a stored file. */
export type ReceptorSource =
  | { readonly kind: 'pdb'; readonly pdbId: string }
  | { readonly kind: 'artifact'; readonly artifactId: string }
  | { readonly kind: 'scene' };

/** The part of the receptor's file that is meant. */
export interface ReceptorSelection {
  /** `asymmetric` means the model as it stands in the file. */
  readonly assemblyId: string;
  readonly model: number;
  /** Null means every chain. */
  readonly chains: readonly string[] | null;
}

/** The formats of artifacts that hold a receptor. */
export const RECEPTOR_FORMATS: readonly string[] = ['pdb', 'mmcif'];
/** Assembly names that mean the deposited coordinates as they are. */
const AS_DEPOSITED = ['asymmetric', 'deposited'];

/**
 * Checks that exactly one field names the receptor, in a format that holds one; an estimate may leave the field out.
 * @throws VALIDATION_ERROR, INPUT_MISSING, INPUT_CONFLICT.
 */
export function checkReceptor(
  { sceneFile, simulationParams }: PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>,
  estimate: boolean,
  toolId: string,
): void {
  oneOf(
    'the receptor',
    {
      'simulationParams.receptorPdbId': simulationParams?.receptorPdbId,
      'simulationParams.receptorArtifact': simulationParams?.receptorArtifact,
      sceneFile,
    },
    estimate,
  );
  const format = simulationParams?.receptorArtifact?.format;
  if (format !== undefined && !RECEPTOR_FORMATS.includes(format)) {
    throw new AppError(
      'VALIDATION_ERROR',
      `simulationParams.receptorArtifact.format: must be pdb or mmcif for ${toolId}, not ${format}.`,
    );
  }
}

/**
 * The one field of several that the request has. @throws INPUT_CONFLICT when it has several, INPUT_MISSING when it has
 * none and is no estimate.
 */
export function oneOf(what: string, fields: Readonly<Record<string, unknown>>, estimate: boolean): void {
  const sent = Object.keys(fields).filter((name) => fields[name] !== undefined);
  if (sent.length > 1) {
    throw new AppError(
      'INPUT_CONFLICT',
      `Only one of ${sent.join(', ')} can name ${what}. Keep one of them.`,
    );
  }
  if (sent.length === 0 && !estimate) {
    throw new AppError(
      'INPUT_MISSING',
      `Nothing names ${what}. Send exactly one of ${Object.keys(fields).join(', ')}.`,
    );
  }
}

/** The key of the stored receptor; undefined where the receptor is a deposited entry. */
export function receptorStorageKey({ simulationParams, sceneFile }: SubmitJobRequest): string | undefined {
  return simulationParams?.receptorArtifact?.storageKey ?? sceneFile;
}

/** The artifact of the receptor, where the request names one. */
export function receptorReferences({ receptorArtifact }: SimulationParams): readonly NamedReference[] {
  return receptorArtifact === undefined ? [] : [{ path: 'receptorArtifact', reference: receptorArtifact }];
}

/** The deposited receptor, where the request names one. */
export function depositedReceptor(request: SubmitJobRequest): readonly NamedStructure[] {
  const pdbId = request.simulationParams?.receptorPdbId;
  return pdbId === undefined
    ? []
    : [{ pdbId: pdbId.toUpperCase(), name: RECEPTOR_SOURCE, failures: NOT_TO_BE_HAD }];
}

/** Model, assembly and chains of the receptor. */
export function receptorSelection(
  params: Pick<SimulationParams, (typeof RECEPTOR_PARAMETERS)[number]>,
): ReceptorSelection {
  const assemblyId = params.receptorAssemblyId ?? '1';
  return {
    assemblyId: AS_DEPOSITED.includes(assemblyId.toLowerCase()) ? 'asymmetric' : assemblyId,
    model: params.receptorModel ?? 1,
    chains: params.receptorChains === undefined ? null : sortedSet(params.receptorChains),
  };
}

/** The receptor of a session: where it comes from, which part of it is meant, and the digests of both. */
export function receptorSpec(
  request: SubmitJobRequest,
  inputs: PinnedFiles,
): Readonly<Record<string, unknown>> {
  return {
    source: receptorSource(request),
    sha256: receptorSha256(inputs),
    ...receptorSelection(request.simulationParams ?? {}),
    identitySha256: receptorIdentitySha256(request, inputs),
  };
}

/** The digest of which atoms are meant: the bytes of the file, and the selected part of them. */
export function receptorIdentitySha256(request: SubmitJobRequest, inputs: PinnedFiles): string {
  const selection = receptorSelection(request.simulationParams ?? {});
  return canonicalSha256({ sha256: receptorSha256(inputs), ...selection });
}

function receptorSource(request: SubmitJobRequest): ReceptorSource {
  const params = request.simulationParams ?? {};
  if (params.receptorPdbId !== undefined) return { kind: 'pdb', pdbId: params.receptorPdbId.toUpperCase() };
  if (params.receptorArtifact === undefined) return { kind: 'scene' };
  return { kind: 'artifact', artifactId: params.receptorArtifact.artifactId };
}

function receptorSha256(inputs: PinnedFiles): string {
  const file = inputs.get(RECEPTOR_SOURCE);
  if (file === undefined) throw invariantBroken('the receptor of a job is not pinned');
  return file.sha256;
}
