/**
 * Runs instances as child processes, each the leader of a process group. A child process holds a pipe to the host and ends
 * when the host is gone. When a child process has ended, for whatever reason, every process with its marker is killed.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { killMarked, signalProcess } from '../instance/process-table.ts';
import { INSTANCE_MARKER, TASK_MARKER } from '../contracts/local-host.ts';
import type { LaunchOrder } from '../contracts/local-host.ts';
import type { InstanceRunner, RunningInstance } from './runner.ts';

/** The program and the environment of the child processes. */
export interface ProcessRunnerOptions {
  /** The entry point of an instance: the file that Node runs. */
  readonly entryPoint: string;
  /** The whole environment of a child process except its marker: settings of a guest, and none of the control side. */
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
  // A child process that cannot be started emits an error and no exit.
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
