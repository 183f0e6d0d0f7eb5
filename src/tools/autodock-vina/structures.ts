/**
 * Readers of files that the session writes, as far as the control side must understand them: PDBQT files and the box. The readers are strict, and a file of bounded size bounds their time and memory, because an instance wrote
 * what they read.
 */
import Joi from 'joi';

import { hasHonestLines, linesOf } from '../lines.ts';

/** The effective box, with lengths in Å. */
export interface Box {
  readonly centerAngstrom: readonly number[];
  readonly sizeAngstrom: readonly number[];
}

const MODEL = /^MODEL\b/;
const vector = (each: Joi.NumberSchema): Joi.ArraySchema =>
  Joi.array().items(each.required()).length(3).required();
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
export function countModels(bytes: Uint8Array): number | null {
  if (!hasHonestLines(bytes)) return null;
  let models = 0;
  for (const line of linesOf(bytes)) if (MODEL.test(line)) models += 1;
  return models;
}
