/**
 * An export of docking results: one file, made by one activity, and recorded by it. The row of the export is the truth; a workflow
 * that is lost is started again from the row by the sweep.
 *
 * No signals, no timers. Query: `details`. Cancelling the workflow in the Temporal UI ends the export as failed. Nothing is patched.
 */
import {
  CancellationScope,
  defineQuery,
  isCancellation,
  setCurrentDetails,
  setHandler,
  TemporalFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import type { ExportInput, ExportOutcome } from '../src/contracts/docking.ts';
import { DOCKING_MESSAGES } from '../src/contracts/docking.ts';
import { exportEnds, exportFiles } from './lib/docking-activities.ts';

/** Query: the current details in Markdown. */
export const exportDetailsQuery = defineQuery<string>(DOCKING_MESSAGES.details);

const STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);

/** Makes the file of an export, or ends the export without one. */
export async function dockingExport(input: ExportInput): Promise<ExportOutcome> {
  const { exportId, format, results } = input;
  let details = '';
  const show = (state: string): void => {
    details = [`**${state}**, ${format}`, `results: ${results}`].join('\n\n');
    upsertSearchAttributes([{ key: STATUS, value: state }]);
    // The frame of the Temporal UI cuts off one paragraph.
    setCurrentDetails(`${details}\n\n\u00a0`);
  };
  setHandler(exportDetailsQuery, () => details);
  show('RUNNING');
  const outcome = await made(exportId);
  show(outcome.state);
  return outcome;
}

async function made(exportId: string): Promise<ExportOutcome> {
  try {
    return await exportFiles.writeDockingExport({ exportId });
  } catch (error) {
    // Only a failure of the activity ends the export; an error of the workflow's own code is thrown.
    if (!(error instanceof TemporalFailure)) throw error;
    const code = isCancellation(error) ? 'EXPORT_CANCELLED' : 'EXPORT_NOT_MADE';
    return CancellationScope.nonCancellable(() => exportEnds.failDockingExport({ exportId, code }));
  }
}
