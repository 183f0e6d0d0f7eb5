/**
 * Tells the gateway when the tool of a measured task starts and when it has ended. The start is told before the tool gets
 * the task, and after its session is ready, so that nobody pays for the start of a session after a loss or a leg, and the end is never told
 * first. A tool that says when its work begins is told to start anew then, as a run of its own: what came before is not counted. The end is
 * told beside the staging of the outputs, and before the task is reported. A run that failed or was stopped has no end, because it is not charged.
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
  tool: {
    readonly whenReady: () => Promise<void>;
    /** The tool calls back when its work begins, where it says so. */
    readonly run: (onWorking: () => void) => Promise<TaskOutcome>;
  },
): Promise<MeteredEnd> {
  if (metered !== true) return { outcome: await tool.run(() => undefined), told: Promise.resolve() };
  let moments = { execution, ordinal: run.ordinal, attempt, run: randomUUID() };
  const tell = (moment: MeterRequest['moment'], signal: AbortSignal): Promise<void> =>
    gateway.meter({ ...moments, moment }, signal);
  await tool.whenReady();
  await tell('started', run.stopSignal);
  let working: Promise<void> = Promise.resolve();
  const outcome = await tool.run(() => {
    moments = { ...moments, run: randomUUID() };
    working = handled(tell('started', run.stopSignal));
  });
  // The end of a run never comes before its start.
  const told =
    outcome.end === 'done' ? working.then(() => tell('ended', run.abandonSignal)) : Promise.resolve();
  return { outcome, told: handled(told) };
}

/** The reporter awaits the calls later; until then the failure of one must not be an unhandled one. */
function handled(call: Promise<void>): Promise<void> {
  call.catch(() => undefined);
  return call;
}
