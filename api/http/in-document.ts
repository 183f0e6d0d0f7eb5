/**
 * Facts of a schema for the API document beyond those that Joi tells by itself: rules that are written as functions, such as
 * lengths in characters, and fields that need each other. The facts are JSON Schema and are merged into the node.
 */

import type { JsonObject } from '../../src/domain/json.ts';

export type { Json, JsonObject } from '../../src/domain/json.ts';

/** Metadata of a Joi schema that carries facts for the document: `schema.meta(inDocument({ … }))`. */
export function inDocument(facts: JsonObject): { readonly document: JsonObject } {
  return { document: facts };
}

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
