/**
 * The row of a launch. A generation's row is written before its provider is asked, so that whatever was launched can be found and
 * ended; and the row has all that is sent, so that each repeat sends the same. The text for the first boot is the same for most
 * instances, so a row names it by its digest.
 */
import { createHash } from 'node:crypto';

import type { DataSource } from 'typeorm';
import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceDescription, LaunchTerms } from '../../../adapters/instances/instances.ts';
import type { JobState } from '../../../domain/job-state.ts';
import type { Market } from '../../../domain/recoveries.ts';
import { inTransaction, type Tx } from '../../transaction.ts';
import type { Documents, Row } from '../../row.ts';
import type { Generation } from './instances.ts';
import { launchTokenOf } from './launch-token.ts';

/** The states in which a job launches instances. */
const LAUNCHING_STATES: readonly JobState[] = ['PROVISIONING', 'RUNNING', 'RECOVERING'];

/** A launch, as the workflow asks for it. */
export interface InstanceLaunch extends Generation {
  readonly provider: string;
  readonly vcpus: number;
  readonly toolSlots: number;
  /** GPUs of the instance, and the class that the job was planned for; absent: the only class there is, without GPUs. */
  readonly gpus?: number;
  readonly instanceClass?: string;
  /** The market that must be asked; absent: spot first in resumable recovery where the provider has it. */
  readonly market?: Market;
}

/** The row of a launch. */
export interface LaunchRow
  extends
    Row<
      Instance,
      | 'launchToken'
      | 'state'
      | 'vcpus'
      | 'gpus'
      | 'instanceClass'
      | 'candidate'
      | 'round'
      | 'market'
      | 'launchedAt'
    >,
    Row<Instance, 'fencedAt' | 'fenceCause' | 'refusal' | 'credentialKey'>,
    Documents<Instance, { terms: Omit<LaunchTerms, 'frame'> | null }> {
  readonly account_id: string;
  /** Text for the first boot of the instance; null where the terms have none. */
  readonly frame: string | null;
}

const COLUMNS = `i.launch_token, i.state, i.vcpus, i.gpus, i.instance_class, i.candidate, i.round, i.market, i.launched_at,
  i.fenced_at, i.fence_cause, i.refusal, i.credential_key, i.terms, (select account_id from jobs where id = i.job_id) as account_id,
  (select content from instance_frames where digest = i.frame_digest) as frame`;

const KEEP_FRAME = 'insert into instance_frames (digest, content) values ($1, $2) on conflict do nothing';

// A late attempt must not launch an instance for a job that is paused or has ended, so the job's row is locked here.
const OPEN = `
  insert into instances (job_id, slot, generation, provider, launch_token, vcpus, gpus, instance_class, market)
  select id, $2, $3, $4, $5, $6, $9, $10, case when $8::boolean and recovery_mode = 'resumable' then 'SPOT' else 'ON_DEMAND' end
  from (select id, recovery_mode from jobs where id = $1 and status = any($7) for share) job
  on conflict do nothing`;

/** Writes the row of a launch once. Null when the job launches nothing any more. */
export async function openLaunch(
  db: DataSource,
  request: InstanceLaunch,
  mayBeSpot: boolean,
): Promise<LaunchRow | null> {
  const { jobId, slot, generation, provider, vcpus, gpus = 0, instanceClass = 'cpu' } = request;
  const token = launchTokenOf(request, { candidate: 0, round: 0 });
  await db.query(OPEN, [
    jobId,
    slot,
    generation,
    provider,
    token,
    vcpus,
    LAUNCHING_STATES,
    mayBeSpot,
    gpus,
    instanceClass,
  ]);
  const [row] = await db.query<LaunchRow[]>(
    `select ${COLUMNS} from instances i where i.job_id = $1 and i.slot = $2 and i.generation = $3`,
    [jobId, slot, generation],
  );
  return row ?? null;
}

const CPU_CLASS = `
  select i.cpu_class from instances i where i.job_id = $1 and i.cpu_class is not null and (i.slot, i.generation) <> ($2, $3)
    and (i.fenced_at is null or exists (select 1 from tasks t
      where t.job_id = $1 and (t.slot, t.generation) = (i.slot, i.generation) and t.started_at is not null))
  order by i.launched_at, i.slot, i.generation limit 1`;

/**
 * The kind of processor that the job is bound to: that of an instance that is there, or on which a task has run. On another
 * kind the same task may give other bytes. Null while the job is bound to none.
 */
