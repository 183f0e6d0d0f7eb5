/**
 * Multipart uploads on S3. The store itself refuses a part whose length or, in checksum mode, SHA-256 is not the one
 * that the URL binds. A completion may be repeated: where the upload is gone and its object exists, the upload was
 * completed.
 */
import { createHash } from 'node:crypto';

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ListMultipartUploadsCommandOutput } from '@aws-sdk/client-s3';

import type { Bucket } from './s3-client.ts';
import { LOOK, sending, STORES_WORK, unlessMissing } from './s3-client.ts';
import { MultipartMissingError, PartMismatchError } from './storage.ts';
import type { NamedPart, ObjectStore, OpenMultipart, StoredPart } from './storage.ts';

const MIB = 1024 ** 2;

/** Limits of S3 for a multipart upload. */
export const S3_PART_LIMITS = { minBytes: 5 * MIB, maxBytes: 5 * 1024 * MIB, maxParts: 10_000 } as const;

const MISMATCHES = new Set(['InvalidPart', 'InvalidPartOrder', 'BadDigest', 'EntityTooSmall']);

type Multipart = Pick<
  ObjectStore,
  'createMultipart' | 'putPart' | 'listParts' | 'completeMultipart' | 'abortMultipart' | 'listMultiparts'
>;

/** The multipart half of an S3 store, but for the signing of parts. */
export function s3Multipart(store: Bucket): Multipart {
  return {
    createMultipart: (key, terms) => createMultipart(store, key, terms),
    putPart: (key, storeUploadId, partNumber, bytes) =>
      putPart(store, key, { storeUploadId, partNumber, bytes }),
    listParts: (key, storeUploadId) => listParts(store, key, storeUploadId),
    completeMultipart: (key, storeUploadId, parts) => completeMultipart(store, key, storeUploadId, parts),
    async abortMultipart(key, storeUploadId) {
      await unlessMissing(
        store.client.send(
          new AbortMultipartUploadCommand({ Bucket: store.bucket, Key: key, UploadId: storeUploadId }),
        ),
      );
    },
    listMultiparts: (prefix) => listMultiparts(store, prefix),
  };
}

async function createMultipart(
  { client, bucket, encryption }: Bucket,
  key: string,
  terms: { readonly contentType: string; readonly checksum: 'sha256' | null },
): Promise<string> {
  const created = await client.send(
    new CreateMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      ContentType: terms.contentType,
      ...encryption,
      ...(terms.checksum === null ? {} : { ChecksumAlgorithm: 'SHA256', ChecksumType: 'COMPOSITE' }),
    }),
  );
  if (created.UploadId === undefined) throw new Error('The store began an upload and named no id.');
  return created.UploadId;
}

async function putPart(
  { client, bucket }: Bucket,
  key: string,
  part: { readonly storeUploadId: string; readonly partNumber: number; readonly bytes: Uint8Array },
): Promise<NamedPart> {
  const { storeUploadId, partNumber, bytes } = part;
  const checksumSha256 = createHash('sha256').update(bytes).digest('base64');
  const stored = await client.send(
    new UploadPartCommand({
      Bucket: bucket,
      Key: key,
      UploadId: storeUploadId,
      PartNumber: partNumber,
      Body: bytes,
      ContentLength: bytes.byteLength,
      ChecksumSHA256: checksumSha256,
    }),
    sending(bytes.byteLength),
  );
  return { partNumber, etag: stored.ETag ?? null, checksumSha256 };
}

async function listParts(
  { client, bucket }: Bucket,
  key: string,
  storeUploadId: string,
): Promise<readonly StoredPart[] | null> {
  const parts: StoredPart[] = [];
  // Pages are read by hand: the SDK's paginator follows the next marker even where the store says that there are no
  // more pages.
  for (let marker: string | undefined; ;) {
    const terms = { Bucket: bucket, Key: key, UploadId: storeUploadId, PartNumberMarker: marker };
    const page = await unlessMissing(client.send(new ListPartsCommand(terms), LOOK));
    if (page === null) return null;
    for (const part of page.Parts ?? []) {
      parts.push({
        partNumber: part.PartNumber ?? 0,
        etag: part.ETag ?? null,
        byteSize: part.Size ?? 0,
        checksumSha256: part.ChecksumSHA256 ?? null,
      });
    }
    if (page.IsTruncated !== true || page.NextPartNumberMarker === undefined) break;
    marker = page.NextPartNumberMarker;
  }
  return parts.sort((a, b) => a.partNumber - b.partNumber);
}

