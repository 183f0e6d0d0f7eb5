/** Logs are JSON lines on standard output, without data of customers; lines of Temporal's core and SDK take the same form. */
import { pino, type Logger, type LoggerOptions } from 'pino';
import type { Logger as TemporalLogger, LogLevel } from '@temporalio/worker';

import { jobIdOf } from '../../contracts/names.ts';
import { errorForLog } from './log-errors.ts';

/**
 * Names of fields whose values are the customer's, or secrets. No line of ours has them; a line that is written one day
 * with such a field does not show the value. Only the top of a line is looked at: looking one level down, too, makes every
 * line cost ten times as much.
 */
const NEVER_SHOWN = [
  'parameters',
  'query',
  'body',
  'request',
  'response',
  'headers',
  'params',
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'key',
  'url',
  'email',
  'smiles',
  'filename',
  'storageKey',
  'jobName',
  'metadata',
  'idempotencyKey',
];

/** The options of every logger of ours; the level and the name are those of the process. */
export function loggerOptions(name: string, level: string): LoggerOptions {
  return {
    name,
    level,
    base: { pid: process.pid, name },
    // Temporal's log lines have the error under `error`, ours under `err`.
    serializers: { err: (error) => errorForLog(error), error: (error) => errorForLog(error) },
    redact: { paths: NEVER_SHOWN, censor: '[not shown]' },
  };
}

/** The logger of one process; `fields` are asked for what every line has besides. */
export function createLogger(name: string, level: string, fields?: () => object): Logger {
  const options = loggerOptions(name, level);
  return pino(fields === undefined ? options : { ...options, mixin: fields });
}

/**
 * Logs what nobody has caught, and ends the process, as Node does. Node itself would print every property of the error,
 * among them the parameters of a statement.
 */
export function logCrashes(logger: Logger): void {
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'the process ends by an error that nobody has caught');
    process.exit(1);
  });
}

/** Writes Temporal's log lines through our logger; lines of workflows and workers below warnings become debug lines. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: Record<string, unknown>): void => {
    const fields = withJob(meta ?? {});
    if (level === 'ERROR') logger.error(fields, message);
    else if (level === 'WARN') logger.warn(fields, message);
    else logger.debug(fields, message);
  };
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  };
}

/** The fields of a line, with the job whose workflow the line is about, so that one search finds all lines of a job. */
function withJob(fields: Record<string, unknown>): Record<string, unknown> {
  const { workflowId } = fields;
  const jobId = typeof workflowId === 'string' ? jobIdOf(workflowId) : null;
  return jobId === null ? fields : { jobId, ...fields };
}
