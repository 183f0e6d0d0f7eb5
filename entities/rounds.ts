/** The rounds of schedules: when the last round of each succeeded, and how many have failed since. */
import { EntitySchema } from 'typeorm';

import { defaulted, integer, json, nullable, primary, text, time } from './columns.ts';

/** Ends of the rounds of one schedule. */
export interface ScheduleRound {
  schedule: string;
  succeededAt: Date | null;
  failedAt: Date | null;
  /** Rounds that failed since the last one that succeeded. */
  failures: number;
  /** How many faults the last round of the audit has found, by check; null for other schedules. */
  findings: unknown;
}

/** Table `schedule_rounds`. */
export const ScheduleRoundEntity = new EntitySchema<ScheduleRound>({
  name: 'ScheduleRound',
  tableName: 'schedule_rounds',
  columns: {
    schedule: primary(text),
    succeededAt: nullable(time),
    failedAt: nullable(time),
    failures: defaulted(integer, '0'),
    findings: nullable(json),
  },
});
