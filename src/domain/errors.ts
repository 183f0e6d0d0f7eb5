/**
 * The one error type. The code of an error, from the service's table in `codes/errors.ts` or from a tool's table of
 * refusals, fixes the HTTP status and whether repeating the same call may help; nobody matches on message text.
 * `publicMessage` is the only text that a customer sees; the cause goes to the log.
 */
import type { ToolErrorCode, ToolRefusal } from './codes/code.ts';
import { ERROR_CODES } from './codes/errors.ts';
import type { ErrorCode } from './codes/errors.ts';

export type { ErrorCode } from './codes/errors.ts';

/** Whether a text is one of the service's codes. */
export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERROR_CODES, text);
}

/** Details of an error besides its code and its public message. */
export interface ErrorDetails {
  /** The inner error; the cause is logged and never shown. */
  readonly cause?: unknown;
  /** Sent as Retry-After. */
  readonly retryAfterSeconds?: number;
  /** The present version of the resource; shown with VERSION_CONFLICT. */
  readonly currentVersion?: number;
}

/** The one error of Dockyard: a refusal or failure with a code and a text for the customer. */
export class AppError extends Error {
  readonly code: ErrorCode | ToolErrorCode;
  /** The HTTP status of the code. */
  readonly status: number;
  /** Whether repeating the same call later may succeed. */
  readonly retryable: boolean;
  readonly publicMessage: string;
  readonly retryAfterSeconds: number | null;
  readonly currentVersion: number | null;

  constructor(refusal: ErrorCode | ToolRefusal, publicMessage: string, details: ErrorDetails = {}) {
    super(publicMessage, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AppError';
    this.code = typeof refusal === 'string' ? refusal : refusal.code;
    const { status, retryable } = typeof refusal === 'string' ? ERROR_CODES[refusal] : refusal;
    this.status = status;
    this.retryable = retryable;
    this.publicMessage = publicMessage;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.currentVersion = details.currentVersion ?? null;
  }
}

/** The closed error body. */
export interface ErrorEnvelope {
  readonly error: string;
  readonly code: ErrorCode | ToolErrorCode;
  readonly currentVersion?: number;
}

/** The body that the customer gets for an error. */
export function envelopeOf(error: AppError): ErrorEnvelope {
  const envelope = { error: error.publicMessage, code: error.code };
  return error.currentVersion === null ? envelope : { ...envelope, currentVersion: error.currentVersion };
}

/** The refusal of a request whose idempotency key was used before for another request. */
export function keyReused(): AppError {
  return new AppError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used with another request. Send a fresh key for a different request.',
  );
}
