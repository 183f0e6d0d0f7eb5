import { Context } from '@temporalio/activity';

import { sweepDatabases } from '../src/services/databases/sweep.ts';
import { sweepExports } from '../src/services/docking/exports/sweep.ts';
import { sweepEvents } from '../src/services/events/sweep.ts';
import { sweepFileTurns } from '../src/services/file-turns.ts';
import { sweepIdempotency } from '../src/services/idempotency.ts';
import { sweepPaymentEvents, sweepRefunds } from '../src/services/payments/index.ts';
import type { FollowDependencies } from '../src/services/payments/index.ts';
import { sweepPeople } from '../src/services/people/sweep.ts';
import { sweepInspections } from '../src/services/inspections/sweep.ts';
import { sweepProjects } from '../src/services/projects/index.ts';
import { sweepWebhooks } from '../src/services/webhooks/index.ts';
import { sweepLibraries } from '../src/services/libraries/sweep.ts';
import type { InstanceProvider } from '../src/adapters/instances/instances.ts';
import { sweepInstances } from '../src/services/execution/instances/sweep.ts';
import { sweepCheckpoints } from '../src/services/execution/sweep/checkpoints.ts';
import {
  removeRefusedRequest,
  sweepRequests,
  sweepStaging,
  sweepStagingOfJob,
} from '../src/services/execution/sweep/sweep.ts';
import { AttemptsError, sweepUploads } from '../src/services/uploads/index.ts';
import type { UploadWorkflows } from '../src/adapters/temporal/uploads.ts';
import type { CountUnswept } from '../src/metrics/sweeps.ts';
import { noteFindings } from '../src/services/operations/rounds.ts';
import { verifyLedger, type Violation } from '../src/services/ledger/verify.ts';
import { invariantBroken } from '../src/domain/invariant.ts';
import { beating } from './beating.ts';
import type { JobWorkflows } from '../src/adapters/temporal/client.ts';
import {
  releaseForgotten,
  takeUpAbandoned,
  takeUpResumed,
} from '../src/services/execution/sweep/abandoned.ts';
import { endLongPauses } from '../src/services/execution/sweep/long-pauses.ts';
import type { TakeUp } from '../src/services/job-records/take-up.ts';
import { issueDueReceipts } from '../src/services/receipts/issue.ts';
import { issueRevisionReceipts } from '../src/services/receipts/revisions.ts';
import type { InstanceDependencies } from './instances.ts';
import type { TaskDependencies } from './tasks.ts';

/** The longest text of an audit's findings; about a thousand findings fit. */
const MOST_CHARACTERS = 64 * 1024;

/** The activities of housekeeping, as workflows call them. */
export type SweepActivities = ReturnType<typeof createSweepActivities>;

/** The database, store and providers that are swept, and the workflows that say whether they are open. */
export type SweepDependencies = Pick<TaskDependencies, 'db' | 'store'> &
  Partial<Pick<TaskDependencies, 'tools' | 'receipts'>> &
  Pick<InstanceDependencies, 'providers'> &
  Pick<FollowDependencies, 'payments' | 'alarm'> & {
    readonly workflows: Pick<JobWorkflows, 'endOf' | 'startExport'>;
    readonly takeUp: TakeUp;
    /** Begins samples of batches that no workflow has begun; nobody does where it is not given. */
    readonly startSamples?: () => Promise<void>;
    readonly uploadWorkflows: Pick<UploadWorkflows, 'isOpen'>;
    readonly stagingUrlSeconds: number;
    /** The age below which an instance is a launch under way; two minutes when it is not given. */
    readonly sweepMinAgeSeconds?: number;
    readonly countUnswept?: CountUnswept;
  };

/** Makes the activities that remove what no job or upload uses any more. Each may run again: it acts on what it finds. */
export function createSweepActivities(deps: SweepDependencies) {
  const { db, store, workflows, takeUp } = deps;
  return {
    /** Removes the staged files of a job. The deployment's sweep removes what a fenced instance still PUTs later. */
    sweepStaging(request: { jobId: string }): Promise<void> {
      return beating(sweepStagingOfJob(store, request.jobId));
    },

    /** Removes the stored request of a refused submit, unless a job was admitted with that request meanwhile. */
    removeRefusedRequest(request: { jobId: string; requestKey: string }): Promise<void> {
      return beating(removeRefusedRequest({ db, store }, request));
    },

    /** One round over the deployment: leaked instances, resumed jobs that nobody goes on with, staging, refused requests, checkpoints, forgotten and lost uploads, files of removed accounts, expired idempotency rows, payments whose events were not handled, refunds that were cut off, old events, old deliveries of webhooks, lapsed turns at files, old reports of inspections and converted files, removed databases, exports that nobody makes and what their attempts left, samples that nobody has begun, receipts of executions and of revisions that are due. */
    sweepDeployment(): Promise<void> {
      return beating(sweepAll(deps));
    },

    /**
     * Starts the workflow of each job that has been paused for long, so that the job ends. May run again: a job that has
     * ended or goes on is not paused any more. Answers how many jobs were told.
     */
    endLongPauses(): Promise<number> {
      return beating(endLongPauses(db, takeUp));
    },

    /**
     * Recomputes every balance, and takes open jobs without a workflow up. @throws Invariant with the findings, and the jobs
     * that could not be taken up, so that the operator sees a failed workflow; the log names every finding.
     */
    async auditLedger(): Promise<void> {
      const found: Violation[] = [...(await beating(verifyLedger(db)))];
      const jobs = await beating(takeUpAbandoned(db, (jobId) => workflows.endOf(jobId), takeUp));
      for (const job of jobs.takenUp)
        Context.current().log.warn('a job was taken up from its rows', { ...job });
      found.push(...jobs.left);
      await releaseForgotten(db);
      await noteFindings(db, 'ledger-audit', found);
      for (const violation of found) Context.current().log.error('the audit found a fault', { ...violation });
      if (found.length > 0) throw invariantBroken(findingsText(found));
    },
  };
}

