import { activityInfo, CancelledFailure, Context, heartbeat } from '@temporalio/activity';

/**
 * Sends heartbeats as long as the work lasts, so that the activity of a dead worker times out and the activity of a worker
 * with a large file does not. A cancelled activity does not wait for the answer of the work.
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
