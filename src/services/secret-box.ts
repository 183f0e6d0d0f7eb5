/**
 * Secrets of customers as they are stored: encrypted with AES-256-GCM under a key of the installation, each with a nonce of
 * its own and bound to the place where it belongs, so that a secret that was copied to another row does not open. Several keys
 * may be known: the first seals, each opens what it has sealed, and the id of the key stands beside what is sealed.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A secret as it is stored. */
export interface SealedSecret {
  readonly keyId: string;
  readonly bytes: Buffer;
}

/** Seals and opens secrets. */
export interface SecretBox {
  /** The id of the key that seals. */
  readonly keyId: string;
  /** The ids of all known keys, that of the one that seals first. */
  readonly keyIds: readonly string[];
  seal(place: string, secret: string): SealedSecret;
  /** @throws Error when the key is not known, or the bytes were not sealed for this place. */
  open(place: string, sealed: SealedSecret): string;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Makes the box of the setting: `id:key`, each key 64 hex characters, apart by commas. @throws Error when an id is there twice. */
export function createSecretBox(setting: string): SecretBox {
  const pairs = setting.split(',').map((pair): [string, Buffer] => {
    const [id = '', key = ''] = pair.split(':');
    return [id, Buffer.from(key, 'hex')];
  });
  const keys = new Map(pairs);
  const [current] = pairs;
  if (current === undefined || keys.size < pairs.length)
    throw new Error('DOCKYARD_SETTINGS_KEY names a key id twice.');
  const [keyId, key] = current;
  return {
    keyId,
    keyIds: [...keys.keys()],
    seal: (place, secret) => ({ keyId, bytes: seal(key, place, secret) }),
    open(place, sealed) {
      const known = keys.get(sealed.keyId);
      if (known === undefined)
        throw new Error(
          `The key ${sealed.keyId}, which has sealed this secret, is not in DOCKYARD_SETTINGS_KEY.`,
        );
      return open(known, place, sealed.bytes);
    },
  };
}

/** Seals a secret as one text, for a column of its own: the id of the key, a dot, and the bytes. */
export function sealText(box: SecretBox, place: string, secret: string): string {
  const { keyId, bytes } = box.seal(place, secret);
  return `${keyId}.${bytes.toString('base64url')}`;
}

/** Opens what `sealText` has sealed. @throws Error when the key is not known, or the text was not sealed for this place. */
export function openText(box: SecretBox, place: string, text: string): string {
  const [keyId = '', bytes = ''] = text.split('.');
  return box.open(place, { keyId, bytes: Buffer.from(bytes, 'base64url') });
}

/** The nonce, the encrypted text and the tag, in this order. */
function seal(key: Buffer, place: string, secret: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, encrypted, cipher.getAuthTag()]);
}

function open(key: Buffer, place: string, bytes: Buffer): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const encrypted = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
}
