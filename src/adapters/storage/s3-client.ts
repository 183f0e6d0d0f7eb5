/** The connection to S3 that the parts of the adapter share. */
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

/** Where the bucket is; the names are those of the configuration. */
export interface S3Settings {
  readonly storageEndpoint: string;
  readonly storageRegion: string;
  readonly storageBucket: string;
  readonly storageAccessKeyId: string;
  readonly storageSecretAccessKey: string;
  readonly storagePathStyle: boolean;
}

/** A client and the bucket it works on. */
export interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
}

const MAX_SOCKETS = 128;
const MAX_ATTEMPTS = 3;
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** Opens a client; nothing is sent before the first call. */
export function openBucket(settings: S3Settings): Bucket {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  const client = new S3Client({
    endpoint: settings.storageEndpoint,
    region: settings.storageRegion,
    forcePathStyle: settings.storagePathStyle,
    credentials: {
      accessKeyId: settings.storageAccessKeyId,
      secretAccessKey: settings.storageSecretAccessKey,
    },
    // WHEN_SUPPORTED would add a CRC32 to presigned PUTs that their sender does not know.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      httpAgent: agent,
      httpsAgent: agent,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
    },
  });
  return { client, bucket: settings.storageBucket };
}

/** The answer, or null when the thing asked about is missing. A missing bucket is a fault, not an answer. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error;
    if (error.name === 'NoSuchBucket') throw error;
    return null;
  }
}
