/**
 * Every workflow that the control worker registers. A job and its parts end on the build of control workers that they began on;
 * every other workflow goes on with the build that is current.
 */
import { setWorkflowOptions } from '@temporalio/workflow';

import { jobPart } from './job-part.ts';
import { job } from './job.ts';
import { staysOnItsBuild } from './lib/builds.ts';

export { sendAlerts } from './alerts.ts';
export { dockingBatch, dockingRun } from './docking.ts';
export { dockingExport } from './docking-export.ts';
export { job, jobPart };
export { grantDueAllowances } from './plans.ts';
export { fetchFxRate } from './rates.ts';
export { reconcileBooks } from './reconciliation.ts';
export { auditLedger, endLongPauses, sweepDeployment } from './sweep.ts';
export { importStructure } from './structures.ts';
export { topup } from './topup.ts';
export { upload } from './upload.ts';
export { webhook } from './webhook.ts';

setWorkflowOptions(staysOnItsBuild, job);
setWorkflowOptions(staysOnItsBuild, jobPart);
