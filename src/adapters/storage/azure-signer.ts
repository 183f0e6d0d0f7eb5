/**
 * Presigned requests of an Azure container: SAS URLs of one blob each. A SAS binds blob, permissions and time, but no
 * headers: Azure enforces neither length nor digest of a PUT, and the URL of one part may store any part of its blob.
 * So the service compares what was stored with what was announced afterwards.
 */
import { BlobSASPermissions, generateBlobSASQueryParameters, SASProtocol } from '@azure/storage-blob';
import type { BlobSASSignatureValues } from '@azure/storage-blob';

import { blobNameOf } from './azure-client.ts';
import type { Container } from './azure-client.ts';
import { attachment } from './disposition.ts';
import type { ObjectStore } from './storage.ts';

const DEFAULT_CONTENT_TYPE = 'application/octet-stream';
const LONGEST_SECONDS = 7 * 24 * 3600;
const BLOCK_DIGITS = 6;
const BLOCK = /^part-(\d{6})$/;

type Grant = Pick<BlobSASSignatureValues, 'contentDisposition' | 'contentType'>;

/** The signing half of an Azure store. */
export function azureSigner(container: Container): Pick<ObjectStore, 'signPut' | 'signGet' | 'signPart'> {
  return {
    signPut: (key, { expiresInSeconds, contentType }) =>
      settle(() => ({
        url: signBlob(container, key, 'cw', expiresInSeconds),
        headers: { 'content-type': contentType ?? DEFAULT_CONTENT_TYPE, 'x-ms-blob-type': 'BlockBlob' },
        expiresInSeconds,
      })),
    signGet: (key, { expiresInSeconds, filename, contentType }) =>
      settle(() => ({
        url: signBlob(container, key, 'r', expiresInSeconds, {
          ...(filename === undefined ? {} : { contentDisposition: attachment(filename) }),
          ...(contentType === undefined ? {} : { contentType }),
        }),
        headers: {},
        expiresInSeconds,
      })),
    signPart: (key, _storeUploadId, partNumber, { expiresInSeconds }) =>
      settle(() => {
        const url = signBlob(container, key, 'w', expiresInSeconds);
        const block = encodeURIComponent(blockIdOf(partNumber));
        return { url: `${url}&comp=block&blockid=${block}`, headers: {}, expiresInSeconds };
      }),
  };
}

/** The block id of a part; all block ids of a blob must have one length. */
export function blockIdOf(partNumber: number): string {
  return Buffer.from(`part-${String(partNumber).padStart(BLOCK_DIGITS, '0')}`).toString('base64');
}

/** The part number of a block; null for a block that this adapter did not name. */
export function partNumberOf(blockId: string): number | null {
  const [, digits] = BLOCK.exec(Buffer.from(blockId, 'base64').toString()) ?? [];
  return digits === undefined ? null : Number(digits);
}

function signBlob(
  { client, credential }: Container,
  key: string,
  permissions: string,
  expiresInSeconds: number,
  grant: Grant = {},
): string {
  if (expiresInSeconds > LONGEST_SECONDS) throw new Error('A presigned URL lives for at most seven days.');
  const blobName = blobNameOf(key);
  const { url } = client.getBlobClient(blobName);
  const signature = generateBlobSASQueryParameters(
    {
      containerName: client.containerName,
      blobName,
      permissions: BlobSASPermissions.parse(permissions),
      // In whole seconds, rounded up, so that the URL never ends early.
      expiresOn: new Date((Math.ceil(Date.now() / 1000) + expiresInSeconds) * 1000),
      protocol: url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
      ...grant,
    },
    credential,
  );
  return `${url}?${signature.toString()}`;
}

/** Turns an exception of the signing into a rejected promise, as a store that is asked over the network gives. */
function settle<T>(sign: () => T): Promise<T> {
  return new Promise((resolve) => resolve(sign()));
}
