/**
 * The two movements that every job makes, each ONE statement: alone it is a transaction of its own, inside a bigger one
 * it is a single round trip. They do what `splitHold` and `settleLots` (domain/ledger.ts) say, on rows they have locked;
 * a property test holds them to that.
 *
 * The order of locks is the same in both: the customer's balances, then the hold. What waited for another movement of
 * the same hold changes nothing, because the hold is found by its key (`on conflict`), or by its state on the newest row.
 * New balances are written as sums over the row that was locked, never as `wallet - x` of the row that the update finds:
 * after a wait that one is of before it, and PostgreSQL checks constraints on it before it looks for the newest one.
 */
import type { CustomerAccount, ServiceAccount, TransferKind } from '../../domain/ledger.ts';

/** `sure`: never of nothing where its transfer is written, so there is nothing to decide. */
type SqlLine = readonly [account: CustomerAccount | ServiceAccount, pence: string, sure?: 'sure'];

interface SqlTransfer {
  readonly kind: TransferKind;
  readonly key: string;
  readonly description: string;
  readonly lines: readonly SqlLine[];
}

/** PostgreSQL copies the text of a prepared statement at each use; no literal here has two spaces in a row. */
function compact(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim();
}

/** What every transfer of a movement is inserted with: its id and version, these, and the balances after it. */
const TRANSFER_COLUMNS = `id, version, account_id, job_id, hold_id, debt_after, created_at, kind, idempotency_key,
      description, accounts, amounts_pence, input_sha256, wallet_after, wallet_held_after, monthly_after, monthly_held_after`;

/** Lines of nothing are left out. The digest is that of the request, which is the input of all its transfers. */
function transferColumns({ kind, key, description, lines }: SqlTransfer): string {
  const accounts = lines.map(([account, pence, sure]) =>
    sure === undefined ? `case when ${pence} <> 0 then '${account}' end` : `'${account}'`,
  );
  const amounts = lines.map(([, pence, sure]) => (sure === undefined ? `nullif(${pence}, 0)` : pence));
  const isSure = lines.every(([, , sure]) => sure !== undefined);
  const listOf = (items: readonly string[], type: string): string =>
    isSure ? `array[${items.join()}]::${type}[]` : `array_remove(array[${items.join()}]::${type}[], null)`;
  return `m.account_id, m.job_id, $1::uuid, m.debt, m.at, '${kind}', ${key}, '${description}',
      ${listOf(accounts, 'text')}, ${listOf(amounts, 'bigint')}, $7::text`;
}

const BALANCES = 'account_id, wallet, wallet_held, monthly, monthly_held, debt, version';

const HOLD: SqlTransfer = {
  kind: 'hold',
  key: `'hold/' || $1::uuid`,
  description: 'Credits reserved for a job',
  lines: [
    ['monthly', '(-m.of_monthly)'],
    ['monthly_held', 'm.of_monthly'],
    ['wallet', '(-m.of_wallet)'],
    ['wallet_held', 'm.of_wallet'],
  ],
};

/**
 * Parameters: hold, account, job, execution, amount, id of the transfer, digest of the request. Answers one row: what
 * there was to take, and whether the hold was placed by this statement; no row when the customer has no balances.
 */
export const PLACE_HOLD = compact(`
  with locked as materialized (
    select ${BALANCES}, monthly_ends_at from ledger_balances where account_id = $2::uuid for no key update
  ), split as materialized (
    select f.*, $3::uuid as job_id, least($5::bigint, free_monthly) as of_monthly,
      $5::bigint - least($5::bigint, free_monthly) as of_wallet
    from (select l.*, case when monthly_ends_at > at then monthly else 0 end as free_monthly
      from (select *, clock_timestamp() as at from locked) l) f
  ), held as (
    insert into holds (id, account_id, job_id, execution, held_pence, monthly_pence, monthly_ends_at, wallet_pence, created_at)
    select $1::uuid, account_id, job_id, $4::integer, $5::bigint, of_monthly,
      case when of_monthly > 0 then monthly_ends_at end, of_wallet, at
    from split where of_wallet <= wallet
    on conflict (id) do nothing returning id
  ), moved as (
    update ledger_balances b set wallet = m.wallet - m.of_wallet, wallet_held = m.wallet_held + m.of_wallet,
      monthly = m.monthly - m.of_monthly, monthly_held = m.monthly_held + m.of_monthly, version = m.version + 1
    from split m, held where b.account_id = m.account_id and $5::bigint > 0
  ), posted as (
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    select $6::uuid, m.version + 1, ${transferColumns(HOLD)},
      m.wallet - m.of_wallet, m.wallet_held + m.of_wallet, m.monthly - m.of_monthly, m.monthly_held + m.of_monthly
    from split m, held where $5::bigint > 0
  )
  select s.wallet + s.free_monthly as "availablePence", exists (select from held) as placed from split s`);

