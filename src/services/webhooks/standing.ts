/**
 * Standing of the deliveries of all webhooks, and of the fan-out. Each number comes from an index over open rows or over a time, so what was
 * sent long ago costs nothing.
 */
import type { DataSource } from 'typeorm';

import { DELIVERY_STATES } from '../../domain/webhooks.ts';
import type { DeliveryState } from '../../domain/webhooks.ts';
import { OPEN_WEBHOOK } from './rows.ts';

/** Deliveries and the fan-out as they stand. */
export interface WebhookStanding {
  /** All deliveries that wait, and those of the last hour that do not. */
  readonly deliveries: readonly { readonly state: DeliveryState; readonly count: number }[];
  /** Age of the oldest delivery that is due, among webhooks on which a sender works, or none does; zero where nothing is due. */
  readonly oldestDueSeconds: { readonly atWork: number; readonly none: number };
  /** Events whose deliveries were not made yet, a hundred thousand at most. */
  readonly behindEvents: number;
  /** Age of the oldest of them; zero without one. */
  readonly behindSeconds: number;
}

const MOST_COUNTED = 100_000;

const DELIVERIES = `
  select state, count(*)::int as count from (
    select state from webhook_deliveries where state = 'PENDING'
    union all
    select state from webhook_deliveries where state <> 'PENDING' and created_at > now() - interval '1 hour') d
  group by 1`;

// A server that hangs keeps much due for long; whether anybody sends to it says whose fault that is.
const OLDEST_DUE = `
  select coalesce(max(age) filter (where at_work), 0)::float8 as at_work, coalesce(max(age) filter (where not at_work), 0)::float8 as none
  from (
    select extract(epoch from now() - min(d.due_at)) as age, coalesce(bool_or(d.claimed_until > now()), false) as at_work
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id join accounts a on a.id = w.account_id
    where d.state = 'PENDING' and d.due_at <= now() and ${OPEN_WEBHOOK} group by w.id) due`;

const BEHIND = `
  with behind as (
    (select at from events where id > (select position from webhook_fan_out) order by id limit ${MOST_COUNTED})
    union all (select at from events where id is null limit ${MOST_COUNTED}))
  select least(count(*), ${MOST_COUNTED})::int as events, coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds from behind`;

interface OldestRow {
  readonly at_work: number;
  readonly none: number;
}

/** Reads where deliveries and fan-out stand. */
export async function readWebhookStanding(db: DataSource): Promise<WebhookStanding> {
  const counts = await db.query<WebhookStanding['deliveries'][number][]>(DELIVERIES);
  const [oldest] = await db.query<OldestRow[]>(OLDEST_DUE);
  const [behind] = await db.query<{ readonly events: number; readonly seconds: number }[]>(BEHIND);
  return {
    deliveries: DELIVERY_STATES.map((state) => ({
      state,
      count: counts.find((row) => row.state === state)?.count ?? 0,
    })),
    oldestDueSeconds: { atWork: oldest?.at_work ?? 0, none: oldest?.none ?? 0 },
    behindEvents: behind?.events ?? 0,
    behindSeconds: behind?.seconds ?? 0,
  };
}
