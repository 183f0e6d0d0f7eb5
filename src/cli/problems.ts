/**
 * End of a command that cannot do what it was asked: one line on standard error and an exit code. A stack trace is for
 * developers, who ask for it with DOCKYARD_LOG_LEVEL=debug.
 */
import { CommanderError } from 'commander';

import { TemporalSettingsError } from '../adapters/temporal/settings-error.ts';
import { CLIENT_CODES, ClientError } from '../client/index.ts';
import { hasCode, isAway } from '../domain/away.ts';
import { ERROR_CODES } from '../domain/codes/errors.ts';
import { AppError, isErrorCode } from '../domain/errors.ts';
import { CommandRefusal } from '../tools/command.ts';

/** Exit codes of `dockyard`. */
export const EXIT = {
  ok: 0,
  /** Something is wrong: the ledger does not add up, or the service failed. */
  failed: 1,
  /** The command was not understood, or what it asks for is not possible. */
  refused: 2,
  /** This machine lacks something that a command can get. */
  missing: 3,
  /** The job ended PARTIALLY_SUCCEEDED. */
  jobPartial: 3,
  /** The job ended FAILED. */
  jobFailed: 4,
  /** The job ended CANCELLED. */
  jobCancelled: 5,
  /** The service, the database, Temporal or the compute host does not answer. */
  unreachable: 6,
  /** The exit code by which shells tell that Ctrl-C ended a command. */
  interrupted: 130,
} as const;

/** A problem in words that the operator can act on. */
export class CommandProblem extends Error {
  readonly exitCode: number;
  readonly code: string;

  constructor(exitCode: number, code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'CommandProblem';
    this.exitCode = exitCode;
    this.code = code;
  }
}

/** The text, code and exit code that a command prints for an error. */
export interface ProblemReport {
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
}

const NO_SUCH_TABLE_OR_COLUMN = /^(42P01|42703)$/;

/** Describes an error for the operator; null for help and version, which are no errors. */
export function reportOf(error: unknown): ProblemReport | null {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return null;
    const isBare = error.code === 'commander.help';
    const message = isBare ? 'A command is missing; see --help.' : error.message.replace(/^error: /, '');
    return { exitCode: EXIT.refused, code: 'USAGE', message };
  }
  if (error instanceof CommandProblem) return error;
  if (error instanceof CommandRefusal) {
    return { exitCode: EXIT.refused, code: error.code, message: error.message };
  }
  if (error instanceof TemporalSettingsError)
    return { exitCode: EXIT.refused, code: 'WRONG_SETTINGS', message: error.message };
  if (error instanceof ClientError) return reportOfCall(error);
  if (error instanceof AppError) {
    const exitCode = error.code === 'SERVICE_UNAVAILABLE' ? EXIT.unreachable : EXIT.refused;
    return { exitCode, code: error.code, message: error.publicMessage };
  }
  const message = messageOf(error);
  if (isAway(error)) return { exitCode: EXIT.unreachable, code: 'SERVICE_UNAVAILABLE', message };
  if (hasCode(error, (code) => NO_SUCH_TABLE_OR_COLUMN.test(code))) {
    const advice = 'The database is not of this version. Bring it up to date with: dockyard migrate';
    return { exitCode: EXIT.refused, code: 'NOT_MIGRATED', message: `${advice} (${message})` };
  }
  return { exitCode: EXIT.failed, code: 'INTERNAL_ERROR', message };
}

/** Describes a refused or failed call of the API: the caller can mend a refusal and cannot mend a failure. */
function reportOfCall(error: ClientError): ProblemReport {
  const { code, status, requestId } = error;
  const request = requestId === null ? '' : `, request ${requestId}`;
  const message = `${error.message} (${code}${request})`;
  const isForGood = isErrorCode(code) && !ERROR_CODES[code].retryable;
  const hasNoAnswer = code === CLIENT_CODES.connectionLost || (AWAY_STATUS.has(status) && !isForGood);
  const isRefusal =
    UNFIT_FILE.has(code) ||
    ((isForGood || status < 500) && status >= 400 && code !== CLIENT_CODES.transferRefused);
  return { exitCode: hasNoAnswer ? EXIT.unreachable : isRefusal ? EXIT.refused : EXIT.failed, code, message };
}

/** A file of the caller is not what it must be, so nothing was sent, and the caller mends the file. */
const UNFIT_FILE = new Set<string>([
  CLIENT_CODES.fileUnreadable,
  CLIENT_CODES.fileEmpty,
  CLIENT_CODES.packageInvalid,
]);

/** The service, or a proxy for it, says that it cannot answer now. */
const AWAY_STATUS = new Set([502, 503, 504]);

/** The text of an error; of several, the first that says something. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner === undefined ? error.name : messageOf(inner);
}
