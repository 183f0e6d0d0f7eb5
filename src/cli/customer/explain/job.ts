/** Answer about a job: why it is where it is, its cost so far, the way to finish it, and the next step. */
import type { JobStatusResponse } from '../../../client/types.ts';
import type { CommandResult } from '../../command.ts';
import { facts, pounds } from '../../table.ts';
import { progressText, stateText, toFinishLines } from '../job-text.ts';
import { factsOfCode } from './codes.ts';

/** Explains how a job stands. */
export function explainJob(status: JobStatusResponse): CommandResult {
  const { cost, statusReason, pauseReason } = status;
  const codes = [status.status, statusReason, pauseReason].filter((code) => code !== null);
  const told = codes.flatMap((code) => factsOfCode(code) ?? []);
  const advice = told.at(-1)?.advice ?? null;
  const lines: (readonly [string, string])[] = [
    ['Job', status.jobId],
    ['Status', stateText(status)],
    ...told.map(({ code, meaning }) => [code, meaning] as const),
    ['Progress', progressText(status)],
    ['Charged', pounds(cost.chargedCents)],
    ...(cost.limitCents === null ? [] : [['Limit', pounds(cost.limitCents)] as const]),
    ...toFinishLines(cost),
    // The service's advice for this very job is better than that for all jobs like it.
    ...(cost.toFinishAdvice !== null || advice === null ? [] : [['What to do', advice] as const]),
  ];
  return { data: { status, codes: told }, text: facts(lines) };
}
