/**
 * The object store over Azure Blob Storage. Azure computes no SHA-256, so neither a head nor a copy answers one
 * (contract test: test/integration/storage.test.ts).
 */
import { Readable } from 'node:stream';

import type { ContainerClient } from '@azure/storage-blob';

import { blobNameOf, blobPrefixOf, keyOf, openContainer, unlessMissing } from './azure-client.ts';
import type { AzureSettings, Container } from './azure-client.ts';
import { AZURE_PART_LIMITS, azureMultipart, MARKER_ROOT } from './azure-multipart.ts';
import { azureSigner } from './azure-signer.ts';
import { hashStream } from './digest.ts';
import type { ObjectHead, ObjectStore } from './storage.ts';

export type { AzureSettings } from './azure-client.ts';

const PAGE = 1_000;
const MAX_PUT_BYTES = 5_000 * 1024 ** 2;
/** The most blobs that Azure deletes in one batch. */
const DELETE_BATCH = 256;
const COPY_POLL_MS = 250;

/** Opens an object store on a container; nothing is sent before the first call. */
export function createAzureStore(settings: AzureSettings): ObjectStore {
  const container = openContainer(settings);
  const { client } = container;
  const read: ObjectStore['read'] = (key, range) => readBlob(client, key, range);
  const hash: ObjectStore['hash'] = async (key, onProgress) => {
    const object = await read(key);
    return object === null ? null : hashStream(object.stream, onProgress);
  };

  return {
    provider: 'azure-blob',
    maxPutBytes: MAX_PUT_BYTES,
    multipartProvider: 'azure',
    partLimits: AZURE_PART_LIMITS,
    enforcesPartChecksums: false,
    ...azureMultipart(container),
    ...azureSigner(container),
    async put(key, body, contentType) {
      const blob = client.getBlockBlobClient(blobNameOf(key));
      const isWhole = body instanceof Uint8Array;
      await blob.upload(
        isWhole ? body : () => Readable.from(body.open(), { objectMode: false }),
        isWhole ? body.byteLength : body.byteSize,
        { blobHTTPHeaders: { blobContentType: contentType } },
      );
    },
    head: (key) => headBlob(client, key),
    read,
    hash,
    async copy(from, to, contentType) {
      const copied = await copyBlob(client, { from, to, contentType });
      if (!copied) return null;
      const made = await headBlob(client, to);
      if (made === null) throw new Error(`The store does not hold the copy ${to} that it made.`);
      return { byteSize: made.byteSize, sha256: made.sha256 };
    },
    list: (prefix) => listBlobs(client, prefix),
    async remove(keys) {
      for (let from = 0; from < keys.length; from += DELETE_BATCH) {
        await removeBatch(container, keys.slice(from, from + DELETE_BATCH));
      }
    },
    async ping() {
      await client.getProperties();
    },
  };
}

async function headBlob(client: ContainerClient, key: string): Promise<ObjectHead | null> {
  const found = await unlessMissing(client.getBlobClient(blobNameOf(key)).getProperties());
  if (found === null) return null;
  return {
    key,
    byteSize: found.contentLength ?? 0,
    etag: found.etag ?? null,
    sha256: null,
    contentType: found.contentType ?? null,
    modifiedAt: found.lastModified ?? null,
  };
}

async function readBlob(
  client: ContainerClient,
  key: string,
  range?: { readonly start: number; readonly end?: number },
): ReturnType<ObjectStore['read']> {
  const count = range?.end === undefined ? undefined : range.end - range.start + 1;
  const found = await unlessMissing(client.getBlobClient(blobNameOf(key)).download(range?.start ?? 0, count));
  if (found === null) return null;
  const stream = found.readableStreamBody;
  if (!(stream instanceof Readable)) throw new Error(`The store answered no stream for ${key}.`);
  return { stream, byteSize: found.contentLength ?? 0, etag: found.etag ?? null };
}

/**
 * Copies a blob; answers false when the source is missing. The copy has the source's content type, which is then
 * replaced.
 */
async function copyBlob(
  client: ContainerClient,
  terms: { readonly from: string; readonly to: string; readonly contentType: string },
): Promise<boolean> {
  const source = client.getBlobClient(blobNameOf(terms.from)).url;
  const target = client.getBlobClient(blobNameOf(terms.to));
  const poller = await unlessMissing(target.beginCopyFromURL(source, { intervalInMs: COPY_POLL_MS }));
  if (poller === null) return false;
  const copied = await poller.pollUntilDone();
  if (copied.copyStatus !== 'success') throw new Error(`The store did not copy ${terms.from}.`);
  await target.setHTTPHeaders({ blobContentType: terms.contentType });
  return true;
}

async function* listBlobs(client: ContainerClient, prefix: string): ReturnType<ObjectStore['list']> {
  const pages = client.listBlobsFlat({ prefix: blobPrefixOf(prefix) }).byPage({ maxPageSize: PAGE });
  for await (const page of pages) {
    yield page.segment.blobItems
      .filter(({ name }) => !name.startsWith(MARKER_ROOT))
      .map(({ name, properties }) => ({
        key: keyOf(name),
        byteSize: properties.contentLength ?? 0,
        modifiedAt: properties.lastModified,
      }));
  }
}

async function removeBatch({ client, credential }: Container, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const urls = keys.map((key) => client.getBlobClient(blobNameOf(key)).url);
  const answer = await client.getBlobBatchClient().deleteBlobs(urls, credential);
  const failed = answer.subResponses.find(
    ({ status, errorCode }) => status >= 300 && errorCode !== 'BlobNotFound',
  );
  if (failed) throw new Error(`The store did not remove an object: ${failed.errorCode ?? failed.status}.`);
}
