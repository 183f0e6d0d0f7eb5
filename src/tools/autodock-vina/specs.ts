/**
 * The specifications that the Python session gets, and the digests by which a prepared receptor is found again. The
 * session uses the digests that it gets; the toolchain digest that it computes of itself is equal to the one here.
 */
import type { WorkKind } from '../../contracts/job.ts';
import { invariantBroken } from '../../domain/invariant.ts';
import type { JobLigand, PreparedReceptor, SubmitJobRequest } from '../../domain/requests.ts';
import { canonicalSha256, sha256 } from '../canonical.ts';
import { receptorIdentitySha256, receptorSpec } from '../receptor.ts';
import type { PinnedFiles, PreparationContext, PreparationIdentity } from '../tool.ts';
import { isDryRun } from './inputs.ts';
import { ligandsOf, preparationOf, residueLabel } from './parameters.ts';
import { protocolOf } from './protocol.ts';

type Json = Readonly<Record<string, unknown>>;

/** The digests that name a preparation; the fields of a request's `preparedReceptor`. */
export interface PreparationDigests {
  readonly receptorIdentitySha256: string;
  readonly preparationSha256: string;
  readonly toolchainSha256: string;
  readonly workerImageDigest: string;
  readonly cacheKey: string;
}

/** The fields in the order of their comparison; the cache key comes last, because it is computed from the others. */
const COMPARED = [
  'receptorIdentitySha256',
  'preparationSha256',
  'toolchainSha256',
  'workerImageDigest',
  'cacheKey',
] as const satisfies readonly (keyof PreparationDigests)[];

/** The specification that all ligands of the job share. */
export function dockingSessionSpec(
  request: SubmitJobRequest,
  facts: { readonly effectiveSeed: number | null; readonly inputs: PinnedFiles },
): Json {
  const params = request.simulationParams ?? {};
  if (facts.effectiveSeed === null || facts.effectiveSeed === 0) {
    throw invariantBroken('a docking job has no seed');
  }
  const { search, box, validation } = protocolOf(params);
  return {
    ...search,
    seed: facts.effectiveSeed,
    receptor: receptorSpec(request, facts.inputs),
    preparation: preparationOf(params),
    preparationSha256: canonicalSha256(preparationOf(params)),
    box,
    nativeReference: validation.nativeReference,
  };
}

/** The specification of one item: a ligand by its ordinal, the receptor's preparation, or the control docking. */
export function dockingTaskSpec(
  request: SubmitJobRequest,
  kind: WorkKind,
  ordinal: number,
  context: PreparationContext,
): Json {
  switch (kind) {
    case 'prepare':
      return { cached: context.cached, staleField: context.staleField };
    case 'control':
      return controlSpec(request);
    case 'task':
      return ligandSpec(request, ordinal);
    case 'merge':
      throw invariantBroken('a docking job merges nothing');
    default:
      return kind satisfies never;
  }
}

/**
 * The identity of the job's preparation. A preparation in the request is compared field by field, so that the first
 * field that differs can be named.
 */
export function preparationIdentity(
  request: SubmitJobRequest,
  inputs: PinnedFiles,
  toolchainSha256: string,
): PreparationIdentity {
  const own = preparationDigests(request, inputs, toolchainSha256);
  const sent = request.simulationParams?.dockingExecution?.preparedReceptor;
  const stale = sent === undefined ? undefined : COMPARED.find((field) => sent[field] !== own[field]);
  return { cacheKey: own.cacheKey, staleField: stale ?? null };
}

/** The digests of the job's own preparation. */
export function preparationDigests(
  request: SubmitJobRequest,
  inputs: PinnedFiles,
  toolchainSha256: string,
): PreparationDigests {
  const identitySha256 = receptorIdentitySha256(request, inputs);
  const preparationSha256 = canonicalSha256(preparationOf(request.simulationParams ?? {}));
  return {
    receptorIdentitySha256: identitySha256,
    preparationSha256,
    toolchainSha256,
    workerImageDigest: `sha256:${toolchainSha256}`,
    cacheKey: sha256(`${identitySha256}\n${preparationSha256}\n${toolchainSha256}\n`),
  } satisfies Omit<PreparedReceptor, 'artifact'>;
}

function controlSpec(request: SubmitJobRequest): Json {
  const params = request.simulationParams ?? {};
  const { validation, preparation } = protocolOf(params);
  const native = validation.nativeReference;
  if (native === null) throw invariantBroken('a docking job without a native reference has no control');
  return {
    id: `native:${residueLabel({ ...native, residueName: native.componentId })}`,
    protonationPh: preparation.protonationPh,
  };
}

function ligandSpec(request: SubmitJobRequest, ordinal: number): Json {
  const ligand = ligandsOf(request.simulationParams)[ordinal];
  if (ligand === undefined) throw invariantBroken(`a docking job has no ligand ${ordinal}`);
  return {
    ligandId: ligand.ligandId,
    label: ligand.label,
    source: sourceSpec(ligand.source),
    protonationPh: ligand.preparation.protonationPh,
    // A ligand without these choices keeps the specification that it had before the choices existed.
    ...(ligand.preparation.protonation === 'as_given' ? { protonation: 'as_given' } : {}),
    ...(ligand.preparation.tautomer === 'likely' ? { tautomer: 'likely' } : {}),
    ...(ligand.preparation.states === 'likely' ? { states: 'likely' } : {}),
    ...(isDryRun(request) ? { dryRun: true } : {}),
  };
}

function sourceSpec(source: JobLigand['source']): Json {
  switch (source.kind) {
    case 'ccd':
    case 'smiles':
      return source;
    case 'artifact': {
      const { artifactId, format, sha256: digest } = source.artifact;
      return { kind: 'artifact', artifactId, format, sha256: digest };
    }
    case 'record': {
      const { line, fault, format, sha256: digest } = source;
      return { kind: 'record', format: format === 'sdf' ? 'sdf' : 'smi', sha256: digest, line, fault };
    }
    default:
      return source satisfies never;
  }
}
