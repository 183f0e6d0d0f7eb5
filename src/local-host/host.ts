/**
 * The local provider's host: starts, knows and ends instances on this machine. Its table is on disk before an instance
 * is started, so after a kill -9 it still knows every token; whatever an earlier life left running is ended at start,
 * because children of a dead host end by themselves and their jobs replace them.
 */
import { mkdir, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';

import { removeFolder } from '../instance/folders.ts';
import type { HostInstance, LaunchRequest } from '../contracts/local-host.ts';
import { HostTable, instanceIdOf } from './host-table.ts';
import type { InstanceRecord } from './host-table.ts';
import type { InstanceRunner, RunningInstance } from './runner.ts';

export interface HostOptions {
  /** Its own folder. */
  readonly folder: string;
  readonly runner: InstanceRunner;
  readonly log: Logger;
  /** Told at each change which instances run, with those processes that they have of their own. */
  readonly onChange: (instances: readonly { readonly id: string; readonly pid: number }[]) => void;
}

const STOP_GRACE_SECONDS = 5;
const LONGEST_STARTS_LOG = 4 * 1024 * 1024;

/** A host of instances. */
export class ComputeHost {
  readonly #options: HostOptions;
  readonly #table: HostTable;
  readonly #running = new Map<string, { readonly id: string; readonly instance: RunningInstance }>();
  readonly #launching = new Map<string, Promise<void>>();
  #isClosing = false;

  private constructor(options: HostOptions) {
    this.#options = options;
    this.#table = new HostTable(join(options.folder, 'records'));
  }

  /** Opens a host; returns when what an earlier life left is gone. */
  static async open(options: HostOptions): Promise<ComputeHost> {
    await mkdir(join(options.folder, 'instances'), { recursive: true });
    const host = new ComputeHost(options);
    await host.#cleanUp();
    return host;
  }

  /** Starts an instance, or tells of the one that this token has started; `gone` when that has ended. */
  async ensure(launch: LaunchRequest): Promise<HostInstance> {
    const { token } = launch;
    if (this.#isClosing) throw new Error('The host is closing.');
    if (this.#table.get(token) === null && !this.#launching.has(token)) {
      const launching = this.#launch(launch).finally(() => this.#launching.delete(token));
      this.#launching.set(token, launching);
    }
    await this.#launching.get(token);
    return presentInstance(this.#table.get(token) ?? unknownInstance(token));
  }

  /** The instance of a token; `gone` when there is none. */
  async describe(token: string): Promise<HostInstance> {
    await this.#launching.get(token);
    return presentInstance(this.#table.get(token) ?? unknownInstance(token));
  }

  /** Every instance that is not gone. */
  list(): readonly HostInstance[] {
    return this.#table
      .all()
      .filter(({ state }) => state === 'running')
      .map(presentInstance);
  }

  /** Ends an instance and everything it started. A token that was never seen can never be launched afterwards. */
  async terminate(token: string): Promise<void> {
    await this.#launching.get(token);
    const running = this.#running.get(token);
    if (running !== undefined) await running.instance.stop(STOP_GRACE_SECONDS);
    await this.#markGone(this.#table.get(token) ?? unknownInstance(token));
  }

  /** Ends every instance. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(this.#launching.values());
    await Promise.all([...this.#running.keys()].map((token) => this.terminate(token)));
  }

  async #launch(launch: LaunchRequest): Promise<void> {
    const { token, jobId, slot, generation } = launch;
    const { folder, runner, log } = this.#options;
    const id = instanceIdOf(token);
    const launchedAt = new Date().toISOString();
    await this.#table.put({ id, token, state: 'running', launchedAt, endedAt: null });
    const instance = runner.start({
      instanceId: id,
      folder: join(folder, 'instances', id),
      startsLog: join(folder, 'starts.log'),
      launch,
    });
    this.#running.set(token, { id, instance });
    log.info({ instanceId: id, jobId, slot, generation, pid: instance.pid }, 'instance started');
    this.#tellChange();
    void instance.ended.then(() => this.#ended(token));
  }

  async #ended(token: string): Promise<void> {
    const record = this.#table.get(token);
    if (record === null) return;
    await removeFolder(join(this.#options.folder, 'instances', record.id));
    await this.#markGone(record);
    this.#options.log.info({ instanceId: record.id }, 'instance gone');
  }

  async #markGone(record: InstanceRecord): Promise<void> {
    if (this.#running.delete(record.token)) this.#tellChange();
    const known = this.#table.get(record.token);
    if (known?.state === 'gone') return;
    await this.#table.put({ ...record, state: 'gone', endedAt: new Date().toISOString() });
  }

  async #cleanUp(): Promise<void> {
    const { folder, runner, log } = this.#options;
    await this.#table.prune(new Date());
    for (const record of this.#table.all()) {
      if (record.state === 'gone') continue;
      await runner.cleanUp(record.id);
      await this.#markGone(record);
      log.info({ instanceId: record.id }, 'instance of an earlier life ended');
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

  #tellChange(): void {
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

function presentInstance({ id, token, state, launchedAt }: InstanceRecord): HostInstance {
  return { providerId: id, token, state, launchedAt };
}
