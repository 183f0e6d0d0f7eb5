/**
 * The forecast of a running job that is measured, and the warning of one that comes to more than may be held: its customer tops up or
 * raises the limit before the job pauses, and not after.
 */
import type { DataSource } from 'typeorm';

import { callerOf } from '../../domain/access.ts';
import type { Actor } from '../../domain/access.ts';
import { forecastOf } from '../../domain/forecast.ts';
import type { CostForecast } from '../../domain/forecast.ts';
import type { JobWarning } from '../../domain/warnings.ts';
import { refusalNow } from '../ledger/index.ts';
import { displayPence } from '../prices/quotes.ts';
import { forecastAdvice } from './finish-words.ts';
import type { StatusRow } from './present-status.ts';

/** Makes the forecast of a job as its status row says; null for one that does not go on by itself, or whose price is fixed. */
export function forecastOfRow(row: StatusRow): CostForecast | null {
  const { quote, verified, charged_pence: chargedPence, seen_work: seen } = row;
  return seen === null ? null : forecastOf({ quote, verified: verified ?? [], chargedPence }, seen);
}

/** Warns of a forecast that comes to more than the job holds and may hold further; null where it does not. */
export async function uncoveredForecast(
  db: DataSource,
  actor: Actor,
  jobId: string,
  { row, forecast }: { readonly row: StatusRow; readonly forecast: CostForecast },
): Promise<JobWarning | null> {
  // Earlier executions are settled: what they have not charged is given back.
  const mayCost = row.held_pence - row.released_pence;
  const amountPence = forecast.highCents - mayCost;
  if (amountPence <= 0) return null;
  const limitPence = row.limit_pence === null ? Infinity : row.limit_pence + row.charged_pence;
  const caller = callerOf(actor);
  const keyId = caller.kind === 'key' ? { keyId: caller.id } : {};
  const refusal = await refusalNow(db, { accountId: actor.accountId, jobId, amountPence, ...keyId });
  if (refusal === null && forecast.highCents <= limitPence) return null;
  const range = `${displayPence(forecast.lowCents)} to ${displayPence(forecast.highCents)}`;
  const advice = refusal === null ? LIMIT_OF_RESUME : forecastAdvice(amountPence, refusal);
  return {
    code: 'FORECAST_NOT_COVERED',
    message: `By what it has done the job comes to ${range}, and ${displayPence(mayCost)} is held for it. ${advice} Else it pauses at a checkpoint or between two tasks, and keeps what is done.`,
  };
}

const LIMIT_OF_RESUME =
  'Its resume was limited (limitCents): it can be resumed again without a limit once it has paused.';
