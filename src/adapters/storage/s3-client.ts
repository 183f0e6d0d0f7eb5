/** The connection to S3 that the parts of the adapter share. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { ServerSideEncryption } from '@aws-sdk/client-s3';

import { authorities } from './certificates.ts';

/** Place of the bucket, and the access to it; the names are those of the configuration. */
export interface S3Settings {
  readonly storageEndpoint: string;
  readonly storageRegion: string;
  readonly storageBucket: string;
  readonly storagePathStyle: boolean;
  /** Without a pair of keys the identity of the machine is used: environment, profile, web identity, instance role. */
  readonly storageAccessKeyId?: string;
  readonly storageSecretAccessKey?: string;
  readonly storageSessionToken?: string;
  /** Encryption at rest, which every write asks for. */
  readonly storageEncryption?: 'none' | 'AES256' | 'aws:kms';
  readonly storageKmsKeyId?: string;
  /** A PEM file of certificate authorities that are trusted besides the known ones. */
  readonly storageCaFile?: string;
}

/** Encryption at rest in the form that the SDK's commands take. */
export interface EncryptionTerms {
  readonly ServerSideEncryption?: ServerSideEncryption;
  readonly SSEKMSKeyId?: string;
}

/** A client and the bucket it works on. */
export interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  readonly encryption: EncryptionTerms;
}

const MAX_SOCKETS = 128;
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 60_000;
/** The least speed at which bytes are thought to reach a store. */
const BYTES_PER_MS = 1024;

/** The time for an answer about an object, and for the first byte of one, so that a store that hangs is soon told as away. */
export const LOOK = { requestTimeout: 5_000 };
/** The time for what a store does by itself with all bytes of an object, which may be many: a copy, putting parts together. */
export const STORES_WORK = { requestTimeout: 15 * 60_000 };

/** The time for so many bytes to reach the store and be answered. */
export function sending(bytes: number): { readonly requestTimeout: number } {
  return { requestTimeout: REQUEST_TIMEOUT_MS + Math.ceil(bytes / BYTES_PER_MS) };
}

/** Opens a client; nothing is sent before the first call. */
export function openBucket(settings: S3Settings): Bucket {
  const { storageAccessKeyId, storageSecretAccessKey, storageSessionToken } = settings;
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const client = new S3Client({
    endpoint: settings.storageEndpoint,
    region: settings.storageRegion,
    forcePathStyle: settings.storagePathStyle,
    ...(storageAccessKeyId && storageSecretAccessKey
      ? {
          credentials: {
            accessKeyId: storageAccessKeyId,
            secretAccessKey: storageSecretAccessKey,
            ...(storageSessionToken ? { sessionToken: storageSessionToken } : {}),
          },
        }
      : {}),
    // WHEN_SUPPORTED would add a CRC32 to presigned PUTs, which the sender of the PUT does not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      httpAgent: agent,
      httpsAgent: { ...agent, ...authorities(settings.storageCaFile) },
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this the SDK only warns.
      throwOnRequestTimeout: true,
    },
  });
  return { client, bucket: settings.storageBucket, encryption: encryptionOf(settings) };
}

/** The answer of a call, or null when the object is missing. A missing bucket is a fault, not an answer. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error;
    if (error.name === 'NoSuchBucket') throw error;
    return null;
  }
}

function encryptionOf({ storageEncryption, storageKmsKeyId }: S3Settings): EncryptionTerms {
  if (storageEncryption === undefined || storageEncryption === 'none') return {};
  if (storageEncryption === 'AES256' || !storageKmsKeyId) return { ServerSideEncryption: storageEncryption };
  return { ServerSideEncryption: storageEncryption, SSEKMSKeyId: storageKmsKeyId };
}
