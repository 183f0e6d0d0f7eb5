/** Every workflow that the control worker registers. */
export { sendAlerts } from './alerts.ts';
export { job } from './job.ts';
export { jobPart } from './job-part.ts';
export { grantDueAllowances } from './plans.ts';
export { fetchFxRate } from './rates.ts';
export { reconcileBooks } from './reconciliation.ts';
export { auditLedger, sweepDeployment } from './sweep.ts';
export { topup } from './topup.ts';
export { upload } from './upload.ts';
