/** Verified tasks as prices count them: read in the same way for the settlement and for a status. */
import type { VerifiedTasks } from '../../domain/pricing.ts';
import { CONTROL_MISSED } from '../../domain/required-control.ts';

/** A column with what a price counts; null where the number of verified tasks says it all. */
export interface VerifiedColumn {
  readonly verified: readonly VerifiedTasks[] | null;
}

/** SQL: a task `t` is undone, and its checkpoint holds work that nobody has charged. */
const KEEPS_UNPAID = `t.state in ('PENDING', 'RUNNING') and t.charged_in is null and t.kept_ms > t.paid_ms`;

/**
 * SQL: the verified tasks `t` of the given condition by price class, as a JSON list in the order of the classes. Tasks that an
 * execution has charged already are left out; tasks for which earlier results stand are counted apart, and so are those that a
 * missed control has kept from being done. Work that a pause has charged is not counted again. Where the SQL `isPause` is true,
 * the work that checkpoints of undone tasks hold is counted too. The sum is made of whole milliseconds, so it does not depend on
 * the order of the tasks.
 */
export function verifiedTasks(ofTasks: string, isPause = 'false'): string {
  return `(select coalesce(jsonb_agg(jsonb_build_object('priceClass', v.price_class, 'tasks', v.tasks, 'meteredMs', v.metered_ms)
        || case when v.kept_ms > 0 then jsonb_build_object('keptMs', v.kept_ms) else '{}' end
        || case when v.reused > 0 then jsonb_build_object('reused', v.reused) else '{}' end
        || case when v.missed > 0 then jsonb_build_object('missedControl', v.missed) else '{}' end
      order by v.price_class), '[]')
    from (select t.price_class, count(*) filter (where t.state = 'SUCCEEDED' and t.charged_in is null)::int as tasks,
        count(*) filter (where t.charged_in = 0)::int as reused,
        count(*) filter (where t.state = 'FAILED')::int as missed,
        coalesce(sum(greatest(0, t.metered_ms - t.paid_ms)) filter (where t.state = 'SUCCEEDED' and t.charged_in is null), 0)::bigint
          as metered_ms,
        coalesce(sum(t.kept_ms - t.paid_ms) filter (where ${KEEPS_UNPAID}), 0)::bigint as kept_ms
      from tasks t
      where t.kind = 'task' and (t.state = 'SUCCEEDED' and (t.charged_in is null or t.charged_in = 0)
        or t.state = 'FAILED' and t.failure_code = '${CONTROL_MISSED}' or ${isPause} and ${KEEPS_UNPAID}) and ${ofTasks}
      group by t.price_class) v)`;
}

/** SQL: whether the price of the quote needs more than the number of verified tasks. */
export function needsVerifiedTasks(quote: string): string {
  return `(${quote} #>> '{pricing,model}' = 'measured' or jsonb_array_length(${quote} #> '{pricing,classes}') > 1
    or ${quote} #> '{pricing,classes,0,less}' is not null)`;
}

/** Tasks of the only price class of a quote. */
export function ofOnlyClass(tasks: number): readonly VerifiedTasks[] {
  return [{ priceClass: null, tasks, meteredMs: 0 }];
}
