/**
 * Signing up and lost passwords. No answer to a sign-up, a sign-in or a lost password tells whether an address is known: status, body, the
 * number of argon2 computations and the earliest time of the answer are the same for known and unknown addresses, and mail
 * leaves after the answer. A person exists from the proof of the address on, which is the code of a mail; before the proof, a sign-up
 * is its code and nothing else, so nobody keeps the address of another.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { v7 as uuidv7 } from 'uuid';

import { UserEntity } from '../../../entities/accounts.ts';
import type { User } from '../../../entities/accounts.ts';
import type { Mail } from '../../adapters/mail/mail.ts';
import { AppError } from '../../domain/errors.ts';
import type {
  Credentials,
  ForgotPasswordRequest,
  ResetPasswordRequest,
  SignInRequest,
  VerifyRequest,
  Visit,
} from '../../domain/people.ts';
import { recordChange, visitor } from '../audit/index.ts';
import type { Row } from '../row.ts';
import { inTransaction, isUniqueViolation } from '../transaction.ts';
import type { Tx } from '../transaction.ts';
import { codeExpired, drawCode, passwordOfSignUp, takeCode, userOfCode } from './codes.ts';
import { confirmMail, knownMail, resetMail } from './mails.ts';
import type { Post, WithMail } from './post.ts';
import { tellRefusals } from './refused-sign-ins.ts';
import { endSessionsOf } from './sessions.ts';
import { signIn } from './sign-in.ts';
import type { SignedIn, SignInDependencies } from './sign-in.ts';
import { countTry } from './tries.ts';
import { findUser } from './users.ts';
import { requireUncommon } from './weak-passwords.ts';
import type { Answers, MailSentResponse } from '../../domain/answers.ts';

type VerifiedResponse = Answers['verifyAddress'];

/** People of one deployment. */
export interface People {
  /** @throws VALIDATION_ERROR for a common password, RATE_LIMITED. */
  signUp(visit: Visit, body: Credentials): Promise<WithMail<MailSentResponse>>;
  /** @throws CODE_EXPIRED, SIGN_IN_REFUSED. */
  verify(visit: Visit, body: VerifyRequest): Promise<VerifiedResponse>;
  /**
   * Ends the session of the cookie that the browser had.
   * @throws SIGN_IN_REFUSED, TOTP_REQUIRED, TOTP_REFUSED, RATE_LIMITED, ACCOUNT_SUSPENDED, ACCOUNT_CLOSED.
   */
  signIn(visit: Visit, body: SignInRequest, formerCookie: string | null): Promise<SignedIn>;
  /** @throws RATE_LIMITED. */
  forgotPassword(visit: Visit, body: ForgotPasswordRequest): Promise<WithMail<MailSentResponse>>;
  /** Sets the password and ends every session of the person. @throws VALIDATION_ERROR for a common password, CODE_EXPIRED. */
  resetPassword(visit: Visit, body: ResetPasswordRequest): Promise<void>;
}

export interface PeopleDependencies extends SignInDependencies {
  readonly post: Post;
  /** The address of the service, as mails name it. */
  readonly publicUrl: string;
}

/** No answer about an address comes earlier than after these milliseconds, so that a quick answer tells nothing; argon2 alone takes tens of milliseconds. */
const EARLIEST_MS = 400;
const SENT = {
  'sign-up': 'If the address can sign up, a mail with a code is on its way. Confirm the code, then sign in.',
  reset: 'If the address is known, a mail with a code for a new password is on its way.',
};

/** Makes the service. */
export function createPeople(deps: PeopleDependencies): People {
  const { db, passwords, post, publicUrl } = deps;
  const sent = (kind: keyof typeof SENT, mail: Mail | null): WithMail<MailSentResponse> => ({
    response: { message: SENT[kind] },
    afterwards: () => {
      if (mail !== null) post.send(mail);
    },
  });
  return {
    signUp: (visit, { email, password }) =>
      notBefore(EARLIEST_MS, async () => {
        await requireUncommon(password, email);
        await countTry(db, { kind: 'sign-up', network: visit.network, email });
        const passwordHash = await passwords.hash(password);
        return sent(
          'sign-up',
          await inTransaction(db, (tx) => signUpMail(tx, email, passwordHash, publicUrl)),
        );
      }),
    verify: (visit, body) => verifyAddress(deps, visit, body),
    signIn: (visit, body, formerCookie) =>
      notBefore(EARLIEST_MS, () =>
        tellRefusals(db, { email: body.email, visit }, () => signIn(deps, visit, body, formerCookie)),
      ),
    forgotPassword: (visit, { email }) =>
      notBefore(EARLIEST_MS, async () => {
        await countTry(db, { kind: 'forgot', network: visit.network, email });
        return sent('reset', await inTransaction(db, (tx) => forgotMail(tx, email, publicUrl)));
      }),
    async resetPassword(visit, { code, password }) {
      // No argon2 is computed for an unknown code; codes cannot be guessed, so the time of the answer may tell that the code is unknown.
      const userId = await userOfCode(db, code);
      if (userId === null) throw codeExpired();
      const { email } = await db
        .getRepository(UserEntity)
        .findOneOrFail({ select: { id: true, email: true }, where: { id: userId } });
      await requireUncommon(password, email);
      const passwordHash = await passwords.hash(password);
      await inTransaction(db, (tx) => setPassword(tx, visit, code, passwordHash));
    },
  };
}

