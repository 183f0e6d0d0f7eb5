// `npm start` and its entry file as processes, over a data folder that is removed at the end.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { endpointsFile, type Endpoints } from '../../src/stack/endpoints.ts';
import { homeOwner } from '../../src/stack/home-lock.ts';
import { stopLeftovers } from '../../src/stack/leftovers.ts';
import { placePostgres, removePostgres } from '../../src/stack/postgres.ts';
import { signalProcess, waitUntilGone } from '../../src/stack/processes.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import { until } from './until.ts';

/** A little longer than the supervisor itself waits for a process before it gives up and says why. */
const START_MS = 130_000;
/** End of each log that a failed wait shows. */
const LOG_CHARACTERS = 1_000;

const ENTRIES = { entry: ['src', 'bin', 'start.ts'], 'ec2-sim': ['scripts', 'start-ec2-sim.ts'] } as const;

/** A supervisor that was started as a process. */
export class Supervisor {
  readonly home: string;
  readonly #process: ChildProcess;
  #output = '';

  /** Starts the supervisor; with `npm` as a person starts it, with `ec2-sim` on a simulated cloud. */
  constructor(
    home: string,
    how: 'entry' | 'npm' | 'ec2-sim' = 'entry',
    environment: Readonly<Record<string, string>> = {},
  ) {
    this.home = home;
    const [file, ...args] =
      how === 'npm' ? ['npm', 'start'] : [process.execPath, join(projectRoot, ...ENTRIES[how])];
    this.#process = spawn(file, args, {
      cwd: projectRoot,
      env: { ...process.env, ...environment, DOCKYARD_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
  }

  /** Output of the supervisor so far. */
  get output(): string {
    return this.#output;
  }

  /** Waits until the supervisor has printed a text; otherwise tells what it and its processes have said last. */
  async says(text: string): Promise<void> {
    await until(`the supervisor says "${text}"`, () => this.#output.includes(text), START_MS).catch(
      (error: unknown) => {
        throw new Error(`It said only:\n${this.#output}\n${this.#logTails()}`, { cause: error });
      },
    );
  }

  #logTails(): string {
    const folder = join(this.home, 'logs');
    return readdirSync(folder)
      .map((name) => `${name}: ${readFileSync(join(folder, name), 'utf8').slice(-LOG_CHARACTERS)}`)
      .join('\n');
  }

  /** Reads endpoints.json. */
  endpoints(): Endpoints {
    const value: Endpoints = JSON.parse(readFileSync(endpointsFile(this.home), 'utf8'));
    return value;
  }

  /** The ids of the processes that endpoints.json names. */
  pids(): number[] {
    return this.endpoints().processes.map(({ pid }) => pid);
  }

  /** The process id of the process with this name. */
  pidOf(name: string): number | undefined {
    return this.endpoints().processes.find((entry) => entry.name === name)?.pid;
  }

  /** The id of the process that was started. */
  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Sends a signal to the process that was started, and to it alone. */
  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** Waits for the end of the process; answers its exit code, or the signal that ended it. */
  async end(): Promise<number | NodeJS.Signals | null> {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      await once(this.#process, 'exit', { signal: AbortSignal.timeout(20_000) });
    }
    return this.#process.exitCode ?? this.#process.signalCode;
  }
}

/** Ends what tests left of a supervisor, and deletes its data folder. */
export async function removeHome(home: string, supervisors: readonly Supervisor[]): Promise<void> {
  for (const supervisor of supervisors) supervisor.signal('SIGKILL');
  const owner = homeOwner(home);
  if (owner !== undefined) {
    signalProcess(owner, 'SIGKILL');
    await waitUntilGone([owner], 5_000);
  }
  const place = placePostgres(home);
  await stopLeftovers(home, place, () => undefined);
  removePostgres(place);
  rmSync(home, { recursive: true, force: true });
}
