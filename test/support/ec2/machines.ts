/**
 * The machines of the simulated cloud. Each is a process group that runs its user-data, with a folder as its disk, and the programs of
 * `programs.ts` first on its path. A machine that ends is killed with all that it has started: the group, what left the group,
 * and their descendants. When the process of the cloud itself is killed, its machines end too (`keeper.ts`).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openMetadata } from './metadata.ts';
import type { MetadataServer } from './metadata.ts';
import { killGroup } from './process-groups.ts';
import { writePrograms } from './programs.ts';

/** A machine that was started. */
export interface Machine {
  readonly id: string;
  readonly userData: string;
  /** Over how many hops the metadata service hands out tokens. */
  readonly hopLimit: number;
  notice: string | null;
  /** The leader of the group; null before the machine has booted. */
  group: number | null;
  boot: NodeJS.Timeout | null;
}

export interface MachinesOptions {
  /** A folder for the disks of all machines. */
  readonly folder: string;
  /** The variables that the image brings, such as where its tools are. */
  readonly imageEnvironment: Readonly<Record<string, string>>;
  /** Called when a machine has powered itself off. */
  readonly onPowerOff: (id: string) => void;
}

const KEEPER = fileURLToPath(new URL('keeper.ts', import.meta.url));

/** Starts and ends machines. */
export class Machines {
  readonly #options: MachinesOptions;
  readonly #running = new Map<string, Machine>();
  readonly #keeper: ChildProcess;
  #metadata: MetadataServer | null = null;

  private constructor(options: MachinesOptions) {
    this.#options = options;
    // The keeper leads a group of its own, so that a Ctrl-C leaves it to the end of this process.
    this.#keeper = spawn(process.execPath, [KEEPER, options.folder], {
      stdio: ['pipe', 'ignore', 'inherit'],
      detached: true,
    });
    this.#keeper.unref();
    this.#keeper.stdin?.on('error', () => undefined);
  }

  static async open(options: MachinesOptions): Promise<Machines> {
    const machines = new Machines(options);
    mkdirSync(options.folder, { recursive: true });
    writePrograms(join(options.folder, 'bin'));
    const image = Object.entries(options.imageEnvironment).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(options.folder, 'image.env'), image.join(''));
    machines.#metadata = await openMetadata(
      (id) => {
        const machine = machines.#running.get(id);
        return machine === undefined ? null : { ...machine, firewall: machines.fileOf(id, 'firewall') };
      },
      (id) => options.onPowerOff(id),
    );
    return machines;
  }

  /** The folder of the disks. */
  get folder(): string {
    return this.#options.folder;
  }

  /** The ids of the machines that run. */
  get ids(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Starts a machine, which boots for so long before it runs its user-data. */
  start(id: string, told: Pick<Machine, 'userData' | 'hopLimit'>, bootSeconds: number): void {
    const machine: Machine = { id, ...told, notice: null, group: null, boot: null };
    machine.boot = setTimeout(() => this.#boot(machine), bootSeconds * 1000);
    this.#running.set(id, machine);
  }

  /** The machine's service tells from here on that the machine is taken away. */
  announce(id: string, time: Date): void {
    const machine = this.#running.get(id);
    if (machine !== undefined)
      machine.notice = JSON.stringify({ action: 'terminate', time: time.toISOString() });
  }

  /** Ends a machine with everything that it has started. */
  kill(id: string): void {
    const machine = this.#running.get(id);
    if (machine === undefined) return;
    this.#running.delete(id);
    if (machine.boot !== null) clearTimeout(machine.boot);
    if (machine.group === null) return;
    killGroup(machine.group);
    this.#keeper.stdin?.write(`-${String(machine.group)}\n`);
  }

  /** Reads the console of the machine, or an empty text. */
  consoleOf(id: string): string {
    return this.fileOf(id, 'console.log');
  }

  /** A file of the machine's disk, or an empty text. */
  fileOf(id: string, path: string): string {
    try {
      return readFileSync(join(this.#options.folder, id, path), 'utf8');
    } catch {
      return '';
    }
  }

  async close(): Promise<void> {
    for (const id of this.ids) this.kill(id);
    await this.#metadata?.close();
    this.#keeper.stdin?.end();
    rmSync(this.#options.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #boot(machine: Machine): void {
    const { folder } = this.#options;
    const root = join(folder, machine.id);
    mkdirSync(root, { recursive: true });
    const script = join(root, 'user-data');
    writeFileSync(script, machine.userData, { mode: 0o700 });
    const log = openSync(join(root, 'cloud-init.log'), 'a');
    const child = spawn('bash', [script], {
      detached: true,
      cwd: root,
      stdio: ['ignore', log, log],
      env: {
        PATH: `${join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
        DOCKYARD_MACHINE_ROOT: root,
        AWS_EC2_METADATA_SERVICE_ENDPOINT: this.#metadata?.addressOf(machine.id) ?? '',
        SIMULATED_IMAGE_ENVIRONMENT: join(folder, 'image.env'),
      },
    });
    closeSync(log);
    machine.group = child.pid ?? null;
    if (machine.group !== null) this.#keeper.stdin?.write(`+${String(machine.group)}\n`);
  }
}
