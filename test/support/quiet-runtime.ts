/** The SDK's runtime without its log lines; the first file of a process installs it. */
import { makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/** Installs the runtime unless another file has installed one. */
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
    // Another file of this process has installed a runtime.
  }
}
