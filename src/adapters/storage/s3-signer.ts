/**
 * Presigned requests of an S3 bucket. Every header is bound into the signature: the store refuses a PUT with another
 * length, type, digest or encryption. A URL that is signed with temporary credentials ends with these credentials.
 */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

import { attachment } from './disposition.ts';
import { createPresigner } from './presign.ts';
import type { Presign } from './presign.ts';
import type { Bucket, S3Settings } from './s3-client.ts';
import type { GetTerms, ObjectStore, PartTerms, PutTerms, SignedRequest } from './storage.ts';

const DEFAULT_CONTENT_TYPE = 'application/octet-stream';

/** The signing half of an S3 store. */
export function s3Signer(
  store: Bucket,
  settings: S3Settings,
): Pick<ObjectStore, 'signPut' | 'signGet' | 'signPart'> {
  const presigner = presignerOf(store, settings);
  return {
    signPut: async (key, terms) => signPut(await presigner(), store, key, terms),
    signGet: async (key, terms) => signGet(await presigner(), key, terms),
    signPart: async (key, storeUploadId, partNumber, terms) =>
      signPart(await presigner(), key, { storeUploadId, partNumber, ...terms }),
  };
}

/** The signer for the present credentials; an instance role gets new credentials every few hours. */
function presignerOf({ client, bucket }: Bucket, settings: S3Settings): () => Promise<Presign> {
  let base: Promise<URL> | undefined;
  let current: { readonly id: string; readonly presign: Presign } | undefined;
  return async () => {
    base ??= addressOf(client, bucket);
    const [address, identity] = await Promise.all([base, client.config.credentials()]);
    const id = `${identity.accessKeyId} ${identity.sessionToken ?? ''}`;
    if (current?.id !== id) {
      const { accessKeyId, secretAccessKey, sessionToken } = identity;
      const signing = { accessKeyId, secretAccessKey, region: settings.storageRegion };
      const token = sessionToken === undefined ? {} : { sessionToken };
      current = { id, presign: createPresigner({ ...signing, ...token }, address) };
    }
    return current.presign;
  };
}

/** The address of the bucket's keys. The SDK computes the address, so that both signers agree on its style. */
async function addressOf(client: Bucket['client'], bucket: string): Promise<URL> {
  const example = new URL(await getSignedUrl(client, new GetObjectCommand({ Bucket: bucket, Key: 'k' })));
  return new URL(example.pathname.slice(0, -1), example);
}

function signPut(presign: Presign, { encryption }: Bucket, key: string, terms: PutTerms): SignedRequest {
  const headers: Record<string, string> = { 'content-type': terms.contentType ?? DEFAULT_CONTENT_TYPE };
  if (terms.byteSize !== undefined) headers['content-length'] = String(terms.byteSize);
  if (terms.sha256 !== undefined)
    headers['x-amz-checksum-sha256'] = Buffer.from(terms.sha256, 'hex').toString('base64');
  if (encryption.ServerSideEncryption !== undefined)
    headers['x-amz-server-side-encryption'] = encryption.ServerSideEncryption;
  if (encryption.SSEKMSKeyId !== undefined)
    headers['x-amz-server-side-encryption-aws-kms-key-id'] = encryption.SSEKMSKeyId;
  const { expiresInSeconds } = terms;
  const query = { 'x-id': 'PutObject' };
  const url = presign({ method: 'PUT', key, query, headers, expiresInSeconds }, new Date());
  return { url, headers, expiresInSeconds };
}

/** Signs a part: the store refuses a part of another length or, in checksum mode, with other bytes. */
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
