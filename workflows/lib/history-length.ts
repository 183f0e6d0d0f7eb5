import { workflowInfo } from '@temporalio/workflow';

/** Whether the history of this run is so long that the workflow has to continue as new. */
export function isHistoryLong(maxHistoryEvents: number): boolean {
  const info = workflowInfo();
  return info.continueAsNewSuggested || info.historyLength > maxHistoryEvents;
}
