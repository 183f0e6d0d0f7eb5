/**
 * The GPUs of a machine, and which of them a slot has to itself. A plan puts as many tasks on an instance as its GPUs
 * suffice for, so the GPUs are dealt out in equal parts; what is left over is nobody's.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { GpuFacts } from '../contracts/local-host.ts';

/** GPUs of a slot's sessions. */
export interface SlotGpus {
  /** The devices that a sandbox lets through. */
  readonly devices: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const DEVICES = '/dev';
/** NVIDIA's driver makes one such device for each GPU that programs may use; containers get those that they may use. */
const GPU = /^nvidia\d+$/;
/** The devices of the driver itself, which every program needs that uses a GPU. */
const DRIVER = ['nvidiactl', 'nvidia-uvm', 'nvidia-uvm-tools', 'nvidia-modeset'];

/** The numbers that programs give to the GPUs of this machine: from 0, in the order of the bus. */
export function gpusOfMachine(devices = DEVICES): readonly number[] {
  return nodesOf(devices).map((_, index) => index);
}

const ASKED = ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader,nounits'];
const ASKED_SECONDS = 30;
const UNKNOWN: GpuFacts = { name: null, memoryMib: null, driver: null };

/** Name, memory and driver of each GPU of this machine, as `nvidia-smi` tells them, in the order of the bus. */
export async function describeGpus(devices = DEVICES): Promise<readonly GpuFacts[]> {
  const gpus = gpusOfMachine(devices);
  if (gpus.length === 0) return [];
  const asked = promisify(execFile)('nvidia-smi', ASKED).then(
    ({ stdout }) => stdout,
    () => '',
  );
  // With a driver that hangs, the program cannot even be killed.
  const stdout = await Promise.race([asked, sleep(ASKED_SECONDS * 1000, '', { ref: false })]);
  const lines = stdout.split('\n');
  return gpus.map((gpu) => {
    const [name, mebibytes, driver] = (lines[gpu] ?? '').split(',').map((part) => part.trim());
    if (!name || !driver || !(Number(mebibytes) > 0)) return UNKNOWN;
    return { name, memoryMib: Number(mebibytes), driver };
  });
}

/** Deals GPUs out to slots. A machine without GPUs says nothing of them; on one with GPUs a slot without any is told so. */
export function gpusOfSlots(count: number, gpus: readonly number[], devices = DEVICES): readonly SlotGpus[] {
  const each = Math.floor(gpus.length / count);
  const nodes = nodesOf(devices);
  return Array.from({ length: count }, (_, slot) => {
    if (nodes.length === 0) return { devices: [], env: {} };
    const own = gpus.slice(slot * each, (slot + 1) * each);
    // Programs count the nodes that are there, so a sandbox has all of them or none.
    const seen = own.length === 0 ? [] : [...DRIVER, ...nodes].map((name) => `${devices}/${name}`);
    return { devices: seen, env: { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: own.join(',') } };
  });
}

function nodesOf(devices: string): readonly string[] {
  try {
    return readdirSync(devices).filter((name) => GPU.test(name));
  } catch {
    return [];
  }
}
