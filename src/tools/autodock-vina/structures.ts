/**
 * Readers of files that the session writes, as far as the control side must understand them: PDBQT files and the box. The readers are strict, and a file of bounded size bounds their time and memory, because an instance wrote
 * what they read.
 */
import Joi from 'joi';

import { readLines } from '../lines.ts';
import type { Pieces } from '../pieces.ts';

/** The effective box, with lengths in Å. */
export interface Box {
  readonly centerAngstrom: readonly number[];
  readonly sizeAngstrom: readonly number[];
}

const MODEL = /^MODEL\b/;
const vector = (each: Joi.NumberSchema): Joi.ArraySchema =>
  Joi.array().length(3).items(each.required()).required();
const BOX = Joi.object<Box>({
  centerAngstrom: vector(Joi.number().min(-1e6).max(1e6)),
  sizeAngstrom: vector(Joi.number().greater(0).max(1000)),
})
  .unknown()
  .required();

/** The box of a parsed box.json or summary; null when the value is no box. */
export function parseBox(value: unknown): Box | null {
  const result = BOX.validate(value, { convert: false });
  return result.error === undefined ? result.value : null;
}

/** The number of models of a PDBQT file of poses; null when the file is not one. */
export async function countModels(pieces: Pieces): Promise<number | null> {
  let models = 0;
  const isSound = await readLines(pieces, (line) => {
    if (MODEL.test(line)) models += 1;
    return true;
  });
  return isSound ? models : null;
}
