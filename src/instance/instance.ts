/**
 * A compute worker: polls its own task queue, keeps in contact with the gateway and runs tools. The worker is a guest:
 * every right that the worker has comes with the launch order. An outage of Temporal or of the gateway stops no tool. The
 * worker ends when its generation is fenced, when its host stops it, when the gateway has not answered for half an
 * hour, or when it has been without work for long. When its machine is to be taken away, the worker begins no task any more.
 */
import { createWriteStream, mkdirSync } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import type { NativeConnection } from '@temporalio/worker';
import { Worker } from '@temporalio/worker';
import type { Logger } from 'pino';

import { backOff } from '../domain/back-off.ts';
import { createGatewayClient } from './gateway-client.ts';
import type { GatewayClient } from './gateway-client.ts';
import { createComputeActivities } from './run-shard.ts';
import { createSignOfLife, watchNotice } from './notice.ts';
import type { FindSessionTool } from './session-tools.ts';
import { TaskBoard } from './task-board.ts';
import type { ToolStart } from './task-board.ts';
import { COMPUTE_NAMESPACE } from '../contracts/instance.ts';
import type { LaunchOrder } from '../contracts/local-host.ts';
import { tracedActivities } from '../tracing/temporal.ts';
import { NO_TRACING, type Tracing } from '../tracing/tracing.ts';

/** The launch order of an instance, and how the instance reaches the gateway and Temporal. */
export interface InstanceOptions {
  readonly order: LaunchOrder;
  readonly gatewayUrl: string;
  readonly contactSeconds: number;
  readonly findTool: FindSessionTool;
  /** Opens a connection to Temporal through the gateway, with the bearer of the instance. Called again after a failure. */
  readonly connect: (gatewayUrl: string, bearer: string) => Promise<NativeConnection>;
  readonly log: Logger;
  readonly tracing?: Tracing;
  /** The bearer that the caller has got for the credential already; absent: the instance asks for it. */
  readonly bearer?: string;
  /** Signs between the worker and its machine; absent where there are none. */
  readonly machine?: MachineSigns;
}

/** The files by which the worker and its machine talk, and when the worker ends by itself. */
export interface MachineSigns {
  /** The file that is there when the machine is to be taken away. */
  readonly noticeFile: string;
  /** How long tasks may run on from then. */
  readonly drainSeconds: number;
  /** Written after each answer of the gateway; null for no sign of life. */
  readonly signFile: string | null;
  /** After so long without work the worker ends; null for never. */
  readonly idleSeconds: number | null;
}

/** Why an instance ended. */
export type InstanceEnd = 'fenced' | 'stopped' | 'abandoned' | 'idle';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** After so long without an answer of the gateway, the job has replaced this instance. */
const ABANDONED_MS = 30 * 60 * 1000;
/** How long the end of the instance waits for finished results to reach Temporal. */
const LAST_RESULTS_MS = 1_500;
/** The workflow sends two shards per slot to the queue, so the worker takes a few shards more than can run. */
const SHARDS_PER_SLOT = 2;
const SPARE_SHARDS = 2;

/** A compute worker. */
export class Instance {
  readonly #options: InstanceOptions;
  readonly #gateway: GatewayClient;
  readonly #board: TaskBoard;
  readonly #starts: WriteStream;
  readonly #stop = new AbortController();
  readonly #giveSign: () => void;
  #end: InstanceEnd | null = null;
  #worker: Worker | null = null;
  #connection: NativeConnection | null = null;
  #bearer = '';

