/**
 * Effects of SQL on the rows of tasks, as functions: which tasks a settlement charges, which tasks a resume holds for, and how
 * each row goes on. `test/services/walk-rules.test.ts` compares every function with the statement of the product, for every kind
 * of row, so that a walk over these functions is a walk over what the product does.
 */
import type { MissingTasks } from '../../../src/domain/missing-work.ts';
import type { VerifiedTasks } from '../../../src/domain/pricing.ts';
import type { TaskState } from '../../../src/domain/job-state.ts';

/** A task as its row has it. */
export interface RuleTask {
  readonly state: TaskState;
  readonly execution: number;
  readonly attempts: number;
  readonly losses: number;
  readonly kills: number;
  readonly chargedIn: number | null;
  readonly priceClass: string | null;
  readonly meteredMs: number;
}

/** Whether the settlement of an execution charges the task (`src/services/execution/settle/settle.ts`). */
export function isDue({ state, execution, chargedIn }: RuleTask, settled: number): boolean {
  return state === 'SUCCEEDED' && execution === settled && chargedIn === null;
}

/** Whether a resume holds the price of the task (`src/services/jobs/resume.ts`). */
export function isMissing({ state, chargedIn }: RuleTask): boolean {
  return state !== 'SUCCEEDED' && chargedIn === null;
}

/** The task after a resume that starts the given execution. */
export function openedAgain<T extends RuleTask>(task: T, execution: number): T {
  if (task.state === 'SUCCEEDED') return task;
  return { ...task, state: 'PENDING', execution, losses: 0, kills: 0 };
}

/** The task after the end of an execution: what is undecided is cancelled, and waits where the job only pauses. */
export function stopped<T extends RuleTask>(task: T, end: string): T {
  if (task.state !== 'PENDING' && task.state !== 'RUNNING') return task;
  return { ...task, state: end === 'PAUSED' ? 'PENDING' : 'CANCELLED' };
}

/** Tasks by price class, as a settlement counts them. */
export function byClass(tasks: readonly RuleTask[]): readonly VerifiedTasks[] {
  return [...new Set(tasks.map((task) => task.priceClass))].map((priceClass) => {
    const ofClass = tasks.filter((task) => task.priceClass === priceClass);
    const meteredMs = ofClass.reduce((sum, task) => sum + task.meteredMs, 0);
    return { priceClass, tasks: ofClass.length, meteredMs };
  });
}

/** Missing tasks by price class, as a resume counts them. */
export function missingByClass(tasks: readonly RuleTask[]): readonly MissingTasks[] {
  return byClass(tasks.filter(isMissing)).map(({ priceClass, tasks: count }) => ({
    priceClass,
    tasks: count,
  }));
}
