/**
 * Rows of instances. A generation's row is written before its provider is asked, so that whatever was launched can be
 * found and ended; the fence is set by one statement, on the database's clock.
 *
 * A job in resumable recovery asks for spot instances where the provider offers such. As long as the provider has none, the row
 * waits; after the longest wait the generation is fenced, and the slot's next generation is one on demand. The wait is ours to pay:
 * the price of the job is that of spot instances whichever it gets.
 */
import { Not } from 'typeorm';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { InstanceEntity } from '../../../../entities/instances.ts';
import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import { computeQueue } from '../../../contracts/names.ts';
import type { JobState } from '../../../domain/job-state.ts';
import type { Market } from '../../../domain/recoveries.ts';
import type { Row } from '../../row.ts';
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
  /** The market that must be asked; absent: spot first in resumable recovery where the provider has it. */
  readonly market?: Market;
}

/** The answer to a launch. Histories of before have none, which means `asked`. */
export interface LaunchAnswer {
  /**
   * `asked`: the provider launches the instance, or nothing is to be launched any more. `no-spot`: no spot instance is to be
   * had now. `spot-given-up`: none was to be had for long, and the generation is fenced.
   */
  readonly state: 'asked' | 'no-spot' | 'spot-given-up';
  /** When it makes sense to ask again. */
  readonly againSeconds?: number;
}

export interface LaunchDependencies {
  readonly db: DataSource;
  readonly secret: string;
  readonly tokenHours: number;
  /** How long a generation waits for a spot instance. */
  readonly spotWaitSeconds?: number;
}

/** The longest wait for a spot instance, in seconds; configuration. */
const SPOT_WAIT_SECONDS = 120;
/** The provider is asked for a spot instance no more often; the last time is at the end of the wait. */
const SPOT_LOOK_SECONDS = 10;
const SPOT_UNAVAILABLE = 'SPOT_UNAVAILABLE';
const ASKED: LaunchAnswer = { state: 'asked' };

/**
 * Writes the row, asks the provider, notes its answer. A generation that was fenced meanwhile is not launched.
 * @throws Error when the provider has no instance on demand, which is asked for again.
 */
export async function launchInstance(
  deps: LaunchDependencies,
  provider: InstanceProvider,
  request: InstanceLaunch,
): Promise<LaunchAnswer> {
  const { db } = deps;
  const { jobId, slot, generation } = request;
  const mayBeSpot = provider.offersSpot && request.market !== 'ON_DEMAND';
  // A late attempt must not launch an instance for a job that is paused or has ended, so the job's row is locked here.
  await db.query(
    `insert into instances (job_id, slot, generation, provider, launch_token, vcpus, market)
     select id, $2, $3, $4, $5, $6, case when $8::boolean and recovery_mode = 'resumable' then 'SPOT' else 'ON_DEMAND' end
     from (select id, recovery_mode from jobs where id = $1 and status = any($7) for share) job
     on conflict do nothing`,
    [jobId, slot, generation, request.provider, uuidv7(), request.vcpus, LAUNCHING_STATES, mayBeSpot],
  );
  const row = await db
    .getRepository(InstanceEntity)
    .findOneBy({ jobId, slot, generation, state: 'LAUNCHING' });
  if (row?.fenceCause === SPOT_UNAVAILABLE) return { state: 'spot-given-up' };
  if (row === null || row.fencedAt !== null) return ASKED;
  const launched = await provider.ensure({
    jobId,
    slot,
    generation,
    token: row.launchToken,
    taskQueue: computeQueue(jobId, slot, generation),
    vcpus: request.vcpus,
    toolSlots: request.toolSlots,
    market: row.market,
    gatewayToken: signInstanceToken(deps.secret, {
      jobId,
      slot,
      generation,
      // Each attempt sends the same, because a provider takes a token once, and for the same request only.
      expiresAt: Math.floor(row.launchedAt.getTime() / 1000) + Math.round(deps.tokenHours * 3600),
    }),
  });
  if (launched.state === 'unavailable') return withoutInstance(deps, row);
  // The instance's silence is counted from here on, and not from the time when the provider was asked first.
  await db.query(
    `update instances set provider_id = $2, launched_at = case when state = 'LAUNCHING' then now() else launched_at end,
       state = case when state = 'LAUNCHING' then 'RUNNING' else state end where launch_token = $1`,
    [row.launchToken, launched.providerId],
  );
  return ASKED;
}

/** The provider has no room: the generation waits, or is given up after its longest wait. */
async function withoutInstance(
  { db, spotWaitSeconds = SPOT_WAIT_SECONDS }: LaunchDependencies,
  { launchToken, market }: Pick<Instance, 'launchToken' | 'market'>,
): Promise<LaunchAnswer> {
  if (market === 'ON_DEMAND') throw new Error('The provider has no instance on demand.');
  const [row] = await db.query<(Row<Instance, 'fencedAt'> & { readonly seconds_left: number })[]>(
    `with over as (update instances set fenced_at = now(), fence_cause = $3
       where launch_token = $1 and fenced_at is null and launched_at <= now() - make_interval(secs => $2) returning fenced_at)
     select coalesce(i.fenced_at, (select fenced_at from over)) as fenced_at,
       $2 - extract(epoch from now() - i.launched_at)::float8 as seconds_left
     from instances i where i.launch_token = $1`,
    [launchToken, spotWaitSeconds, SPOT_UNAVAILABLE],
  );
  if (row === undefined || row.fenced_at !== null) return { state: 'spot-given-up' };
  return { state: 'no-spot', againSeconds: Math.min(Math.max(row.seconds_left, 0.1), SPOT_LOOK_SECONDS) };
}

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
