/**
 * Watches the memory of running tools. One look at the processes of the machine serves all tools of this instance, because
 * a look costs the more the more processes the machine has, and each tool would else pay for a look of its own.
 */
import { readProcesses, residentBytesOf } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';

/** How often the memory is looked at, and how the processes of the machine are read. */
export interface MemoryWatchOptions {
  readonly everyMs: number;
  readonly read: () => readonly ProcessEntry[];
}

/**
 * Tells again and again how much memory a process uses, with its group and its descendants, until the answered function
 * is called.
 */
export type WatchMemory = (pid: number, tell: (residentBytes: number) => void) => () => void;

interface Watched {
  readonly pid: number;
  readonly tell: (residentBytes: number) => void;
}

/** Makes a watch; the watch looks only while a process is watched. */
export function createMemoryWatch({ everyMs, read }: MemoryWatchOptions): WatchMemory {
  const watched = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const all = read();
    for (const { pid, tell } of [...watched]) tell(residentBytesOf(pid, all));
  };
  return (pid, tell) => {
    const entry = { pid, tell };
    watched.add(entry);
    timer ??= setInterval(look, everyMs);
    return () => {
      watched.delete(entry);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

/** The watch over the tools of this process. */
export const watchMemory: WatchMemory = createMemoryWatch({ everyMs: 500, read: readProcesses });
