/** The Idempotency-Key header and the keys that a body may carry. */
import { AppError } from '../../src/domain/errors.ts';
import { validationError } from './validation.ts';

/** The whole header as the document shows it: bare, or a quoted string of structured fields. */
export const IDEMPOTENCY_KEY_HEADER =
  /^(?:[\x21\x23-\x7e][\x20-\x7e]{6,253}[\x21-\x7e]|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){8,255}")$/;

const QUOTED = /^"((?:[^"\\]|\\["\\])*)"$/;
const PRINTABLE = /^[\x20-\x7e]*$/;
const MIN_CHARACTERS = 8;
const MAX_CHARACTERS = 255;

/**
 * Reads the header, quoted (a structured-field string) or bare. Null when the header was not sent. An empty header is
 * refused, because its client means to repeat safely and would not.
 * @throws VALIDATION_ERROR.
 */
export function parseIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  const sent = header.trim();
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

/** The one idempotency key of a request; all keys that were sent must be the same. @throws IDEMPOTENCY_KEY_MISMATCH. */
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
