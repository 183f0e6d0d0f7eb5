/** What this machine has besides packs, by its devices; no program is run for it. */
import { gpusOfMachine } from '../instance/gpus.ts';
import type { MachineFacts } from '../tools/tool.ts';

/** Looks at the devices. */
export function factsOfMachine(devices?: string): MachineFacts {
  return { hasGpu: gpusOfMachine(devices).length > 0 };
}
