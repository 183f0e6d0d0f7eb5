/**
 * Instances as child processes, each the leader of a group of its own. A child holds a pipe to the host and ends when
 * the host is gone. When a child is gone, however it went, every process that carries its marker is killed.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { killMarked, signalProcess } from '../instance/process-table.ts';
import { INSTANCE_MARKER, TASK_MARKER } from '../contracts/local-host.ts';
import type { LaunchOrder } from '../contracts/local-host.ts';
import type { InstanceRunner, RunningInstance } from './runner.ts';

/** How children are started. */
export interface ProcessRunnerOptions {
  /** The instance's entry point. */
  readonly entryPoint: string;
  /** The whole environment of a child, the marker excepted: settings of a guest, nothing of the control side. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Opens a runner of child processes. */
export function createProcessRunner(options: ProcessRunnerOptions): InstanceRunner {
  return { start: (order) => startChild(options, order), cleanUp: killInstance };
}

function startChild({ entryPoint, environment }: ProcessRunnerOptions, order: LaunchOrder): RunningInstance {
  const child = spawn(process.execPath, [entryPoint], {
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...environment, [INSTANCE_MARKER]: order.instanceId },
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(order)}\n`);
  const ended = exitOf(child).then(() => killInstance(order.instanceId));
  return { pid: child.pid ?? null, ended, stop: (graceSeconds) => stopChild(child, ended, graceSeconds) };
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A child that cannot be started says so with an error and never exits.
  await Promise.race([once(child, 'exit'), once(child, 'error')]).catch(() => undefined);
}

async function stopChild(child: ChildProcess, ended: Promise<void>, graceSeconds: number): Promise<void> {
  child.kill('SIGTERM');
  const patience = new AbortController();
  const late = sleep(graceSeconds * 1000, 'late', { signal: patience.signal }).catch(() => null);
  if ((await Promise.race([ended, late])) === 'late' && child.pid !== undefined)
    signalProcess(-child.pid, 'SIGKILL');
  patience.abort();
  await ended;
}

/** Kills every process of an instance: the worker itself and its tools. */
async function killInstance(instanceId: string): Promise<void> {
  await killMarked([
    { variable: INSTANCE_MARKER, valueStart: `${instanceId}\0` },
    { variable: TASK_MARKER, valueStart: `${instanceId}/` },
  ]);
}
