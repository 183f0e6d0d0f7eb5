/**
 * The provider's movements of our balance against `stripe_clearing`, payment by payment, before the provider's fees. Movements are
 * never changed, so movements that were read before are kept, and only new movements are read.
 */
import type { DataSource } from 'typeorm';

import { ProviderTransactionEntity } from '../../../entities/reconciliation.ts';
import type { PaymentBalance } from '../../adapters/payments/balance.ts';
import { insertIfNew } from '../insert-if-new.ts';
import type { Difference } from './differences.ts';

/** A movement may appear at the provider later than its time says. */
const OVERLAP = `interval '7 days'`;
/** Money that has just moved at the provider may not be in the books yet, and the other way round. */
const QUIET_SECONDS = 3_600;

const SINCE = `
  select least(coalesce((select max(created_at) from provider_transactions) - ${OVERLAP}, min(t.created_at)),
    clock_timestamp()) as since
  from topups t`;

/** The transfer of a return names the transfer of its payment, and the transfer of a payment names the top-up. */
const DIFFERENCES = `
  with provider as (
    select payment_id, sum(amount_pence) as pence, max(created_at) as at, bool_and(currency = 'gbp') as is_gbp
    from provider_transactions t
    where not exists (select from subscription_payments s where s.payment_id = t.payment_id) group by 1
  ), clearing as (
    select coalesce(t.reverses_id, t.id) as paid,
      -sum(t.amounts_pence[array_position(t.accounts, 'stripe_clearing')]) as pence, max(t.created_at) as at
    from ledger_transfers t where 'stripe_clearing' = any(t.accounts) group by 1
  ), books as (
    select coalesce(p.payment_id, 'transfer ' || c.paid) as payment_id, p.id as topup_id, c.pence, c.at
    from clearing c join ledger_transfers f on f.id = c.paid
      left join topups p on f.kind = 'topup' and p.id::text = split_part(f.idempotency_key, '/', 2)
  )
  select payment_id as subject, format('%s: %s pence in the books, %s at the provider',
    coalesce('top-up ' || b.topup_id, 'no top-up'), coalesce(b.pence, 0), coalesce(p.pence, 0)) as detail
  from books b full join provider p using (payment_id)
  where (coalesce(b.pence, 0) <> coalesce(p.pence, 0) or p.is_gbp is false)
    and greatest(b.at, p.at) < clock_timestamp() - make_interval(secs => $1)
  order by 1`;

/** Reads the new movements of our balance, and compares each payment. */
export async function compareBalance(
  db: DataSource,
  payments: PaymentBalance,
  quietSeconds = QUIET_SECONDS,
): Promise<readonly Difference[]> {
  const [start] = await db.query<{ readonly since: Date | null }[]>(SINCE);
  if (start?.since instanceof Date)
    for await (const move of payments.listMoves(start.since))
      await insertIfNew(db, ProviderTransactionEntity, { ...move });
  return db.query<Difference[]>(DIFFERENCES, [quietSeconds]);
}
