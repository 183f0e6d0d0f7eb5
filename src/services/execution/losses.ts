/**
 * How often a task is started again after a loss to infrastructure. A loss is an instance that was lost while it ran the task, a
 * tool that the system killed, or a session that died in the preparation. In resumable recovery instances are lost as a matter of
 * course, so a lost instance never gives a task up: instances are replaced as long as the job lives, at growing pauses
 * (`instances/replace.ts`). A tool that is killed on an instance that stays is given up after a few kills in every mode.
 * A new checkpoint (`commit/checkpoint.ts`) ends the count: a long task is given up for losses that follow each other without one.
 */
import type { RecoveryMode } from '../../domain/requests.ts';

/** The loss, counted from 1, with which a task is given up; infinite: the task is never given up for its losses. */
export const LAST_LOSS = { standard: 4, resumable: Infinity } as const satisfies Readonly<
  Record<RecoveryMode, number>
>;

/** How often a task is started again after its tool was killed or its session died, whatever the mode. */
export const MOST_KILLS = 3;

/** SQL: whether one more loss of the task `t` of the job `j` is its last. */
export const IS_LAST_LOSS = `(j.recovery_mode = 'standard' and t.losses + 1 >= ${String(LAST_LOSS.standard)})`;
