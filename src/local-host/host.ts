/**
 * The local host: starts, lists and ends instances on this machine. The record of an instance is on disk before the
 * instance is started, so the host knows every token also after it was killed. At its start the host ends every instance
 * that an earlier process of the host has left, because the instances of a dead host end and their jobs replace them.
 */
import { mkdir, readdir, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { Logger } from 'pino';

import type { Containment } from '../contracts/containment.ts';
import { removeFolder } from '../instance/folders.ts';
import { NOTICE_FILE } from '../contracts/local-host.ts';
import type { HostInstance, HostRefusal, LaunchRequest } from '../contracts/local-host.ts';
import { replaceFile } from '../files.ts';
import { outsideOfWork } from '../tracing/log-context.ts';
import { HostTable, instanceIdOf } from './host-table.ts';
import type { InstanceRecord } from './host-table.ts';
import type { InstanceRunner, RunningInstance } from './runner.ts';

/** The folder of a host, and how the host runs instances. */
export interface HostOptions {
  /** The folder of the host: its table, the folders of instances and the log of starts. */
  readonly folder: string;
  readonly runner: InstanceRunner;
  /** Containment of tools on the instances. */
  readonly containment: Containment;
  /** The GPUs of the machine, by their numbers; no two instances have one at the same time. */
  readonly gpus: readonly number[];
  /** Spot instances that run at once at most; 0: the host has no spot market. */
  readonly spotPlaces: number;
  readonly log: Logger;
  /** Called at each change with every running instance that is a process of its own. */
  readonly onChange: (instances: readonly { readonly id: string; readonly pid: number }[]) => void;
}

const STOP_GRACE_SECONDS = 5;
const LONGEST_STARTS_LOG = 4 * 1024 * 1024;

/** An instance that runs, and the GPUs that are its own. */
interface Running {
  readonly id: string;
  readonly instance: RunningInstance;
  readonly gpus: readonly number[];
}

/** Starts, lists and ends the instances of this machine. */
export class ComputeHost {
  readonly #options: HostOptions;
  readonly #table: HostTable;
  readonly #running = new Map<string, Running>();
  readonly #launching = new Map<string, Promise<void>>();
  /** GPUs of the launches that are under way. */
  #orderedGpus = 0;
  #isClosing = false;

  private constructor(options: HostOptions) {
    this.#options = options;
    this.#table = new HostTable(join(options.folder, 'records'));
  }

  /** Opens a host; returns when the instances of an earlier process of the host are gone. */
  static async open(options: HostOptions): Promise<ComputeHost> {
    await mkdir(join(options.folder, 'instances'), { recursive: true });
    const host = new ComputeHost(options);
    await host.#cleanUp();
    return host;
  }

  /**
   * Starts the instance of a token once, and answers that instance; its state is `gone` when it has ended. A spot instance
   * without a free place is not started, nor one that needs more GPUs than are free, and a later call may start it.
   */
  async ensure(launch: LaunchRequest): Promise<HostInstance | HostRefusal> {
    const { token } = launch;
    if (this.#isClosing) throw new Error('The host is closing.');
    if (this.#table.get(token) === null && !this.#launching.has(token)) {
      const hasPlace = launch.market !== 'SPOT' || this.#hasSpotPlace();
      if (!hasPlace || launch.gpus > this.#freeGpus().length - this.#orderedGpus)
        return { state: 'unavailable' };
      this.#orderedGpus += launch.gpus;
      const launching = this.#launch(launch).finally(() => {
        this.#orderedGpus -= launch.gpus;
        this.#launching.delete(token);
      });
      this.#launching.set(token, launching);
    }
    await this.#launching.get(token);
    return presentInstance(token, this.#table.get(token) ?? unknownInstance(token));
  }

  /** The instance of a token; its state is `gone` when the token never started one. */
  async describe(token: string): Promise<HostInstance> {
    await this.#launching.get(token);
    return presentInstance(token, this.#table.get(token) ?? unknownInstance(token));
  }

  /** Every instance that is not gone. */
  list(): readonly HostInstance[] {
    return this.#table
      .all()
      .filter(({ state }) => state === 'running')
      .flatMap((record) => (record.token === null ? [] : [presentInstance(record.token, record)]));
  }

  /** Ends the instance of a token with every process it started. A token that was never seen is never launched later. */
  async terminate(token: string): Promise<void> {
    await this.#launching.get(token);
    const running = this.#running.get(token);
    if (running !== undefined) await running.instance.stop(STOP_GRACE_SECONDS);
    await this.#markGone(this.#table.get(token) ?? unknownInstance(token));
  }

  /**
   * Takes an instance away as a spot market does: tells it by the file that a machine in the cloud would find, and ends it after
   * so many seconds. False for an instance that does not run.
   */
  async interrupt(token: string, seconds: number): Promise<boolean> {
    const record = this.#table.get(token);
    if (record === null || !this.#running.has(token)) return false;
    const file = join(this.#options.folder, 'instances', record.id, NOTICE_FILE);
    await mkdir(dirname(file), { recursive: true });
    await this.#table.put({ ...record, cause: 'PREEMPTED' });
    const time = new Date(Date.now() + seconds * 1000).toISOString();
    await replaceFile(file, JSON.stringify({ action: 'terminate', time }), 0o600);
    setTimeout(() => void this.terminate(token).catch(() => undefined), seconds * 1000).unref();
    return true;
  }

  /** Ends every instance. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#launching.values());
    await Promise.all([...this.#running.keys()].map((token) => this.terminate(token)));
  }

  /** The table has the record of a launch from its first moment, so two launches at once do not take one place. */
  #hasSpotPlace(): boolean {
    const taken = this.#table.all().filter(({ state, market }) => state === 'running' && market === 'SPOT');
    return taken.length < this.#options.spotPlaces;
  }

  async #launch(launch: LaunchRequest): Promise<void> {
    const { token, jobId, slot, generation, market } = launch;
    const { folder, runner, containment, log } = this.#options;
    const id = instanceIdOf(token);
    const launchedAt = new Date().toISOString();
    const place = { jobId, slot, generation };
    await this.#table.put({ id, token, state: 'running', launchedAt, endedAt: null, market, place });
    const gpus = this.#freeGpus().slice(0, launch.gpus);
    const instance = runner.start({
      instanceId: id,
      folder: join(folder, 'instances', id),
      startsLog: join(folder, 'starts.log'),
      containment,
      gpus,
      launch,
    });
    this.#running.set(token, { id, instance, gpus });
    log.info({ instanceId: id, ...place, market, pid: instance.pid }, 'instance started');
    this.#reportChange();
    // The end of an instance is no part of the call that has launched it.
    void outsideOfWork(() => instance.ended.then(() => this.#ended(token)));
  }

  #freeGpus(): readonly number[] {
    const taken = new Set([...this.#running.values()].flatMap(({ gpus }) => gpus));
    return this.#options.gpus.filter((gpu) => !taken.has(gpu));
  }

  async #ended(token: string): Promise<void> {
    const record = this.#table.get(token);
    if (record === null) return;
    await removeFolder(join(this.#options.folder, 'instances', record.id));
    await this.#markGone(record);
    this.#options.log.info({ instanceId: record.id, ...record.place }, 'instance gone');
  }

  async #markGone(record: InstanceRecord): Promise<void> {
    if (record.token !== null && this.#running.delete(record.token)) this.#reportChange();
    const known = this.#table.byId(record.id);
    if (known?.state === 'gone') return;
    await this.#table.put({ ...record, ...known, state: 'gone', endedAt: new Date().toISOString() });
  }

  async #cleanUp(): Promise<void> {
    const { folder, runner, log } = this.#options;
    await this.#table.prune(new Date());
    for (const record of this.#table.all()) {
      if (record.state === 'gone') continue;
      await runner.cleanUp(record.id);
      await this.#markGone(record);
      log.info({ instanceId: record.id, ...record.place }, 'instance of an earlier life ended');
    }
    for (const name of await readdir(join(folder, 'instances')))
      await removeFolder(join(folder, 'instances', name));
    const starts = join(folder, 'starts.log');
    const size = await stat(starts).then(
      (facts) => facts.size,
      () => 0,
    );
    if (size > LONGEST_STARTS_LOG) await truncate(starts);
  }

  #reportChange(): void {
    const own = [...this.#running.values()].flatMap(({ id, instance }) =>
      instance.pid === null ? [] : [{ id, pid: instance.pid }],
    );
    this.#options.onChange(own);
  }
}

function unknownInstance(token: string): InstanceRecord {
  const now = new Date().toISOString();
  return { id: instanceIdOf(token), token, state: 'gone', launchedAt: now, endedAt: now };
}

function presentInstance(token: string, { id, state, launchedAt, cause }: InstanceRecord): HostInstance {
  const isTaken = state === 'gone' && cause !== undefined;
  return { providerId: id, token, state, launchedAt, ...(isTaken ? { cause } : {}) };
}
