/**
 * The keys of receipts. The setting names private keys: the first signs, and the public parts of all are published. A public key
 * is kept for ever once it was published, so a key may leave the setting and what it has signed can still be proven. A key id
 * stands for one key: a process whose key id is known with another public key does not start.
 */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { DataSource } from 'typeorm';

import { StoredReceiptKeyEntity } from '../../../entities/receipts.ts';
import type { StoredReceiptKey } from '../../../entities/receipts.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Answers } from '../../domain/answers.ts';

type ReceiptKey = Answers['listReceiptKeys']['keys'][number];
type ReceiptKeyList = Pick<Answers['listReceiptKeys'], 'keys'>;

/** The private keys of an installation. */
export interface ReceiptSigner {
  /** The id of the key that signs. */
  readonly keyId: string;
  readonly publicKeys: readonly Pick<StoredReceiptKey, 'keyId' | 'publicKey'>[];
  /** The signature of a text in base64url. */
  sign(text: string): string;
}

/** Bytes before the 32 of a private key of Ed25519 in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes the signer of the setting `id:key`, each key 64 hex characters, apart by commas; null without a key. @throws Error when an id is there twice. */
export function createReceiptSigner(setting: string): ReceiptSigner | null {
  if (setting === '') return null;
  const pairs = setting.split(',').map((pair) => {
    const [keyId = '', seed = ''] = pair.split(':');
    return { keyId, key: privateKeyOf(Buffer.from(seed, 'hex')) };
  });
  const [current] = pairs;
  if (current === undefined || new Set(pairs.map(({ keyId }) => keyId)).size < pairs.length)
    throw new Error('DOCKYARD_RECEIPT_KEYS names a key id twice.');
  return {
    keyId: current.keyId,
    publicKeys: pairs.map(({ keyId, key }) => ({ keyId, publicKey: publicKeyOf(key) })),
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), current.key).toString('base64url'),
  };
}

/** Publishes the public parts of the keys. @throws Error when a key id is known with another key. */
export async function publishReceiptKeys(db: DataSource, signer: ReceiptSigner): Promise<void> {
  const keys = db.getRepository(StoredReceiptKeyEntity);
  for (const key of signer.publicKeys) {
    await insertIfNew(db, StoredReceiptKeyEntity, key);
    const known = await keys.findOneByOrFail({ keyId: key.keyId });
    if (known.publicKey !== key.publicKey)
      throw new Error(
        `The key id ${key.keyId} of DOCKYARD_RECEIPT_KEYS is known with another key. Give the new key an id of its own.`,
      );
  }
}

/** The public keys, the newest first. */
export async function listReceiptKeys(db: DataSource): Promise<ReceiptKeyList> {
  const rows = await db
    .getRepository(StoredReceiptKeyEntity)
    .find({ order: { createdAt: 'DESC', keyId: 'ASC' } });
  return { keys: rows.map(presentKey) };
}

function presentKey({ keyId, publicKey }: StoredReceiptKey): ReceiptKey {
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: keyId, x: publicKey };
}

function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

function publicKeyOf(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  if (x === undefined) throw new Error('A key of DOCKYARD_RECEIPT_KEYS has no public part.');
  return x;
}
