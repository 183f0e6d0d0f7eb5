/**
 * Presigned S3 requests (AWS Signature Version 4, signature in the query). The SDK needs a quarter of a millisecond for
 * the same URL, most of it in its middleware, and a page of outputs needs a thousand URLs. A test compares the result
 * with the SDK's.
 */
import { createHash, createHmac } from 'node:crypto';

/** The credentials that sign. */
export interface SigningIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** Only temporary credentials have a session token. */
  readonly sessionToken?: string;
}

/** A request to sign. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  readonly query: Readonly<Record<string, string>>;
  /** The headers that the signature binds besides the host; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresInSeconds: number;
}

/** Signs a request as of a time. */
export type Presign = (request: UnsignedRequest, at: Date) => string;

const ALGORITHM = 'AWS4-HMAC-SHA256';
const PAYLOAD = 'UNSIGNED-PAYLOAD';
const LONGEST_SECONDS = 7 * 24 * 3600;

/** Makes the signer of one bucket; `base` is the address under which its keys lie, ending in a slash. */
export function createPresigner(identity: SigningIdentity, base: URL): Presign {
  const keyOfDay = cachedSigningKey(identity);
  const token = identity.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': identity.sessionToken };
  return ({ method, key, query, headers, expiresInSeconds }, at) => {
    if (expiresInSeconds > LONGEST_SECONDS) throw new Error('A presigned URL lives for at most seven days.');
    const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
    const day = time.slice(0, 8);
    const scope = `${day}/${identity.region}/s3/aws4_request`;
    const bound = Object.entries({ ...headers, host: base.host }).sort(byName);
    const names = bound.map(([name]) => name).join(';');
    const path = base.pathname + key.split('/').map(encode).join('/');
    const search = queryText({
      ...query,
      ...token,
      'X-Amz-Algorithm': ALGORITHM,
      'X-Amz-Content-Sha256': PAYLOAD,
      'X-Amz-Credential': `${identity.accessKeyId}/${scope}`,
      'X-Amz-Date': time,
      'X-Amz-Expires': String(expiresInSeconds),
      'X-Amz-SignedHeaders': names,
    });
    const lines = bound.map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, ' ')}\n`).join('');
    const canonical = [method, path, search, lines, names, PAYLOAD].join('\n');
    const signature = hmac(keyOfDay(day), [ALGORITHM, time, scope, sha256(canonical)].join('\n'));
    return `${base.origin}${path}?${search}&X-Amz-Signature=${signature.toString('hex')}`;
  };
}

/** The derived signing key is the same for a whole day. */
function cachedSigningKey({ secretAccessKey, region }: SigningIdentity): (day: string) => Buffer {
  let cached: { readonly day: string; readonly key: Buffer } | null = null;
  return (day) => {
    if (cached?.day === day) return cached.key;
    const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretAccessKey}`, day));
    cached = { day, key };
    return key;
  };
}

function queryText(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Percent-encoding of RFC 3986, which leaves fewer characters than encodeURIComponent. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
