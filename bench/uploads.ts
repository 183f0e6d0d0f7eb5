/**
 * The store's side of uploads: signing the addresses of 1,000 parts, against the SDK's own signer, and reading a stored
 * object to its digest, against curl into sha256sum from the same gateway. An address of each signer is used before its
 * time counts.
 */
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import { createS3Store } from '../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../src/adapters/storage/storage.ts';
import { loadConfig } from '../src/config.ts';
import { hashObject } from '../src/services/stored-objects/digest.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface UploadsSize {
  readonly signRounds: number;
  readonly hashRounds: number;
  readonly objectBytes: number;
}

interface Place {
  readonly store: ObjectStore;
  readonly client: S3Client;
  readonly bucket: string;
  readonly key: string;
  readonly uploadId: string;
}

const MIB = 1024 ** 2;
const PART_BYTES = 32 * MIB;
const URLS = 1_000;
const EXPIRES_SECONDS = 3600;
const SIGN_GOAL = 0.2;
const HASH_GOAL = 0.8;
const SIGNED = new Set(['host', 'content-length', 'x-amz-checksum-sha256']);
const UNHOISTED = new Set(['x-amz-checksum-sha256']);
const run = promisify(execFile);

/** Measures the signing of parts and the verification of an object. */
export async function measureUploads(size: UploadsSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    // Only the store runs; no other process is needed.
    for (const name of ['api', 'control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    const config = loadConfig('cli', bench.stack.env);
    const store = createS3Store(config);
    const client = new S3Client({
      endpoint: config.storageEndpoint,
      region: config.storageRegion,
      forcePathStyle: true,
      credentials: {
        accessKeyId: config.storageAccessKeyId,
        secretAccessKey: config.storageSecretAccessKey,
      },
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
    const signing = await measureSigning(store, client, config.storageBucket, size.signRounds);
    return [signing, await measureHashing(store, size)];
  } finally {
    await bench.close();
  }
}

async function measureSigning(
  store: ObjectStore,
  client: S3Client,
  bucket: string,
  rounds: number,
): Promise<Row> {
  const key = 'bench/signing.bin';
  const uploadId = await store.createMultipart(key, {
    contentType: 'application/octet-stream',
    checksum: 'sha256',
  });
  const place: Place = { store, client, bucket, key, uploadId };
  const digests = Array.from({ length: URLS }, (_, index) => digestOf(partBytes(index + 1)));
  const times: Record<'ours' | 'sdk', number[]> = { ours: [], sdk: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const [sdk, ours] = [await mint(place, digests, signBySdk), await mint(place, digests, signByUs)];
    await accepted(sdk.urls, digests, round);
    await accepted(ours.urls, digests, round);
    // The first round warms both ways up and is not counted.
    if (round > 0) {
      times.sdk.push(sdk.ms);
      times.ours.push(ours.ms);
    }
  }
  await store.abortMultipart(key, uploadId);
  const [ours, sdk] = [spreadOf(times.ours), spreadOf(times.sdk)];
  const ratio = spreadOf(ratiosOf(times.ours, times.sdk));
  return {
    item: `${URLS} part URLs, against @aws-sdk/s3-request-presigner`,
    measured: describeSpread(ours, 'ms'),
    baseline: describeSpread(sdk, 'ms'),
    ratio: ratio.median.toFixed(2),
    goal: `≤ ${SIGN_GOAL}`,
    ok: ratio.median <= SIGN_GOAL,
    figures: { ours, sdk, ratio },
  };
}

type Sign = (place: Place, partNumber: number, byteSize: number, digest: string) => Promise<string>;

async function mint(
  place: Place,
  digests: readonly string[],
  sign: Sign,
): Promise<{ urls: string[]; ms: number }> {
  const startedAt = performance.now();
  const urls = await Promise.all(
    digests.map((digest, index) => sign(place, index + 1, partBytes(index + 1).byteLength, digest)),
  );
  return { urls, ms: performance.now() - startedAt };
}

async function signByUs(
  { store, key, uploadId }: Place,
  partNumber: number,
  byteSize: number,
  digest: string,
): Promise<string> {
  const terms = { expiresInSeconds: EXPIRES_SECONDS, byteSize, checksumSha256: digest };
  return (await store.signPart(key, uploadId, partNumber, terms)).url;
}

function signBySdk(
  { client, bucket, key, uploadId }: Place,
  partNumber: number,
  byteSize: number,
  digest: string,
): Promise<string> {
  const command = new UploadPartCommand({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
    PartNumber: partNumber,
    ContentLength: byteSize,
    ChecksumSHA256: digest,
  });
  return getSignedUrl(client, command, {
    expiresIn: EXPIRES_SECONDS,
    signableHeaders: SIGNED,
    unhoistableHeaders: UNHOISTED,
  });
}

/** Uses one address of a round: the gateway accepts its bytes and refuses others. */
async function accepted(urls: readonly string[], digests: readonly string[], round: number): Promise<void> {
  const index = (round * 37) % URLS;
  const bytes = partBytes(index + 1);
  const headers = { 'x-amz-checksum-sha256': digests[index] ?? '' };
  for (const [body, status] of [
    [bytes, 200],
    [Buffer.from(bytes.toString().toUpperCase()), 400],
  ] as const) {
    const answer = await fetch(urls[index] ?? '', { method: 'PUT', body, headers });
    await answer.arrayBuffer();
    if (answer.status !== status)
      throw new Error(`The store answered ${answer.status} where ${status} was due.`);
  }
}

function partBytes(partNumber: number): Buffer<ArrayBuffer> {
  return Buffer.from(`part ${partNumber}`);
}

async function measureHashing(store: ObjectStore, size: UploadsSize): Promise<Row> {
  const key = 'bench/verified.bin';
  const expected = await storeObject(store, key, size.objectBytes);
  const { url } = await store.signGet(key, { expiresInSeconds: EXPIRES_SECONDS });
  const rates: Record<'ours' | 'curl', number[]> = { ours: [], curl: [] };
  const mibs = size.objectBytes / MIB;
  for (let round = 0; round <= size.hashRounds; round += 1) {
    const curl = await timed(async () => {
      const { stdout } = await run('bash', ['-c', 'set -o pipefail; curl -fsS "$0" | sha256sum', url]);
      return stdout.slice(0, 64);
    });
    const ours = await timed(
      async () => (await hashObject(store, key, { byteSize: size.objectBytes }))?.sha256 ?? '',
    );
    if (curl.digest !== expected || ours.digest !== expected) throw new Error('A digest is wrong.');
    if (round === 0) continue;
    rates.curl.push(mibs / curl.seconds);
    rates.ours.push(mibs / ours.seconds);
  }
  await store.remove([key]);
  const [ours, curl] = [spreadOf(rates.ours), spreadOf(rates.curl)];
  const ratio = spreadOf(ratiosOf(rates.ours, rates.curl));
  return {
    item: `digest of a stored object of ${mibs} MiB, against curl | sha256sum`,
    measured: describeSpread(ours, 'MiB/s', 0),
    baseline: describeSpread(curl, 'MiB/s', 0),
    ratio: ratio.median.toFixed(2),
    goal: `≥ ${HASH_GOAL}`,
    ok: ratio.median >= HASH_GOAL,
    figures: { ours, curl, ratio },
  };
}

async function timed(work: () => Promise<string>): Promise<{ digest: string; seconds: number }> {
  const startedAt = performance.now();
  const digest = await work();
  return { digest, seconds: (performance.now() - startedAt) / 1000 };
}

/** Stores an object in parts and answers its digest. */
async function storeObject(store: ObjectStore, key: string, byteSize: number): Promise<string> {
  const uploadId = await store.createMultipart(key, {
    contentType: 'application/octet-stream',
    checksum: null,
  });
  const digest = createHash('sha256');
  for (let part = 1; (part - 1) * PART_BYTES < byteSize; part += 1) {
    const bytes = randomBytes(Math.min(PART_BYTES, byteSize - (part - 1) * PART_BYTES));
    digest.update(bytes);
    const { url } = await store.signPart(key, uploadId, part, { expiresInSeconds: EXPIRES_SECONDS });
    const answer = await fetch(url, { method: 'PUT', body: bytes });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The store answered ${answer.status} to a part.`);
  }
  const parts = (await store.listParts(key, uploadId)) ?? [];
  await store.completeMultipart(
    key,
    uploadId,
    parts.map((part) => ({ ...part, checksumSha256: null })),
  );
  return digest.digest('hex');
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
