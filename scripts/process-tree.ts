// Processes and what is below them, as Linux tells of them in `/proc`. On other systems nothing is told, and no tree has
// processes. A process whose parent was killed belongs to no tree here, and what such a process takes is not counted.
import { readFileSync, readdirSync } from 'node:fs';

/** The unit of the times in `/proc`; it is the same on every Linux machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Facts of one process out of `/proc`. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parentPid: number;
  /** The process that began the session of this process. */
  readonly sessionPid: number;
  /** The processor time of the process itself. */
  readonly ownSeconds: number;
  /** The processor time of those of its children that have ended, with that of their ended children. */
  readonly endedSeconds: number;
}

/** The processor time of the children of this process that have ended; undefined where the system does not tell. */
export function endedChildrenSeconds(): number | undefined {
  return factsOf('self')?.endedSeconds;
}

/** The processor time of this process and of all processes below it; undefined where the system does not tell. */
export function processTreeSeconds(): number | undefined {
  const tree = processTree(process.pid);
  if (tree.length === 0) return undefined;
  return tree.reduce((sum, { ownSeconds, endedSeconds }) => sum + ownSeconds + endedSeconds, 0);
}

/** A process and all that are below it. */
export function processTree(root: number): ProcessFacts[] {
  const all = processNames().flatMap((name) => factsOf(name) ?? []);
  const children = Map.groupBy(all, ({ parentPid }) => parentPid);
  const tree = all.filter(({ pid }) => pid === root);
  for (const { pid } of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

function processNames(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** The facts of a process; undefined where the process has ended or the system has no `/proc`. */
function factsOf(name: string): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    // The name of the program stands in brackets and may itself have spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (index: number): number => Number(fields[index]) / TICKS_PER_SECOND;
    return {
      pid: Number.parseInt(stat, 10),
      parentPid: Number(fields[1]),
      sessionPid: Number(fields[3]),
      ownSeconds: seconds(11) + seconds(12),
      endedSeconds: seconds(13) + seconds(14),
    };
  } catch {
    return undefined;
  }
}