async function completeMultipart(
  store: Bucket,
  key: string,
  storeUploadId: string,
  parts: readonly NamedPart[],
): Promise<{ etag: string | null }> {
  const { client, bucket } = store;
  const named = await withEtags(store, key, storeUploadId, parts);
  if (named === null) return completedBefore(store, key);
  const command = new CompleteMultipartUploadCommand({
    Bucket: bucket,
    Key: key,
    UploadId: storeUploadId,
    MultipartUpload: {
      Parts: named.map(({ partNumber, etag, checksumSha256 }) => ({
        PartNumber: partNumber,
        ETag: etag ?? undefined,
        ...(checksumSha256 === null ? {} : { ChecksumSHA256: checksumSha256 }),
      })),
    },
  });
  try {
    const done = await client.send(command, STORES_WORK);
    return { etag: done.ETag ?? null };
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    if (error.name === 'NoSuchUpload') return completedBefore(store, key);
    if (!MISMATCHES.has(error.name)) throw error;
    throw mismatch(parts, (await listParts(store, key, storeUploadId)) ?? [], error.name);
  }
}

/**
 * Adds missing ETags from the store's list, because a sender may leave ETags out and S3 demands them. An ETag that the
 * sender gave is sent on, for the store to compare. Answers null when there is no such upload.
 */
async function withEtags(
  store: Bucket,
  key: string,
  storeUploadId: string,
  parts: readonly NamedPart[],
): Promise<readonly NamedPart[] | null> {
  if (parts.every((part) => part.etag !== null)) return parts;
  const stored = await listParts(store, key, storeUploadId);
  if (stored === null) return null;
  const byNumber = new Map(stored.map((part) => [part.partNumber, part.etag]));
  return parts.map((part) => ({ ...part, etag: part.etag ?? byNumber.get(part.partNumber) ?? '"missing"' }));
}

async function completedBefore({ client, bucket }: Bucket, key: string): Promise<{ etag: string | null }> {
  const found = await unlessMissing(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }), LOOK));
  if (found === null) throw new MultipartMissingError('The store knows no such multipart upload.');
  return { etag: found.ETag ?? null };
}

/** S3 says that some part is wrong but not which one, so the parts are compared here. */
function mismatch(
  named: readonly NamedPart[],
  stored: readonly StoredPart[],
  code: string,
): PartMismatchError {
  const byNumber = new Map(stored.map((part) => [part.partNumber, part]));
  const faults = named.flatMap((part) => {
    const [fault, weight] = faultOf(part, byNumber.get(part.partNumber), part === named.at(-1));
    return weight === 0 ? [] : [{ partNumber: part.partNumber, fault, weight }];
  });
  const [worst] = faults.sort((a, b) => b.weight - a.weight);
  if (worst === undefined) return new PartMismatchError(null, `The store refused the parts: ${code}.`);
  return new PartMismatchError(worst.partNumber, `Part ${worst.partNumber} ${worst.fault}.`);
}

/** Finds the fault of a part, and how much it explains; 0 when the part is right. */
function faultOf(part: NamedPart, held: StoredPart | undefined, isLast: boolean): readonly [string, number] {
  if (held === undefined) return ['is not stored', 3];
  if (part.etag !== null && bare(part.etag) !== bare(held.etag ?? ''))
    return ['is stored with another etag', 2];
  if (part.checksumSha256 !== null && part.checksumSha256 !== held.checksumSha256)
    return ['is stored with another SHA-256', 2];
  if (!isLast && held.byteSize < S3_PART_LIMITS.minBytes)
    return ['is too small to be followed by another', 1];
  return ['', 0];
}

function bare(etag: string): string {
  return etag.replaceAll('"', '');
}

async function* listMultiparts(store: Bucket, prefix: string): AsyncGenerator<readonly OpenMultipart[]> {
  let after: UploadMarker = {};
  for (;;) {
    const page = await uploadsAfter(store, prefix, after);
    yield (page.Uploads ?? []).map((upload) => ({
      key: upload.Key ?? '',
      storeUploadId: upload.UploadId ?? '',
      startedAt: upload.Initiated ?? new Date(0),
    }));
    if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return;
    after = { KeyMarker: page.NextKeyMarker };
    if (page.NextUploadIdMarker !== undefined) after.UploadIdMarker = page.NextUploadIdMarker;
  }
}

interface UploadMarker {
  KeyMarker?: string;
  UploadIdMarker?: string;
}

/**
 * A page of open uploads. versitygw refuses the upload id that it gave as a marker, so the next key serves as the
 * marker.
 */
async function uploadsAfter(
  { client, bucket }: Bucket,
  prefix: string,
  { KeyMarker, UploadIdMarker }: UploadMarker,
): Promise<ListMultipartUploadsCommandOutput> {
  const terms = { Bucket: bucket, Prefix: prefix, KeyMarker };
  try {
    return await client.send(new ListMultipartUploadsCommand({ ...terms, UploadIdMarker }));
  } catch (error) {
    if (UploadIdMarker === undefined || !(error instanceof S3ServiceException)) throw error;
    if (error.name !== 'InvalidArgument') throw error;
    return client.send(new ListMultipartUploadsCommand(terms));
  }
}
