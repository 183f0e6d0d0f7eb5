/**
 * Holds: credits reserved for one execution of a job, settled exactly once. Both movements take the customer's lock
 * first, which is all that excludes two of them at a time; both may be repeated with the same answer.
 */
import { splitHold, settleLots, holdPosting } from '../../domain/ledger.ts';
import type { OpenLot, Posting } from '../../domain/ledger.ts';
import type { Tx } from '../transaction.ts';
import { accountOf, lockAccounts, lockAccountsOfHold } from './accounts.ts';
import { FIRST_OWN_PARAMETER, composeBatch, postCtes } from './batch.ts';
import type { Batch } from './batch.ts';
import { hashOf } from './post.ts';

/** A hold to be placed. */
export interface HoldRequest {
  readonly holdId: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly execution: number;
  readonly amountPence: number;
}

/** Whether the credits are reserved. */
export type HoldResult = { readonly held: true } | { readonly held: false; readonly availablePence: number };

/** A hold to be settled. */
export interface SettlementRequest {
  readonly holdId: string;
  readonly chargePence: number;
  /** Monthly credits whose period has ended meanwhile become wallet credit instead of expiring. */
  readonly faultIsOurs?: boolean;
}

/** What a settlement took and gave back; both sum to what was held. */
export interface SettlementResult {
  readonly chargedPence: number;
  readonly releasedPence: number;
}

interface HoldRow {
  readonly accountId: string;
  readonly jobId: string;
  readonly execution: number;
  readonly state: 'OPEN' | 'SETTLED';
  readonly heldPence: number;
  readonly chargedPence: number;
  readonly releasedPence: number;
}

type LotRow = OpenLot & { readonly ordinal: number };

const OWN = FIRST_OWN_PARAMETER;

/** Own parameters: hold, account, job, execution, amount; the lots' buckets, period ends and amounts. */
const PLACE = `
  with hold as (
    insert into holds (id, account_id, job_id, execution, held_pence)
    values ($${OWN}, $${OWN + 1}, $${OWN + 2}, $${OWN + 3}, $${OWN + 4})
    on conflict (id) do nothing returning id
  ),
  lots as (
    insert into hold_lots (hold_id, ordinal, bucket, period_ends_at, amount_pence)
    select hold.id, l.ordinal - 1, l.bucket, l.period_ends_at, l.pence
    from hold, unnest($${OWN + 5}::text[], $${OWN + 6}::timestamptz[], $${OWN + 7}::bigint[]) with ordinality
      l(bucket, period_ends_at, pence, ordinal)
  ),
  ${postCtes('exists (select from hold)')}
  select id from hold`;

/** Own parameters: hold, charged, released; the lots' ordinals, charges and releases. */
const SETTLE = `
  with hold as (
    update holds set state = 'SETTLED', charged_pence = $${OWN + 1}, released_pence = $${OWN + 2}, settled_at = clock_timestamp()
    where id = $${OWN} and state = 'OPEN'
  ),
  lots as (
    update hold_lots set charged_pence = l.charged, released_pence = l.released
    from unnest($${OWN + 3}::int[], $${OWN + 4}::bigint[], $${OWN + 5}::bigint[]) l(ordinal, charged, released)
    where hold_id = $${OWN} and hold_lots.ordinal = l.ordinal
  ),
  ${postCtes()}
  select 1`;

/** Reserves credits, monthly ones first; a hold of nothing has no lots. The hold's id is the key. */
export async function placeHold(tx: Tx, request: HoldRequest): Promise<HoldResult> {
  const { holdId, accountId, jobId, execution, amountPence } = request;
  const locked = await lockAccounts(tx, [accountId]);
  const wallet = accountOf(locked, accountId, 'wallet').balancePence;
  const monthly = accountOf(locked, accountId, 'monthly').balancePence;
  const monthlyEndsAt = monthly > 0 ? await readMonthlyEnd(tx, accountId) : null;
  const funds = { walletPence: wallet, monthlyPence: monthlyEndsAt === null ? 0 : monthly, monthlyEndsAt };
  const lots = splitHold(amountPence, funds);
  if (lots === null) {
    if (await isPlaced(tx, request)) return { held: true };
    return { held: false, availablePence: funds.walletPence + funds.monthlyPence };
  }
  const reference = {
    key: `hold/${holdId}`,
    accountId,
    jobId,
    holdId,
    description: 'Credits reserved for a job',
  };
  const batch = composeFor(locked, lots.length > 0 ? [{ ...reference, ...holdPosting(lots) }] : []);
  const placed = await tx.query<unknown[]>(PLACE, [
    ...batch.parameters,
    ...[holdId, accountId, jobId, execution, amountPence],
    ...[
      lots.map((lot) => lot.bucket),
      lots.map((lot) => lot.periodEndsAt),
      lots.map((lot) => lot.amountPence),
    ],
  ]);
  if (placed.length === 0 && !(await isPlaced(tx, request))) throw new Error(`Hold ${holdId} was not placed`);
  return { held: true };
}

