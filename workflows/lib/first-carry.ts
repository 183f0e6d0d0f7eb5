import type { AdmissionDecision, JobAdmission, JobCarry } from '../../src/contracts/job.ts';

/** Makes the carry of a job's first run from its admission, in the form that later runs are given. */
export function firstCarry(admitted: JobAdmission, decision: AdmissionDecision): JobCarry {
  const { accountId, accountPlan, jobType, simulator, provider, plan } = admitted;
  return {
    decision,
    accountId,
    accountPlan,
    jobType,
    simulator,
    provider,
    plan,
    execution: 1,
    state: 'SUBMITTED',
    reason: null,
    lastFailure: null,
    chargedPence: null,
    slots: Array.from({ length: plan.instances }, () => ({ generation: 1, open: false })),
    hasCapacity: false,
    shortages: 0,
    grantedVcpus: 0,
    partRuns: 0,
    recoveries: 0,
    transition: 0,
    verified: 0,
    failed: 0,
    cancelRequested: false,
    cancelReason: null,
    pauseRequested: null,
    heldPence: admitted.quote.heldPence,
    ...(admitted.coversDispatch === true ? { coversDispatch: true } : {}),
  };
}
