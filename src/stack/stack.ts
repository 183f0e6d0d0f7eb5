// The embedded stack: PostgreSQL, Temporal and the object store, then gateway, control worker, compute host and API,
// all children of this process. The stack keeps them running and endpoints.json true; it decides nothing about jobs.
// When it is killed, the next one over the same folder goes on where everything was.
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations } from '../adapters/database.ts';
import { Child } from './child.ts';
import { removeEndpoints, writeEndpoints, type ProcessEntry } from './endpoints.ts';
import type { StackEvent } from './events.ts';
import { isRecord } from '../domain/is-record.ts';
import { HomeInUseError, lockHome, type HomeLock } from './home-lock.ts';
import { stopLeftovers } from './leftovers.ts';
import { ALL_ROLES, type Server, type StackOptions } from './options.ts';
import {
  planRole,
  planServers,
  planStack,
  portsOf,
  readinessUrl,
  temporalAddressOf,
  urlOf,
  type StackPlan,
} from './plan.ts';
import { provenAddresses } from './proven-addresses.ts';
import {
  createDatabase,
  databaseName,
  initialisePostgres,
  placePostgres,
  postgresUrl,
  removePostgres,
} from './postgres.ts';
import { answersOk } from './probes.ts';
import { isAlive, signalGroup, signalProcess, waitUntilGone } from './processes.ts';
import { createStackBucket } from './storage.ts';
import { prepareNamespace } from './temporal.ts';

export type { StackEvent } from './events.ts';
export type { StackOptions } from './options.ts';

const firstStartTimeoutMs = 120_000;
const restartTimeoutMs = 60_000;
const instanceEndMs = 10_000;
/** The events after which endpoints.json has something else to say. */
const ON_FILE: ReadonlySet<StackEvent['type']> = new Set(['started', 'ready', 'died', 'held', 'moved']);
/** How long a start waits for a stack that stops: longer than the stages of a stop take together. */
const otherStopMs = 60_000;

/**
 * Takes the data folder, clears what an earlier run left, and starts everything; `stack.ready` tells when it serves.
 * @throws HomeInUseError, ToolMissingError.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const home = resolve(options.home);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  // Files of the processes are for the owner of the folder alone, also where the folder was there before. The user of another's
  // folder, such as a volume that all may write, may not change its mode.
  if (statSync(home).uid === process.getuid?.()) chmodSync(home, 0o700);
  const lock = await takeHome(home, (message) => options.onEvent?.({ type: 'notice', message }));
  try {
    mkdirSync(resolve(home, 'logs'), { recursive: true });
    const place = placePostgres(home);
    await stopLeftovers(home, place, (event) => options.onEvent?.(event));
    return new Stack(await planStack({ ...options, home }, place), lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Waits for a stack that is being stopped; one that runs is an error at once. */
async function takeHome(home: string, notice: (message: string) => void): Promise<HomeLock> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return lockHome(home);
    } catch (error) {
      const isOver = performance.now() - startedAt > otherStopMs;
      if (!(error instanceof HomeInUseError) || !error.isStopping || isOver) throw error;
      if (attempt === 1) notice(`waiting for the stack that is being stopped (process ${error.ownerPid})`);
    }
    await sleep(50);
  }
}

/** A running embedded stack. */
export class Stack {
  readonly home: string;
  /** Resolves once every process serves; rejects when one does not come up. */
  readonly ready: Promise<void>;
  readonly #plan: StackPlan;
  readonly #lock: HomeLock;
  readonly #events = new EventEmitter<{ event: [StackEvent] }>();
  readonly #servers: Readonly<Record<Server, Child>>;
  readonly #roles: readonly Child[];
  /** The processes that have listened at the ports that they have now. */
  readonly #proven = new Set<string>();
  #instances = new Map<string, number>();
  #stopping: Promise<void> | undefined;
  readonly #stopped = new AbortController();
  readonly #onProcessExit = (): void => {
    for (const child of this.#children()) child.stopAtOnce();
  };

