import { activityInfo, cancellationSignal, Context, heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';

import type { DockingProgress, ExportOutcome } from '../src/contracts/docking.ts';
import { EXPORT_FAILURES } from '../src/domain/codes/exports.ts';
import type { ExportFailureCode } from '../src/domain/codes/exports.ts';
import { requestCancel } from '../src/services/jobs/cancel.ts';
import type { CancelDependencies } from '../src/services/jobs/cancel.ts';
import { failExport, writeExport } from '../src/services/docking/exports/write.ts';
import type { WriteExportDependencies } from '../src/services/docking/exports/write.ts';
import { dockingProgress } from '../src/services/docking/progress.ts';
import { inTurn } from './in-turn.ts';

/** The activities of docking, as its workflows call them. */
export type DockingActivities = ReturnType<typeof createDockingActivities>;

/** The database with the jobs, what a request to cancel needs, and where exports are read from and written to. */
export interface DockingDependencies
  extends Omit<CancelDependencies, 'db'>, Omit<WriteExportDependencies, 'db'> {
  readonly db: DataSource;
}

const MS = 1_000;
const LEAST_BEATS = 3;

/** Makes the activities of docking. */
export function createDockingActivities(deps: DockingDependencies) {
  return {
    /** Reads how the job of a run stands; a second run reads again. */
    lookAtDockingJob(run: { readonly jobId: string }): Promise<DockingProgress> {
      return dockingProgress(deps.db, run.jobId);
    },

    /** Asks the job of a run to stop. The first request counts, so a second run changes nothing; a job that has ended stays as it is. */
    async cancelDockingJob(run: {
      readonly jobId: string;
      readonly accountId: string;
      readonly reason: string;
    }): Promise<void> {
      await requestCancel(deps, run, run.reason);
    },

    /**
     * Makes the file of an export and records it. Idempotent by export: an export that has ended is answered as it has ended, and of
     * attempts that overlap one records its file. Beats with the number of results that are written.
     */
    async writeDockingExport({ exportId }: { readonly exportId: string }): Promise<ExportOutcome> {
      let results = 0;
      const everyMs = Math.max(MS, (activityInfo().heartbeatTimeoutMs ?? 30 * MS) / LEAST_BEATS);
      const timer = setInterval(() => heartbeat({ results }), everyMs);
      try {
        const onProgress = (written: number): void => void (results = written);
        return await inTurn(writeExport(deps, exportId, { signal: cancellationSignal(), onProgress }));
      } catch (error) {
        // A cancelled activity ends as cancelled, so that Temporal makes no further attempt.
        if (cancellationSignal().aborted) await Context.current().cancelled;
        throw error;
      } finally {
        clearInterval(timer);
      }
    },

    /** Ends an export without a file. Idempotent: an export that has ended stays as it is. */
    async failDockingExport(end: {
      readonly exportId: string;
      readonly code: ExportFailureCode;
    }): Promise<ExportOutcome> {
      await failExport(deps.db, end.exportId, end.code, EXPORT_FAILURES[end.code].meaning);
      return { state: 'FAILED', results: 0 };
    },
  };
}
