/** Opens the tracing of a process. The library is loaded here, and only where an endpoint is named. */
import { NO_TRACING } from './tracing.ts';
import type { OnLost, TraceSettings, Tracing } from './tracing.ts';

/** Opens tracing for a process of this kind; nothing is sent before the first span has ended. */
export async function openTracing(role: string, settings: TraceSettings, onLost: OnLost): Promise<Tracing> {
  if (settings.tracesEndpoint === '') return NO_TRACING;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing(role, settings, onLost);
}
