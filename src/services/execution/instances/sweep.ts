/** No instance outlives its job: whatever a provider lists and no open job's current generation explains is ended. */
import pLimit from 'p-limit';
import type { DataSource } from 'typeorm';
import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import { markTerminated } from './instances.ts';
import { MIN_AGE_SECONDS, RESTS, findLeaks } from './leaks.ts';
import type { Leak, LeakCause, LeakOptions } from './leaks.ts';
import { replaceInstance } from './replace.ts';

const ENDED_AT_ONCE = 8;
/** The loss that the customer sees, where an instance of an open job is ended that is not fenced yet. */
const LOST_AS: Readonly<Partial<Record<LeakCause, string>>> = {
  WORKFLOW_GONE: 'CONTROL_LOST',
  DRAINED: 'PREEMPTED',
};

/** Kinds of leaks to look for, and whether they are only told. */
export interface SweepOptions extends LeakOptions {
  readonly dryRun?: boolean;
}

/**
 * Ends the provider's instances that are nobody's, or with `dryRun` only tells them. Throws when Postgres does not answer, and then
 * ends nothing; an end that fails keeps no other from being made, and is made again by the next round.
 *
 * The instance of an open job without a workflow is fenced first, as a lost one, and its tasks are set back: the job goes on with other
 * instances once the audit has taken it up. So is one that was to be taken away minutes ago: what it still runs goes to its successor.
 * @returns the instances that were ended.
 */
export async function sweepInstances(
  db: DataSource,
  provider: InstanceProvider,
  options: SweepOptions = {},
): Promise<readonly Leak[]> {
  const running = await provider.list();
  const { dryRun = false, minAgeSeconds = MIN_AGE_SECONDS } = options;
  if (!dryRun) await forgetGone(db, provider.name, running, minAgeSeconds);
  const leaks: Leak[] = [];
  const failures: unknown[] = [];
  const limit = pLimit(ENDED_AT_ONCE);
  for await (const page of findLeaks(db, provider, running, options)) {
    const end = async (leak: Leak): Promise<void> => {
      try {
        if (!dryRun) await endLeak(db, provider, leak);
        leaks.push(leak);
      } catch (error) {
        failures.push(error);
      }
    };
    await Promise.all(page.map((leak) => limit(() => end(leak))));
  }
  if (failures.length > 0)
    throw new Error(`${String(failures.length)} instances of ${provider.name} could not be ended.`, {
      cause: failures[0],
    });
  return leaks;
}

async function endLeak(db: DataSource, provider: InstanceProvider, leak: Leak): Promise<void> {
  const { cause, row } = leak;
  const lost = LOST_AS[cause];
  if (lost !== undefined && row !== null) await replaceInstance(db, { ...row, cause: lost });
  await provider.terminate(leak);
  await markTerminated(db, leak.token);
}

/** Notes the end of what the provider does not know any more, once it is nobody's. */
async function forgetGone(
  db: DataSource,
  provider: string,
  running: readonly { readonly token: string }[],
  minAgeSeconds: number,
): Promise<void> {
  await db.query(
    `update instances i set state = 'TERMINATED', terminated_at = now(), fenced_at = coalesce(i.fenced_at, now())
     from jobs j where j.id = i.job_id and i.provider = $1 and i.state <> 'TERMINATED' and not i.launch_token = any($2)
       and i.launched_at < now() - make_interval(secs => $3) and (i.fenced_at is not null or ${RESTS})`,
    [provider, running.map(({ token }) => token), minAgeSeconds],
  );
}
