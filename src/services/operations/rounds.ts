/** The rounds of schedules, so that a schedule which stands still or fails is seen and not only missed. */
import type { DataSource } from 'typeorm';

import { ScheduleRoundEntity } from '../../../entities/rounds.ts';
import type { Documents, Row } from '../row.ts';
import type { ScheduleRound } from '../../../entities/rounds.ts';

/** The schedule whose rounds each activity makes. */
export const SCHEDULE_OF_ACTIVITY = {
  sweepDeployment: 'sweep',
  auditLedger: 'ledger-audit',
  endLongPauses: 'long-pauses',
  grantDueAllowances: 'allowances',
  sendAlerts: 'alerts',
  reconcileBooks: 'reconciliation',
  fetchFxRate: 'fx-rate',
} as const;

/** An activity that is a round of a schedule. */
export type ScheduledActivity = keyof typeof SCHEDULE_OF_ACTIVITY;

/** The activities that are rounds of schedules. */
export const SCHEDULED_ACTIVITIES: readonly ScheduledActivity[] = [
  'sweepDeployment',
  'auditLedger',
  'endLongPauses',
  'grantDueAllowances',
  'sendAlerts',
  'reconcileBooks',
  'fetchFxRate',
];

/** A schedule whose rounds are recorded. */
export type RecordedSchedule = (typeof SCHEDULE_OF_ACTIVITY)[ScheduledActivity];

/** The schedules whose rounds are recorded. */
export const RECORDED_SCHEDULES: readonly RecordedSchedule[] = SCHEDULED_ACTIVITIES.map(
  (name) => SCHEDULE_OF_ACTIVITY[name],
);

/** How long ago the last round of a schedule succeeded, null while none has, and how many have failed since. */
export interface RoundStanding {
  readonly schedule: string;
  readonly ageSeconds: number | null;
  readonly failures: number;
  /** How many faults the last audit has found, by check; empty for other schedules, and before the first audit. */
  readonly findings: Readonly<Record<string, number>>;
}

const FAILED = `
  insert into schedule_rounds as r (schedule, failed_at, failures) values ($1, now(), 1)
  on conflict (schedule) do update set failed_at = now(), failures = r.failures + 1`;

/** Makes one round, and records how the round ended; a record that cannot be written changes nothing about the round. */
export async function inRound<T>(
  db: DataSource,
  schedule: RecordedSchedule,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    await db
      .getRepository(ScheduleRoundEntity)
      .upsert({ schedule, succeededAt: () => 'now()', failures: 0 }, ['schedule'])
      .catch(() => undefined);
    return result;
  } catch (error) {
    await db.query(FAILED, [schedule]).catch(() => undefined);
    throw error;
  }
}

/** Notes the schedules of this deployment: one that has never made a round counts from when it was first known. */
export async function noteSchedules(db: DataSource, schedules: readonly RecordedSchedule[]): Promise<void> {
  await db
    .createQueryBuilder()
    .insert()
    .into(ScheduleRoundEntity)
    .values(schedules.map((schedule) => ({ schedule, succeededAt: () => 'now()' })))
    .orIgnore()
    .execute();
}

/** Notes what an audit has found, so that the number is known between two audits. */
export async function noteFindings(
  db: DataSource,
  schedule: RecordedSchedule,
  found: readonly { readonly check: string }[],
): Promise<void> {
  const findings = Object.fromEntries(
    [...Map.groupBy(found, ({ check }) => check)].map(([check, faults]) => [check, faults.length]),
  );
  await db.getRepository(ScheduleRoundEntity).upsert({ schedule, findings }, ['schedule']);
}

/** Reads the state of the rounds of all schedules. */
export async function readRounds(db: DataSource): Promise<readonly RoundStanding[]> {
  const rows = await db.query<
    (Row<ScheduleRound, 'schedule' | 'failures'> &
      Documents<ScheduleRound, { findings: Readonly<Record<string, number>> | null }> & {
        readonly age: number | null;
      })[]
  >(
    `select schedule, failures, findings, extract(epoch from now() - succeeded_at)::float8 as age from schedule_rounds order by schedule`,
  );
  return rows.map(({ schedule, failures, findings, age }) => ({
    schedule,
    failures,
    ageSeconds: age,
    findings: findings ?? {},
  }));
}
