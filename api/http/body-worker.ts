/**
 * The worker thread for large bodies. The thread parses, validates and fingerprints a body. The result goes back as JSON
 * text, because JSON text is quicker to read than a structured clone of many small objects.
 */
import { endpoints } from '../endpoints.ts';
import type { SlicedBody } from './library-slices.ts';
import { sliceBody } from './library-slices.ts';
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
  | { readonly ok: true; readonly fingerprint: string; readonly sliced: SlicedBody }
  | { readonly ok: false; readonly message: string };

/** Parses one large body that was measured before. */
export function parseLargeBody({ operationId, bytes, members }: BodyTask): BodyResult {
  const schema = endpoints.find((endpoint) => endpoint.operationId === operationId)?.body;
  if (schema === undefined) throw new Error(`no body schema for ${operationId}`);
  const parsed = parseMeasured(bytes, members, schema);
  return parsed.ok ? { ok: true, fingerprint: parsed.fingerprint, sliced: sliceBody(parsed.value) } : parsed;
}
