/** Lines about tasks in the log of an instance; output of a tool is the customer's and goes to the log of the task alone. */
import type { Logger } from 'pino';

import type { TaskOutcome } from './session.ts';

/** Part of a logger with which an instance writes about its tasks. */
export type InstanceLog = Pick<Logger, 'debug' | 'info' | 'warn'>;

/** Tells how a tool ended: a failed task is told by its code, and a tool that cannot be run at all is for the operator. */
export function tellToolEnd(log: InstanceLog | undefined, outcome: TaskOutcome): void {
  if (outcome.end === 'unstarted') log?.warn({ err: outcome.reason }, 'a tool could not be run');
  else if (outcome.end === 'failed') log?.info({ code: outcome.code }, 'a tool failed its task');
  else log?.debug({ outcome: outcome.end }, 'a tool has ended');
}
