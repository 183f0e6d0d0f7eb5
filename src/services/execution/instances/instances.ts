/** Rows of instances that may exist; the fence is set by one statement, on the database's clock. launch.ts writes the rows. */
import { Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { InstanceEntity } from '../../../../entities/instances.ts';
import type { Instance } from '../../../../entities/instances.ts';

/** One generation of one slot. */
export interface Generation {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

/** An instance that is to end, as its row knows it. */
export type LiveInstance = Pick<Instance, 'provider' | 'providerId' | 'launchToken'>;

/**
 * Notes that an instance is about to be taken away, so that the slot's next generation may be launched; the instance may still
 * commit what it runs. Repeatable.
 */
export async function drainInstance(db: DataSource, { jobId, slot, generation }: Generation): Promise<void> {
  await db.query(
    `update instances set drained_at = now()
     where job_id = $1 and slot = $2 and generation = $3 and drained_at is null and fenced_at is null`,
    [jobId, slot, generation],
  );
}

/** Fences every generation of a job: from here on none of its instances is believed. */
export async function fenceJob(db: DataSource, jobId: string, cause: string): Promise<void> {
  await db.query(
    'update instances set fenced_at = now(), fence_cause = $2 where job_id = $1 and fenced_at is null',
    [jobId, cause],
  );
}

/** The instances of a job that may still exist; with nulls all of them. */
export async function liveInstances(
  db: DataSource,
  which: { readonly jobId: string; readonly slot: number | null; readonly generation: number | null },
): Promise<LiveInstance[]> {
  const { jobId, slot, generation } = which;
  const instances = await db.getRepository(InstanceEntity).findBy({
    jobId,
    state: Not('TERMINATED'),
    ...(slot === null ? {} : { slot }),
    ...(generation === null ? {} : { generation }),
  });
  return instances.map(({ provider, providerId, launchToken }) => ({ provider, providerId, launchToken }));
}

/** Notes that the provider ended an instance. */
export async function markTerminated(db: DataSource, launchToken: string): Promise<void> {
  await db.query(
    `update instances set state = 'TERMINATED', terminated_at = coalesce(terminated_at, now()), fenced_at = coalesce(fenced_at, now())
     where launch_token = $1`,
    [launchToken],
  );
}

/**
 * Fences the generation of an instance that its provider does not know, or not yet. The row stays among those that may exist, and the
 * sweep ends the instance when it appears after all.
 */
export async function markUnseen(db: DataSource, launchToken: string): Promise<void> {
  await db.query('update instances set fenced_at = coalesce(fenced_at, now()) where launch_token = $1', [
    launchToken,
  ]);
}
