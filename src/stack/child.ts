// One supervised process: started, watched, started again with back-off when the process dies, stopped with its whole group.
// The process is the leader of a group of its own, so that Ctrl-C at the terminal reaches the supervisor only, and the
// supervisor stops all processes in order. The output of the process goes straight to its log file, so the process is not blocked
// when the supervisor dies.
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { RestartWaits } from './back-off.ts';
import type { StackEvent } from './events.ts';
import { isListening } from './parent-watch.ts';
import { signalGroup, signalProcess, waitUntilGone } from './processes.ts';

const longestLogBytes = 50_000_000;
const probeEveryMs = 40;
const groupGraceMs = 5_000;

/** Command and surroundings of a process. */
export interface Command {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** Whether a channel is opened, whose closing tells the process that the supervisor is gone. */
  readonly channel: boolean;
}

/** One process as the supervisor runs it: how it is started, probed and stopped. */
export interface ChildSpec {
  readonly name: string;
  readonly log: string;
  /** Answers the command; the supervisor calls this at each start of the process. */
  command(): Command;
  /**
   * Whether the process itself serves now, and not another program at its port; a rejection means no. A process that has no
   * probe says by its channel that it listens (`sayListening`).
   */
  readonly probe?: (() => Promise<boolean>) | undefined;
  /** Called before each start, to give back what keeps its port free, or to choose another port. */
  beforeStart(): Promise<void>;
  /** Changeable facts of others that the process was told; the answer at its start is compared with a later one. */
  toldOfOthers?(): string;
  onMessage?(message: unknown): void;
  onExit?(logTail: string): void;
  /** The signals of a clean stop, and of a quick stop in which the process may still tidy up. */
  readonly stopSignal: NodeJS.Signals;
  readonly quickStopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
}

/** A supervised process. */
export class Child {
  readonly name: string;
  readonly #spec: ChildSpec;
  readonly #report: (event: StackEvent) => void;
  readonly #changes = new EventEmitter();
  #process: ChildProcess | undefined;
  #ready = false;
  #wanted = false;
  #isRenewing = false;
  #launches = 0;
  #told = '';
  #startedAtMs = 0;
  readonly #restartWaits = new RestartWaits();
  #restartTimer: NodeJS.Timeout | undefined;
  #lastSignalledPid: number | undefined;

  constructor(spec: ChildSpec, report: (event: StackEvent) => void) {
    this.name = spec.name;
    this.#spec = spec;
    this.#report = report;
    this.#changes.setMaxListeners(0);
  }

  /** The id of the live process. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Whether the live process has answered its probe since it was started. */
  get isReady(): boolean {
    return this.#ready;
  }

  /** Whether what the live process was told of others is no longer so. */
  get isOutdated(): boolean {
    return this.pid !== undefined && !this.#isRenewing && this.#told !== this.#toldNow();
  }

