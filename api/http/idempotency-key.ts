/** The Idempotency-Key header and the keys that a body may carry. */
import { AppError } from '../../src/domain/errors.ts';
import { validationError } from './validation.ts';

const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 255;

/**
 * Reads the header, quoted (a structured-field string) or bare. Null when it was not sent.
 * @throws VALIDATION_ERROR.
 */
export function parseIdempotencyKey(header: string): string | null {
  const sent = header.trim();
  if (sent === '') return null;
  const quoted = QUOTED.exec(sent)?.[1];
  if (quoted === undefined && sent.startsWith('"'))
    throw validationError('"Idempotency-Key" has an opening quote without its end');
  const key = quoted === undefined ? sent : quoted.replaceAll(/\\(["\\])/g, '$1');
  if (!PRINTABLE.test(key)) throw validationError('"Idempotency-Key" must be printable ASCII');
  if (key.length < MIN_CHARACTERS || key.length > MAX_CHARACTERS) {
    throw validationError(`"Idempotency-Key" must have ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`);
  }
  return key;
}

/** The one key of a request; keys that are present must agree. @throws IDEMPOTENCY_KEY_MISMATCH. */
export function mergeIdempotencyKeys(...keys: readonly (string | null | undefined)[]): string | null {
  const sent = new Set(keys.filter((key) => typeof key === 'string'));
  if (sent.size > 1) {
    throw new AppError(
      'IDEMPOTENCY_KEY_MISMATCH',
      'The Idempotency-Key header, idempotencyKey and dockingRequest.idempotencyKey must be equal where they are sent.',
    );
  }
  const [key] = sent;
  return key ?? null;
}
