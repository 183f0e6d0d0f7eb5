/**
 * Subscriptions at the provider against the subscriptions that are known here, and plans against both. The answers of the provider
 * are applied, so a difference that came of a lost event is there for one night, and tells the operator that an event was lost.
 */
import { SubscriptionEntity } from '../../../entities/subscriptions.ts';
import type { Subscription } from '../../../entities/subscriptions.ts';
import { applySubscription } from '../payments/index.ts';
import type { FollowDependencies } from '../payments/index.ts';
import type { Row } from '../row.ts';
import type { Difference } from './differences.ts';

/** Subscriptions that go on or may go on again. */
const OPEN = `select id from subscriptions where status not in ('canceled', 'incomplete_expired') order by id`;

/**
 * Plans that nothing explains, plans that are missing, subscriptions whose present period nobody paid, and subscriptions that go on
 * beside another subscription of the account. An invoice may be paid up to a day after its period has begun.
 */
const FOUND = `
  with live as (select account_id from subscriptions where status in ('active', 'trialing', 'past_due')
    union select account_id from operator_plans where ended_at is null)
  select a.id::text as subject, 'the plan is ' || a.plan || case when l.account_id is null then ', and nothing gives it'
    else ', and another one is given' end as detail
  from accounts a left join live l on l.account_id = a.id
  where (a.plan = 'pro') <> (l.account_id is not null)
  union all
  select s.id, 'active, and no invoice of the present period was paid' from subscriptions s
  where s.status = 'active' and s.created_at < now() - interval '1 day' and not exists (
    select from subscription_periods p where p.subscription_id = s.id and p.ends_at > now() - interval '1 day')
  union all
  select max(s.id), 'a second subscription of account ' || s.account_id from subscriptions s
  where s.status in ('active', 'trialing', 'past_due') group by s.account_id having count(*) > 1
  order by 1`;

/** Compares subscriptions and plans. */
export async function compareSubscriptions(deps: FollowDependencies): Promise<readonly Difference[]> {
  const { db, payments } = deps;
  const open = await db.query<Row<Subscription, 'id'>[]>(OPEN);
  const ids = new Set(open.map(({ id }) => id));
  if (payments !== null) for await (const { id } of payments.listSubscriptions()) ids.add(id);
  const differences: Difference[] = [];
  for (const id of payments === null ? [] : ids) {
    const detail = await compareOne(deps, id);
    if (detail !== null) differences.push({ subject: id, detail });
  }
  return [...differences, ...(await db.query<Difference[]>(FOUND))];
}

async function compareOne(deps: FollowDependencies, id: string): Promise<string | null> {
  const rows = deps.db.getRepository(SubscriptionEntity);
  const before = await rows.findOneBy({ id });
  try {
    const refusal = await applySubscription(deps, id);
    if (refusal !== null) return refusal;
  } catch (error) {
    return `not answered: ${String(error)}`;
  }
  const { status } = await rows.findOneByOrFail({ id });
  return before?.status === status ? null : `${before?.status ?? 'unknown'} here, ${status} at the provider`;
}