export async function boundCpuClass(
  db: DataSource | Tx,
  { jobId, slot, generation }: Generation,
): Promise<string | null> {
  const [row] = await db.query<Row<Instance, 'cpuClass'>[]>(CPU_CLASS, [jobId, slot, generation]);
  return row?.cpu_class ?? null;
}

/**
 * Writes the terms into the row, once: whoever comes second gets those that are there. Null when the row is fenced, has moved on
 * to another candidate, or the job was bound to another kind of processor meanwhile.
 */
export async function freezeTerms(
  db: DataSource,
  id: Generation,
  { launch_token: token }: Pick<LaunchRow, 'launch_token'>,
  { frame, credentialKey, ...terms }: LaunchTerms & { readonly credentialKey: string },
): Promise<LaunchRow | null> {
  const digest = frame === null ? null : createHash('sha256').update(frame).digest('hex');
  return inTransaction(db, async (tx) => {
    await tx.query('select 1 from jobs where id = $1 for no key update', [id.jobId]);
    const bound = await boundCpuClass(tx, id);
    if (bound !== null && terms.cpuClass !== null && bound !== terms.cpuClass) return null;
    if (digest !== null) await tx.query(KEEP_FRAME, [digest, frame]);
    const [row] = await tx.query<LaunchRow[]>(
      `with frozen as (update instances set terms = $2::jsonb, instance_type = $3, cpu_class = $4, frame_digest = $5, credential_key = $6
         where launch_token = $1 and terms is null and state = 'LAUNCHING' and fenced_at is null returning *)
       select ${COLUMNS} from (select * from frozen union all
         select * from instances where launch_token = $1 and terms is not null and fenced_at is null) i`,
      [token, JSON.stringify(terms), terms.type, terms.cpuClass, digest, credentialKey],
    );
    return row ?? null;
  });
}

/** Notes that the provider is asked now. @returns whether it may have been asked under the token before. */
export async function noteAsked(db: DataSource, token: string): Promise<boolean> {
  const first = await db.query<unknown[]>(
    `with asked as (update instances set asked_at = now() where launch_token = $1 and asked_at is null returning 1)
     select * from asked`,
    [token],
  );
  return first.length === 0;
}

/** The row goes on to another candidate, or to another round, under the token of that one. Null when the row is fenced. */
export async function moveOn(
  db: DataSource,
  id: Generation,
  row: LaunchRow,
  next: { readonly candidate: number; readonly round: number; readonly refusal: string | null },
): Promise<LaunchRow | null> {
  const [moved] = await db.query<LaunchRow[]>(
    `with moved as (update instances set candidate = $2, round = $3, launch_token = $4, refusal = coalesce($5, refusal), terms = null,
         frame_digest = null, credential_key = null, asked_at = null, cpu_class = null, instance_type = null
       where launch_token = $1 and state = 'LAUNCHING' and fenced_at is null returning *)
     select ${COLUMNS} from moved i`,
    [row.launch_token, next.candidate, next.round, launchTokenOf(id, next), next.refusal],
  );
  return moved ?? null;
}

/**
 * Notes the instance that was launched; its silence is counted from here on. False when the row has been fenced, has ended or has
 * moved on to another token meanwhile, so that nobody waits for this instance.
 */
export async function noteLaunched(
  db: DataSource,
  token: string,
  { providerId, zone, type }: InstanceDescription,
): Promise<boolean> {
  const [row] = await db.query<{ readonly wanted: boolean }[]>(
    `with launched as (update instances set provider_id = $2, zone = coalesce($3, zone), instance_type = coalesce($4, instance_type),
         launched_at = case when state = 'LAUNCHING' then now() else launched_at end,
         state = case when state = 'LAUNCHING' then 'RUNNING' else state end
       where launch_token = $1 returning fenced_at is null and state <> 'TERMINATED' as wanted)
     select wanted from launched`,
    [token, providerId, zone ?? null, type ?? null],
  );
  return row?.wanted === true;
}

/** Ends a launch of which nothing has come: the generation is fenced, and there is no instance to end. */
export async function giveUpLaunch(
  db: DataSource,
  token: string,
  { cause, refusal }: { readonly cause: string; readonly refusal: string },
): Promise<void> {
  await db.query(
    `update instances set fenced_at = now(), fence_cause = $2, refusal = $3, state = 'TERMINATED', terminated_at = now()
     where launch_token = $1 and fenced_at is null`,
    [token, cause, refusal],
  );
}
