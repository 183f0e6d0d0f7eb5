/**
 * The gateway's own sign of life. An instance's silence counts only while a gateway could have heard it: `up_since`
 * is the start of uninterrupted service, by the database's clock.
 */
import type { DataSource } from 'typeorm';

/** Name of the gateway's row. */
export const GATEWAY_SERVICE = 'gateway';

/** A service whose last beat is older than this was down in between. */
export const GATEWAY_GAP_SECONDS = 5;

const BEAT = `
  insert into service_heartbeats as h (service, up_since, beat_at) values ($1, now(), now())
  on conflict (service) do update set beat_at = now(),
    up_since = case when h.beat_at < now() - make_interval(secs => $2) then now() else h.up_since end`;

/** Records that the gateway serves at this moment. */
export async function beatGateway(db: DataSource): Promise<void> {
  await db.query(BEAT, [GATEWAY_SERVICE, GATEWAY_GAP_SECONDS]);
}
