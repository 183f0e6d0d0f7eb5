/** Devices of this machine; no program is run to find them. */
import { gpusOfMachine } from '../instance/gpus.ts';
import type { MachineFacts } from '../tools/tool.ts';

/** Looks at the devices. */
export function factsOfMachine(devices?: string): MachineFacts {
  return { hasGpu: gpusOfMachine(devices).length > 0 };
}
