/**
 * The object store over S3. A digest is told only when the store computed it from bytes: on PUT with a signed
 * checksum, and on a server-side copy, which reads the bytes it copies (contract test: test/integration/storage.test.ts).
 * A HEAD repeats what was recorded at the PUT, so it never proves the present bytes.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import { createPresigner } from './presign.ts';
import type { Presign } from './presign.ts';
import { openBucket, unlessMissing } from './s3-client.ts';
import type { S3Settings } from './s3-client.ts';
import { S3_PART_LIMITS, s3Multipart } from './s3-multipart.ts';
import type { GetTerms, ObjectHead, ObjectStore, PartTerms, PutTerms, SignedRequest } from './storage.ts';

export type { S3Settings } from './s3-client.ts';

const DELETE_BATCH = 1_000;
const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

/** Opens an object store on an S3 bucket; nothing is sent before the first call. */
export function createS3Store(settings: S3Settings): ObjectStore {
  const opened = openBucket(settings);
  const { client, bucket } = opened;
  let signer: Promise<Presign> | undefined;
  const presigner = () => (signer ??= openPresigner(client, settings));

  const head = (key: string) => headObject(client, bucket, key);
  const read: ObjectStore['read'] = (key, range) => readObject(client, bucket, key, range);
  const hash: ObjectStore['hash'] = async (key, onProgress) => {
    const object = await read(key);
    return object === null ? null : hashStream(object.stream, onProgress);
  };

  return {
    provider: 'aws-s3',
    multipartProvider: 'aws',
    partLimits: S3_PART_LIMITS,
    enforcesPartChecksums: true,
    ...s3Multipart(opened),
    signPart: async (key, storeUploadId, partNumber, terms) =>
      signPart(await presigner(), key, { storeUploadId, partNumber, ...terms }),
    signPut: async (key, terms) => signPut(await presigner(), key, terms),
    signGet: async (key, terms) => signGet(await presigner(), key, terms),
    async put(key, body, contentType) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentType: contentType }),
      );
    },
    head,
    read,
    hash,
    async copy(from, to, contentType) {
      const sha256 = await copyObject(client, bucket, { from, to, contentType });
      if (sha256 !== undefined) return sha256;
      return (await hash(to))?.sha256 ?? null;
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
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
  };
}

async function headObject(client: S3Client, bucket: string, key: string): Promise<ObjectHead | null> {
  const found = await unlessMissing(
    client.send(new HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' })),
  );
  if (found === null) return null;
  return {
    key,
    byteSize: found.ContentLength ?? 0,
    etag: found.ETag ?? null,
    sha256: wholeDigest(found.ChecksumSHA256, found.ChecksumType) ?? null,
    contentType: found.ContentType ?? null,
  };
}

async function readObject(
  client: S3Client,
  bucket: string,
  key: string,
  range?: { readonly start: number; readonly end?: number },
): Promise<{ stream: Readable; byteSize: number } | null> {
  const bytes = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end ?? ''}` };
  const found = await unlessMissing(
    client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...bytes })),
  );
  if (found === null) return null;
  if (!(found.Body instanceof Readable)) throw new Error(`The store answered no stream for ${key}.`);
  return { stream: found.Body, byteSize: found.ContentLength ?? 0 };
}

async function hashStream(
  stream: Readable,
  onProgress?: (bytes: number) => void,
): Promise<{ byteSize: number; sha256: string }> {
  const digest = createHash('sha256');
  let byteSize = 0;
  for await (const chunk of stream) {
    if (!(chunk instanceof Uint8Array)) throw new Error('The store streamed something that is not bytes.');
    digest.update(chunk);
    byteSize += chunk.byteLength;
    onProgress?.(byteSize);
  }
  return { byteSize, sha256: digest.digest('hex') };
}

/** The copy's digest; undefined when the store computed none, null when the source is missing. */
async function copyObject(
  client: S3Client,
  bucket: string,
  terms: { readonly from: string; readonly to: string; readonly contentType: string },
): Promise<string | null | undefined> {
  const command = new CopyObjectCommand({
    Bucket: bucket,
    Key: terms.to,
    CopySource: `${bucket}/${terms.from.split('/').map(encodeURIComponent).join('/')}`,
    MetadataDirective: 'REPLACE',
    ContentType: terms.contentType,
    ChecksumAlgorithm: 'SHA256',
  });
  const copied = await unlessMissing(client.send(command));
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
    throw new Error(`The store did not remove ${failed.Key ?? 'an object'}: ${failed.Code ?? 'unknown'}.`);
}

/** The signer of the bucket. The SDK tells its address, so that both agree on the style of it. */
async function openPresigner(client: S3Client, settings: S3Settings): Promise<Presign> {
  const example = new URL(
    await getSignedUrl(client, new GetObjectCommand({ Bucket: settings.storageBucket, Key: 'k' })),
  );
  const identity = {
    accessKeyId: settings.storageAccessKeyId,
    secretAccessKey: settings.storageSecretAccessKey,
    region: settings.storageRegion,
  };
  return createPresigner(identity, new URL(example.pathname.slice(0, -1), example));
}

/** Every header is bound into the signature: a PUT with another length, type or digest is refused by the store. */
function signPut(presign: Presign, key: string, terms: PutTerms): SignedRequest {
  const headers: Record<string, string> = { 'content-type': terms.contentType ?? DEFAULT_CONTENT_TYPE };
  if (terms.byteSize !== undefined) headers['content-length'] = String(terms.byteSize);
  if (terms.sha256 !== undefined)
    headers['x-amz-checksum-sha256'] = Buffer.from(terms.sha256, 'hex').toString('base64');
  const { expiresInSeconds } = terms;
  const query = { 'x-id': 'PutObject' };
  const url = presign({ method: 'PUT', key, query, headers, expiresInSeconds }, new Date());
  return { url, headers, expiresInSeconds };
}

/** A part of another length or, in checksum mode, with other bytes is refused by the store. */
function signPart(
  presign: Presign,
  key: string,
  part: PartTerms & { readonly storeUploadId: string; readonly partNumber: number },
): SignedRequest {
  const headers: Record<string, string> = {};
  if (part.byteSize !== undefined) headers['content-length'] = String(part.byteSize);
  if (part.checksumSha256 !== undefined) headers['x-amz-checksum-sha256'] = part.checksumSha256;
  const { expiresInSeconds } = part;
  const query = { partNumber: String(part.partNumber), uploadId: part.storeUploadId, 'x-id': 'UploadPart' };
  const url = presign({ method: 'PUT', key, query, headers, expiresInSeconds }, new Date());
  return { url, headers, expiresInSeconds };
}

function signGet(presign: Presign, key: string, terms: GetTerms): SignedRequest {
  const { expiresInSeconds } = terms;
  const query: Record<string, string> = { 'x-id': 'GetObject' };
  if (terms.contentType !== undefined) query['response-content-type'] = terms.contentType;
  if (terms.filename !== undefined) query['response-content-disposition'] = attachment(terms.filename);
  const url = presign({ method: 'GET', key, query, headers: {}, expiresInSeconds }, new Date());
  return { url, headers: {}, expiresInSeconds };
}

/** RFC 6266: the name in ASCII for old readers, and in UTF-8. */
function attachment(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const utf8 = encodeURIComponent(filename).replace(/['()*]/g, percentEncode);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${utf8}`;
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A digest of the whole object in hex; a composite of part digests is none. */
function wholeDigest(base64: string | undefined, type: string | undefined): string | undefined {
  if (base64 === undefined || type === 'COMPOSITE' || base64.includes('-')) return undefined;
  return Buffer.from(base64, 'base64').toString('hex');
}
