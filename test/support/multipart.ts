/** A customer's side of a multipart upload over HTTP: bytes, parts and their digests. */
import { createHash } from 'node:crypto';

import type { Answer, CallOptions, TestApi } from './api.ts';
import { until } from './until.ts';

/** The smallest size that S3 allows for a part. */
export const PART = 5 * 1024 * 1024;

/** A part that was sent. */
export interface SentPart {
  readonly partNumber: number;
  readonly etag: string;
  readonly checksumSha256?: string;
}

/** Bytes that differ from part to part. */
export function bytesOf(size: number, seed = 7): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let value = seed;
  for (let at = 0; at < size; at += 4096) {
    value = (value * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes.fill(value & 0xff, at, Math.min(size, at + 4096));
  }
  return bytes;
}

/** SHA-256 in base64. */
export function base64Sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** Calls about uploads with one key. */
export function multipartClient({ call }: Pick<TestApi, 'call'>, key: string) {
  const init = (body: object = {}, options?: CallOptions): Promise<Answer> =>
    call(
      key,
      'POST',
      'uploads',
      { filename: 'scene.glb', contentType: 'model/gltf-binary', size: PART + 10, ...body },
      options,
    );
  const client = {
    init,
    status: (uploadId: string) => call(key, 'GET', `uploads/${uploadId}`),
    urls: (uploadId: string, parts: readonly object[]) =>
      call(key, 'POST', `uploads/${uploadId}/parts`, { parts }),
    complete: (uploadId: string, parts: readonly object[], more: object = {}, options?: CallOptions) =>
      call(key, 'POST', `uploads/${uploadId}/complete`, { parts, ...more }, options),
    abort: (uploadId: string) => call(key, 'DELETE', `uploads/${uploadId}`),
    list: (query = '') => call(key, 'GET', `uploads${query}`),

    /** Sends the parts of a file, with digests where the upload asks for them. */
    async send(upload: Answer['body'], bytes: Buffer, only?: readonly number[]): Promise<SentPart[]> {
      const { uploadId, partSize, partCount, checksumAlgorithm } = upload;
      const all = Array.from({ length: partCount }, (_, index) => index + 1);
      const wanted = all.filter((partNumber) => only?.includes(partNumber) ?? true);
      const slice = (partNumber: number): Buffer =>
        bytes.subarray((partNumber - 1) * partSize, partNumber * partSize);
      const asked = wanted.map((partNumber) => ({
        partNumber,
        ...(checksumAlgorithm === 'sha256' ? { checksumSha256: base64Sha256(slice(partNumber)) } : {}),
      }));
      const minted = await client.urls(uploadId, asked);
      if (minted.status !== 200) throw new Error(`part URLs answered ${minted.status}`);
      const sent: SentPart[] = [];
      for (const [index, { partNumber, url, headers }] of minted.body.parts.entries()) {
        const put = await fetch(url, { method: 'PUT', body: slice(partNumber), headers });
        if (put.status !== 200)
          throw new Error(`part ${partNumber} answered ${put.status}: ${await put.text()}`);
        sent.push({ ...asked[index], partNumber, etag: put.headers.get('etag') ?? '' });
      }
      return sent;
    },

    /** Starts, sends and completes a file; answers the completion. */
    async store(body: object, bytes: Buffer, more: object = {}): Promise<Answer> {
      const { status, body: upload } = await init({ size: bytes.byteLength, ...body });
      if (status !== 201) throw new Error(`the init answered ${status}`);
      return client.complete(upload.uploadId, await client.send(upload, bytes), more);
    },
  };
  return client;
}

/** The calls of `multipartClient`. */
export type MultipartClient = ReturnType<typeof multipartClient>;

/** The keys and the open multipart uploads that an account has in the store. */
export async function stored(api: Pick<TestApi, 'store'>, accountId: string): Promise<string[]> {
  const found: string[] = [];
  for await (const page of api.store.list(`accounts/${accountId}/`))
    found.push(...page.map(({ key }) => key));
  for await (const page of api.store.listMultiparts(`accounts/${accountId}/`)) {
    found.push(...page.map(({ key, storeUploadId }) => `${key}?uploadId=${storeUploadId}`));
  }
  return found.sort();
}

/** Waits until an upload's row is in a state. */
export async function reachesState(api: Pick<TestApi, 'db'>, uploadId: string, state: string): Promise<void> {
  await until(`upload ${uploadId} is ${state}`, async () => {
    const [row] = await api.db.query<{ state: string }[]>('select state from uploads where id = $1', [
      uploadId,
    ]);
    return row?.state === state;
  });
}