/**
 * Charges a part of a hold and releases the rest; a settled hold answers what it was settled with.
 * @throws RangeError when the charge is above the hold.
 */
export async function settleHold(tx: Tx, request: SettlementRequest): Promise<SettlementResult> {
  const { holdId, chargePence, faultIsOurs = false } = request;
  const { hold, lots, batchOf } = await lockHold(tx, holdId);
  if (hold.state === 'SETTLED') return { chargedPence: hold.chargedPence, releasedPence: hold.releasedPence };
  const settlement = settleLots(lots, chargePence, faultIsOurs);
  const batch = batchOf(settlement.postings);
  await tx.query(SETTLE, [
    ...batch.parameters,
    ...[holdId, settlement.chargedPence, settlement.releasedPence, lots.map((lot) => lot.ordinal)],
    ...[settlement.lots.map((lot) => lot.chargedPence), settlement.lots.map((lot) => lot.releasedPence)],
  ]);
  return { chargedPence: settlement.chargedPence, releasedPence: settlement.releasedPence };
}

const DESCRIPTIONS: Readonly<Partial<Record<Posting['kind'], string>>> = {
  charge: 'Charge for verified tasks of a job',
  hold_release: 'Reserved credits returned',
  monthly_expiry: 'Reserved monthly credits whose period has ended',
};

/** Locks the hold's customer, then reads the hold: everything that changes a hold has that lock. */
async function lockHold(
  tx: Tx,
  holdId: string,
): Promise<{ hold: HoldRow; lots: readonly LotRow[]; batchOf: (postings: readonly Posting[]) => Batch }> {
  const locked = await lockAccountsOfHold(tx, holdId);
  const [hold] = await tx.query<(HoldRow & { readonly lots: readonly LotRow[] })[]>(
    `select account_id as "accountId", job_id as "jobId", execution, state, held_pence as "heldPence",
       charged_pence as "chargedPence", released_pence as "releasedPence",
       (select coalesce(jsonb_agg(jsonb_build_object('ordinal', ordinal, 'bucket', bucket, 'amountPence', amount_pence,
          'periodEndsAt', period_ends_at, 'ended', coalesce(period_ends_at <= clock_timestamp(), false)) order by ordinal), '[]')
        from hold_lots where hold_id = h.id) as lots
     from holds h where id = $1`,
    [holdId],
  );
  if (hold === undefined) throw new Error(`There is no hold ${holdId}`);
  const { accountId, jobId } = hold;
  return {
    hold,
    lots: hold.lots,
    batchOf: (postings) =>
      composeFor(
        locked,
        postings.map((posting) => ({
          ...posting,
          ...{ key: `settle/${holdId}/${posting.kind}`, accountId, jobId, holdId },
          description: DESCRIPTIONS[posting.kind] ?? posting.kind,
        })),
      ),
  };
}

function composeFor(
  locked: Parameters<typeof composeBatch>[0],
  transfers: readonly Parameters<typeof hashOf>[0][],
): Batch {
  return composeBatch(
    locked,
    transfers.map((transfer) => ({ ...transfer, inputSha256: hashOf(transfer) })),
  );
}

/** The end of the present monthly period; null when there is none or it is over, so that nothing more is reserved of it. */
async function readMonthlyEnd(tx: Tx, accountId: string): Promise<Date | null> {
  const [row] = await tx.query<{ endsAt: Date | null }[]>(
    `select monthly_reset_at as "endsAt" from accounts where id = $1 and monthly_reset_at > clock_timestamp()`,
    [accountId],
  );
  return row?.endsAt ?? null;
}

/** Whether this very hold exists. @throws Error when its id stands for another one. */
async function isPlaced(tx: Tx, request: HoldRequest): Promise<boolean> {
  const [hold] = await tx.query<HoldRow[]>(
    `select account_id as "accountId", job_id as "jobId", execution, held_pence as "heldPence" from holds where id = $1`,
    [request.holdId],
  );
  if (hold === undefined) return false;
  const same =
    hold.accountId === request.accountId &&
    hold.jobId === request.jobId &&
    hold.execution === request.execution &&
    hold.heldPence === request.amountPence;
  if (!same) throw new Error(`Hold ${request.holdId} was placed with other terms`);
  return true;
}
