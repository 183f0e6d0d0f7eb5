import { activityInfo, CancelledFailure, Context, heartbeat } from '@temporalio/activity';

/**
 * Heartbeats as long as the work lasts, so that only a dead worker times out, not one with a large file. A cancelled
 * activity does not wait for the work's answer.
 */
export async function beating<T>(work: Promise<T>): Promise<T> {
  const every = Math.max(1000, (activityInfo().heartbeatTimeoutMs ?? 30_000) / 3);
  const timer = setInterval(() => heartbeat(), every);
  try {
    return await Promise.race([work, Context.current().cancelled]);
  } catch (error) {
    if (error instanceof CancelledFailure) work.catch(() => undefined);
    throw error;
  } finally {
    clearInterval(timer);
  }
}
