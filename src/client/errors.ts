/**
 * The one error of the client. `code` is the service's own code, or one of the client's for what never reached an
 * answer of the service; callers decide by it, never by the text.
 */

import type { ErrorCode } from './types.ts';

/** Codes that the client itself gives. */
export const CLIENT_CODES = {
  /** No answer: refused, cut off or timed out. `status` is 0. */
  connectionLost: 'CONNECTION_LOST',
  /** An answer that does not come from the service, such as the page of a proxy. */
  unexpectedAnswer: 'UNEXPECTED_ANSWER',
  /** The object store refused a transfer. */
  transferRefused: 'TRANSFER_REFUSED',
  /** Downloaded bytes are not those that were announced. */
  digestMismatch: 'DIGEST_MISMATCH',
  /** A file cannot be opened or read. */
  fileUnreadable: 'FILE_UNREADABLE',
  /** The service stores no file without bytes. */
  fileEmpty: 'FILE_EMPTY',
  /** A file was written to while it was uploaded. */
  fileChanged: 'FILE_CHANGED',
  /** A folder holds what no project package can hold, such as a name with a backslash. */
  packageInvalid: 'PACKAGE_INVALID',
  /** Another process uploads the same file at this moment. */
  uploadInProgress: 'UPLOAD_IN_PROGRESS',
  /** The folder for unfinished uploads cannot be written. */
  stateUnusable: 'STATE_UNUSABLE',
  /** There is no unfinished upload of this file. */
  noOpenUpload: 'NO_OPEN_UPLOAD',
  /** A request is no message of a webhook. */
  webhookUnreadable: 'WEBHOOK_UNREADABLE',
  /** A message was signed too long ago, or in the future. */
  webhookExpired: 'WEBHOOK_EXPIRED',
  /** No secret has signed a message. */
  webhookSignatureWrong: 'WEBHOOK_SIGNATURE_WRONG',
  /** A secret of a webhook is none. */
  webhookSecretInvalid: 'WEBHOOK_SECRET_INVALID',
} as const;

/**
 * The code of an error: of the service, of the client, or one that a later version of the service has added. The last
 * choice keeps the known codes apart from plain text, so that an editor suggests them.
 */
export type AnyErrorCode =
  | ErrorCode
  | (typeof CLIENT_CODES)[keyof typeof CLIENT_CODES]
  | (string & Record<never, never>);

/** Facts of an error besides its text. */
export interface ClientErrorFacts {
  readonly status: number;
  readonly code: string;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly currentVersion?: number | null;
  readonly cause?: unknown;
}

/** A refused or failed call. */
export class ClientError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: AnyErrorCode;
  /** The id of the request, which a customer names when the customer reports a failure. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** With VERSION_CONFLICT the version of the head; null with every other code. */
  readonly currentVersion: number | null;

  constructor(message: string, facts: ClientErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'ClientError';
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
    this.currentVersion = facts.currentVersion ?? null;
  }

  /** Whether the same call, when it may be repeated at all, can succeed later. */
  get passing(): boolean {
    return PASSING_STATUS.has(this.status) || PASSING_CODES.has(this.code);
  }
}

/** 502 and 504 come from proxies in front of a service that restarts. */
const PASSING_STATUS = new Set([429, 502, 503, 504]);
const PASSING_CODES = new Set<string>(['IDEMPOTENCY_IN_PROGRESS', CLIENT_CODES.connectionLost]);

/** An error about a file of this machine: nothing was sent, and repeating changes nothing. */
export function localError(code: string, message: string, cause?: unknown): ClientError {
  return new ClientError(message, { status: 0, code, cause });
}
