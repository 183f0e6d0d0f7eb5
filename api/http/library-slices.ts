/** A long ligand library travels between threads in slices, so that the request thread reads it a little at a time. */
import { setImmediate } from 'node:timers/promises';

const SLICE_LIGANDS = 250;

/** A body as JSON text, with its ligand library apart. */
export interface SlicedBody {
  /** The body; a ligand library is an empty array in this text. */
  readonly body: string;
  /** JSON arrays of ligands, in order. */
  readonly librarySlices: readonly string[];
}

interface WithLibrary {
  simulationParams: { ligandLibrary: unknown[] };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function hasLibrary(value: unknown): value is WithLibrary {
  if (typeof value !== 'object' || value === null || !('simulationParams' in value)) return false;
  const params = value.simulationParams;
  return (
    typeof params === 'object' &&
    params !== null &&
    'ligandLibrary' in params &&
    Array.isArray(params.ligandLibrary)
  );
}

/** Takes a body apart; the given value is changed and must not be used afterwards. */
export function sliceBody(value: unknown): SlicedBody {
  if (!hasLibrary(value)) return { body: JSON.stringify(value), librarySlices: [] };
  const library = value.simulationParams.ligandLibrary;
  const count = Math.ceil(library.length / SLICE_LIGANDS);
  const librarySlices = Array.from({ length: count }, (_, index) =>
    JSON.stringify(library.slice(index * SLICE_LIGANDS, (index + 1) * SLICE_LIGANDS)),
  );
  value.simulationParams.ligandLibrary = [];
  return { body: JSON.stringify(value), librarySlices };
}

/** Puts a body together again; other requests are served between the slices. */
export async function joinBody(sliced: SlicedBody): Promise<unknown> {
  const value: unknown = JSON.parse(sliced.body);
  if (!hasLibrary(value)) return value;
  for (const slice of sliced.librarySlices) {
    const ligands: unknown = JSON.parse(slice);
    if (isList(ligands)) value.simulationParams.ligandLibrary.push(...ligands);
    await setImmediate();
  }
  return value;
}