  constructor(options: InstanceOptions) {
    this.#options = options;
    const { order, gatewayUrl, bearer, findTool, machine, log, tracing = NO_TRACING } = options;
    const { instanceId, folder, launch, containment, gpus } = order;
    mkdirSync(folder, { recursive: true });
    this.#gateway = createGatewayClient({
      url: gatewayUrl,
      ...(bearer === undefined ? {} : { bearer }),
      onBearer: (next) => this.#takeBearer(next),
      onFenced: () => this.stop('fenced'),
      traceparent: () => tracing.traceparent(),
    });
    const signFile = machine?.signFile ?? null;
    this.#giveSign =
      signFile === null
        ? () => undefined
        : createSignOfLife(signFile, (error) => log.error({ err: error }, 'no sign of life can be given'));
    this.#starts = createWriteStream(order.startsLog, { flags: 'a' });
    this.#starts.on('error', () => undefined);
    this.#board = new TaskBoard({
      instanceId,
      folder,
      toolSlots: launch.toolSlots,
      vcpus: launch.vcpus,
      containment,
      gpus,
      gateway: this.#gateway,
      findTool,
      onStart: (start) => this.#noteStart(start),
      tracing,
      log,
    });
  }

  /** Works until the instance is stopped; returns when no tool and no work folder is left. */
  async run(): Promise<InstanceEnd> {
    await this.#bootstrap();
    const polling = this.#poll();
    const endWatch = this.#watchNotice();
    await this.#keepContact();
    endWatch();
    const end = this.#end ?? 'stopped';
    await this.#board.close(end === 'fenced' ? 'fenced' : 'ended');
    await Promise.race([polling, sleep(LAST_RESULTS_MS)]);
    await this.#gateway.close();
    this.#starts.end();
    this.#options.log.info({ end }, 'instance ended');
    return end;
  }

  /** Ends the instance; the first reason stays. */
  stop(reason: InstanceEnd): void {
    if (this.#end !== null) return;
    this.#end = reason;
    this.#stop.abort();
    this.#shutDownWorker();
  }

  /** Begins no task any more, and hands back what still runs after the time of the drain: the machine is to be taken away. */
  drain(seconds: number): void {
    this.#options.log.warn({ drainSeconds: seconds }, 'the machine is to be taken away');
    this.#board.drain(seconds * 1000);
  }

  #watchNotice(): () => void {
    const { machine } = this.#options;
    if (machine === undefined) return () => undefined;
    return watchNotice(machine.noticeFile, () => this.drain(machine.drainSeconds));
  }

  /** Polls the task queue. An error of Temporal ends one worker and starts the next; tools go on running. */
  async #poll(): Promise<void> {
    const { order, connect, gatewayUrl, log, tracing = NO_TRACING } = this.#options;
    const { launch } = order;
    const shards = launch.toolSlots * SHARDS_PER_SLOT + SPARE_SHARDS;
    let waitsMs = backOff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
    while (this.#end === null) {
      let connection: NativeConnection | null = null;
      try {
        connection = await connect(gatewayUrl, this.#bearer);
        this.#connection = connection;
        const worker = await Worker.create({
          connection,
          namespace: COMPUTE_NAMESPACE,
          taskQueue: launch.taskQueue,
          identity: `instance/${order.instanceId}`,
          activities: { ...createComputeActivities(launch, this.#board) },
          ...tracedActivities(tracing),
          maxConcurrentActivityTaskExecutions: shards,
          maxConcurrentActivityTaskPolls: Math.min(shards, 4),
          // A cancellation is answered to a heartbeat, so heartbeats must not be held back for long.
          maxHeartbeatThrottleInterval: '1s',
          shutdownGraceTime: 0,
          shutdownForceTime: '2s',
        });
        this.#worker = worker;
        waitsMs = backOff(FIRST_WAIT_MS, LONGEST_WAIT_MS);
        if (this.#stop.signal.aborted) this.#shutDownWorker();
        await worker.run();
      } catch (error) {
        log.warn({ err: error }, 'Temporal is out of reach; tools go on');
      }
      this.#worker = null;
      this.#connection = null;
      await connection?.close().catch(() => undefined);
      await this.#pause(waitsMs.next().value);
    }
  }

  /** Asks for the first bearer until there is one, or until the instance is refused or stopped. */
  async #bootstrap(): Promise<void> {
    const { order, bearer, log } = this.#options;
    if (bearer !== undefined) {
      this.#takeBearer(bearer);
      return;
    }
    await this.#gateway.bootstrap(order.launch.credential, this.#stop.signal).catch((error: unknown) => {
      log.warn({ err: error }, 'the gateway gave no bearer');
      this.stop('fenced');
    });
  }

  #takeBearer(bearer: string): void {
    this.#bearer = bearer;
    // A connection that is being closed takes no bearer, and needs none.
    this.#connection?.setMetadata({ authorization: `Bearer ${bearer}` }).catch(() => undefined);
  }

  #shutDownWorker(): void {
    if (this.#worker?.getState() === 'RUNNING') this.#worker.shutdown();
  }

  async #keepContact(): Promise<void> {
    const { contactSeconds, log, machine } = this.#options;
    let heardAt = performance.now();
    while (this.#end === null) {
      const startedAt = performance.now();
      try {
        const { stop } = await this.#gateway.contact({
          running: this.#board.running(),
          ...(this.#board.wasStoreFull() ? { isStoreFull: true } : {}),
        });
        heardAt = performance.now();
        this.#giveSign();
        if (stop) this.#board.stopAll();
      } catch (error) {
        log.debug({ err: error }, 'the gateway is out of reach; tools go on');
      }
      if (performance.now() - heardAt > ABANDONED_MS) this.stop('abandoned');
      if (this.#board.idleMs() > (machine?.idleSeconds ?? Infinity) * 1000) this.stop('idle');
      this.#board.flushLogs();
      // The time that the gateway gathered contacts counts, so that a fence is seen after one interval.
      const passedMs = performance.now() - startedAt;
      await this.#pause(Math.max(contactSeconds * 500, contactSeconds * 1000 - passedMs));
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#end !== null) return;
    await sleep(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  /** Writes one line for each start of a tool or a task, so that tests and operators can count the starts. */
  #noteStart(start: ToolStart): void {
    const { jobId, slot, generation } = this.#options.order.launch;
    const at = new Date().toISOString();
    this.#starts.write(`${JSON.stringify({ at, jobId, slot, generation, ...start })}\n`);
  }
}
