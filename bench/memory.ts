/** The resident memory of the api and the control worker while they work. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import type { Stack } from '../src/stack/stack.ts';
import type { Row } from './report.ts';
import { spreadOf } from './statistics.ts';

const NAMES = ['api', 'control', 'gateway', 'compute'] as const;
const GOALS_MB: Readonly<Partial<Record<(typeof NAMES)[number], number>>> = { api: 250, control: 400 };
const INTERVAL_MS = 500;
const PROCESS_INTERVAL_MS = 10;

/** Samples in MB by process. */
export type MemorySamples = ReadonlyMap<string, readonly number[]>;

/** Samples the memory until `stop` is called. */
export function watchMemory(stack: Stack): { stop(): MemorySamples } {
  const samples = new Map<string, number[]>(NAMES.map((name) => [name, []]));
  const sample = (): void => {
    for (const name of NAMES) {
      const pid = stack.pid(name);
      const megabytes = pid === undefined ? null : residentMegabytes(pid);
      if (megabytes !== null) samples.get(name)?.push(megabytes);
    }
  };
  sample();
  const timer = setInterval(sample, INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return samples;
    },
  };
}

/** Rows with the most memory that was seen of each process. */
export function memoryRows(samples: MemorySamples, tasks: number): Row[] {
  return NAMES.map((name): Row => {
    const spread = spreadOf(samples.get(name) ?? []);
    const goal = GOALS_MB[name];
    return {
      item: `memory of ${name}, ${tasks} tasks`,
      measured: `${spread.most.toFixed(0)} MB at most (median ${spread.median.toFixed(0)})`,
      baseline: '',
      ratio: '',
      goal: goal === undefined ? '' : `< ${goal} MB`,
      ok: goal === undefined ? null : spread.most < goal,
      figures: { megabytes: spread },
    };
  });
}

/** Watches how much more resident memory a process takes than it had; `stop` tells the most in MB. */
export function watchProcess(pid: number | undefined): { stop(): number } {
  const before = residentNow(pid);
  let most = before;
  const sample = (): void => void (most = Math.max(most, residentNow(pid)));
  const timer = setInterval(sample, PROCESS_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return most - before;
    },
  };
}

/** Reads what the system tells without starting a process, so that looking often costs nothing. */
function residentNow(pid: number | undefined): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
}

/** The resident memory of a process; null when the process is not there. */
export function residentMegabytes(pid: number): number | null {
  try {
    const text = execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return (Number(text.trim()) * 1024) / 1e6;
  } catch {
    return null;
  }
}
