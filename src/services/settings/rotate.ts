/**
 * Changing the key of stored secrets. The new key stands first in `DOCKYARD_SETTINGS_KEY` and the old one behind it; then every
 * secret of the old key is sealed anew, some rows in each transaction; then the old key can go. A repeat goes on where the run
 * before it ended.
 */
import type { DataSource } from 'typeorm';

import type { LicenseServer } from '../../../entities/settings.ts';
import { recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import { totpPlace } from '../people/totp.ts';
import { sharePlace } from '../projects/rows.ts';
import { secretPlace } from '../webhooks/index.ts';
import type { Row } from '../row.ts';
import { inTransaction } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { placeOf } from './license-servers.ts';
import { openText, sealText } from '../secret-box.ts';
import type { SecretBox } from '../secret-box.ts';

/** Result of a rotation. */
export interface Rotation {
  /** The id of the key that seals now. */
  readonly keyId: string;
  /** How many secrets were sealed anew. */
  readonly resealed: number;
  /** How many secrets need a key that is not known, by the id of that key. */
  readonly unknown: Readonly<Record<string, number>>;
}

type SealedRow = Row<LicenseServer, 'id' | 'accountId' | 'secretKeyId' | 'sealedSecret'>;

interface SealedTextRow {
  readonly id: string;
  readonly sealed: string;
}

const ROWS_AT_ONCE = 100;

/** The places of the secrets that are kept as texts, by table; a row's id says where its secret belongs. */
const PLACES = {
  users: totpPlace,
  molecular_shares: sharePlace,
  webhook_secrets: secretPlace,
} as const;
type TextTable = keyof typeof PLACES;

const OF_OLD_KEYS: Readonly<Record<TextTable, string>> = {
  users: ofOldKeys('users', 'totp_secret'),
  molecular_shares: ofOldKeys('molecular_shares', 'sealed_token'),
  webhook_secrets: ofOldKeys('webhook_secrets', 'sealed_secret'),
};

const SEALED_ANEW: Readonly<Record<TextTable, string>> = {
  users: sealedAnew('users', 'totp_secret'),
  molecular_shares: sealedAnew('molecular_shares', 'sealed_token'),
  webhook_secrets: sealedAnew('webhook_secrets', 'sealed_secret'),
};

function ofOldKeys(table: TextTable, column: string): string {
  return `select id, ${column} as sealed from ${table} where split_part(${column}, '.', 1) = any($1) order by id limit $2 for no key update`;
}

function sealedAnew(table: TextTable, column: string): string {
  return `update ${table} t set ${column} = fresh.text from unnest($1::uuid[], $2::text[]) as fresh (id, text) where t.id = fresh.id`;
}

/** Seals every secret with the first key. */
export async function rotateSettings(db: DataSource, box: SecretBox, author: Author): Promise<Rotation> {
  let resealed = 0;
  for (const reseal of [
    resealServers,
    resealTexts('users'),
    resealTexts('molecular_shares'),
    resealTexts('webhook_secrets'),
  ])
    for (let more = true; more;) {
      const count = await inTransaction(db, (tx) => resealSome(tx, box, author, reseal));
      resealed += count;
      more = count > 0;
    }
  return { keyId: box.keyId, resealed, unknown: await countUnknown(db, box) };
}

/** Seals some secrets of the old keys with the first key, and answers how many. */
type Reseal = (tx: Tx, box: SecretBox, old: readonly string[]) => Promise<number>;

async function resealSome(tx: Tx, box: SecretBox, author: Author, reseal: Reseal): Promise<number> {
  const secrets = await reseal(
    tx,
    box,
    box.keyIds.filter((id) => id !== box.keyId),
  );
  if (secrets > 0)
    await recordChange(tx, author, {
      accountId: null,
      action: 'settings.rotated',
      subject: box.keyId,
      after: { secrets },
    });
  return secrets;
}

async function resealServers(tx: Tx, box: SecretBox, old: readonly string[]): Promise<number> {
  const rows = await tx.query<SealedRow[]>(
    `select id, account_id, secret_key_id, sealed_secret from license_servers where secret_key_id = any($1)
     order by id limit $2 for update`,
    [old, ROWS_AT_ONCE],
  );
  const sealed = rows.map((row) => ({ id: row.id, bytes: resealed(box, row) }));
  await tx.query(
    `update license_servers s set secret_key_id = $1, sealed_secret = fresh.bytes
     from unnest($2::uuid[], $3::bytea[]) as fresh (id, bytes) where s.id = fresh.id`,
    [box.keyId, sealed.map(({ id }) => id), sealed.map(({ bytes }) => bytes)],
  );
  return sealed.length;
}

/** Seals secrets that a table keeps as texts. */
function resealTexts(table: TextTable): Reseal {
  const place = PLACES[table];
  return async (tx, box, old) => {
    const rows = await tx.query<SealedTextRow[]>(OF_OLD_KEYS[table], [old, ROWS_AT_ONCE]);
    const texts = rows.map(({ id, sealed }) => sealText(box, place(id), openText(box, place(id), sealed)));
    await tx.query(SEALED_ANEW[table], [rows.map(({ id }) => id), texts]);
    return rows.length;
  };
}

function resealed(box: SecretBox, row: SealedRow): Buffer {
  const { id, account_id: accountId, secret_key_id: keyId, sealed_secret: bytes } = row;
  if (keyId === null || bytes === null) throw new Error(`The licence server ${id} has no secret`);
  const place = placeOf(accountId, id);
  return box.seal(place, box.open(place, { keyId, bytes })).bytes;
}

async function countUnknown(db: DataSource, box: SecretBox): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ readonly key_id: string; readonly secrets: number }[]>(
    `select key_id, count(*)::int as secrets from (
       select secret_key_id as key_id from license_servers union all select split_part(totp_secret, '.', 1) from users
       union all select split_part(sealed_token, '.', 1) from molecular_shares
       union all select split_part(sealed_secret, '.', 1) from webhook_secrets) sealed
     where not key_id = any($1) group by key_id order by key_id`,
    [box.keyIds],
  );
  return Object.fromEntries(rows.map(({ key_id: keyId, secrets }) => [keyId, secrets]));
}
