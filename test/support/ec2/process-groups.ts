/** The processes of simulated machines: each machine is a process group, with everything that its processes have started. */
import { readProcesses } from '../../../src/instance/process-table.ts';

const ROUNDS = 20;

/** Kills a group and every descendant; a process that forks meanwhile is found by the next look. */
export function killGroup(group: number): void {
  for (let round = 0; round < ROUNDS; round += 1) {
    const all = readProcesses();
    const members = new Set(all.filter((one) => one.group === group).map(({ pid }) => pid));
    for (let before = -1; before !== members.size;) {
      before = members.size;
      for (const { pid, parentPid } of all) if (members.has(parentPid)) members.add(pid);
    }
    if (members.size === 0) return;
    for (const pid of members) kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended by itself.
  }
}
