/**
 * The object store over S3. A digest is answered only when the store computed it from bytes: on a PUT with a signed
 * checksum, and on a server-side copy, which reads the bytes that it copies (contract test:
 * test/integration/storage.test.ts). A HEAD repeats what was recorded at the PUT, so a HEAD never proves the present
 * bytes.
 */
import { Readable } from 'node:stream';

import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
} from '@aws-sdk/client-s3';

import { hashStream } from './digest.ts';
import { LOOK, openBucket, sending, STORES_WORK, unlessMissing } from './s3-client.ts';
import type { EncryptionTerms, S3Settings } from './s3-client.ts';
import { S3_PART_LIMITS, s3Multipart } from './s3-multipart.ts';
import { s3Signer } from './s3-signer.ts';
import type { ObjectHead, ObjectStore, StreamedBody } from './storage.ts';

export type { S3Settings } from './s3-client.ts';

const DELETE_BATCH = 1_000;
const MAX_PUT_BYTES = 5 * 1024 ** 3;

/** Opens an object store on an S3 bucket; nothing is sent before the first call. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const opened = openBucket(settings);
  const { client, bucket, encryption } = opened;
  const head = (key: string) => headObject(client, bucket, key);
  const read: ObjectStore['read'] = (key, range) => readObject(client, bucket, key, range);
  const hash: ObjectStore['hash'] = async (key, onProgress) => {
    const object = await read(key);
    return object === null ? null : hashStream(object.stream, onProgress);
  };

  return {
    provider: 'aws-s3',
    maxPutBytes: MAX_PUT_BYTES,
    multipartProvider: 'aws',
    partLimits: S3_PART_LIMITS,
    enforcesPartChecksums: true,
    ...s3Multipart(opened),
    ...s3Signer(opened, settings),
    async put(key, body, contentType) {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          ...bodyOf(body),
          ContentType: contentType,
          ...encryption,
        }),
        sending('byteSize' in body ? body.byteSize : body.byteLength),
      );
    },
    head,
    read,
    hash,
    async copy(from, to, contentType) {
      const sha256 = await copyObject(client, bucket, { from, to, contentType, encryption });
      // The answer to a copy has no size, and asking for the size costs half as much as the copy.
      return sha256 === null ? null : { byteSize: null, sha256: sha256 ?? null };
    },
    async *list(prefix) {
      for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
        yield (page.Contents ?? []).map((item) => ({
          key: item.Key ?? '',
          byteSize: item.Size ?? 0,
          modifiedAt: item.LastModified ?? new Date(0),
        }));
      }
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += DELETE_BATCH) {
        await removeBatch(client, bucket, keys.slice(from, from + DELETE_BATCH));
      }
    },
    async ping() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }), LOOK);
    },
  };
}

/** A stream has its length and its digest with it: its sender neither counts nor hashes it, and the store does. */
function bodyOf(body: Uint8Array | StreamedBody): Partial<PutObjectCommandInput> {
  if (body instanceof Uint8Array) return { Body: body };
  return {
    Body: Readable.from(body.open(), { objectMode: false }),
    ContentLength: body.byteSize,
    ChecksumSHA256: Buffer.from(body.sha256, 'hex').toString('base64'),
  };
}

async function headObject(client: S3Client, bucket: string, key: string): Promise<ObjectHead | null> {
  const found = await unlessMissing(
    client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' }), LOOK),
  );
  if (found === null) return null;
  return {
    key,
    byteSize: found.ContentLength ?? 0,
    etag: found.ETag ?? null,
    sha256: wholeDigest(found.ChecksumSHA256, found.ChecksumType) ?? null,
    contentType: found.ContentType ?? null,
    modifiedAt: found.LastModified ?? null,
  };
}

async function readObject(
  client: S3Client,
  bucket: string,
  key: string,
  range?: { readonly start: number; readonly end?: number },
): ReturnType<ObjectStore['read']> {
  const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
  const found = await unlessMissing(
    client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...bytes }), LOOK),
  );
  if (found === null) return null;
  if (!(found.Body instanceof Readable)) throw new Error(`The store answered no stream for ${key}.`);
  return { stream: found.Body, byteSize: found.ContentLength ?? 0, etag: found.ETag ?? null };
}

/** The digest of a copy; undefined when the store computed none, null when the source is missing. */
async function copyObject(
  client: S3Client,
  bucket: string,
  terms: {
    readonly from: string;
    readonly to: string;
    readonly contentType: string;
    readonly encryption: EncryptionTerms;
  },
): Promise<string | null | undefined> {
  const command = new CopyObjectCommand({
    Bucket: bucket,
    Key: terms.to,
    CopySource: `${bucket}/${terms.from.split('/').map(encodeURIComponent).join('/')}`,
    MetadataDirective: 'REPLACE',
    ContentType: terms.contentType,
    ChecksumAlgorithm: 'SHA256',
    ...terms.encryption,
  });
  const copied = await unlessMissing(client.send(command, STORES_WORK));
  if (copied === null) return null;
  return wholeDigest(copied.CopyObjectResult?.ChecksumSHA256, copied.CopyObjectResult?.ChecksumType);
}

async function removeBatch(client: S3Client, bucket: string, keys: readonly string[]): Promise<void> {
  const answer = await client.send(
    new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: keys.map((key) => ({ Key: key })), Quiet: true },
    }),
  );
  const failed = (answer.Errors ?? []).find((error) => error.Code !== 'NoSuchKey');
  if (failed)
    throw new Error(`${failed.Code ?? 'unknown'}: the store did not remove ${failed.Key ?? 'an object'}.`);
}

/** The digest of a whole object in hex; a composite of part digests is no digest of the whole object. */
function wholeDigest(base64: string | undefined, type: string | undefined): string | undefined {
  if (base64 === undefined || type === 'COMPOSITE' || base64.includes('-')) return undefined;
  return Buffer.from(base64, 'base64').toString('hex');
}
