/**
 * The schedules of the deployment's own workflows; each control worker that starts makes the schedules or updates them.
 */
import {
  ScheduleAlreadyRunning,
  ScheduleOverlapPolicy,
  type Client,
  type ScheduleOptions,
} from '@temporalio/client';
import { CONTROL_QUEUE } from '../../contracts/names.ts';

const TRIES = 3;
const TRY_MS = 5_000;
const AUDIT_SECONDS = 3600;
const PAUSES_SECONDS = 3600;
const RATE_SECONDS = 3600;
const ALLOWANCE_SECONDS = 300;
const ALERT_SECONDS = 60;
const DAY_SECONDS = 86_400;
/** The night, UTC, when few people wait for anything. */
const NIGHT_SECONDS = 3 * 3600;

/** Makes the schedules of sweep, audit, long pauses, reconciliation, allowances and alerts, and with a source that of exchange rates, or sets their intervals when they exist. */
export async function ensureSchedules(
  client: Client,
  settings: { sweepSeconds: number; hasRates: boolean },
): Promise<void> {
  const wanted = [
    schedule('sweep', 'sweepDeployment', settings.sweepSeconds),
    schedule('ledger-audit', 'auditLedger', AUDIT_SECONDS),
    schedule('long-pauses', 'endLongPauses', PAUSES_SECONDS),
    schedule('allowances', 'grantDueAllowances', ALLOWANCE_SECONDS),
    schedule('alerts', 'sendAlerts', ALERT_SECONDS),
    schedule('reconciliation', 'reconcileBooks', DAY_SECONDS, NIGHT_SECONDS),
    // The first rate of a new deployment comes at once, and not at the next full hour.
    ...(settings.hasRates
      ? [{ ...schedule('fx-rate', 'fetchFxRate', RATE_SECONDS), state: { triggerImmediately: true } }]
      : []),
  ];
  // All at once: where Temporal leaves several calls without an answer, their deadlines do not add up.
  await Promise.all(wanted.map((options) => ensure(client, options)));
}

function schedule(
  scheduleId: string,
  workflowType: string,
  everySeconds: number,
  offsetSeconds = 0,
): ScheduleOptions {
  return {
    scheduleId,
    spec: { intervals: [{ every: everySeconds * 1000, offset: offsetSeconds * 1000 }] },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId: scheduleId,
      taskQueue: CONTROL_QUEUE,
      args: [],
    },
    // A round that is late is not made up for, because the next round does the same work.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: everySeconds * 1000 },
  };
}

/**
 * Makes a schedule, or sets the interval of one that exists. A Temporal that has just been started may leave a call without an
 * answer, and a control worker that waited for that answer would never serve; so each try has a deadline, and is repeated.
 */
async function ensure(client: Client, options: ScheduleOptions): Promise<void> {
  for (let tries = TRIES; ; tries -= 1) {
    try {
      await client.withDeadline(Date.now() + TRY_MS, () => makeOrSet(client, options));
      return;
    } catch (error) {
      if (tries === 1) throw error;
    }
  }
}

async function makeOrSet(client: Client, options: ScheduleOptions): Promise<void> {
  try {
    await client.schedule.create(options);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule
      .getHandle(options.scheduleId)
      .update((previous) => ({ ...previous, spec: options.spec }));
  }
}
