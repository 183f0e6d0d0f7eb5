/**
 * Presigned requests of an Azure container: SAS URLs of one blob each. A SAS binds blob, permissions and time, not
 * headers: neither length nor digest of a PUT is enforced, and the URL of one part may store any part of its blob.
 * What is stored is therefore held against what was announced afterwards.
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

/** The block of a part; the ids of a blob must be of one length. */
export function blockIdOf(partNumber: number): string {
  return Buffer.from(`part-${String(partNumber).padStart(BLOCK_DIGITS, '0')}`).toString('base64');
}

/** The part of a block; null for a block that is not one of ours. */
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
      // In whole seconds, never early.
      expiresOn: new Date((Math.ceil(Date.now() / 1000) + expiresInSeconds) * 1000),
      protocol: url.startsWith('https:') ? SASProtocol.Https : SASProtocol.HttpsAndHttp,
      ...grant,
    },
    credential,
  );
  return `${url}?${signature.toString()}`;
}

/** What fails while it is signed is a rejection, as with a store that is asked. */
function settle<T>(sign: () => T): Promise<T> {
  return new Promise((resolve) => resolve(sign()));
}
