/**
 * The object store as browsers reach it. A page sends and reads files under presigned addresses of the store, which is another
 * origin, so the store must let the origin of the service through (CORS). Whether it does is seen as a browser sees it: by a
 * preflight, which needs no permission and works with every kind of store.
 */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

import { authorities } from './certificates.ts';
import type { StoreSettings } from './open.ts';

type Place = Pick<
  StoreSettings,
  | 'storageProvider'
  | 'storageEndpoint'
  | 'storagePathStyle'
  | 'storageBucket'
  | 'storageContainer'
  | 'storageCaFile'
  | 'storageEncryption'
>;

const PREFLIGHT_MS = 1_000;

/** The origin of presigned addresses. */
export function uploadOriginOf(settings: Place): string {
  return addressOf(settings).origin;
}

/**
 * Whether pages of an origin may PUT files to the store; null when the store does not answer, of which its own probe tells.
 */
export async function letsThrough(settings: Place, origin: string): Promise<boolean | null> {
  const send = addressOf(settings).protocol === 'https:' ? requestHttps : requestHttp;
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': sentBy(settings),
  };
  return new Promise((resolve) => {
    const sent = send(
      addressOf(settings),
      {
        method: 'OPTIONS',
        headers,
        signal: AbortSignal.timeout(PREFLIGHT_MS),
        ...authorities(settings.storageCaFile),
      },
      (answer) => {
        answer.resume();
        const allowed = answer.headers['access-control-allow-origin'];
        resolve(allowed === origin || allowed === '*');
      },
    );
    sent.on('error', () => resolve(null));
    sent.end();
  });
}

/** Headers of a presigned PUT, as a browser asks for them. */
function sentBy({ storageProvider, storageEncryption = 'none' }: Place): string {
  if (storageProvider === 'azure') return 'content-type,x-ms-blob-type';
  const encryption = storageEncryption === 'none' ? [] : ['x-amz-server-side-encryption'];
  return ['content-type', 'x-amz-checksum-sha256', ...encryption].join(',');
}

/** An address below the bucket or the container, at which no object is. */
function addressOf(settings: Place): URL {
  const { storageProvider, storageEndpoint, storagePathStyle, storageBucket, storageContainer } = settings;
  const url = new URL(storageEndpoint);
  const folder = url.pathname.replace(/\/$/, '');
  if (storageProvider === 'azure') url.pathname = `${folder}/${storageContainer}/preflight`;
  else if (storagePathStyle) url.pathname = `${folder}/${storageBucket}/preflight`;
  else {
    url.hostname = `${storageBucket}.${url.hostname}`;
    url.pathname = `${folder}/preflight`;
  }
  return url;
}
