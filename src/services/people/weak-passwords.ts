/**
 * Passwords that are tried first by whoever tries many: the commonest ones, which are those of zxcvbn-ts (49,000 in the order of their
 * frequency, MIT), and the own address. Passwords that were set before stay as they are.
 */
import { AppError } from '../../domain/errors.ts';
import { PASSWORD_CHARACTERS } from '../../domain/people.ts';

let common: Promise<ReadonlySet<string>> | null = null;

/** Refuses a password that is common, or the address or its name, without regard to case. @throws VALIDATION_ERROR. */
export async function requireUncommon(password: string, email: string): Promise<void> {
  const plain = password.normalize('NFKC').toLowerCase();
  const address = email.toLowerCase();
  if (plain === address || plain === address.split('@')[0])
    throw weak('is your own address. Choose another password.');
  common ??= readCommon();
  if ((await common).has(plain))
    throw weak('is one of the commonest passwords, which are tried first. Choose another one.');
}

/** Reads the list when the first password is set, because most processes never set one, and keeps what is long enough to be one here. */
async function readCommon(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= PASSWORD_CHARACTERS.min));
}

function weak(why: string): AppError {
  return new AppError('VALIDATION_ERROR', `body.password: ${why}`);
}
