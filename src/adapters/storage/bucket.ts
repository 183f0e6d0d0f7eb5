import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
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
}

/** Makes a bucket when it does not exist; a store that has only just started gets some time to answer. */
export async function createBucket(settings: BucketSettings): Promise<void> {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = settings;
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
        return;
      } catch (error) {
        if (error instanceof BucketAlreadyOwnedByYou) return;
        if (attempt === attempts) throw error;
        await sleep(betweenMs);
      }
    }
  } finally {
    client.destroy();
  }
}