/** Answers, or refuses, no earlier than after some milliseconds. */
async function notBefore<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  const floor = sleep(milliseconds);
  try {
    return await work();
  } finally {
    await floor;
  }
}

async function signUpMail(
  tx: Tx,
  email: string,
  passwordHash: string,
  publicUrl: string,
): Promise<Mail | null> {
  const user = await findUser(tx, email);
  if (user !== null) {
    const code = await drawCode(tx, {
      purpose: 'reset',
      email: user.email,
      userId: user.id,
      passwordHash: null,
    });
    return code === null ? null : knownMail(user.email, code, publicUrl);
  }
  const code = await drawCode(tx, { purpose: 'sign-up', email, userId: null, passwordHash });
  return code === null ? null : confirmMail(email, code, publicUrl);
}

async function forgotMail(tx: Tx, email: string, publicUrl: string): Promise<Mail | null> {
  const user = await findUser(tx, email);
  if (user === null) return null;
  const code = await drawCode(tx, {
    purpose: 'reset',
    email: user.email,
    userId: user.id,
    passwordHash: null,
  });
  return code === null ? null : resetMail(user.email, code, publicUrl);
}

/**
 * Makes the person of a sign-up. The password is asked for again, because the mail goes to whoever owns the address: the
 * owner of an address that a stranger has signed up with does not confirm the stranger's password by following the mail.
 * @throws CODE_EXPIRED, SIGN_IN_REFUSED.
 */
async function verifyAddress(
  { db, passwords }: PeopleDependencies,
  { address }: Visit,
  { code, password }: VerifyRequest,
): Promise<VerifiedResponse> {
  const stored = await passwordOfSignUp(db, code);
  if (stored === null) throw codeExpired();
  if (!(await passwords.matches(stored, password))) throw wrongPassword();
  return inTransaction(db, async (tx) => {
    const { email, password_hash: passwordHash } = await takeCode(tx, 'sign-up', code);
    const id = uuidv7();
    try {
      await tx.getRepository(UserEntity).insert({ id, email, passwordHash, emailVerifiedAt: () => 'now()' });
    } catch (error) {
      // Another sign-up with the address was confirmed first, so this sign-up comes too late.
      if (isUniqueViolation(error, 'users_email')) throw codeExpired();
      throw error;
    }
    await recordChange(tx, visitor(address, id), { accountId: null, action: 'user.verified', subject: id });
    return { email };
  });
}

function wrongPassword(): AppError {
  return new AppError(
    'SIGN_IN_REFUSED',
    'This is not the password of the sign-up. Send that one, or sign up again with another.',
  );
}

/** Sets a new password, uses up every code of the person and ends every session, in one transaction. */
async function setPassword(tx: Tx, { address }: Visit, code: string, passwordHash: string): Promise<void> {
  const userId = await userOfCode(tx, code);
  if (userId === null) throw codeExpired();
  // The lock comes before the codes, so that two resets of one person wait for each other and only one has a code left.
  const [user] = await tx.query<Row<User, 'accountId'>[]>(
    'select account_id from users where id = $1 for no key update',
    [userId],
  );
  if (user === undefined) throw codeExpired();
  await takeCode(tx, 'reset', code);
  await tx.query('update mail_codes set used_at = now() where user_id = $1 and used_at is null', [userId]);
  await tx.query(
    'update users set password_hash = $2, email_verified_at = coalesce(email_verified_at, now()) where id = $1',
    [userId, passwordHash],
  );
  const author = visitor(address, userId);
  const accountId = user.account_id;
  await recordChange(tx, author, { accountId, action: 'password.reset', subject: userId });
  await endSessionsOf(tx, { userId, accountId }, author);
}
