/** The history of a wallet, as far as it tells what is unspent of each top-up. */
import { unspentTopups } from '../../domain/returns.ts';
import type { Unspent, WalletMove } from '../../domain/returns.ts';
import { lockAccounts } from '../ledger/index.ts';
import type { Tx } from '../transaction.ts';

/** SQL of the change of a ledger account by a transfer. */
function change(account: string): string {
  return `coalesce(t.amounts_pence[array_position(t.accounts, '${account}')], 0)`;
}

/**
 * Transfers that change wallet and held credits together; a hold moves credits between the two, and changes nothing. The transfer
 * of a payment names its top-up in its key, and the transfer of a return names the transfer of the payment.
 */
const MOVES = `
  select t.kind, ${change('wallet')} + ${change('wallet_held')} as pence, p.id as "topupId",
    abs(${change('bonus_expense')}) as "bonusPence"
  from ledger_transfers t
    left join ledger_transfers r on r.id = t.reverses_id
    left join topups p on p.account_id = t.account_id and (
      t.kind in ('topup', 'topup_bonus') and p.id::text = split_part(t.idempotency_key, '/', 2)
      or r.kind = 'topup' and p.id::text = split_part(r.idempotency_key, '/', 2))
  where t.account_id = $1 and ${change('wallet')} + ${change('wallet_held')} <> 0
  order by t.version`;

/** Reads the unspent part of each top-up of an account now. Locks the balances of the account until the transaction ends. */
export async function readUnspent(tx: Tx, accountId: string): Promise<ReadonlyMap<string, Unspent>> {
  const balances = (await lockAccounts(tx, [accountId])).get(accountId);
  const moves = await tx.query<WalletMove[]>(MOVES, [accountId]);
  return unspentTopups(moves, balances?.pence.wallet_held ?? 0);
}
