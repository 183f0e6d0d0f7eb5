/**
 * Time-based codes (RFC 6238) as a second factor. A code is taken once: the step of the last code is kept, and no code of that
 * step or of an earlier step is taken again. Codes of the step before and the step after are taken, because clocks differ. Each
 * recovery code is taken once in the place of a code. Everything is decided under the lock of the person's row.
 */
import { createHash } from 'node:crypto';

import { Secret, TOTP } from 'otpauth';
import type { DataSource } from 'typeorm';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import { RecoveryCodeEntity } from '../../../entities/people.ts';
import type { SessionActor } from '../../domain/access.ts';
import { AppError } from '../../domain/errors.ts';
import { authorOf, recordChange } from '../audit/index.ts';
import type { Author } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { openText, sealText } from '../secret-box.ts';
import type { SecretBox } from '../secret-box.ts';
import { inTransaction } from '../transaction.ts';
import type { Queryable, Tx } from '../transaction.ts';
import { countTry, forgetTries } from './tries.ts';
import type { Answers, TotpState } from '../../domain/answers.ts';

type BegunTotp = Answers['beginSecondFactor'];
type EnabledTotp = Answers['confirmSecondFactor'];

export interface TotpDependencies {
  readonly db: DataSource;
  readonly box: SecretBox;
}

/** The columns of a person that a second factor is checked against. */
export type FactorRow = Row<User, 'id' | 'email' | 'totpSecret' | 'totpEnabledAt' | 'totpLastStep'>;

const ISSUER = 'Dockyard';
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** The place to which the secret of a person is sealed. */
export function totpPlace(userId: string): string {
  return `users/${userId}/totp`;
}

/** Reads the state of a person's second factor. */
export async function totpState(db: Queryable, { userId }: SessionActor): Promise<TotpState> {
  const [state] = await db.query<{ readonly enabled: boolean; readonly left: number }[]>(
    `select totp_enabled_at is not null as enabled,
       (select count(*)::int from recovery_codes r where r.user_id = u.id and r.used_at is null) as left
     from users u where u.id = $1`,
    [userId],
  );
  return { enabled: state?.enabled ?? false, recoveryCodesLeft: state?.left ?? 0 };
}

/** Draws a secret, which counts once the secret is confirmed; another call draws another secret. @throws TOTP_ENABLED. */
export function beginTotp({ db, box }: TotpDependencies, actor: SessionActor): Promise<BegunTotp> {
  return inTransaction(db, async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (user.totp_enabled_at !== null) throw totpEnabled();
    const secret = new Secret({ size: SECRET_BYTES }).base32;
    await tx
      .getRepository(UserEntity)
      .update({ id: user.id }, { totpSecret: sealText(box, totpPlace(user.id), secret) });
    return { secret, uri: generatorOf(secret, user.email).toString() };
  });
}

/** Makes the second factor count, and shows the recovery codes this once. @throws TOTP_ENABLED, TOTP_REFUSED, RATE_LIMITED. */
export function confirmTotp(
  deps: TotpDependencies,
  actor: SessionActor,
  code: string,
  address: string,
): Promise<EnabledTotp> {
  return counted(deps.db, actor, (tx, user) => {
    if (user.totp_enabled_at !== null) throw totpEnabled();
    return enable(tx, { user, code, box: deps.box, by: authorOf(actor, address), actor });
  });
}

/** Takes the second factor away, with a code of the factor or a recovery code; a repeat changes nothing. @throws TOTP_REFUSED, RATE_LIMITED. */
export function disableTotp(
  deps: TotpDependencies,
  actor: SessionActor,
  code: string,
  address: string,
): Promise<TotpState> {
  return counted(deps.db, actor, async (tx, user) => {
    if (user.totp_enabled_at !== null) {
      const by = authorOf(actor, address);
      await useFactor(tx, { user, code, box: deps.box, by, accountId: actor.accountId });
      await tx
        .getRepository(UserEntity)
        .update({ id: user.id }, { totpSecret: null, totpEnabledAt: null, totpLastStep: null });
      await tx.getRepository(RecoveryCodeEntity).delete({ userId: user.id });
      await recordChange(tx, by, { accountId: actor.accountId, action: 'totp.disabled', subject: user.id });
    }
    return { enabled: false, recoveryCodesLeft: 0 };
  });
}

/** A use of a second factor, and the author for the audit log. */
export interface FactorUse {
  readonly user: FactorRow;
  /** Six digits, or a recovery code; null where none was sent. */
  readonly code: string | null;
  readonly box: SecretBox;
  readonly by: Author;
  readonly accountId: string;
}

/**
 * Takes the second factor of a person whose row is locked, if the person has one.
 * @throws TOTP_REQUIRED without a code; TOTP_REFUSED when the code is wrong or was taken before.
 */
