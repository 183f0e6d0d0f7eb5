/**
 * The values of session cookies: a random secret with a MAC, so that whatever this service has not made is refused without
 * a look-up. The database has the digest of the secret, so whoever reads the database can use no session.
 */
import { createHash, randomBytes } from 'node:crypto';

import { isRecord } from '../../domain/is-record.ts';
import { createSigner } from '../signed-claims.ts';

/** Makes and reads the values of session cookies. */
export interface SessionCookies {
  draw(): { readonly value: string; readonly sha256: string };
  /** The digest under which the session is stored; null for a value that this service has not made. */
  digestOf(value: string): string | null;
}

const SECRET_BYTES = 32;
const KIND = { prefix: 'ses1', purpose: 'dockyard session cookies', longest: 300 };

/** Makes the reader of one installation. */
export function createSessionCookies(secretHex: string): SessionCookies {
  const signer = createSigner(secretHex, KIND);
  return {
    draw() {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      return { value: signer.sign({ secret }), sha256: digest(secret) };
    },
    digestOf(value) {
      const claims = signer.read(value);
      return isRecord(claims) && typeof claims['secret'] === 'string' ? digest(claims['secret']) : null;
    },
  };
}

function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
