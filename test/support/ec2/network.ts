/**
 * How far a process of a simulated machine is from the machine's metadata service. On a machine of EC2 the container on the
 * bridge is one hop further than the machine, and an answer with a token lives for as many hops as the launch says. The simulated
 * container has the network of this machine, so the service asks who has the other end of a connection.
 *
 * A caller who cannot be found on the machine itself is taken for somebody further away. Only Linux tells whose a connection is.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

import { readProcesses } from '../../../src/instance/process-table.ts';

const ON_LINUX = process.platform === 'linux';
/** The program that starts a container; what descends from it is in the container. */
const DOCKER = 'support/ec2/docker.ts';
const MACHINE_HOPS = 1;
const CONTAINER_HOPS = 2;

/** The rule of the machine's firewall that keeps the container's packets from the metadata service. */
const DROPPED = /^-[IA] DOCKER-USER -d 169\.254\.(0\.0\/16|169\.254(\/32)?) -j DROP$/m;

/** How many hops a client of a machine, whose group of processes is named, is away. */
export function hopsOf(client: Socket, group: number | null): number {
  if (!ON_LINUX) return MACHINE_HOPS;
  const all = new Map(readProcesses().map((entry) => [entry.pid, entry]));
  const inode = inodeOf(client.remotePort ?? 0, client.localPort ?? 0);
  // The machine's own processes ask most often, and are looked at first.
  const nearFirst = [...all.values()].sort((a, b) => Number(b.group === group) - Number(a.group === group));
  const owner = inode === null ? undefined : nearFirst.find(({ pid }) => hasSocket(pid, inode));
  if (owner === undefined) return CONTAINER_HOPS;
  for (let one = all.get(owner.pid); one !== undefined; one = all.get(one.parentPid))
    if (one.pid !== owner.pid && commandOf(one.pid).includes(DOCKER)) return CONTAINER_HOPS;
  return owner.group === group ? MACHINE_HOPS : CONTAINER_HOPS;
}

/** Whether a firewall with these rules lets nothing of a container through to the metadata service. */
export function isContainerDropped(rules: string): boolean {
  return DROPPED.test(rules);
}

/** The socket of this machine that is connected from one port of the loopback to another. */
function inodeOf(from: number, to: number): string | null {
  const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', ...rest] = line.trim().split(/\s+/);
    if (local.endsWith(`:${hex(from)}`) && remote.endsWith(`:${hex(to)}`)) return rest[6] ?? null;
  }
  return null;
}

function hasSocket(pid: number, inode: string): boolean {
  const folder = `/proc/${String(pid)}/fd`;
  try {
    return readdirSync(folder).some((name) => linkOf(`${folder}/${name}`) === `socket:[${inode}]`);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
