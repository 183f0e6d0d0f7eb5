/**
 * What the control side and the local compute host say to each other, over HTTP on loopback with a bearer token:
 * `POST /v1/instances` (a LaunchRequest, answers a HostInstance), `GET /v1/instances`, `GET` and `DELETE
 * /v1/instances/{token}`. A child process gets a LaunchOrder as the first line of its standard input.
 */

/** Starts an instance. The same token never starts a second one. */
export interface LaunchRequest {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
  readonly token: string;
  readonly taskQueue: string;
  readonly vcpus: number;
  readonly toolSlots: number;
  readonly gatewayToken: string;
}

/** An instance as the host knows it; `gone` is for ever. */
export interface HostInstance {
  readonly providerId: string;
  readonly token: string;
  readonly state: 'running' | 'gone';
  readonly launchedAt: string;
}

/** Every instance of the host that is not gone. */
export interface HostInstanceList {
  readonly instances: readonly HostInstance[];
}

/** What a child process needs to be an instance; its standard input then stays open as long as the host lives. */
export interface LaunchOrder {
  readonly instanceId: string;
  readonly folder: string;
  readonly startsLog: string;
  readonly launch: LaunchRequest;
}

/** Environment variable that marks every process of an instance, so that none outlives it unseen. */
export const INSTANCE_MARKER = 'DOCKYARD_INSTANCE';

/** Environment variable that marks a tool's processes: `{instanceId}/{unique}`. */
export const TASK_MARKER = 'DOCKYARD_TASK';
