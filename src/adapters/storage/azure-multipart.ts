/**
 * Multipart uploads on Azure: parts are uncommitted blocks of the blob, put together by a block list. Azure has no
 * record of an upload that is open and no call that ends one, so a marker blob outside all keys stands for it; it
 * holds the content type. An abort discards the blocks by committing none of them where there is no blob, and removing the empty blob.
 * A block stored later with a URL that is still valid can never become an object; Azure drops it after seven days.
 */
import { v7 as uuidv7 } from 'uuid';

import { RestError } from '@azure/storage-blob';
import type { BlockBlobClient } from '@azure/storage-blob';

import { blobNameOf, blobPrefixOf, keyOf, unlessMissing } from './azure-client.ts';
import type { Container } from './azure-client.ts';
import { blockIdOf, partNumberOf } from './azure-signer.ts';
import { MultipartMissingError, PartMismatchError } from './storage.ts';
import type { NamedPart, ObjectStore, OpenMultipart, StoredPart } from './storage.ts';

const MIB = 1024 ** 2;
const PAGE = 1_000;

/** The prefix of the marker blobs; no key of an object begins with it. */
export const MARKER_ROOT = '.multipart/';

/** Azure has no least size of a block; with a least size of one mebibyte the block lists stay short. */
export const AZURE_PART_LIMITS = { minBytes: MIB, maxBytes: 4_000 * MIB, maxParts: 50_000 } as const;

/**
 * Metadata on the empty blob of an abort, which tells the blob from an object in case the abort ends before the blob is
 * removed.
 */
const ABORTED = 'dockyardaborted';

type Multipart = Pick<
  ObjectStore,
  'createMultipart' | 'putPart' | 'listParts' | 'completeMultipart' | 'abortMultipart' | 'listMultiparts'
>;

/** The multipart half of an Azure store, but for the signing of parts. */
export function azureMultipart(container: Container): Multipart {
  return {
    async createMultipart(key, { contentType }) {
      const storeUploadId = uuidv7();
      await markerOf(container, key, storeUploadId).upload('', 0, {
        blobHTTPHeaders: { blobContentType: contentType },
      });
      return storeUploadId;
    },
    async putPart(key, _storeUploadId, partNumber, bytes) {
      await blobOf(container, key).stageBlock(blockIdOf(partNumber), bytes, bytes.byteLength);
      return { partNumber, etag: null, checksumSha256: null };
    },
    async listParts(key, storeUploadId) {
      if (!(await markerOf(container, key, storeUploadId).exists())) return null;
      return uncommitted(blobOf(container, key));
    },
    completeMultipart: (key, storeUploadId, parts) => complete(container, key, storeUploadId, parts),
    async abortMultipart(key, storeUploadId) {
      const marker = markerOf(container, key, storeUploadId);
      if (!(await marker.exists())) return;
      await discardBlocks(blobOf(container, key));
      await marker.deleteIfExists();
    },
    listMultiparts: (prefix) => listMarkers(container, prefix),
  };
}

function blobOf({ client }: Container, key: string): BlockBlobClient {
  return client.getBlockBlobClient(blobNameOf(key));
}

function markerOf({ client }: Container, key: string, storeUploadId: string): BlockBlobClient {
  return client.getBlockBlobClient(`${MARKER_ROOT}${blobNameOf(key)}/${blobNameOf(storeUploadId)}`);
}

async function uncommitted(blob: BlockBlobClient): Promise<readonly StoredPart[]> {
  const list = await unlessMissing(blob.getBlockList('uncommitted'));
  const parts: StoredPart[] = [];
  for (const { name, size } of list?.uncommittedBlocks ?? []) {
    const partNumber = partNumberOf(name);
    if (partNumber !== null) parts.push({ partNumber, etag: null, byteSize: size, checksumSha256: null });
  }
  return parts.sort((a, b) => a.partNumber - b.partNumber);
}

async function complete(
  container: Container,
  key: string,
  storeUploadId: string,
  parts: readonly NamedPart[],
): Promise<{ etag: string | null }> {
  const blob = blobOf(container, key);
  const marker = markerOf(container, key, storeUploadId);
  const opened = await unlessMissing(marker.getProperties());
  if (opened === null) return completedBefore(blob);
  const stored = new Set((await uncommitted(blob)).map((part) => part.partNumber));
  const missing = parts.find(({ partNumber }) => !stored.has(partNumber));
  if (missing !== undefined) {
    const before = stored.size === 0 ? await committed(blob) : null;
    if (before === null)
      throw new PartMismatchError(missing.partNumber, `Part ${missing.partNumber} is not stored.`);
    await marker.deleteIfExists();
    return before;
  }
  const done = await commit(blob, parts, opened.contentType);
  await marker.deleteIfExists();
  return done;
}

async function commit(
  blob: BlockBlobClient,
  parts: readonly NamedPart[],
  contentType: string | undefined,
): Promise<{ etag: string | null }> {
  const blocks = parts.map(({ partNumber }) => blockIdOf(partNumber));
  try {
    const done = await blob.commitBlockList(blocks, {
      blobHTTPHeaders: contentType === undefined ? {} : { blobContentType: contentType },
    });
    return { etag: done.etag ?? null };
  } catch (error) {
    // A part was stored again, or the block list was committed, after this process had read the list.
    if (error instanceof RestError && error.code === 'InvalidBlockList')
      throw new PartMismatchError(null, 'The store holds other parts than it held a moment ago.');
    throw error;
  }
}

async function completedBefore(blob: BlockBlobClient): Promise<{ etag: string | null }> {
  const found = await committed(blob);
  if (found === null) throw new MultipartMissingError('The store knows no such multipart upload.');
  return found;
}

/** The blob that was made of an upload; the empty blob of an abort does not count. */
async function committed(blob: BlockBlobClient): Promise<{ etag: string | null } | null> {
  const found = await unlessMissing(blob.getProperties());
  if (found === null || found.metadata?.[ABORTED] !== undefined) return null;
  return { etag: found.etag ?? null };
}

/**
 * Commits an empty block list, which discards all blocks that are not committed. An existing blob was completed and
 * stays.
 */
async function discardBlocks(blob: BlockBlobClient): Promise<void> {
  try {
    await blob.commitBlockList([], { conditions: { ifNoneMatch: '*' }, metadata: { [ABORTED]: '1' } });
  } catch (error) {
    if (!(error instanceof RestError) || (error.statusCode !== 409 && error.statusCode !== 412)) throw error;
  }
  const there = await unlessMissing(blob.getProperties());
  if (there?.metadata?.[ABORTED] === undefined || there.etag === undefined) return;
  await unlessMissing(blob.delete({ conditions: { ifMatch: there.etag } }));
}

async function* listMarkers({ client }: Container, prefix: string): AsyncGenerator<readonly OpenMultipart[]> {
  const under = `${MARKER_ROOT}${blobPrefixOf(prefix)}`;
  for await (const page of client.listBlobsFlat({ prefix: under }).byPage({ maxPageSize: PAGE })) {
    yield page.segment.blobItems.map(({ name, properties }) => {
      const end = name.lastIndexOf('/');
      return {
        key: keyOf(name.slice(MARKER_ROOT.length, end)),
        storeUploadId: keyOf(name.slice(end + 1)),
        startedAt: properties.createdOn ?? properties.lastModified,
      };
    });
  }
}
