/**
 * The sandbox that a tool runs in, by bubblewrap: namespaces of its own without a network, with the system read-only, an
 * empty /tmp, and of all other files those that the session names. Neither the gateway, nor the worker's memory and
 * environment, nor the files of other slots can be reached from inside. When bubblewrap's first process dies, or the worker
 * that started it, the system ends every process inside, whatever it calls itself.
 *
 * A machine that forbids user namespaces, or has no bubblewrap, runs tools as process groups beside the worker
 * (containment.ts); the host says which of the two.
 */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';

import type { Containment } from '../contracts/containment.ts';
import { bubblewrapPack } from '../packs/bubblewrap.ts';
import { findPack } from '../packs/find.ts';
import type { PackPlaces } from '../packs/pack.ts';
import { runProgram } from '../packs/run.ts';

/** Files and devices that a process inside sees besides the system. */
export interface SandboxView {
  /** The folder that the process may write to, at the same path as outside. */
  readonly folder: string;
  /** Files and folders that the process may read, at the same paths as outside. */
  readonly reads: readonly string[];
  /** Devices that the process may use besides those that every process has. */
  readonly devices: readonly string[];
}

/** The descriptor on which bubblewrap tells how the process inside has ended; the process has no such descriptor. */
export const STATUS_FD = 5;

/** Folders of programs and libraries; in most systems all but the first are links into it. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store', '/gnu/store'];
/** Entries of /etc that programs read to find libraries, the name of a user and the time. Nothing there is a secret. */
const CONFIGURATION = [
  'alternatives',
  'group',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'nsswitch.conf',
  'os-release',
  'passwd',
].map((name) => `/etc/${name}`);
/** How many processors there are, and where; libraries of numbers ask. */
const PROCESSORS = '/sys/devices/system/cpu';
/** Folder in which drivers look for their devices. */
const DEVICE_TREE = '/sys';
/** /tmp and /dev/shm lie in memory, so they are small; the folder of the session is the place for more. */
const MEMORY_BYTES = String(256 * 1024 * 1024);
const PROBE_SECONDS = 20;
const MOST_REASON_CHARACTERS = 300;

/** Bubblewrap's arguments before the command. */
export function sandboxArguments({ folder, reads, devices }: SandboxView): readonly string[] {
  const inMemory = (place: string): string[] => ['--size', MEMORY_BYTES, '--tmpfs', place];
  const readOnly = (path: string): string[] => ['--ro-bind-try', path, path];
  return [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    ...SYSTEM.flatMap(systemFolder),
    ...CONFIGURATION.flatMap(readOnly),
    ...readOnly(devices.length === 0 ? PROCESSORS : DEVICE_TREE),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...inMemory('/dev/shm'),
    ...devices.flatMap((device) => ['--dev-bind-try', device, device]),
    '--remount-ro',
    '/dev',
    ...inMemory('/tmp'),
    ...outsideOfSystem(reads).flatMap(readOnly),
    '--bind',
    folder,
    folder,
    '--remount-ro',
    '/',
    '--chdir',
    folder,
  ];
}

function outsideOfSystem(reads: readonly string[]): readonly string[] {
  const isSystem = (path: string): boolean =>
    SYSTEM.some((folder) => path === folder || path.startsWith(`${folder}/`));
  return [...new Set(reads)].filter((path) => !isSystem(path));
}

function systemFolder(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (lstatSync(path).isSymbolicLink()) return ['--symlink', readlinkSync(path), path];
  return ['--ro-bind', path, path];
}

/** Finds the containment of tools on this machine: bubblewrap is looked for as a pack is, and one sandbox is made for a trial. */
export async function findContainment(places: PackPlaces): Promise<Containment> {
  const { pack, problem } = await findPack(bubblewrapPack, places);
  if (pack === null) return { kind: 'process-group', reason: problem.message };
  const program = pack.programs['bwrap'] ?? '';
  const refusal = await whyNoSandbox(program);
  if (refusal === null) return { kind: 'bubblewrap', version: pack.version, program };
  return { kind: 'process-group', reason: `${program} makes no sandbox on this machine: ${refusal}` };
}

async function whyNoSandbox(program: string): Promise<string | null> {
  const args = [...sandboxArguments({ folder: tmpdir(), reads: [], devices: [] }), '--', '/usr/bin/true'];
  try {
    const trial = { file: program, args, environment: {}, folder: '/', timeoutSeconds: PROBE_SECONDS };
    const { exitCode, stderr } = await runProgram(trial);
    if (exitCode === 0) return null;
    return stderr.trim().slice(0, MOST_REASON_CHARACTERS) || `it ended with exit code ${String(exitCode)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
