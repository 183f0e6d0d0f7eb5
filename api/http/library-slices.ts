/** A long list of ligands travels between threads in slices, so that the request thread reads the list a little at a time. */
import { setImmediate } from 'node:timers/promises';

import { isRecord } from '../../src/domain/is-record.ts';

const SLICE_LIGANDS = 250;

/** A body as JSON text, with its ligands apart. */
export interface SlicedBody {
  /** The body; its list of ligands is an empty array in this text. */
  readonly body: string;
  /** JSON arrays of ligands, in order. */
  readonly librarySlices: readonly string[];
}

/** Takes a body apart; the given value is changed and must not be used afterwards. */
export function sliceBody(value: unknown): SlicedBody {
  const library = ligandsIn(value)?.splice(0) ?? [];
  const count = Math.ceil(library.length / SLICE_LIGANDS);
  const librarySlices = Array.from({ length: count }, (_, index) =>
    JSON.stringify(library.slice(index * SLICE_LIGANDS, (index + 1) * SLICE_LIGANDS)),
  );
  return { body: JSON.stringify(value), librarySlices };
}

/** Puts a body together again; other requests are served between the slices. */
export async function joinBody({ body, librarySlices }: SlicedBody): Promise<unknown> {
  const value: unknown = JSON.parse(body);
  const ligands = ligandsIn(value);
  for (const slice of librarySlices) {
    const some: unknown = JSON.parse(slice);
    if (isList(some)) ligands?.push(...some);
    await setImmediate();
  }
  return value;
}

/** The ligands of a body: of a job in its simulation parameters, of a batch at its top; null for a body without such a list. */
function ligandsIn(value: unknown): unknown[] | null {
  if (!isRecord(value)) return null;
  const { simulationParams, ligands } = value;
  const library = isRecord(simulationParams) ? simulationParams['ligandLibrary'] : undefined;
  if (isList(library)) return library;
  return isList(ligands) ? ligands : null;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
