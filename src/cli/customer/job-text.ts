/** The status of a job as text. */
import type { JobState, JobStatusResponse } from '../../client/types.ts';
import type { JOB_WARNINGS } from '../../domain/codes/jobs.ts';
import type { TextLine } from '../../tools/shown.ts';
import { EXIT } from '../problems.ts';
import { facts, pounds, printable, table } from '../table.ts';

const FORECAST_NOT_COVERED = 'FORECAST_NOT_COVERED' satisfies keyof typeof JOB_WARNINGS;

/** The states in which a command about a job does not end with 0. */
const EXITS: Readonly<Record<string, number>> = {
  PARTIALLY_SUCCEEDED: EXIT.jobPartial,
  FAILED: EXIT.jobFailed,
  CANCELLED: EXIT.jobCancelled,
};

/** Exit code of a command about a job: 0 unless the job has ended otherwise than SUCCEEDED. */
export function exitCodeOf(state: JobState): number {
  return EXITS[state] ?? EXIT.ok;
}

/** The state with its reason. */
export function stateText({ status, statusReason, pauseReason, queue }: JobStatusResponse): string {
  const reason = statusReason ?? pauseReason ?? queue?.reason ?? null;
  if (reason === 'INSTANCE_STARTING') return `${status}: instance starting`;
  if (queue?.license !== undefined)
    return `${status}: ${seatsText(queue.license)}, place ${queue.position ?? '?'}`;
  if (reason === 'STORE_FULL') return `${status}: the object store of the service is full`;
  return reason === null ? status : `${status} (${printable(reason)})`;
}

function seatsText({
  software,
  seats,
  used,
}: NonNullable<NonNullable<JobStatusResponse['queue']>['license']>): string {
  return `${used} of ${seats} seats of ${printable(software)} are taken`;
}

/** How far the job is. */
export function progressText({ progress, cost: { forecast } }: JobStatusResponse): string {
  const { unit, total, completed, failed, running, etaSeconds } = progress;
  const parts = [`${completed + failed} of ${total} ${unit}s`];
  if (failed > 0) parts.push(`${failed} failed`);
  if (running > 0) parts.push(`${running} running`);
  if (etaSeconds !== null && etaSeconds > 0) parts.push(`about ${durationText(etaSeconds)} left`);
  if (forecast !== null && forecast.basis !== 'ESTIMATE') parts.push(`${rangeText(forecast)} in all`);
  return parts.join(', ');
}

function rangeText({
  lowCents,
  highCents,
}: {
  readonly lowCents: number;
  readonly highCents: number;
}): string {
  return lowCents === highCents ? pounds(lowCents) : `${pounds(lowCents)} to ${pounds(highCents)}`;
}

/** A length of time for people. */
export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Everything that a status says; `parts` is what the tools say of their parts of it. */
export function jobText(status: JobStatusResponse, parts: readonly TextLine[]): string {
  const { cost } = status;
  const lines: (readonly [string, string])[] = [
    ['Job', status.jobId],
    ...(status.jobName === null ? [] : [['Name', status.jobName] as const]),
    ['Status', stateText(status)],
    ...(status.cancelReason === null ? [] : [['Cancelled for', printable(status.cancelReason)] as const]),
    ['Progress', progressText(status)],
    ...instancesText(status.instances).map((text) => ['Instance', text] as const),
    ...(status.recovery.recoveries === 0 ? [] : [['Recoveries', recoveryText(status.recovery)] as const]),
    ...resumedLines(status.recovery),
    ['Held', pounds(cost.heldCents)],
    ['Charged', pounds(cost.chargedCents)],
    ['Released', pounds(cost.releasedCents)],
    ...(cost.limitCents === null ? [] : [['Limit', pounds(cost.limitCents)] as const]),
    ...toFinishLines(cost),
    ...parts,
  ];
  return `${facts(lines)}${notesText(status)}`;
}

/** Makes the line of a job that was to go on inside its tasks and does not. */
function resumedLines({
  mode,
  resumableReason,
}: JobStatusResponse['recovery']): readonly (readonly [string, string])[] {
  return mode === 'standard' || resumableReason === null
    ? []
    : [['After a loss', printable(resumableReason)]];
}

/** Makes the lines about finishing a stopped job. */
export function toFinishLines({
  toFinishCents,
  toFinishAdvice,
}: JobStatusResponse['cost']): readonly (readonly [string, string])[] {
  return [
    ...(toFinishCents === null ? [] : [['To finish', pounds(toFinishCents)] as const]),
    ...(toFinishAdvice === null ? [] : [['What to do', toFinishAdvice] as const]),
  ];
}

/** One line for all instances of which the provider says the same, and nothing of those of which it says only that they are there. */
function instancesText(instances: JobStatusResponse['instances']): readonly string[] {
  const counts = new Map<string, number>();
  for (const { type, market, zone, state } of instances) {
    if (type === null) continue;
    const place = zone === null ? [] : [zone];
    const text = [type, market === 'SPOT' ? 'spot' : 'on demand', ...place, state.toLowerCase()].join(', ');
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} × ${text}`));
}

function recoveryText({ recoveries, secondsLost, chargedCents }: JobStatusResponse['recovery']): string {
  return `${recoveries}, ${durationText(secondsLost)} of work lost, charged ${pounds(chargedCents)}`;
}

/**
 * Tells each lost instance once, in one line; a job that is watched from its middle on tells those of before, too. Tells once that the
 * forecast is more than may be held, which comes while the job runs.
 */
export function createNoticeLines(): (status: JobStatusResponse) => readonly string[] {
  let told = 0;
  let isForecastTold = false;
  return ({ recovery: { recoveries, events }, warnings }) => {
    const fresh = recoveries > told ? events.slice(-(recoveries - told)) : [];
    told = recoveries;
    const above = isForecastTold ? undefined : warnings.find(({ code }) => code === FORECAST_NOT_COVERED);
    isForecastTold ||= above !== undefined;
    const losses = fresh.map(
      ({ cause, tasksKept, secondsLost, chargedCents }) =>
        `An instance was lost (${printable(cause)}): ${tasksKept} verified tasks kept, ${durationText(secondsLost)} of work lost, charged ${pounds(chargedCents)}`,
    );
    return above === undefined ? losses : [...losses, printable(above.message)];
  };
}

/** Warnings, each on a line. */
export function warningsText(warnings: JobStatusResponse['warnings']): string {
  return warnings.map(({ code, message }) => `Warning ${code}: ${printable(message)}\n`).join('');
}

/** Warnings and failures. */
export function notesText({ warnings, failures, progress }: JobStatusResponse): string {
  const notes = warningsText(warnings);
  if (failures.length === 0) return notes;
  const failed = table(
    [
      { title: 'FAILED', value: ({ id }) => id ?? 'the whole job' },
      { title: 'CODE', value: ({ code }) => code },
      { title: 'WHY', value: ({ message }) => message },
    ],
    failures,
  );
  // One failure of the whole job stands for all of its tasks.
  const isWhole = failures.some(({ index }) => index === null);
  const more = isWhole ? 0 : progress.failed - failures.length;
  return `${notes}\n${failed}${more > 0 ? `... and ${more} more\n` : ''}`;
}
