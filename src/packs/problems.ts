/** Why a pack could not be installed, with the command that helps. */

/** Something that this machine lacks: an install may go well once `command` was run. */
export class PackMissingError extends Error {
  readonly command: string;
  readonly reasons: readonly string[];

  constructor(what: string, command: string, reasons: readonly string[]) {
    super(what);
    this.name = 'PackMissingError';
    this.command = command;
    this.reasons = reasons;
  }
}

/** Files that are not the pinned ones, or cannot be read: no other machine would take them either. */
export class PackRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PackRefusedError';
  }
}

/** The text of whatever was thrown. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first text that an error, or one that it gathers or was caused by, has to say. */
export function complaintOfError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner === undefined ? error.name : complaintOfError(inner);
}
