/** Facts of a job that operators see in Temporal from its start: typed search attributes, a summary and details. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';

import type { JobAdmission, JobPlan } from './job.ts';

const ACCOUNT_ID = defineSearchAttributeKey('AccountId', SearchAttributeType.KEYWORD);
const JOB_TYPE = defineSearchAttributeKey('JobType', SearchAttributeType.KEYWORD);
const SIMULATOR = defineSearchAttributeKey('Simulator', SearchAttributeType.KEYWORD);
const JOB_STATUS = defineSearchAttributeKey('JobStatus', SearchAttributeType.KEYWORD);
const PROVIDER = defineSearchAttributeKey('Provider', SearchAttributeType.KEYWORD);
const RECOVERY_COUNT = defineSearchAttributeKey('RecoveryCount', SearchAttributeType.INT);

/** The facts by which a job is found. */
export interface SearchedJob {
  readonly accountId: string;
  readonly jobType: string;
  readonly simulator: string | null;
  readonly provider: string;
  readonly status: string;
  readonly recoveries: number;
}

/** The search attributes of a job's workflow. */
export function jobSearchAttributes(job: SearchedJob) {
  return [
    { key: ACCOUNT_ID, value: job.accountId },
    { key: JOB_TYPE, value: job.jobType },
    ...(job.simulator === null ? [] : [{ key: SIMULATOR, value: job.simulator }]),
    { key: JOB_STATUS, value: job.status },
    { key: PROVIDER, value: job.provider },
    { key: RECOVERY_COUNT, value: job.recoveries },
  ];
}

/** The price of an admission, as the details show it. */
export function shownPrice({ quote }: Pick<JobAdmission, 'quote'>): string {
  return `hold: ${quote.heldPence} pence, price book ${quote.priceBookVersion}`;
}

/** A job in a few words. */
export function jobSummary({ taskCount }: Pick<JobPlan, 'taskCount'>, toolId: string): string {
  return `${taskCount} × ${toolId}`;
}

/**
 * The details never contain names, SMILES or secrets, because operators of another company may read them. Each
 * paragraph is one line, for the UI.
 */
export function jobDetails(job: {
  readonly jobId: string;
  readonly accountId: string;
  readonly plan: JobPlan;
  readonly price: string;
  readonly recoveryMode: string;
}): string {
  const { plan } = job;
  return [
    `Job \`${job.jobId}\` of account \`${job.accountId}\``,
    `${plan.taskCount} tasks, ${plan.shardSize} a shard, at most ${plan.instances} instances of ${plan.slotsPerInstance} slots`,
    job.price,
    `recovery: ${job.recoveryMode}`,
  ].join('\n\n');
}
