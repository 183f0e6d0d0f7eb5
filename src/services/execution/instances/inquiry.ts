/**
 * Loss of contact is not loss of work: an instance is given up on evidence only. Evidence is the provider saying that it has
 * ended, or twice that there is no such instance, or silence towards the gateway for long while the gateway itself was up. An instance that boots is
 * silent, too, so a launch has a lease of its own, which is longer.
 */
import type { DataSource } from 'typeorm';
import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import type { Row } from '../../row.ts';
import type { Generation } from './instances.ts';

/** Leases of an inquiry, in seconds; configuration. */
export interface InquiryLeases {
  /** How long a launched instance may take to its first contact. */
  readonly launchSeconds: number;
  readonly silenceSeconds: number;
  readonly giveUpSeconds: number;
  readonly goneConfirmSeconds: number;
  readonly goneMinAgeSeconds: number;
}

/** Verdict on an instance. */
export interface Verdict {
  readonly state: 'alive' | 'lost';
  readonly cause: string;
}

export interface InquiryDependencies {
  readonly db: DataSource;
  readonly providers: ReadonlyMap<string, InstanceProvider>;
  readonly leases: InquiryLeases;
}

interface Evidence extends Row<Instance, 'launchToken' | 'provider'> {
  readonly fenced: boolean;
  readonly contacted: boolean;
  readonly gateway_up: boolean;
  /** Seconds without contact during which the gateway was up. */
  readonly silence: number;
  readonly age: number;
}

/** A gateway whose last beat is older than this is down: then silence proves nothing. */
const GATEWAY_BEAT_SECONDS = 5;

/**
 * One look. `launch` waits for a first contact, `running` for a recent one. Null: no evidence yet, look again.
 */
export async function inquire(
  deps: InquiryDependencies,
  id: Generation,
  phase: 'launch' | 'running',
): Promise<Verdict | null> {
  const seen = await evidence(deps.db, id);
  if (seen === null || seen.fenced) return FENCED;
  // A provider that answers exactly knows of an end before the silence tells of it.
  const isExact = phase === 'running' && deps.providers.get(seen.provider)?.answersExactly === true;
  if (!isExact && isHeard(deps.leases, seen, phase)) return CONTACT;
  const gone = await goneAs(deps, seen, isExact);
  if (gone !== null) return { state: 'lost', cause: gone };
  // The provider may have taken long to answer, so a contact that came meanwhile is read and counts.
  const now = await evidence(deps.db, id);
  if (now === null || now.fenced) return FENCED;
  if (isHeard(deps.leases, now, phase)) return CONTACT;
  const { launchSeconds, giveUpSeconds } = deps.leases;
  const isSilent = now.gateway_up && now.silence >= (phase === 'launch' ? launchSeconds : giveUpSeconds);
  return isSilent ? { state: 'lost', cause: 'INSTANCE_SILENT' } : null;
}

const FENCED: Verdict = { state: 'lost', cause: 'FENCED' };
const CONTACT: Verdict = { state: 'alive', cause: 'CONTACT' };

function isHeard(leases: InquiryLeases, seen: Evidence, phase: 'launch' | 'running'): boolean {
  if (phase === 'launch') return seen.contacted;
  return seen.contacted && seen.gateway_up && seen.silence < leases.silenceSeconds;
}

async function evidence(db: DataSource, id: Generation): Promise<Evidence | null> {
  const [row] = await db.query<Evidence[]>(
    `select i.launch_token, i.provider, i.fenced_at is not null as fenced, i.last_contact_at is not null as contacted,
       coalesce(h.beat_at > clock_timestamp() - make_interval(secs => $4), false) as gateway_up,
       coalesce(extract(epoch from least(h.beat_at, clock_timestamp()) - greatest(coalesce(i.last_contact_at, i.launched_at), h.up_since)), 0)::float8 as silence,
       extract(epoch from clock_timestamp() - i.launched_at)::float8 as age
     from instances i left join service_heartbeats h on h.service = 'gateway'
     where i.job_id = $1 and i.slot = $2 and i.generation = $3`,
    [id.jobId, id.slot, id.generation, GATEWAY_BEAT_SECONDS],
  );
  return row ?? null;
}

/**
 * Why the instance is gone; null when it is not known to be. A provider that names the instance and says that it has ended is believed
 * at once, at any age: no later answer takes that back. That the provider knows no such instance is said twice, some seconds apart,
 * and of an old enough launch only, because a provider that has just been asked may not know of the instance yet. An instance that has
 * run is gone for certain when a provider knows nothing of it that answers exactly: it is asked once.
 */
async function goneAs(
  deps: InquiryDependencies,
  seen: Evidence,
  isCertain: boolean,
): Promise<'INSTANCE_GONE' | 'PREEMPTED' | null> {
  const provider = deps.providers.get(seen.provider);
  if (provider === undefined) return null;
  const isYoung = !provider.answersExactly && seen.age < deps.leases.goneMinAgeSeconds;
  for (let answer = 1; ; answer += 1) {
    // The same answer twice would be one.
    const description = await provider.describe(seen.launch_token, answer === 1 ? undefined : 'fresh');
    if (description === null || description.state !== 'gone') return null;
    const isNamed = 'providerId' in description;
    if (isNamed || isCertain || answer === 2) return description.cause ?? 'INSTANCE_GONE';
    if (isYoung) return null;
    await new Promise((resolve) => setTimeout(resolve, deps.leases.goneConfirmSeconds * 1000));
  }
}
