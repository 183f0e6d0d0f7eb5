/**
 * Launches that count into the quotas of a cloud, from the rows: those of every control worker, from the first call on. A listing
 * of the cloud is late by seconds, and a process knows only of its own launches.
 */
import type { DataSource } from 'typeorm';

import type { Instance } from '../../../../entities/instances.ts';
import type { QuotaUser } from '../../../adapters/instances/ec2/quotas.ts';
import type { Row } from '../../row.ts';

/** For how long a cloud may count an instance that has ended, and the effect of a call without an answer may be seen nowhere. */
const UNSEEN_SECONDS = 60;

// A row whose provider was asked and has not answered may be an instance. Of such rows only those count that were asked earlier: where a
// quota allows nothing at all, many launches at once would otherwise wait for one another.
const USERS = `
  select i.instance_type, i.market, i.provider_id is not null as launched from instances i
  where i.state <> 'TERMINATED' and i.provider = $1 and i.launch_token <> $2 and i.instance_type is not null
    and (i.provider_id is not null or (i.asked_at > now() - make_interval(secs => $3)
      and (i.asked_at, i.launch_token) < (select asked_at, launch_token from instances where launch_token = $2)))
  union
  select i.instance_type, i.market, true from instances i
  where i.terminated_at > now() - make_interval(secs => $3) and i.provider = $1 and i.provider_id is not null and i.instance_type is not null`;

/** The types and markets of the instances of a provider that may count into its quotas, that of the token left out. */
export async function quotaUsersOf(
  db: DataSource,
  { provider, token }: { readonly provider: string; readonly token: string },
): Promise<readonly QuotaUser[]> {
  const rows = await db.query<(Row<Instance, 'instanceType' | 'market'> & { readonly launched: boolean })[]>(
    USERS,
    [provider, token, UNSEEN_SECONDS],
  );
  return rows.flatMap(({ instance_type: type, market, launched }) =>
    type === null ? [] : [{ type, market, isLaunched: launched }],
  );
}