const CHARGE: SqlTransfer = {
  kind: 'charge',
  key: `'settle/' || $1::uuid || '/charge'`,
  description: 'Charge for verified tasks of a job',
  lines: [
    ['monthly_held', '(-m.monthly_charged_pence)'],
    ['revenue', 'm.charged_pence', 'sure'],
    ['wallet_held', '(-m.wallet_charged_pence)'],
  ],
};

const RELEASE: SqlTransfer = {
  kind: 'hold_release',
  key: `'settle/' || $1::uuid || '/hold_release'`,
  description: 'Reserved credits returned',
  lines: [
    ['monthly', 'm.to_monthly'],
    ['monthly_held', '(m.expired - m.monthly_released_pence)'],
    ['wallet', 'm.to_wallet'],
    ['wallet_held', '(-m.wallet_released_pence)'],
  ],
};

const EXPIRY: SqlTransfer = {
  kind: 'monthly_expiry',
  key: `'settle/' || $1::uuid || '/monthly_expiry'`,
  description: 'Reserved monthly credits whose period has ended',
  lines: [
    ['monthly_expired', 'm.expired', 'sure'],
    ['monthly_held', '(-m.expired)', 'sure'],
  ],
};

/**
 * Parameters: hold, charge, whether the fault is ours, ids of the three transfers that there may be, digest of the
 * request. Answers the hold as settled by this statement; no row when it does not exist, was settled before, or holds
 * less than the charge.
 */
export const SETTLE_HOLD = compact(`
  with locked as materialized (
    select ${BALANCES} from ledger_balances where account_id = (select account_id from holds where id = $1::uuid)
    for no key update
  ), settled as (
    update holds h set state = 'SETTLED', settled_at = l.at, charged_pence = $2::bigint,
      released_pence = h.held_pence - $2::bigint,
      monthly_charged_pence = least($2::bigint, h.monthly_pence),
      monthly_released_pence = h.monthly_pence - least($2::bigint, h.monthly_pence),
      wallet_charged_pence = $2::bigint - least($2::bigint, h.monthly_pence),
      wallet_released_pence = h.wallet_pence - ($2::bigint - least($2::bigint, h.monthly_pence))
    from (select *, clock_timestamp() as at from locked) l
    where h.id = $1::uuid and h.account_id = l.account_id and h.state = 'OPEN'
      and $2::bigint <= h.held_pence
    returning h.job_id, h.monthly_pence, h.monthly_charged_pence, h.monthly_released_pence, h.wallet_pence,
      h.wallet_charged_pence, h.wallet_released_pence, h.charged_pence, h.released_pence,
      coalesce(h.monthly_ends_at <= l.at, false) as ended, l.*
  ), fates as materialized (
    select f.*, (charged_pence > 0)::integer as charges, (to_monthly + to_wallet > 0)::integer as releases,
      (expired > 0)::integer as expiries
    from (select s.*, case when ended then 0 else monthly_released_pence end as to_monthly,
        wallet_released_pence + case when ended and $3::boolean then monthly_released_pence else 0 end as to_wallet,
        case when ended and not $3::boolean then monthly_released_pence else 0 end as expired
      from settled s) f
  ), moved as (
    update ledger_balances b set wallet = m.wallet + m.to_wallet, wallet_held = m.wallet_held - m.wallet_pence,
      monthly = m.monthly + m.to_monthly, monthly_held = m.monthly_held - m.monthly_pence,
      version = m.version + m.charges + m.releases + m.expiries
    from fates m where b.account_id = m.account_id and m.charges + m.releases + m.expiries > 0
  ), posted as (
    insert into ledger_transfers (${TRANSFER_COLUMNS})
    select $4::uuid, m.version + 1, ${transferColumns(CHARGE)},
      m.wallet, m.wallet_held - m.wallet_charged_pence, m.monthly, m.monthly_held - m.monthly_charged_pence
    from fates m where m.charges > 0
    union all
    select $5::uuid, m.version + m.charges + 1, ${transferColumns(RELEASE)},
      m.wallet + m.to_wallet, m.wallet_held - m.wallet_pence, m.monthly + m.to_monthly,
      m.monthly_held - m.monthly_pence + m.expired
    from fates m where m.releases > 0
    union all
    select $6::uuid, m.version + m.charges + m.releases + 1, ${transferColumns(EXPIRY)},
      m.wallet + m.to_wallet, m.wallet_held - m.wallet_pence, m.monthly + m.to_monthly, m.monthly_held - m.monthly_pence
    from fates m where m.expiries > 0
  )
  select charged_pence as "chargedPence", released_pence as "releasedPence" from settled`);
