/** The SDK's runtime without its chatter; the first file of a process decides. */
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Installs it unless another file was first. */
export function quietRuntime(): void {
  const silent = (): void => undefined;
  try {
    Runtime.install({
      logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
      shutdownSignals: [],
      telemetryOptions: {
        logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) },
      },
    });
  } catch {
    // Another file of this process was first.
  }
}
