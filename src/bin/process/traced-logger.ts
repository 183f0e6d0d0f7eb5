/** The logger and the tracing of a process, which know each other: lines have the ids of spans, lost spans have a line. */
import type { Logger } from 'pino';

import { openTracing } from '../../tracing/open.ts';
import type { TraceSettings, Tracing } from '../../tracing/tracing.ts';
import { createLogger, logCrashes } from './logger.ts';

/** How often the log says that spans are lost. */
const TELL_MS = 60_000;

/** A logger, and the tracing whose ids its lines have. */
export interface TracedLogger {
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/** Opens both; where tracing is off, lines cost what they cost without it. */
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
  const logger = createLogger(role, config.logLevel, tracing.isOn ? () => tracing.logFields() : undefined);
  logCrashes(logger);
  return { logger, tracing };
}