/** Runs every step of the sweep, also after a step that failed; each failure is logged, and the round fails at its end. */
async function sweepAll(deps: SweepDependencies): Promise<void> {
  const { db, store, providers, uploadWorkflows, stagingUrlSeconds } = deps;
  const failed: { readonly step: string; readonly error: unknown }[] = [];
  const run = async (step: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failed.push({ step, error });
      deps.countUnswept?.(step);
      const failures = error instanceof AttemptsError ? error.failures : [error];
      for (const failure of failures) Context.current().log.error('not swept', { step, err: failure });
    }
  };
  for (const provider of providers.values())
    await run(`instances of ${provider.name}`, () => sweepLeaked(deps, provider));
  await run('resumed jobs', () => takeUpResumed(db, deps.takeUp));
  await run('staging', () => sweepStaging({ db, store, stagingUrlSeconds }));
  await run('requests', () => sweepRequests({ db, store }));
  await run('checkpoints', () => sweepCheckpoints({ db, store }));
  await run('uploads', () =>
    sweepUploads({ db, store, isOpen: (uploadId) => uploadWorkflows.isOpen(uploadId) }),
  );
  await run('idempotency keys', () => sweepIdempotency(db));
  await run('sessions and codes', () => sweepPeople(db));
  await run('payments', () => sweepPaymentEvents(deps));
  await run('refunds', () => sweepRefunds(deps));
  await run('events', () => sweepEvents(db));
  await run('webhooks', () => sweepWebhooks(db));
  await run('turns at files', () => sweepFileTurns(db));
  await run('libraries', () => sweepLibraries({ db, store }));
  await run('inspections', () => sweepInspections({ db, store }));
  await run('molecular projects', () => sweepProjects(db));
  await run('databases', () => sweepDatabases({ db, store }));
  await run('exports', () => sweepExports(deps));
  const { startSamples } = deps;
  if (startSamples !== undefined) await run('samples', startSamples);
  const { receipts, tools } = deps;
  if (receipts !== undefined && tools !== undefined)
    await run('receipts', () => issueDueReceipts({ db, tools, ...receipts }));
  if (receipts !== undefined)
    await run('receipts of revisions', () => issueRevisionReceipts({ db, ...receipts }));
  const [first] = failed;
  if (first === undefined) return;
  const steps = failed.map(({ step }) => step).join(', ');
  throw new Error(`Not all was swept: ${steps}.`, { cause: first.error });
}

/** Ends the instances of a provider that are nobody's, also those of open jobs that no workflow works on. */
async function sweepLeaked(deps: SweepDependencies, provider: InstanceProvider): Promise<void> {
  const { db, workflows, sweepMinAgeSeconds } = deps;
  const ended = await sweepInstances(db, provider, {
    endOf: (jobId) => workflows.endOf(jobId),
    ...(sweepMinAgeSeconds !== undefined && { minAgeSeconds: sweepMinAgeSeconds }),
  });
  for (const { providerId, cause, row } of ended)
    Context.current().log.warn('a leaked instance was ended', { providerId, cause, jobId: row?.jobId });
}

/** The findings of an audit, each check with its count, as a text that a failed workflow can show. */
function findingsText(found: readonly Violation[]): string {
  const checks = Map.groupBy(found, ({ check }) => check);
  const most = Math.floor(MOST_CHARACTERS / checks.size);
  const texts = [...checks].map(([check, faults]) => {
    const named = faults.map(({ subject, detail }) => `${subject} (${detail})`).join(', ');
    const shown =
      named.length <= most ? named : `${named.slice(0, most)}… (the log of the control worker has all)`;
    return `${check}, ${String(faults.length)} found: ${shown}`;
  });
  return `ledger: ${texts.join('; ')}`;
}