  constructor(plan: StackPlan, lock: HomeLock) {
    this.#plan = plan;
    this.#lock = lock;
    this.home = plan.options.home;
    if (plan.options.onEvent) this.#events.on('event', plan.options.onEvent);
    const report = (event: StackEvent): void => this.#report(event);
    const { postgres, temporal, storage } = planServers(plan);
    this.#servers = {
      postgres: new Child(postgres, report),
      temporal: new Child(temporal, report),
      storage: new Child(storage, report),
    };
    const specs = ALL_ROLES.flatMap((role) => planRole(plan, role, (message) => this.#onMessage(message)));
    this.#roles = specs.map((spec) => new Child(spec, report));
    plan.ports.onMove((move) => this.#report({ type: 'moved', ...move }));
    process.once('exit', this.#onProcessExit);
    this.ready = this.#bringUp();
    this.ready.catch(() => undefined);
  }

  /** Addresses may change while the stack runs: a process whose port another program has taken gets another one. */
  get apiUrl(): string {
    return urlOf(this.#plan, 'api');
  }

  get gatewayUrl(): string {
    return urlOf(this.#plan, 'gateway');
  }

  get temporalAddress(): string {
    return temporalAddressOf(this.#plan);
  }

  /** Namespace of this stack's workflows. */
  get temporalNamespace(): string {
    return this.env['DOCKYARD_TEMPORAL_NAMESPACE'] ?? '';
  }

  get temporalUiUrl(): string {
    return urlOf(this.#plan, 'temporal-ui');
  }

  get storageUrl(): string {
    return urlOf(this.#plan, 'storage');
  }

  /** The settings (`DOCKYARD_*`) of the control side, secrets included. */
  get env(): Readonly<Record<string, string>> {
    return this.#plan.environment();
  }

  /** Calls a listener for every event; returns a function that removes the listener. */
  onEvent(listener: (event: StackEvent) => void): () => void {
    this.#events.on('event', listener);
    return () => this.#events.off('event', listener);
  }

  /** Every process that runs now, as in endpoints.json. */
  processes(): ProcessEntry[] {
    const entries: ProcessEntry[] = [];
    for (const { name, pid } of this.#children()) if (pid !== undefined) entries.push({ name, pid });
    for (const [id, pid] of this.#instances) if (isAlive(pid)) entries.push({ name: `instance/${id}`, pid });
    return entries;
  }

  /** The process id of one name, or undefined when it does not run now. */
  pid(name: string): number | undefined {
    return this.processes().find((entry) => entry.name === name)?.pid;
  }

  /** Kills one process as an operator would; the supervisor starts it again. */
  kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    const child = this.#find(name);
    if (child) child.signal(signal);
    else signalProcess(this.#instancePid(name), signal);
  }

  /** Stops a process in its tracks (SIGSTOP). */
  pause(name: string): void {
    this.kill(name, 'SIGSTOP');
  }

  /** Lets a paused process go on (SIGCONT). */
  resume(name: string): void {
    this.kill(name, 'SIGCONT');
  }

  /** Waits until one process serves; after `kill`, until the one that follows it does. */
  async waitUntilRestarted(name: string, timeoutMs: number = restartTimeoutMs): Promise<void> {
    await this.#child(name).untilReady(timeoutMs);
  }

  /** Ends a process and keeps it down until `startChild`. */
  async stopChild(name: string, signal?: NodeJS.Signals): Promise<void> {
    await this.#child(name).stop(signal);
    this.#report({ type: 'held', name });
  }

  /** Starts a process that was held down and waits until it serves. */
  async startChild(name: string): Promise<void> {
    await this.#launch(this.#child(name), restartTimeoutMs);
  }

  /** Stops everything in reverse order. A second call with `force` ends what still runs at once. */
  stop(options: { readonly force?: boolean } = {}): Promise<void> {
    if (options.force && this.#stopping) this.#onProcessExit();
    this.#stopping ??= this.#stop(options.force === true);
    return this.#stopping;
  }

  /** Deletes the data of a stopped stack. */
  remove(): void {
    removePostgres(this.#plan.place);
    rmSync(this.home, { recursive: true, force: true });
  }

  async #bringUp(): Promise<void> {
    await Promise.all([this.#bringUpPostgres(), this.#bringUpTemporal(), this.#bringUpStorage()]);
    await Promise.all(this.#roles.map((child) => this.#launch(child, firstStartTimeoutMs)));
    await Promise.all(this.#roles.map((child) => this.#untilServing(child)));
  }

  async #bringUpPostgres(): Promise<void> {
    const { place, options, ports, secrets } = this.#plan;
    const url = (database: string): string =>
      postgresUrl(ports.of('postgres'), secrets.databasePassword, database);
    await initialisePostgres(place, secrets.databasePassword, options.durable !== false);
    await this.#launch(this.#servers.postgres, firstStartTimeoutMs);
    await createDatabase(url('postgres'));
    await runMigrations(url(databaseName));
  }

  async #bringUpTemporal(): Promise<void> {
    await this.#launch(this.#servers.temporal, firstStartTimeoutMs);
    await prepareNamespace(
      this.#plan.tools.temporal,
      () => ({ address: this.temporalAddress, namespace: this.temporalNamespace }),
      this.#plan.system,
      this.#stopped.signal,
    );
  }

  async #bringUpStorage(): Promise<void> {
    await this.#launch(this.#servers.storage, firstStartTimeoutMs);
    const publicUrl = this.#plan.settings()['DOCKYARD_PUBLIC_URL'] ?? this.apiUrl;
    await createStackBucket(this.storageUrl, this.#plan.secrets, publicUrl);
  }

  async #launch(child: Child, timeoutMs: number): Promise<void> {
    if (this.#stopping) throw new Error('The stack was stopped.');
    await child.start();
    await child.untilReady(timeoutMs);
  }

  async #untilServing(child: Child): Promise<void> {
    const startedAt = performance.now();
    for (;;) {
      const url = readinessUrl(this.#plan, child.name);
      if (child.isReady && (await answersOk(url).catch(() => false))) return;
      if (this.#stopping) throw new Error('The stack was stopped.');
      if (performance.now() - startedAt > restartTimeoutMs)
        throw new Error(`${child.name} runs but is not ready: ${url} does not answer 200.`);
      await sleep(50);
    }
  }

  async #stop(force: boolean): Promise<void> {
    this.#stopped.abort();
    this.#lock.announceRelease();
    this.#report({ type: 'stopping' });
    const [compute, rest] = [this.#rolesNamed(/^compute/), this.#rolesNamed(/^(api|gateway|control)/)];
    const end = (children: readonly Child[]): Promise<unknown> =>
      Promise.all(
        children.map((child) =>
          force ? child.stop(child.name === 'postgres' ? 'SIGQUIT' : 'SIGKILL') : child.stop(),
        ),
      );
    const servers = Object.values(this.#servers);
    if (force) {
      await end([...compute, ...rest, ...servers]);
    } else {
      // The compute host reports its end to the other processes, so the compute host is stopped first; the other
      // processes need the servers, so the servers are stopped last.
      for (const group of [compute, rest, servers]) await end(group);
    }
    await this.#endInstances();
    await this.#plan.ports.giveBackAll();
    process.off('exit', this.#onProcessExit);
    // A process that could not be ended stays in endpoints.json, where the next start finds it.
    if (this.processes().length === 0) removeEndpoints(this.home);
    else this.#writeEndpoints();
    this.#lock.release();
    this.#report({ type: 'stopped' });
  }

  /** Instances end with the compute host that started them; an instance that is paused or hangs is killed here. */
  async #endInstances(): Promise<void> {
    const pids = [...this.#instances.values()].filter(isAlive);
    if (await waitUntilGone(pids, instanceEndMs)) return;
    for (const pid of pids.filter(isAlive)) if (!signalGroup(pid, 'SIGKILL')) signalProcess(pid, 'SIGKILL');
    await waitUntilGone(pids, instanceEndMs);
  }

  #onMessage(message: unknown): void {
    if (!isRecord(message) || message['type'] !== 'instances' || !Array.isArray(message['instances'])) return;
    const entries: readonly unknown[] = message['instances'];
    const instances = new Map<string, number>();
    for (const entry of entries) {
      if (!isRecord(entry)) continue;
      const { id, pid } = entry;
      if (typeof id === 'string' && typeof pid === 'number') instances.set(id, pid);
    }
    this.#instances = instances;
    this.#writeEndpoints();
  }

  #report(event: StackEvent): void {
    if (event.type === 'ready') this.#proven.add(event.name);
    if (event.type === 'moved') this.#proven.delete(this.#ownerOf(event.name));
    if (ON_FILE.has(event.type)) this.#writeEndpoints();
    this.#events.emit('event', event);
    if (event.type === 'ready') this.#renewOutdated();
  }

  /** A process that serves at another address than before is known to the others once they are started again. */
  #renewOutdated(): void {
    if (this.#stopping) return;
    for (const child of this.#roles) if (child.isOutdated) void child.renew();
  }

  #ownerOf(port: string): string {
    return this.#children().find(({ name }) => portsOf(name).includes(port))?.name ?? port;
  }

  #writeEndpoints(): void {
    const roles = this.#roles.map(({ name }) => name);
    const processes = this.processes();
    writeEndpoints(this.home, { ...provenAddresses(this.#plan, roles, this.#proven), processes });
  }

  #children(): Child[] {
    return [...Object.values(this.#servers), ...this.#roles];
  }

  #rolesNamed(pattern: RegExp): Child[] {
    return this.#roles.filter(({ name }) => pattern.test(name));
  }

  #find(name: string): Child | undefined {
    return this.#children().find((child) => child.name === name);
  }

  #child(name: string): Child {
    const child = this.#find(name);
    if (!child) throw new Error(`This stack has no process ${name}.`);
    return child;
  }

  #instancePid(name: string): number {
    const pid = this.pid(name);
    if (pid === undefined) throw new Error(`No process ${name} runs in this stack.`);
    return pid;
  }
}
