/** Checkouts that should be over: each checkout is followed once more, and a checkout that stays open or waits for a person is a difference. */
import type { Topup } from '../../../entities/payments.ts';
import { followTopup } from '../payments/index.ts';
import type { FollowDependencies } from '../payments/index.ts';
import type { Row } from '../row.ts';
import type { Difference } from './differences.ts';

const MOST_AT_ONCE = 1_000;

/** A checkout is overdue an hour after its end; a checkout whose bank decides is overdue after two weeks. */
const OVERDUE = `state in ('CREATED', 'OPEN', 'PROCESSING')
  and expires_at < now() - case state when 'PROCESSING' then interval '14 days' else interval '1 hour' end`;

const FOUND = `
  select id::text as subject, case when parked is not null then 'parked: ' || parked else 'still ' || state end as detail
  from topups where parked is not null or ${OVERDUE} order by id`;

/** Compares the checkouts of top-ups with their rows. */
export async function compareCheckouts(deps: FollowDependencies): Promise<readonly Difference[]> {
  const overdue = await deps.db.query<Row<Topup, 'id'>[]>(
    `select id from topups where ${OVERDUE} order by expires_at limit ${String(MOST_AT_ONCE)}`,
  );
  const silent = new Map<string, string>();
  for (const { id } of overdue)
    await followTopup(deps, id).catch((error: unknown) => silent.set(id, `not answered: ${String(error)}`));
  const found = await deps.db.query<Difference[]>(FOUND);
  return found.map(({ subject, detail }) => ({
    subject,
    detail: [detail, silent.get(subject)].filter((part) => part !== undefined).join('; '),
  }));
}
