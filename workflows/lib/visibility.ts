/** What operators see in the Temporal UI: typed search attributes and the current details in Markdown. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { JobState } from '../../src/domain/job-state.ts';

const JOB_STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const RECOVERY_COUNT = defineSearchAttributeKey('RecoveryCount', SearchAttributeType.INT);

/** What the details tell. Never names, SMILES or secrets. */
export interface JobView {
  readonly state: JobState;
  readonly reason: string | null;
  readonly execution: number;
  readonly verified: number;
  readonly failed: number;
  readonly total: number;
  readonly heldPence: number;
  readonly chargedPence: number | null;
  readonly recoveries: number;
  readonly lastFailure: string | null;
}

/** Makes the state searchable. */
export function showState(state: JobState, recoveries: number): void {
  upsertSearchAttributes([
    { key: JOB_STATUS, value: state },
    { key: RECOVERY_COUNT, value: recoveries },
  ]);
}

/** Shows the job at a glance; returned text is the answer of the `details` query. */
export function showDetails(view: JobView): string {
  const money =
    view.chargedPence === null
      ? `held ${pounds(view.heldPence)}`
      : `held ${pounds(view.heldPence)}, charged ${pounds(view.chargedPence)}`;
  const lines = [
    `**${view.state}**${view.reason === null ? '' : ` (${view.reason})`}, execution ${view.execution}`,
    `- tasks: ${view.verified} of ${view.total} verified, ${view.failed} failed`,
    `- money: ${money}`,
    `- recoveries: ${view.recoveries}`,
    ...(view.lastFailure === null ? [] : [`- last failure: ${view.lastFailure}`]),
  ];
  const text = lines.join('\n');
  setCurrentDetails(text);
  return text;
}

function pounds(pence: number): string {
  return `£${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
}
