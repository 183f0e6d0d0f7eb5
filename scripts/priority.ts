// Lets other processes go before a process and all that it starts. A lower priority is handed down to children, but Linux
// often counts it among the processes of one session only, and gives every session the same share of the processors
// (autogroup, see sched(7)). The servers and tools that tests start have sessions of their own. So the priority of each
// session below the process is lowered too, again and again, because there is no word of a new session.
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { processTree } from './process-tree.ts';

/** How far a process stands back: `behind` others, or `last`, with what nobody else takes of the processors. */
export type Standing = 'behind' | 'last';

const NICE: Readonly<Record<Standing, number>> = {
  behind: constants.priority.PRIORITY_BELOW_NORMAL,
  last: constants.priority.PRIORITY_LOW,
};
const LOOK_MILLISECONDS = 1000;
/** Linux takes the priority of one session in a tenth of a second from a user who is not the administrator. */
const AGAIN_MILLISECONDS = 150;

/** Lowers the priority of a process, and of what it will start, until the answered function is called. */
export function letOthersGoFirst(root: number, standing: Standing): () => void {
  const nice = NICE[standing];
  try {
    setPriority(root, nice);
  } catch {
    // The process has ended already, and its end is reported like any other.
  }
  const lowered = new Set<number>();
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const waiting = processTree(root).filter(({ sessionPid }) => !lowered.has(sessionPid));
    const refused = waiting.filter(({ pid, sessionPid }) => {
      if (lowered.has(sessionPid)) return false;
      const isTaken = lowerSessionOf(pid, nice);
      if (isTaken) lowered.add(sessionPid);
      return !isTaken;
    });
    timer = setTimeout(look, refused.length === 0 ? LOOK_MILLISECONDS : AGAIN_MILLISECONDS);
  };
  look();
  return () => {
    clearTimeout(timer);
  };
}

/** Lowers the session of a process; false when Linux will take it later. */
function lowerSessionOf(pid: number, nice: number): boolean {
  try {
    writeFileSync(`/proc/${String(pid)}/autogroup`, String(nice));
    return true;
  } catch (error) {
    // A process that has ended and a system without such groups need nothing.
    return !(error instanceof Error && 'code' in error && error.code === 'EAGAIN');
  }
}
