/**
 * How full the task queues of the control workers are: slots, as this process has them; what waits, as Temporal tells
 * it for all of them; and the turns at files. Asked when they are read, so that nothing is counted twice and nothing is
 * stale. What does not answer in time is left out, never told as zero.
 */
import type { Connection } from '@temporalio/client';
import { Gauge, type Registry } from 'prom-client';
import type { DataSource } from 'typeorm';

import { CONTROL_QUEUES, type ControlQueue } from '../../contracts/names.ts';
import { describeBacklog } from '../../adapters/temporal/backlog.ts';
import { countFileTurns } from '../../services/file-turns.ts';

/** Where the numbers come from. */
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
      ...{ name, help, labelNames, registers: [registry] },
      collect() {
        for (const queue of CONTROL_QUEUES) this.set({ queue }, sources.slots(queue)[pick]);
      },
    });
  };
  of('dockyard_activity_slots_used', 'Activities that this process runs now, by task queue.', 'used');
  of('dockyard_activity_slots', 'Activities that this process runs at most, by task queue.', 'all');
}

function registerBacklog(registry: Registry, { connection, namespace }: QueueSources): void {
  const labelNames = ['queue', 'kind'];
  const age = new Gauge({
    name: 'dockyard_task_queue_age_seconds',
    help: 'Age of the oldest task that waits for a worker, by task queue and kind.',
    ...{ labelNames, registers: [registry] },
  });
  new Gauge({
    name: 'dockyard_task_queue_depth',
    help: 'Tasks that wait for a worker of any process, by task queue and kind.',
    ...{ labelNames, registers: [registry] },
    async collect() {
      this.reset();
      age.reset();
      const found = await describeBacklog(connection, namespace).catch(() => []);
      for (const { queue, kind, tasks, ageSeconds } of found) {
        this.set({ queue, kind }, tasks);
        age.set({ queue, kind }, ageSeconds);
      }
    },
  });
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
