/** What calls that should be refused were refused with. */
import { ClientError } from '../../src/client/index.ts';
import { AppError } from '../../src/domain/errors.ts';

/** What a call threw; null when it was accepted. */
export async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

/** The code of a refusal, or `accepted`. Any other error is thrown on: it is none. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'accepted';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** The client's error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ClientError) return error;
    throw error;
  }
  throw new Error('The call succeeded.');
}
