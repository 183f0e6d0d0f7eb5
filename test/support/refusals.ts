/** The errors of calls that should be refused. */
import { ClientError } from '../../src/client/index.ts';
import { AppError } from '../../src/domain/errors.ts';

/** Catches the error that a call throws; null when the call was accepted. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

/** The code of a refusal, or `accepted`. Any other error is thrown on, because it is no refusal. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** The error of the client from a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('The call succeeded.');
}
