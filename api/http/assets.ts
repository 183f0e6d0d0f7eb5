/** Pages of the service and their files. The service serves all of them itself and loads nothing from another place. */
import { Readable } from 'node:stream';

import type { Answer, Endpoint } from './endpoint.ts';
import { defineEndpoint } from './endpoint.ts';
import { TAGS } from './tags.ts';

/** A page or a file of one. */
export interface Asset {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly what: string;
  readonly mediaType: string;
  /** Cache-Control. */
  readonly caching: string;
  /** Content-Security-Policy. */
  readonly policy: string;
  read(): Promise<Buffer>;
}

/** The caching of pages: a browser sees a changed page within five minutes. */
export const SHORTLY = 'public, max-age=300';
/** The caching of files whose path has their version: such a file never changes. */
export const FOR_GOOD = 'public, max-age=31536000, immutable';

function answerOf(content: Buffer, { mediaType, caching, policy }: Asset): Answer {
  return {
    status: 200,
    stream: Readable.from([content]),
    headers: {
      'Content-Type': mediaType,
      'Content-Length': String(content.byteLength),
      'Content-Security-Policy': policy,
      'Cache-Control': caching,
    },
  };
}

/** Declares the endpoint that serves an asset to anybody. */
export function serveAsset(asset: Asset): Endpoint {
  const { path, operationId, summary, what, mediaType } = asset;
  return defineEndpoint({
    method: 'GET',
    path,
    operationId,
    tag: TAGS.discovery,
    summary,
    description: what,
    access: 'none',
    limit: 'read',
    idempotency: 'none',
    answers: { 200: { description: what, mediaType } },
    errors: [],
    async handle() {
      return answerOf(await asset.read(), asset);
    },
  });
}
