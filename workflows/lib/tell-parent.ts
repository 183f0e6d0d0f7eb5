/**
 * A job that is the child of a workflow of docking tells its parent the decision of its admission, so that whoever waits for the
 * decision may ask the parent. A job without a parent tells nobody, which is why no patch guards this command: no job of
 * before had a parent. A parent that is gone is no fault of the job, which goes on.
 */
import { getExternalWorkflowHandle, log, workflowInfo } from '@temporalio/workflow';
import { DOCKING_MESSAGES } from '../../src/contracts/docking.ts';
import type { AdmissionDecision } from '../../src/contracts/job.ts';
import { causeForLog } from './collect-errors.ts';

/** Tells the parent, where there is one. */
export async function tellParent(decision: AdmissionDecision): Promise<void> {
  const { parent } = workflowInfo();
  if (parent === undefined) return;
  try {
    await getExternalWorkflowHandle(parent.workflowId).signal(DOCKING_MESSAGES.decided, decision);
  } catch (error) {
    log.warn('the parent of a job could not be told the decision', { error: causeForLog(error) });
  }
}
