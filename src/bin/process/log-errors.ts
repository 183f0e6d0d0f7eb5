/**
 * What a log line tells of an error. Logs are read by more people than the data of customers, so a line never has what a
 * customer sent: neither the parameters of a statement, nor the row that a constraint refused, nor the name of a file.
 *
 * Of every error the line has its type, its message, its code, the constraint that it met, and where it was thrown; the
 * same of its causes. Every other property is left out. Three kinds of messages quote values, so they are cut: a message of
 * PostgreSQL about a value that it could not read, a message of the JSON parser, and a text that was made of a message.
 * The message of an `AppError` is written for the customer and names the customer's own things, so only its code is told.
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

/** The names of errors whose messages quote values; a worker of Temporal hands on the name of an activity's error. */
const QUOTING = new Set(['QueryFailedError', 'SyntaxError']);
/** The class of PostgreSQL's errors that are about values; messages of all other classes name tables and columns only. */
const ABOUT_VALUES = /^22/;
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** The end of a storage key is a name that the customer chose. */
const STORAGE_KEY =
  /(\baccounts\/[\w-]+\/(?:uploads|projects|jobs)\/[\w-]+(?:\/[0-9a-f]{8}-[0-9a-f-]{27})?)\/.*/s;
const DEEPEST_CAUSE = 5;
const MOST_ERRORS = 10;

/** What a log line tells of a value that was logged as an error. */
export function errorForLog(error: unknown, depth = 0): unknown {
  if (typeof error === 'string') return withoutNames(withoutQuotes(error));
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
  const isQuoting = isOfDatabase ? ABOUT_VALUES.test(code) : QUOTING.has(type);
  return withoutNames(isQuoting ? withoutQuotes(message) : message);
}

/** The text up to its first quotation mark: a quoted value may have such marks of its own. */
function withoutQuotes(text: string): string {
  return text.replace(/".*/s, '"…');
}

function withoutNames(text: string): string {
  return text.replace(STORAGE_KEY, '$1/…');
}

/** Where the error was thrown. A stack begins with the message, which may have several lines. */
function framesOf(stack: unknown): { readonly stack?: string } {
  if (typeof stack !== 'string') return {};
  const frames = stack.split('\n').filter((line) => /^\s+at .*(?::\d+|<anonymous>|native)\)?$/.test(line));
  return frames.length === 0 ? {} : { stack: frames.join('\n') };
}
