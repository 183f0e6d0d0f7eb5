/** Logs are JSON lines on standard output; log lines of Temporal's core and SDK take the same form. */
import { pino, type Logger } from 'pino';
import type { Logger as TemporalLogger, LogLevel } from '@temporalio/worker';

/** The logger of one process. */
export function createLogger(name: string, level: string): Logger {
  // Temporal's log lines have the error under `error`, ours under `err`; without a serializer either would be an empty
  // object.
  const { err } = pino.stdSerializers;
  return pino({ name, level, base: { pid: process.pid, name }, serializers: { err, error: err } });
}

/** Writes Temporal's log lines through our logger; lines of workflows and workers below warnings become debug lines. */
export function temporalLogger(logger: Logger): TemporalLogger {
  const write = (level: LogLevel, message: string, meta?: Record<string, unknown>): void => {
    const fields = meta ?? {};
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
