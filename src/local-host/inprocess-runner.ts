/** Runs instances inside the host's process, for tests with many instances. Tools are processes of their own as ever. */
import { setTimeout as sleep } from 'node:timers/promises';

import { killMarked } from '../instance/process-table.ts';
import { TASK_MARKER } from '../contracts/local-host.ts';
import type { LaunchOrder } from '../contracts/local-host.ts';
import { Instance } from '../instance/instance.ts';
import type { InstanceOptions } from '../instance/instance.ts';
import { withLogFields } from '../tracing/log-context.ts';
import { hostedMachine } from './hosted-machine.ts';
import type { InstanceRunner, RunningInstance } from './runner.ts';

/** Everything that the instances in this process share. */
export interface InProcessOptions extends Omit<InstanceOptions, 'order' | 'machine'> {
  /** How long tasks may run on when an instance is about to be taken away. */
  readonly drainSeconds: number;
}

/** Opens a runner of instances in this process. */
export function createInProcessRunner(options: InProcessOptions): InstanceRunner {
  return { start: (order) => startInside(options, order), cleanUp: killTools };
}

function startInside(options: InProcessOptions, order: LaunchOrder): RunningInstance {
  const machine = hostedMachine(order, options.drainSeconds);
  const instance = new Instance({ ...options, order, machine });
  const { jobId, slot, generation } = order.launch;
  const ended = withLogFields({ instanceId: order.instanceId, jobId, slot, generation }, () =>
    instance.run().catch((error: unknown) => options.log.error({ err: error }, 'an instance failed')),
  ).then(() => killTools(order.instanceId));
  return {
    pid: null,
    ended,
    async stop(graceSeconds) {
      instance.stop('stopped');
      const patience = new AbortController();
      const late = sleep(graceSeconds * 1000, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([ended, late]);
      patience.abort();
      await killTools(order.instanceId);
    },
  };
}

async function killTools(instanceId: string): Promise<void> {
  await killMarked([{ variable: TASK_MARKER, valueStart: `${instanceId}/` }]);
}