export async function useFactor(tx: Tx, { user, code, box, by, accountId }: FactorUse): Promise<void> {
  if (user.totp_enabled_at === null || user.totp_secret === null) return;
  if (code === null)
    throw new AppError(
      'TOTP_REQUIRED',
      'Send the present code of your authenticator as totp, or a recovery code.',
    );
  const plain = plainOf(code);
  if (/^\d{6}$/.test(plain)) {
    const step = stepOf(openText(box, totpPlace(user.id), user.totp_secret), user.email, plain);
    if (step === null || (user.totp_last_step !== null && step <= user.totp_last_step)) throw totpRefused();
    await tx.getRepository(UserEntity).update({ id: user.id }, { totpLastStep: step });
    return;
  }
  const used = await tx.query<unknown[]>(
    `with used as (update recovery_codes set used_at = now() where user_id = $1 and code_sha256 = $2 and used_at is null
       returning user_id)
     select user_id from used`,
    [user.id, digestOf(plain)],
  );
  if (used.length === 0) throw totpRefused();
  await recordChange(tx, by, { accountId, action: 'recovery-code.used', subject: user.id });
}

/** Counts a try of a code from any network, because whoever tries a code has the password already. @throws RATE_LIMITED. */
export function countFactorTry(db: DataSource, email: string): Promise<void> {
  return countTry(db, factorTry(email));
}

/** Forgets the tries of codes, because one of the codes was right. */
export function forgetFactorTries(tx: Tx, email: string): Promise<void> {
  return forgetTries(tx, factorTry(email));
}

function factorTry(email: string): Parameters<typeof countTry>[1] {
  return { kind: 'totp', network: 'any', email };
}

/** Runs what a code decides, under the lock of the person's row; a wrong code counts although it changes nothing. */
async function counted<T>(
  db: DataSource,
  { userId }: SessionActor,
  work: (tx: Tx, user: FactorRow) => Promise<T>,
): Promise<T> {
  const { email } = await db.getRepository(UserEntity).findOneOrFail({
    select: { id: true, email: true },
    where: { id: userId },
  });
  await countFactorTry(db, email);
  return inTransaction(db, async (tx) => {
    const done = await work(tx, await lockUser(tx, userId));
    await forgetFactorTries(tx, email);
    return done;
  });
}

async function enable(
  tx: Tx,
  {
    user,
    code,
    box,
    by,
    actor,
  }: Omit<FactorUse, 'code' | 'accountId'> & { readonly code: string; readonly actor: SessionActor },
): Promise<EnabledTotp> {
  const step =
    user.totp_secret === null
      ? null
      : stepOf(openText(box, totpPlace(user.id), user.totp_secret), user.email, plainOf(code));
  if (step === null) throw totpRefused();
  await tx
    .getRepository(UserEntity)
    .update({ id: user.id }, { totpEnabledAt: () => 'now()', totpLastStep: step });
  const recoveryCodes = Array.from({ length: RECOVERY_CODES }, drawRecoveryCode);
  await tx.getRepository(RecoveryCodeEntity).delete({ userId: user.id });
  await tx
    .getRepository(RecoveryCodeEntity)
    .insert(recoveryCodes.map((one) => ({ userId: user.id, codeSha256: digestOf(plainOf(one)) })));
  await recordChange(tx, by, { accountId: actor.accountId, action: 'totp.enabled', subject: user.id });
  return { recoveryCodes };
}

async function lockUser(tx: Tx, userId: string): Promise<FactorRow> {
  const [user] = await tx.query<FactorRow[]>(
    'select id, email, totp_secret, totp_enabled_at, totp_last_step from users where id = $1 for no key update',
    [userId],
  );
  if (user === undefined) throw new AppError('UNAUTHORIZED', 'You are not signed in any more.');
  return user;
}

function generatorOf(secret: string, email: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label: email,
    algorithm: 'SHA1',
    digits: 6,
    period: STEP_SECONDS,
    secret: Secret.fromBase32(secret),
  });
}

/** The step of a code, at most one away from the present step; null when the code is wrong. */
function stepOf(secret: string, email: string, code: string): number | null {
  const timestamp = Date.now();
  const delta = generatorOf(secret, email).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

/** Sixteen characters in fours, of 80 random bits. */
function drawRecoveryCode(): string {
  const text = new Secret({ size: RECOVERY_BYTES }).base32;
  return (text.toLowerCase().match(/.{4}/g) ?? []).join('-');
}

/** A code without what people type between its characters. */
function plainOf(code: string): string {
  return code.replaceAll(/[\s-]/g, '').toLowerCase();
}

function digestOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

function totpEnabled(): AppError {
  return new AppError('TOTP_ENABLED', 'You have a second factor already. Take it away first.');
}

function totpRefused(): AppError {
  return new AppError('TOTP_REFUSED', 'This code is wrong, or was taken before. Send the present one.');
}
