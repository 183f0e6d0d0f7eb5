/** Temporal cannot be reached as the settings say, whatever Temporal does: the message names the setting. */
export class TemporalSettingsError extends Error {
  /** The variable that is wrong. */
  readonly variable: string;

  constructor(variable: string, problem: string, cause?: unknown) {
    super(`${variable}: ${problem}`, { cause });
    this.name = 'TemporalSettingsError';
    this.variable = variable;
  }
}
