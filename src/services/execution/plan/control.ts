/** Whether a required control lets the tasks of its job run. */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { TaskEntity } from '../../../../entities/tasks.ts';
import { validationOf } from '../../../domain/docking-validation.ts';
import { isRecord } from '../../../domain/is-record.ts';
import { CONTROL_MISSED, missOf } from '../../../domain/required-control.ts';
import { loadJob } from '../../job-records/request.ts';

/** Why no task of the job may run: its control has missed, or could not be done by a fault of the engine; null where it lets them. */
export async function controlMiss(
  { db, store }: { readonly db: DataSource; readonly store: ObjectStore },
  jobId: string,
): Promise<{ readonly code: string; readonly message: string } | null> {
  const { request } = await loadJob(db, store, jobId);
  const required = request.simulationParams?.dockingValidation?.requiredRmsdAngstrom;
  const step = await db.getRepository(TaskEntity).findOneBy({ jobId, kind: 'control', ordinal: 0 });
  if (required === undefined || step === null) return null;
  if (step.state === 'FAILED') {
    return {
      code: step.failureCode ?? 'INTERNAL_ERROR',
      message: step.failureMessage ?? 'The control docking failed.',
    };
  }
  const message = missOf(required, isRecord(step.summary) ? validationOf(step.summary['validation']) : null);
  return message === null ? null : { code: CONTROL_MISSED, message };
}