  /** Starts the process and keeps it running from now on. */
  async start(): Promise<void> {
    if (this.#wanted) return;
    this.#wanted = true;
    await this.#launch();
  }

  /** Ends the process in its clean way; its successor is started at once, and whoever waits for the process waits for that. */
  async renew(): Promise<void> {
    const pid = this.pid;
    if (pid === undefined || !this.#wanted) return;
    this.#isRenewing = true;
    this.#ready = false;
    this.#report({ type: 'renewed', name: this.name });
    signalGroup(pid, 'SIGCONT');
    signalProcess(pid, this.#spec.stopSignal);
    const isGone = (): boolean => this.pid !== pid || !this.#wanted;
    if (!(await this.#until(isGone, this.#spec.stopTimeoutMs))) signalProcess(pid, 'SIGKILL');
  }

  /** Ends the process for good: it is not started again until `start`. */
  async stop(signal: NodeJS.Signals = this.#spec.stopSignal): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#restartTimer);
    this.#changes.emit('change');
    const pid = this.pid;
    if (pid === undefined) return;
    // A paused process acts on no signal but SIGKILL until the process is continued.
    signalGroup(pid, 'SIGCONT');
    signalProcess(pid, signal);
    if (!(await this.#waitForExit(this.#spec.stopTimeoutMs))) {
      signalProcess(pid, this.#spec.quickStopSignal);
      if (!(await this.#waitForExit(2_000))) signalProcess(pid, 'SIGKILL');
      await this.#waitForExit(5_000);
    }
    signalGroup(pid, 'SIGKILL');
    await waitUntilGone([pid], 5_000);
  }

  /** Ends the process and its group without waiting; for the last moment of the supervisor. */
  stopAtOnce(): void {
    this.#wanted = false;
    clearTimeout(this.#restartTimer);
    const pid = this.pid;
    if (pid === undefined) return;
    signalGroup(pid, 'SIGCONT');
    signalGroup(pid, this.#spec.quickStopSignal);
  }

  /** Sends a signal to the process alone, as an operator's `kill` does; a process that the signal ends is started again. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.pid;
    if (pid === undefined) throw new Error(`${this.name} does not run.`);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') this.#lastSignalledPid = pid;
    signalProcess(pid, signal);
  }

  /** Waits until the process serves; after `signal`, until its successor serves. Rejects at once when the process is stopped. */
  async untilReady(timeoutMs: number): Promise<void> {
    const isThere = (): boolean =>
      this.#ready && this.pid !== undefined && this.pid !== this.#lastSignalledPid;
    // A stop on purpose ends the wait at once, not after the time that a start may take.
    const isDecided = (): boolean => isThere() || !this.#wanted;
    const decided = await this.#until(isDecided, timeoutMs);
    if (isThere()) return;
    if (decided) throw new Error(`${this.name} was stopped.`);
    const tail = this.#logTail();
    throw new Error(
      `${this.name} was not up within ${timeoutMs / 1000} s. The end of ${this.#spec.log}:\n${tail}`,
    );
  }

  async #launch(): Promise<void> {
    this.#launches += 1;
    const launch = this.#launches;
    await this.#spec.beforeStart();
    // The process may have been stopped, and even been started again, while the port of the process was given back.
    if (!this.#wanted || launch !== this.#launches) return;
    const { file, arguments: args, environment, folder, user, channel } = this.#spec.command();
    this.#told = this.#toldNow();
    rotate(this.#spec.log);
    const log = openSync(this.#spec.log, 'a', 0o600);
    const child = spawn(file, args, {
      cwd: folder,
      env: environment,
      detached: true,
      stdio: channel ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
    closeSync(log);
    this.#process = child;
    this.#ready = false;
    this.#startedAtMs = performance.now();
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code}`));
    const { pid } = child;
    if (pid === undefined) return;
    child.on('message', (message) => {
      if (isListening(message)) this.#serves(child, pid);
      else this.#spec.onMessage?.(message);
    });
    this.#report({ type: 'started', name: this.name, pid });
    if (this.#spec.probe) void this.#probe(child, pid, this.#spec.probe);
  }

  async #probe(child: ChildProcess, pid: number, probe: () => Promise<boolean>): Promise<void> {
    while (this.#process === child) {
      if (await probe().catch(() => false)) {
        this.#serves(child, pid);
        return;
      }
      await sleep(probeEveryMs);
    }
  }

  #serves(child: ChildProcess, pid: number): void {
    if (this.#process !== child || this.#isRenewing) return;
    this.#ready = true;
    this.#report({ type: 'ready', name: this.name, pid, tookMs: performance.now() - this.#startedAtMs });
    this.#changes.emit('change');
  }

  #toldNow(): string {
    return this.#spec.toldOfOthers?.() ?? '';
  }

  #ended(child: ChildProcess, reason: string): void {
    if (this.#process !== child) return;
    const livedMs = performance.now() - this.#startedAtMs;
    this.#process = undefined;
    this.#ready = false;
    this.#spec.onExit?.(this.#logTail());
    this.#endGroupLater(child.pid);
    const isRenewing = this.#isRenewing;
    this.#isRenewing = false;
    if (this.#wanted && isRenewing) this.#launchIn(0);
    else if (this.#wanted) this.#launchAgain(child.pid, reason, livedMs);
    this.#changes.emit('change');
  }

  #launchAgain(pid: number | undefined, reason: string, livedMs: number): void {
    const restartInMs = this.#restartWaits.nextMs(livedMs);
    this.#report({ type: 'died', name: this.name, pid, reason, restartInMs, log: this.#spec.log });
    this.#launchIn(restartInMs);
  }

  #launchIn(waitMs: number): void {
    this.#restartTimer = setTimeout(() => {
      // A disk that is full, for one thing, does not let a new port be noted.
      this.#launch().catch((error: unknown) => this.#launchAgain(undefined, String(error), 0));
    }, waitMs);
  }

  /** Children of a killed process notice its end and end by themselves, tools first; children that stay are killed here. */
  #endGroupLater(pid: number | undefined): void {
    if (pid === undefined || !signalGroup(pid, 'SIGCONT')) return;
    setTimeout(() => signalGroup(pid, 'SIGKILL'), groupGraceMs).unref();
  }

  #waitForExit(timeoutMs: number): Promise<boolean> {
    return this.#until(() => this.#process === undefined, timeoutMs);
  }

  #until(holds: () => boolean, timeoutMs: number): Promise<boolean> {
    if (holds()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (result: boolean): void => {
        clearTimeout(timer);
        this.#changes.off('change', check);
        resolve(result);
      };
      const check = (): void => {
        if (holds()) end(true);
      };
      const timer = setTimeout(() => end(false), timeoutMs);
      this.#changes.on('change', check);
    });
  }

  #logTail(): string {
    try {
      return readFileSync(this.#spec.log, 'utf8').slice(-2_000);
    } catch {
      return '';
    }
  }
}

/** One older log is kept; a log never grows over all starts. */
function rotate(log: string): void {
  try {
    if (statSync(log).size > longestLogBytes) renameSync(log, `${log}.1`);
  } catch {
    // The process has no log yet.
  }
}
