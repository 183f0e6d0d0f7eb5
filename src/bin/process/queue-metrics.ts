/**
 * Fill of the control workers' task queues: the slots of this process; the tasks that wait, which Temporal counts over all
 * control workers; and the turns at files. The numbers are read when Prometheus asks, so no number is stale or counted twice. A
 * source that does not answer in time has no value in the answer, never a zero.
 */
import type { Connection } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { CONTROL_QUEUES, type ControlQueue } from '../../contracts/names.ts';
import { describeBacklog, type Backlog } from '../../adapters/temporal/backlog.ts';
import { countFileTurns } from '../../services/file-turns.ts';

/** Sources of the numbers. */
export interface QueueSources {
  readonly connection: Connection;
  readonly namespace: string;
  readonly db: DataSource;
  slots(queue: ControlQueue): { readonly used: number; readonly all: number };
}

/** Registers the metrics; once per registry. */
export function registerQueueMetrics(registry: Registry, sources: QueueSources): void {
  registerSlots(registry, sources);
  registerBacklog(registry, sources);
  registerTurns(registry, sources);
}

function registerSlots(registry: Registry, sources: QueueSources): void {
  const labelNames = ['queue'];
  const of = (name: string, help: string, pick: 'used' | 'all'): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const queue of CONTROL_QUEUES) this.set({ queue }, sources.slots(queue)[pick]);
      },
    });
  };
  of('dockyard_activity_slots_used', 'Activities that this process runs now, by task queue.', 'used');
  of('dockyard_activity_slots', 'Activities that this process runs at most, by task queue.', 'all');
}

function registerBacklog(registry: Registry, { connection, namespace }: QueueSources): void {
  let asking: Promise<readonly Backlog[]> | null = null;
  /** Both metrics of one reading share one question to Temporal. */
  const ask = (): Promise<readonly Backlog[]> => {
    asking ??= describeBacklog(connection, namespace)
      .catch(() => [])
      .finally(() => (asking = null));
    return asking;
  };
  const of = (name: string, help: string, pick: 'tasks' | 'ageSeconds'): void => {
    new Gauge({
      name,
      help,
      labelNames: ['queue', 'kind'],
      registers: [registry],
      async collect() {
        const found = await ask();
        this.reset();
        for (const each of found) this.set({ queue: each.queue, kind: each.kind }, each[pick]);
      },
    });
  };
  of('dockyard_task_queue_depth', 'Tasks that wait for a worker of any process, by task queue.', 'tasks');
  of('dockyard_task_queue_age_seconds', 'Age of the oldest task that waits, by task queue.', 'ageSeconds');
}

function registerTurns(registry: Registry, { db }: QueueSources): void {
  new Gauge({
    name: 'dockyard_file_turns',
    help: 'Files that are put together or hashed (held), or wait for it (waiting), in all processes.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      const counts = await countFileTurns(db).catch(() => null);
      if (counts === null) return;
      this.set({ state: 'held' }, counts.held);
      this.set({ state: 'waiting' }, counts.waiting);
    },
  });
}
