/**
 * Rows of instances. A generation's row is written before its provider is asked, so that whatever was launched can be
 * found and ended; the fence is set by one statement, on the database's clock.
 */
import { IsNull, Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { InstanceEntity } from '../../../../entities/instances.ts';
import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import { computeQueue } from '../../../contracts/names.ts';
import type { JobState } from '../../../domain/job-state.ts';
import { signInstanceToken } from './token.ts';

/** The states in which a job launches instances. */
const LAUNCHING_STATES: readonly JobState[] = ['PROVISIONING', 'RUNNING', 'RECOVERING'];

/** One generation of one slot. */
export interface Generation {
  readonly jobId: string;
  readonly slot: number;
  readonly generation: number;
}

/** A launch, as the workflow asks for it. */
export interface InstanceLaunch extends Generation {
  readonly provider: string;
  readonly vcpus: number;
  readonly toolSlots: number;
}

export interface LaunchDependencies {
  readonly db: DataSource;
  readonly secret: string;
  readonly tokenHours: number;
}

/** Writes the row, asks the provider, notes its answer. A generation that was fenced meanwhile is not launched. */
export async function launchInstance(
  deps: LaunchDependencies,
  provider: InstanceProvider,
  request: InstanceLaunch,
): Promise<void> {
  const { db } = deps;
  const { jobId, slot, generation } = request;
  // A late attempt must not launch an instance for a job that is paused or has ended, so the job's row is locked here.
  await db.query(
    `insert into instances (job_id, slot, generation, provider, launch_token, vcpus)
     select id, $2, $3, $4, $5, $6 from (select id from jobs where id = $1 and status = any($7) for share) job
     on conflict do nothing`,
    [jobId, slot, generation, request.provider, uuidv7(), request.vcpus, LAUNCHING_STATES],
  );
  const row = await db
    .getRepository(InstanceEntity)
    .findOneBy({ jobId, slot, generation, fencedAt: IsNull(), state: 'LAUNCHING' });
  if (row === null) return;
  const launched = await provider.ensure({
    jobId,
    slot,
    generation,
    token: row.launchToken,
    taskQueue: computeQueue(jobId, slot, generation),
    vcpus: request.vcpus,
    toolSlots: request.toolSlots,
    gatewayToken: signInstanceToken(deps.secret, {
      jobId,
      slot,
      generation,
      expiresAt: Math.floor(Date.now() / 1000) + Math.round(deps.tokenHours * 3600),
    }),
  });
  // The instance's silence is counted from here on, and not from the time when the provider was asked first.
  await db.query(
    `update instances set provider_id = $2, launched_at = case when state = 'LAUNCHING' then now() else launched_at end,
       state = case when state = 'LAUNCHING' then 'RUNNING' else state end where launch_token = $1`,
    [row.launchToken, launched.providerId],
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
): Promise<Pick<Instance, 'provider' | 'launchToken'>[]> {
  const { jobId, slot, generation } = which;
  const instances = await db.getRepository(InstanceEntity).findBy({
    jobId,
    state: Not('TERMINATED'),
    ...(slot === null ? {} : { slot }),
    ...(generation === null ? {} : { generation }),
  });
  return instances.map(({ provider, launchToken }) => ({ provider, launchToken }));
}

/** Notes that the provider ended an instance. */
export async function markTerminated(db: DataSource, launchToken: string): Promise<void> {
  await db.query(
    `update instances set state = 'TERMINATED', terminated_at = coalesce(terminated_at, now()), fenced_at = coalesce(fenced_at, now())
     where launch_token = $1`,
    [launchToken],
  );
}
