/**
 * Codes that are sent by mail: 256 random bits, known by digest only, used once, and at most ten an hour of a kind to one
 * address, so that whoever signs up with the address of another keeps no mail with a new password from that person.
 */
import { createHash, randomBytes } from 'node:crypto';

import type { MailCode } from '../../../entities/people.ts';
import { AppError } from '../../domain/errors.ts';
import type { Row } from '../row.ts';
import type { Queryable, Tx } from '../transaction.ts';

/** Purpose and person of a code. */
export type CodeDraft = Pick<MailCode, 'purpose' | 'email' | 'userId' | 'passwordHash'>;

/** A code that has been used. */
export type UsedCode = Row<MailCode, 'email' | 'userId' | 'passwordHash'>;

const CODE_BYTES = 32;
const CODES_PER_HOUR = 10;
const HOURS = { 'sign-up': 24, reset: 1 } as const;

/** Makes a code; null when the address got as many of the kind within an hour as it may. */
export async function drawCode(tx: Tx, draft: CodeDraft): Promise<string | null> {
  const code = randomBytes(CODE_BYTES).toString('base64url');
  // Codes of one address are counted one after the other.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('mail code ' || lower($1), 0))`, [
    draft.email,
  ]);
  const [made] = await tx.query<unknown[]>(
    `with made as (
       insert into mail_codes (secret_sha256, purpose, email, user_id, password_hash, expires_at)
       select $1, $2, $3, $4::uuid, $5, now() + make_interval(hours => $6)
       where (select count(*) from mail_codes where lower(email) = lower($3) and purpose = $2 and created_at > now() - interval '1 hour') < $7
       returning purpose)
     select purpose from made`,
    [
      digestOf(code),
      draft.purpose,
      draft.email,
      draft.userId,
      draft.passwordHash,
      HOURS[draft.purpose],
      CODES_PER_HOUR,
    ],
  );
  return made === undefined ? null : code;
}

/** The user of a code that can be used, without using the code; null when there is none. */
export async function userOfCode(db: Queryable, code: string): Promise<string | null> {
  const [found] = await db.query<Row<MailCode, 'userId'>[]>(
    'select user_id from mail_codes where secret_sha256 = $1 and used_at is null and expires_at > now()',
    [digestOf(code)],
  );
  return found?.user_id ?? null;
}

/** The digest of the password of a sign-up whose code can be used, without using the code; null when there is none. */
export async function passwordOfSignUp(db: Queryable, code: string): Promise<string | null> {
  const [found] = await db.query<Row<MailCode, 'passwordHash'>[]>(
    `select password_hash from mail_codes where secret_sha256 = $1 and purpose = 'sign-up' and used_at is null and expires_at > now()`,
    [digestOf(code)],
  );
  return found?.password_hash ?? null;
}

/** Uses a code, once. @throws CODE_EXPIRED. */
export async function takeCode(tx: Tx, purpose: MailCode['purpose'], code: string): Promise<UsedCode> {
  const [used] = await tx.query<UsedCode[]>(
    `with used as (update mail_codes set used_at = now()
       where secret_sha256 = $1 and purpose = $2 and used_at is null and expires_at > now()
       returning email, user_id, password_hash)
     select email, user_id, password_hash from used`,
    [digestOf(code), purpose],
  );
  if (used === undefined) throw codeExpired();
  return used;
}

/** The refusal of a code that is unknown, used or too old; the refusal is the same for all three. */
export function codeExpired(): AppError {
  return new AppError('CODE_EXPIRED', 'This code is unknown, was used, or is too old. Ask for another one.');
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
