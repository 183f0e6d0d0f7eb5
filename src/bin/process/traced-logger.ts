/** The logger and the tracing of a process, which know each other: lines have the ids of spans, lost spans have a line. */
import type { Logger } from 'pino';

import { logFields, type LogFields } from '../../tracing/log-context.ts';
import { openTracing } from '../../tracing/open.ts';
import type { TraceSettings, Tracing } from '../../tracing/tracing.ts';
import { createLogger, logCrashes } from './logger.ts';

/** How often the log says that spans are lost. */
const TELL_MS = 60_000;

/** A logger whose lines have the ids of the work around them, and the tracing whose ids they have, too. */
export interface TracedLogger {
  readonly logger: Logger;
  readonly tracing: Tracing;
  /** Says what every further line of the process has, such as the job that the whole process works for. */
  readonly nameProcess: (fields: LogFields) => void;
}

/** Opens both. */
export async function openTracedLogger(
  role: string,
  config: TraceSettings & { readonly logLevel: string },
): Promise<TracedLogger> {
  let lost = 0;
  let toldAt = -Infinity;
  const tracing = await openTracing(role, config, (spans) => {
    lost += spans;
    if (performance.now() - toldAt < TELL_MS) return;
    logger.warn({ spans: lost }, 'spans could not be sent');
    lost = 0;
    toldAt = performance.now();
  });
  let ofProcess: LogFields = {};
  const logger = createLogger(role, config.logLevel, () => {
    const ofWork = logFields();
    return ofWork === null ? { ...ofProcess } : { ...ofProcess, ...tracing.logFields(), ...ofWork };
  });
  logCrashes(logger);
  return { logger, tracing, nameProcess: (fields) => (ofProcess = fields) };
}
