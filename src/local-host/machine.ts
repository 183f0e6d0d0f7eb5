/** What this machine has besides packs, by its devices; no program is run for it. */
import { readdir } from 'node:fs/promises';

import type { MachineFacts } from '../tools/tool.ts';

/** NVIDIA's driver makes one such device for each GPU that programs may use; containers get those that they may use. */
const GPU = /^nvidia\d+$/;

/** Looks at the devices. */
export async function factsOfMachine(devices = '/dev'): Promise<MachineFacts> {
  const names = await readdir(devices).catch(() => []);
  return { hasGpu: names.some((name) => GPU.test(name)) };
}
