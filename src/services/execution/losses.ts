/**
 * How often a task is started again after a loss to infrastructure: never for ever, in no mode. A loss is an instance
 * that was lost while it ran the task, a tool that the system killed, or a session that died in the preparation.
 */
import type { RecoveryMode } from '../../domain/requests.ts';

/** The loss, counted from 1, with which a task is given up. */
export const LAST_LOSS = { standard: 4, resumable: 10 } as const satisfies Readonly<
  Record<RecoveryMode, number>
>;

/** How often a task is started again after its tool was killed or its session died, whatever the mode. */
export const MOST_KILLS = 3;

/** SQL: with which loss a task of the job `j` is given up. */
export const LAST_LOSS_OF_JOB = `case when j.recovery_mode = 'standard' then ${String(LAST_LOSS.standard)} else ${String(LAST_LOSS.resumable)} end`;
