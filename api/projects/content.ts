/** Contents of projects as they are sent: what is refused, and the bytes that are stored. */
import { createHash } from 'node:crypto';

import canonicalize from 'canonicalize';

import { AppError } from '../../src/domain/errors.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { MOST_CONTENT_BYTES } from '../../src/domain/molecular-projects.ts';
import { checkScene } from '../../src/scenes/check.ts';
import type { SceneCheck } from '../../src/scenes/check.ts';
import type { SceneFault } from '../../src/scenes/fault.ts';
import type { StoredContent } from '../../src/services/projects/content.ts';
import type { Prepared } from '../http/endpoint.ts';

const NO_SCENE: SceneCheck = { faults: [], sources: [] };
/** Faults of a scene that one answer names. */
const NAMED_FAULTS = 50;
/** API keys of the service, and addresses with a signature of a store: whoever reads a share could use them. */
const SECRET = /svc_(?:live|test)_[A-Za-z0-9]{20}|[?&](?:X-Amz-Signature|sig)=/i;

/** Judges a content. @throws PAYLOAD_TOO_LARGE, SCENE_INVALID, SCENE_SOURCE_REFUSED, CONTENT_HOLDS_SECRET. */
function contentOf(content: JsonObject): StoredContent {
  const text = canonicalize(content) ?? '';
  const bytes = new TextEncoder().encode(text);
  const { byteLength: byteSize } = bytes;
  if (byteSize > MOST_CONTENT_BYTES)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `A content has at most ${MOST_CONTENT_BYTES} bytes; this one has ${byteSize}.`,
    );
  if (SECRET.test(text))
    throw new AppError(
      'CONTENT_HOLDS_SECRET',
      'content: holds an API key or a signed address. Everybody who reads a revision could use it. Name the artifact instead.',
    );
  const { faults, sources } = content['scene'] === undefined ? NO_SCENE : checkScene(content['scene']);
  refuseFaults(faults);
  return { bytes, byteSize, sources, contentSha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Refuses a scene with faults, each of them named. */
function refuseFaults(faults: readonly SceneFault[]): void {
  if (faults.length === 0) return;
  const named = faults.slice(0, NAMED_FAULTS).map(({ path, message }) => {
    const dot = path === '' || path.startsWith('[') ? '' : '.';
    return `content.scene${dot}${path}: ${message}`;
  });
  const more = faults.length - named.length;
  throw new AppError(
    faults.every(({ kind }) => kind === 'source') ? 'SCENE_SOURCE_REFUSED' : 'SCENE_INVALID',
    [...named, ...(more > 0 ? [`and ${more} faults more`] : [])].join('; '),
  );
}

/** Judges the content of a body; bodies of equal contents are told as equal by the digest. */
export function withStoredContent<Body extends { readonly content: JsonObject }>(
  body: Body,
): Prepared<Omit<Body, 'content'> & { readonly content: StoredContent }> {
  const content = contentOf(body.content);
  const { bytes, contentSha256 } = content;
  return { value: { ...body, content }, identity: { ...body, content: contentSha256 }, bytes };
}
