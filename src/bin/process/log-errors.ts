/**
 * Errors in log lines. Logs are read by more people than the data of customers, so a line never has what a customer sent: neither
 * the parameters of a statement, nor the row that a constraint refused, nor the name of a file.
 *
 * Of every error the line has its type, its message, its code, the constraint that it met, and where it was thrown; the same of
 * its causes. Every other property is left out. Messages quote values: the path of a file that is not there, a value that a
 * schema refuses, the text that is no JSON. So every message ends where its first quotation begins. PostgreSQL's messages are
 * told whole unless they are about a value, because they name tables, columns and constraints. The messages of some errors of the
 * runtime have values without quotation marks, so only their first words are told. The message of an
 * `AppError` is written for the customer and names the customer's own things, so only its code is told.
 */
import { isRecord } from '../../domain/is-record.ts';

/** An error as log lines have it. */
export interface LoggedError {
  readonly type: string;
  readonly message?: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/** The errors of the runtime that have what they could not read in their messages, also without quotation marks. */
const UNREAD = new Set(['SyntaxError', 'RangeError', 'URIError']);
/** Beginning of the quotation of a value; the apostrophe of `can't` begins none. */
const QUOTATION = /(?:["`\u201c\u2018\u00ab]|(?<![A-Za-z])'|'(?![A-Za-z])).*/s;
/**
 * A value follows these words: `Invalid URL: …`, `getaddrinfo ENOTFOUND …`, `… with value …`, `Cannot convert … to a BigInt`,
 * `spawn …`.
 */
const VALUE_AFTER = /(\bInvalid [A-Za-z ]+:|\b(?:ENOTFOUND|EAI_AGAIN|with value|Cannot convert|spawn)\b).*/s;
const WORDS_OF_UNREAD = 2;
/** The class of PostgreSQL's errors that are about values; messages of all other classes name tables and columns only. */
const ABOUT_VALUES = /^22/;
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** The end of a storage key is a name that the customer chose. */
const STORAGE_KEY =
  /(\baccounts\/[\w-]+\/(?:uploads|projects|jobs)\/[\w-]+(?:\/[0-9a-f]{8}-[0-9a-f-]{27})?)\/.*/s;
const DEEPEST_CAUSE = 5;
const MOST_ERRORS = 10;

/** Writes a logged error as fields of a log line. */
export function errorForLog(error: unknown, depth = 0): unknown {
  if (typeof error === 'string') return withoutNames(withoutValues(error));
  if (!isErrorLike(error)) return isRecord(error) ? { type: 'object' } : error;
  const { code, constraint, cause, errors } = error;
  const type = typeOf(error);
  const isDeep = depth >= DEEPEST_CAUSE;
  return {
    type,
    ...(type === 'AppError' ? {} : { message: messageOf(error, type) }),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...framesOf(error.stack),
    ...(cause === undefined || isDeep ? {} : { cause: errorForLog(cause, depth + 1) }),
    ...(Array.isArray(errors) && !isDeep
      ? { errors: errors.slice(0, MOST_ERRORS).map((each: unknown) => errorForLog(each, depth + 1)) }
      : {}),
  } satisfies LoggedError;
}

type ErrorLike = Readonly<Record<string, unknown>> & { readonly message: string };

function isErrorLike(value: unknown): value is ErrorLike {
  return isRecord(value) && typeof value['message'] === 'string';
}

function typeOf(error: ErrorLike): string {
  const { name, type } = error;
  // A failure that came over Temporal has the name of the error as its type.
  if (name === 'ApplicationFailure' && typeof type === 'string') return type;
  return typeof name === 'string' ? name : 'Error';
}

function messageOf({ code, message }: ErrorLike, type: string): string {
  const isOfDatabase = typeof code === 'string' && SQL_STATE.test(code);
  if (isOfDatabase && !ABOUT_VALUES.test(code)) return withoutNames(message);
  const told = withoutNames(withoutValues(message));
  return UNREAD.has(type) ? told.split(' ').slice(0, WORDS_OF_UNREAD).join(' ') : told;
}

/** The text up to its first quotation: a quoted value may have quotation marks of its own. */
function withoutValues(text: string): string {
  return text.replace(VALUE_AFTER, '$1 …').replace(QUOTATION, '…');
}

function withoutNames(text: string): string {
  return text.replace(STORAGE_KEY, '$1/…');
}

/** Picks the frames out of a stack, which begins with the message, of one or several lines. */
function framesOf(stack: unknown): { readonly stack?: string } {
  if (typeof stack !== 'string') return {};
  const frames = stack.split('\n').filter((line) => /^\s+at .*(?::\d+|<anonymous>|native)\)?$/.test(line));
  return frames.length === 0 ? {} : { stack: frames.join('\n') };
}
