/** No instance outlives its job: whatever a provider lists and no open job's current generation explains is ended. */
import type { DataSource } from 'typeorm';
import type { InstanceProvider } from '../../adapters/instances/instances.ts';
import { markTerminated } from './instances.ts';

/** A launch under way is younger than this. */
const MIN_AGE_SECONDS = 120;

/**
 * Ends the provider's instances that are nobody's. Throws when Postgres does not answer, and then ends nothing.
 * @returns how many were ended.
 */
export async function sweepInstances(db: DataSource, provider: InstanceProvider): Promise<number> {
  const running = await provider.list();
  if (running.length === 0) return 0;
  const rows = await db.query<{ launch_token: string }[]>(
    `select launch_token from instances where fenced_at is null and state <> 'TERMINATED' and launch_token = any($1)`,
    [running.map((instance) => instance.token)],
  );
  const current = new Set(rows.map((row) => row.launch_token));
  const now = Date.now();
  let ended = 0;
  for (const instance of running) {
    if (current.has(instance.token) || now - Date.parse(instance.launchedAt) < MIN_AGE_SECONDS * 1000)
      continue;
    await provider.terminate(instance.token);
    await markTerminated(db, instance.token);
    ended += 1;
  }
  return ended;
}
