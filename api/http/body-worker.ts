/**
 * The worker thread for large bodies. The thread parses, validates and fingerprints a body. The result goes back as JSON
 * text, because JSON text is quicker to read than a structured clone of many small objects; what an endpoint has prepared is a few
 * values and bytes, and goes back as it is.
 */
import { move, transferableSymbol, valueSymbol } from 'piscina';

import { endpoints } from '../endpoints.ts';
import type { SlicedBody } from './library-slices.ts';
import { sliceBody } from './library-slices.ts';
import type { ParsedBody } from './parse-body.ts';
import { parseMeasured } from './parse-body.ts';

/** A body to parse against the schema of an operation. */
export interface BodyTask {
  readonly operationId: string;
  readonly bytes: Uint8Array;
  /** Members of all objects of the text, equal names counted each time. */
  readonly members: number;
}

/** A parsed body as it travels between threads. */
export type BodyResult =
  | ParsedBody
  | { readonly ok: true; readonly fingerprint: string; readonly sliced: SlicedBody };

/** Parses one large body that was measured before. */
export function parseLargeBody({
  operationId,
  bytes,
  members,
}: BodyTask): BodyResult | ReturnType<typeof move> {
  const endpoint = endpoints.find((each) => each.operationId === operationId);
  if (endpoint?.body === undefined) throw new Error(`no body schema for ${operationId}`);
  const parsed = parseMeasured(bytes, members, { ...endpoint, body: endpoint.body });
  if (!parsed.ok) return parsed;
  if (parsed.bytes !== undefined)
    return move({ [transferableSymbol]: [parsed.bytes.buffer], [valueSymbol]: parsed });
  if (endpoint.prepare !== undefined) return parsed;
  return { ok: true, fingerprint: parsed.fingerprint, sliced: sliceBody(parsed.value) };
}
