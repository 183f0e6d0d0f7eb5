// The error with which the set-up says what the machine lacks.
/** Something the machine lacks; `command` is what gets it. The set-up ends with exit code 3. */
export class MissingError extends Error {
  constructor(what, command, reasons) {
    super(what);
    this.command = command;
    this.reasons = reasons;
  }
}
