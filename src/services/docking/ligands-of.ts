/**
 * The ligands of a batch: a list of the request, or a stored library. Either is a library with an index from here on, so that ten
 * thousand ligands travel as one reference and results find their labels in one place.
 */
import type { Actor } from '../../domain/access.ts';
import type { CreateDockingBatchRequest } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { LigandPreparation, SimulationParams } from '../../domain/requests.ts';
import { libraryUseOf } from '../libraries/libraries.ts';
import type { Libraries, LibraryOfRequest } from '../libraries/libraries.ts';

/** The ligands of a batch. */
export interface BatchLigands {
  readonly library: LibraryOfRequest;
  /** Preparation of every ligand; undefined where each ligand has its own. */
  readonly preparation: LigandPreparation | undefined;
  /** The part of the job's parameters that says which ligands are docked. */
  readonly params: Pick<SimulationParams, 'libraryUse' | 'dryRun'>;
}

const DEFAULT_SEED = 1;
/** Preparation of a stored library's ligands by default. */
const PREPARED: LigandPreparation = { protonationPh: 7.4, addHydrogens: true, generate3d: true };

/** Opens the library. @throws INPUT_MISSING, INPUT_CONFLICT, and what a library is refused for. */
export async function ligandsOfBatch(
  libraries: Libraries,
  actor: Actor,
  body: CreateDockingBatchRequest,
): Promise<BatchLigands> {
  const { ligands, ligandPreparation } = body;
  if (ligands !== undefined && ligandPreparation !== undefined) {
    throw new AppError(
      'INPUT_CONFLICT',
      'ligandPreparation is for a library, and ligands were sent. Send preparation with each of the ligands.',
    );
  }
  const library = await openedLibrary(libraries, actor, body);
  const preparation = ligandPreparation ?? PREPARED;
  return {
    library,
    preparation: ligands === undefined ? preparation : undefined,
    params: {
      libraryUse: libraryUseOf(library, preparation, orderOf(body)),
      ...(body.dryRun === true ? { dryRun: true } : {}),
    },
  };
}

/** A batch that may stop docks its ligands in an order without a meaning, which its seed decides. */
function orderOf({ stopWhen, parameters }: CreateDockingBatchRequest): { readonly shuffledBy?: number } {
  return stopWhen === undefined ? {} : { shuffledBy: parameters?.protocol.seed ?? DEFAULT_SEED };
}

function openedLibrary(
  libraries: Libraries,
  actor: Actor,
  { ligands, libraryArtifactId }: CreateDockingBatchRequest,
): Promise<LibraryOfRequest> {
  if (ligands !== undefined && libraryArtifactId !== undefined) {
    throw new AppError('INPUT_CONFLICT', 'ligands and libraryArtifactId were both sent. Keep one of them.');
  }
  if (libraryArtifactId !== undefined) return libraries.open(actor, libraryArtifactId);
  if (ligands !== undefined) return libraries.openList(actor, ligands);
  throw new AppError('INPUT_MISSING', 'The ligands are missing. Send one of ligands and libraryArtifactId.');
}
