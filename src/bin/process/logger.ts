/** Logs are JSON lines on standard output; what Temporal's core and SDK say goes the same way. */
import { pino, type Logger } from 'pino';
import type { Logger as TemporalLogger, LogLevel } from '@temporalio/worker';

/** The logger of one process. */
export function createLogger(name: string, level: string): Logger {
  // Temporal names an error `error`, we name it `err`; neither may be written as an empty object.
  const { err } = pino.stdSerializers;
  return pino({ name, level, base: { pid: process.pid, name }, serializers: { err, error: err } });
}

/** Temporal's log lines through ours; its workflow and worker chatter below warnings is debug to us. */
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
