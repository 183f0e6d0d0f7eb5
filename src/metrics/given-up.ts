/** Counts the tasks that the service gave up, for Prometheus. A task that its tool reports as failed is not counted. */
import { Counter, type Registry } from 'prom-client';

/** Why a task was given up; the list is closed, so that no input can make the number of series grow. */
export const GIVEN_UP_CAUSES = ['instance_lost', 'tool_killed', 'outputs_unverified', 'tool_fault'] as const;

/** One of the causes for which a task is given up. */
export type GivenUpCause = (typeof GIVEN_UP_CAUSES)[number];

/** Counts tasks and steps that are given up. */
export type CountGivenUp = (cause: GivenUpCause, count: number) => void;

/**
 * Makes the counter in a registry; call it once per process and registry. Every cause is there from the beginning, with
 * the value 0.
 */
export function createGivenUpMetrics(registry: Registry): CountGivenUp {
  const counter = new Counter({
    name: 'dockyard_tasks_given_up_total',
    help: 'Tasks and steps that failed because the service gave them up, by cause.',
    labelNames: ['cause'],
    registers: [registry],
  });
  for (const cause of GIVEN_UP_CAUSES) counter.inc({ cause }, 0);
  return (cause, count) => counter.inc({ cause }, count);
}
