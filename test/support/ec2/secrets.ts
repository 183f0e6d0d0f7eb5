/** Texts that the tools of a machine could read: the environment and the command lines of processes, and the files of the container. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { TASK_MARKER } from '../../../src/contracts/local-host.ts';
import { markedProcesses, readProcesses } from '../../../src/instance/process-table.ts';
import type { CloudInstance, SimulatedEc2 } from './simulated-ec2.ts';

/** Secrets that were found, and how much was looked at. */
export interface Findings {
  readonly tools: number;
  readonly filesRead: number;
  /** Each place where a secret stands, and which secret. */
  readonly secrets: readonly string[];
}

/** The container's part of the machine's disk. */
const VOLUMES = ['notice', 'life', 'work'].map((name) => join('var', 'lib', 'dockyard', name));
const BEARER = /dki1\.[A-Za-z0-9_-]{8}/;

/** Looks for the credential of the launch, a bearer, and the way to the metadata, wherever a tool of the job may look. */
export function secretsWithin(
  { machines }: SimulatedEc2,
  { id }: Pick<CloudInstance, 'id'>,
  jobId: string,
): Findings {
  const userData = machines.fileOf(id, 'user-data');
  const credential = /<<'CREDENTIAL'\n(.*)\n/.exec(userData)?.[1];
  if (credential === undefined) throw new Error('The user-data has no credential.');
  const secrets: string[] = [];
  const look = (where: string, text: string): void => {
    if (text.includes(credential)) secrets.push(`${where}: the credential`);
    if (BEARER.test(text)) secrets.push(`${where}: a bearer`);
    if (/AWS_EC2_METADATA|169\.254/.test(text)) secrets.push(`${where}: the metadata`);
  };
  const tools = markedProcesses(TASK_MARKER, jobId);
  // The worker runs as the user of its tools, so its environment is theirs to read.
  const worker = new Set(
    readProcesses().flatMap(({ pid, parentPid }) => (tools.includes(pid) ? [parentPid] : [])),
  );
  for (const pid of [...tools, ...worker])
    for (const name of ['environ', 'cmdline']) look(`${name} of ${String(pid)}`, procOf(pid, name));
  const files = VOLUMES.flatMap((folder) => filesBelow(join(machines.folder, id, folder)));
  for (const file of files) look(file, readFileSync(file, 'utf8'));
  return { tools: tools.length, filesRead: files.length, secrets };
}

function procOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${String(pid)}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
