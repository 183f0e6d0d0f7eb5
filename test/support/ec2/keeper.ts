/**
 * Ends the machines of a cloud whose own process was killed, because a machine is a process group that would outlive it. The cloud
 * writes `+group` for a machine that has started and `-group` for one that has ended; the end of standard input is the end of the cloud.
 * The argument is the folder of the disks, which goes too.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { killGroup } from './process-groups.ts';

const groups = new Set<number>();
for await (const line of createInterface({ input: process.stdin })) {
  const group = Number(line.slice(1));
  if (line.startsWith('+')) groups.add(group);
  else groups.delete(group);
}
for (const group of groups) killGroup(group);
const [, , folder] = process.argv;
if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
