/** The connection to Azure Blob Storage that the parts of the adapter share, and how keys become blob names. */
import { Agent } from 'node:https';

import { BlobServiceClient, newPipeline, RestError, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { ContainerClient, Pipeline } from '@azure/storage-blob';

import { authorities } from './certificates.ts';

/** Place of the container; the names are those of the configuration. */
export interface AzureSettings {
  /** The blob service of the account: `https://ACCOUNT.blob.core.windows.net`. */
  readonly storageEndpoint: string;
  readonly storageAccount: string;
  /** In base64. */
  readonly storageAccountKey: string;
  readonly storageContainer: string;
  /** A PEM file of certificate authorities that are trusted besides the known ones. */
  readonly storageCaFile?: string;
}

/** A container and the credentials that work on it. */
export interface Container {
  readonly client: ContainerClient;
  readonly credential: StorageSharedKeyCredential;
  readonly service: BlobServiceClient;
}

const MAX_TRIES = 3;
const RETRY_DELAY_MS = 200;
const MAX_RETRY_DELAY_MS = 2_000;
const MAX_SOCKETS = 128;

/** Opens a container; nothing is sent before the first call. */
export function openContainer(settings: AzureSettings): Container {
  const credential = new StorageSharedKeyCredential(settings.storageAccount, settings.storageAccountKey);
  const pipeline = newPipeline(credential, {
    retryOptions: {
      maxTries: MAX_TRIES,
      retryDelayInMs: RETRY_DELAY_MS,
      maxRetryDelayInMs: MAX_RETRY_DELAY_MS,
    },
    keepAliveOptions: { enable: true },
  });
  if (settings.storageCaFile) believe(pipeline, settings.storageCaFile);
  const service = new BlobServiceClient(settings.storageEndpoint, pipeline);
  return { client: service.getContainerClient(settings.storageContainer), credential, service };
}

/** Lets the requests of a pipeline trust the certificate authorities of a file. */
function believe(pipeline: Pipeline, file: string): void {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, ...authorities(file) });
  pipeline.factories.unshift({
    create: (next) => ({ sendRequest: (request) => next.sendRequest(Object.assign(request, { agent })) }),
  });
}

/** The answer of a call, or null when the object is missing. A missing container is a fault, not an answer. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof RestError) || error.statusCode !== 404 || error.code === 'ContainerNotFound')
      throw error;
    return null;
  }
}

/**
 * The blob name of a key. Azure takes `\` for `/`, resolves `.` and `..`, and drops a dot or slash at the end; these
 * characters are escaped with `%`, as is `%` itself, so that each key has a blob of its own.
 */
export function blobNameOf(key: string): string {
  return key
    .replaceAll('%', '%25')
    .replaceAll('\\', '%5C')
    .replace(/\.(?=\/|$)/g, '%2E')
    .replace(/\/(?=\/|$)/g, '%2F');
}

/** The start of the blob names of all keys with a prefix. */
export function blobPrefixOf(prefix: string): string {
  return prefix.endsWith('/') ? `${blobNameOf(prefix.slice(0, -1))}/` : blobNameOf(`${prefix}x`).slice(0, -1);
}

/** The key of a blob. */
export function keyOf(blobName: string): string {
  return blobName.replace(/%(25|5C|2E|2F)/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}
