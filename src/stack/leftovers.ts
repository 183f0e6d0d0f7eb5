// Stops the processes that a killed supervisor left running. Our own processes end by themselves when the channel to the
// supervisor closes; PostgreSQL, Temporal and the object store have no such channel, and a paused process does not notice.
// Such processes are found by endpoints.json, checked to be ours and stopped, so that they keep no port of the next run.
import type { StackEvent } from './events.ts';
import { readProcesses } from './endpoints.ts';
import { stopLeftoverPostgres, type PostgresPlace } from './postgres.ts';
import { isAlive, namesFolder, signalGroup, signalProcess, waitUntilGone } from './processes.ts';

const stopTimeoutMs = 8_000;

/** Stops processes of an earlier run over the same data folder. Only for the owner of the folder's lock. */
export async function stopLeftovers(
  home: string,
  place: PostgresPlace,
  report: (event: StackEvent) => void,
): Promise<void> {
  const left = readProcesses(home).filter(({ name, pid }) => name !== 'postgres' && namesFolder(pid, home));
  const names = left.map(({ name, pid }) => `${name} (${pid})`);
  for (const { pid } of left) {
    signalProcess(pid, 'SIGCONT');
    signalProcess(pid, 'SIGTERM');
  }
  const pids = left.map(({ pid }) => pid);
  const [, hadPostgres] = await Promise.all([endAll(pids), stopLeftoverPostgres(place)]);
  if (hadPostgres) names.push('postgres');
  if (names.length > 0)
    report({ type: 'notice', message: `stopped what an earlier run left: ${names.join(', ')}` });
}

async function endAll(pids: readonly number[]): Promise<void> {
  if (await waitUntilGone(pids, stopTimeoutMs)) return;
  for (const pid of pids.filter(isAlive)) {
    if (!signalGroup(pid, 'SIGKILL')) signalProcess(pid, 'SIGKILL');
  }
  await waitUntilGone(pids, stopTimeoutMs);
}
