import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  PutBucketCorsCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { CORSConfiguration } from '@aws-sdk/client-s3';
import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 20;
const betweenMs = 100;

/** The address of the store, the name of the bucket and the keys that make it. */
export interface BucketSettings {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The origin whose pages may send and read files under presigned addresses. */
  readonly pageOrigin: string;
}

/** Headers of answers that a page reads: the ETag of a part, a digest, and where a range is. */
const EXPOSED = ['ETag', 'Content-Range', 'Accept-Ranges', 'x-amz-checksum-sha256'];
/** Seconds for which a browser remembers what the store lets through. */
const REMEMBERED_SECONDS = 3600;

/**
 * Makes a bucket when it does not exist, and lets the pages of one origin through to it; a store that has only just started gets
 * some time to answer.
 */
export async function createBucket(settings: BucketSettings): Promise<void> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, pageOrigin } = settings;
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  });
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(new CreateBucketCommand({ Bucket: bucket }));
        break;
      } catch (error) {
        if (error instanceof BucketAlreadyOwnedByYou) break;
        if (attempt === attempts) throw error;
        await sleep(betweenMs);
      }
    }
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: corsFor(pageOrigin) }));
  } finally {
    client.destroy();
  }
}

function corsFor(origin: string): CORSConfiguration {
  return {
    CORSRules: [
      {
        AllowedOrigins: [origin],
        AllowedMethods: ['GET', 'HEAD', 'PUT'],
        AllowedHeaders: ['content-type', 'range', 'x-amz-checksum-sha256'],
        ExposeHeaders: EXPOSED,
        MaxAgeSeconds: REMEMBERED_SECONDS,
      },
    ],
  };
}
