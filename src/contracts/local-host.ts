/**
 * The contract between the control side and the local host, which is HTTP on loopback with a bearer token:
 * `POST /v1/instances` (a LaunchRequest, answers a HostInstance or a HostRefusal), `GET /v1/instances`, `GET` and `DELETE
 * /v1/instances/{token}`, `POST /v1/instances/{token}/interruption` (an InterruptionRequest), `GET /v1/tools` (a HostToolList). A child process gets a LaunchOrder as the first line of its standard input.
 */

import type { ToolReport } from '../domain/availability.ts';
import type { Market } from '../domain/recoveries.ts';
import type { Containment } from './containment.ts';

/** The request that starts an instance. The same token never starts a second instance. */
export interface LaunchRequest {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly token: string;
  readonly taskQueue: string;
  readonly vcpus: number;
  /** GPUs that the instance may use. */
  readonly gpus: number;
  readonly toolSlots: number;
  readonly market: Market;
  /** Secret for which the gateway gives the instance its bearer; it serves one caller. */
  readonly credential: string;
}

/** An instance as the host knows it; an instance that is `gone` never runs again. */
export interface HostInstance {
  readonly providerId: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
  /** Why the instance is gone, where the host took it away; absent for every other end. */
  readonly cause?: 'PREEMPTED';
}

/** Takes an instance away as a spot market does: the instance is told at once, and ended after so many seconds. */
export interface InterruptionRequest {
  readonly seconds: number;
}

/** The file, below the folder of an instance, that is there when the instance is to be taken away. */
export const NOTICE_FILE = 'notice/spot';

/** No spot place of the host is free; nothing was started. */
export interface HostRefusal {
  readonly state: 'unavailable';
}

/** Every instance of the host that is not gone. */
export interface HostInstanceList {
  readonly instances: readonly HostInstance[];
}

/** A GPU of a machine, as its driver tells; null for what it does not tell. */
export interface GpuFacts {
  readonly name: string | null;
  readonly memoryMib: number | null;
  readonly driver: string | null;
}

/** Every tool of the host's version, whether this machine can run it, how tools are contained here, and the machine's GPUs. */
export interface HostToolList {
  readonly containment: Containment;
  readonly gpus: readonly GpuFacts[];
  readonly tools: readonly ToolReport[];
}

/** The first line on the standard input of an instance's process; the input stays open as long as the host lives. */
export interface LaunchOrder {
  readonly instanceId: string;
  readonly folder: string;
  readonly startsLog: string;
  /** Containment of the instance's tools. */
  readonly containment: Containment;
  /** The GPUs of the machine, by their numbers, that no other instance uses meanwhile. */
  readonly gpus: readonly number[];
  readonly launch: LaunchRequest;
}

/** The environment variable that marks every process of an instance, so that the host finds and kills all of them. */
export const INSTANCE_MARKER = 'DOCKYARD_INSTANCE';

/** The environment variable that marks the processes of a tool; its value is `{instanceId}/{unique}`. */
export const TASK_MARKER = 'DOCKYARD_TASK';
