/** No instance outlives its job: whatever a provider lists and no open job's current generation explains is ended. */
import type { DataSource } from 'typeorm';
import type { Instance } from '../../../../entities/instances.ts';
import type { InstanceProvider } from '../../../adapters/instances/instances.ts';
import type { Row } from '../../row.ts';
import { markTerminated } from './instances.ts';

/** The job `j` has no instances: it is paused or has ended. */
const RESTS = `(j.finished_at is not null or j.status = 'PAUSED')`;

/** A launch under way is younger than this. */
const MIN_AGE_SECONDS = 120;

/**
 * Ends the provider's instances that are nobody's. Throws when Postgres does not answer, and then ends nothing.
 * @returns how many were ended.
 */
export async function sweepInstances(db: DataSource, provider: InstanceProvider): Promise<number> {
  const running = await provider.list();
  const tokens = running.map((instance) => instance.token);
  const rows = await db.query<Row<Instance, 'launchToken'>[]>(
    `select i.launch_token from instances i join jobs j on j.id = i.job_id
     where i.fenced_at is null and i.state <> 'TERMINATED' and i.launch_token = any($1) and not ${RESTS}`,
    [tokens],
  );
  // What the provider does not know any more is gone, once it is nobody's.
  await db.query(
    `update instances i set state = 'TERMINATED', terminated_at = now(), fenced_at = coalesce(i.fenced_at, now())
     from jobs j where j.id = i.job_id and i.provider = $1 and i.state <> 'TERMINATED' and not i.launch_token = any($2)
       and i.launched_at < now() - make_interval(secs => $3) and (i.fenced_at is not null or ${RESTS})`,
    [provider.name, tokens, MIN_AGE_SECONDS],
  );
  const current = new Set(rows.map((row) => row.launch_token));
  const now = Date.now();
  let ended = 0;
  for (const instance of running) {
    if (current.has(instance.token) || now - Date.parse(instance.launchedAt) < MIN_AGE_SECONDS * 1000)
      continue;
    await provider.terminate(instance);
    await markTerminated(db, instance.token);
    ended += 1;
  }
  return ended;
}
