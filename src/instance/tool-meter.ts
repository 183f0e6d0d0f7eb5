/**
 * Tells the gateway when the tool of a measured task starts and when it has ended. The start is told before the tool gets
 * the task, and after its session is ready, so that nobody pays for the start of a session after a loss or a leg, and the end is never told
 * first; the end is told beside the staging of the outputs, and before the task is
 * reported. A run that failed or was stopped has no end, because it is not charged.
 */
import { randomUUID } from 'node:crypto';

import type { ClaimResponse, MeterRequest } from '../contracts/instance.ts';
import type { GatewayClient } from './gateway-client.ts';
import type { TaskOutcome } from './session.ts';
import type { TaskRun } from './task-run.ts';

/** The attempt whose tool is measured, and the signals under which the two calls are repeated. */
export interface MeteredAttempt {
  readonly execution: number;
  readonly attempt: number;
  readonly run: Pick<TaskRun, 'ordinal' | 'stopSignal' | 'abandonSignal'>;
}

/** End of a tool's work, and the call that tells of it; the call is settled before the task is reported. */
export interface MeteredEnd {
  readonly outcome: TaskOutcome;
  readonly told: Promise<void>;
}

/** Runs the tool between its two moments; without moments where the claim measures nothing. */
export async function runMetered(
  gateway: Pick<GatewayClient, 'meter'>,
  { metered }: Pick<ClaimResponse, 'metered'>,
  { execution, attempt, run }: MeteredAttempt,
  tool: { readonly whenReady: () => Promise<void>; readonly run: () => Promise<TaskOutcome> },
): Promise<MeteredEnd> {
  if (metered !== true) return { outcome: await tool.run(), told: Promise.resolve() };
  const moments = { execution, ordinal: run.ordinal, attempt, run: randomUUID() };
  const tell = (moment: MeterRequest['moment'], signal: AbortSignal): Promise<void> =>
    gateway.meter({ ...moments, moment }, signal);
  await tool.whenReady();
  await tell('started', run.stopSignal);
  const outcome = await tool.run();
  const told = outcome.end === 'done' ? tell('ended', run.abandonSignal) : Promise.resolve();
  // The reporter awaits the call later; until then its failure must not be an unhandled one.
  told.catch(() => undefined);
  return { outcome, told };
}
