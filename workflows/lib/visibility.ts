/** The view of a job in the Temporal UI, for operators: typed search attributes and the current details in Markdown. */
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { JobState } from '../../src/domain/job-state.ts';

const JOB_STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const RECOVERY_COUNT = defineSearchAttributeKey('RecoveryCount', SearchAttributeType.INT);

const MAX_SPANS = 4;

/** The facts of a job that operators see: never names, SMILES or secrets. */
export interface JobView {
  readonly state: JobState;
  readonly reason: string | null;
  readonly execution: number;
  readonly verified: number;
  readonly failed: number;
  readonly total: number;
  readonly partsOpen: number;
  readonly heldPence: number;
  readonly chargedPence: number | null;
  readonly recoveries: number;
  readonly lastFailure: string | null;
}

/** Makes the state of the job searchable. */
export function showState(state: JobState, recoveries: number): void {
  upsertSearchAttributes([
    { key: JOB_STATUS, value: state },
    { key: RECOVERY_COUNT, value: recoveries },
  ]);
}

/** Shows the job; the returned text is the answer of the query `details`. */
export function showDetails(view: JobView): string {
  const money =
    view.chargedPence === null
      ? `held ${pounds(view.heldPence)}`
      : `held ${pounds(view.heldPence)}, charged ${pounds(view.chargedPence)}`;
  const parts = view.partsOpen > 0 ? `; parts at work, counted when they end: ${view.partsOpen}` : '';
  const lines = [
    `**${view.state}**${view.reason === null ? '' : ` (${view.reason})`}, execution ${view.execution}`,
    `tasks: ${view.verified} of ${view.total} verified, ${view.failed} failed${parts}`,
    `money: ${money}`,
    `recoveries: ${view.recoveries}${view.lastFailure === null ? '' : `, last failure: ${view.lastFailure}`}`,
  ];
  return show(lines);
}

/** The facts of a part that operators see. */
export interface PartView {
  readonly end: string;
  readonly kind: string;
  readonly instance: string;
  readonly verified: number;
  readonly failed: number;
  readonly running: number;
  readonly waiting: number;
  readonly lostContacts: number;
}

/** Shows how far a part is; the job counts the tasks of a part when the part has ended. */
export function showPart(view: PartView): void {
  show([
    `**${view.end}**, ${view.kind} on instance ${view.instance}`,
    `tasks: ${view.verified} verified, ${view.failed} failed`,
    `shards: ${view.running} sent, ${view.waiting} waiting, ${view.lostContacts} contacts lost in a row`,
  ]);
}

/** Shows each line as a paragraph, because the Temporal UI joins the lines of a list. */
function show(lines: readonly string[]): string {
  const text = lines.join('\n\n');
  // The frame of the Temporal UI cuts off one paragraph.
  setCurrentDetails(`${text}\n\n\u00a0`);
  return text;
}

/** Ordinals in short form: `0-3, 7`; a long list ends with how many ordinals there are. */
export function ranges(ordinals: readonly number[]): string {
  const spans: { from: number; to: number }[] = [];
  for (const ordinal of ordinals) {
    const last = spans.at(-1);
    if (last !== undefined && ordinal === last.to + 1) last.to = ordinal;
    else spans.push({ from: ordinal, to: ordinal });
  }
  const shown = spans.slice(0, MAX_SPANS).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return spans.length > MAX_SPANS ? `${shown.join(', ')}, … (${ordinals.length} in all)` : shown.join(', ');
}

function pounds(pence: number): string {
  return `£${Math.floor(pence / 100)}.${String(pence % 100).padStart(2, '0')}`;
}
