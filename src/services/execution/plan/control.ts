/** Whether a required control lets the tasks of its job run. */
import type { DataSource } from 'typeorm';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import { TaskEntity } from '../../../../entities/tasks.ts';
import { isRecord } from '../../../domain/is-record.ts';
import type { ToolRegistry } from '../../../tools/registry.ts';
import { loadJob } from '../../job-records/request.ts';

/** Asks the tool why no task of the job may run after its control; null where the control lets them. */
export async function controlMiss(
  {
    db,
    store,
    tools,
  }: { readonly db: DataSource; readonly store: ObjectStore; readonly tools: ToolRegistry },
  jobId: string,
): Promise<{ readonly code: string; readonly message: string } | null> {
  const { request, toolId } = await loadJob(db, store, jobId);
  const step = await db.getRepository(TaskEntity).findOneBy({ jobId, kind: 'control', ordinal: 0 });
  if (step === null) return null;
  const { state, failureCode, failureMessage, summary } = step;
  const failure =
    state === 'FAILED'
      ? { code: failureCode ?? 'INTERNAL_ERROR', message: failureMessage ?? 'The control failed.' }
      : null;
  return (
    tools.find(toolId).outputs.controlMiss?.(request, {
      failure,
      summary: isRecord(summary) ? summary : null,
    }) ?? null
  );
}
