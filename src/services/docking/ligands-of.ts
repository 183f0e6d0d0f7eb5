/** The ligands of a batch as the request brings them, with the digest by which the same list is known again. */
import { createHash } from 'node:crypto';

import type { CreateDockingBatchRequest } from '../../domain/docking-records.ts';
import { AppError } from '../../domain/errors.ts';
import type { SimulationParams } from '../../domain/requests.ts';

/** The ligands of a batch. */
export interface BatchLigands {
  readonly libraryId: string | null;
  readonly librarySha256: string;
  readonly ligandCount: number;
  /** The part of the job's parameters that says which ligands are docked. */
  readonly params: Pick<SimulationParams, 'ligandLibrary'>;
}

/** Reads the ligands. @throws INPUT_MISSING without any. */
export function ligandsOfBatch({ ligands }: CreateDockingBatchRequest): BatchLigands {
  if (ligands === undefined) {
    throw new AppError('INPUT_MISSING', 'The ligands are missing. Send ligands.');
  }
  // A confirmation proves a ligand and is no part of it.
  const identities = ligands.map(({ confirmation: _shown, ...identity }) => identity);
  return {
    libraryId: null,
    librarySha256: createHash('sha256').update(JSON.stringify(identities)).digest('hex'),
    ligandCount: ligands.length,
    params: { ligandLibrary: ligands },
  };
}
