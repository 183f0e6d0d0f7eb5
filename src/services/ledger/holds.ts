/**
 * Holds: credits reserved for one execution of a job, settled exactly once. A hold has parts: the first reservation, and one
 * for each extension. Each movement is one call of a function in the database (migrations/functions.sql): a transaction of its
 * own when the call stands alone, and a single round trip inside a bigger transaction. A repeated call gets the same answer.
 * Only a repeated or a refused call reads the row of the hold.
 */
import { v7 as uuidv7 } from 'uuid';

import { HoldEntity, HoldExtensionEntity } from '../../../entities/ledger.ts';
import type { InactiveState } from '../../domain/account-state.ts';
import type { Queryable } from '../transaction.ts';
import { digestOf } from './post.ts';

/** A hold to be placed. */
export interface HoldRequest {
  readonly holdId: string;
  readonly accountId: string;
  readonly jobId: string;
  readonly execution: number;
  readonly amountPence: number;
  /** The API key that the job is submitted with, for the key's limit. */
  readonly keyId?: string;
}

/** A further part of a hold, numbered from 1. */
export interface ExtensionRequest {
  readonly holdId: string;
  readonly part: number;
  readonly amountPence: number;
}

/** A limit that a hold would pass: of the job, of the account in this UTC month, or of the API key in this UTC month. */
export interface LimitRefusal {
  readonly limit: 'job' | 'month' | 'key';
  readonly limitPence: number;
  /** Unspent part of the limit. */
  readonly restPence: number;
}

/**
 * Why credits are not reserved: the state of the account, a debt, too little that is available, or a limit. The service
 * looks at them in this order and names the first.
 */
export type HoldRefusal =
  | { readonly accountState: InactiveState }
  | { readonly owedPence: number }
  | { readonly availablePence: number }
  | LimitRefusal;

/** Whether the credits are reserved, and why not. */
export type HoldResult = { readonly held: true } | ({ readonly held: false } & HoldRefusal);

/** A hold to be settled. */
export interface SettlementRequest {
  readonly holdId: string;
  readonly chargePence: number;
  /** Monthly credits whose period has ended meanwhile become wallet credit instead of expiring. */
  readonly faultIsOurs?: boolean;
}

/** The pence that a settlement charged and released; their sum is what was held. */
export interface SettlementResult {
  readonly chargedPence: number;
  readonly releasedPence: number;
}

/** Answer of a ledger function that reserved nothing: a refusal, or `known` when an earlier call had placed the same. */
type Unplaced = HoldRefusal | { readonly known: true };

/** Answers null when this call placed the hold. The ledger knows a key by the first key of its line, under which limits are counted. */
const PLACE = `
  select ledger_reserve($1::uuid, $2::uuid, $3::uuid, $4::integer,
    (select coalesce(k.first_key_id, k.id) from api_keys k where k.id = $5::uuid), $6::bigint, $7::uuid, $8::text) as unplaced`;

/** Answers null when this call placed the part. */
const EXTEND = `
  select ledger_extend($1::uuid, $2::integer, $3::bigint, $4::uuid, $5::text) as unplaced`;

/** Answers null when this call did not settle the hold. */
const SETTLE = `
  select ledger_settle($1::uuid, $2::bigint, $3::boolean, $4::uuid, $5::uuid, $6::uuid, $7::text) as "releasedPence"`;

/**
 * Reserves credits of an active account that owes nothing, monthly ones first. The hold's id is the key. The state of the
 * account and its limits are read under the lock of its balances. A hold of nothing has no lots, and is placed also while
 * something is owed or a limit is reached.
 * @throws RangeError when the amount is not a whole, non-negative number of pence.
 */
export async function placeHold(db: Queryable, request: HoldRequest): Promise<HoldResult> {
  const { holdId, accountId, jobId, execution, amountPence, keyId = null } = request;
  if (!isPence(amountPence)) throw new RangeError(`A hold of ${String(amountPence)} pence cannot be placed`);
  const [answer] = await db.query<{ unplaced: Unplaced | null }[]>(PLACE, [
    holdId,
    accountId,
    jobId,
    execution,
    keyId,
    amountPence,
    uuidv7(),
    digestOf(['hold', accountId, jobId, holdId, execution, amountPence]),
  ]);
  const unplaced = answer?.unplaced ?? null;
  if (unplaced === null || (await isPlaced(db, request))) return { held: true };
  if ('known' in unplaced) throw new Error(`Hold ${holdId} was not placed`);
  return { held: false, ...unplaced };
}

/**
 * Reserves more credits for an open hold, as a part of its own with lots of its own, and is refused as a hold is. The hold's
 * id and the number of the part are the key; parts are placed in their order.
 * @throws RangeError when the amount is not a whole, positive number of pence; Error when the hold is settled or does not
 * wait for this part.
 */
export async function extendHold(db: Queryable, request: ExtensionRequest): Promise<HoldResult> {
  const { holdId, part, amountPence } = request;
  if (!isPence(amountPence) || amountPence === 0)
    throw new RangeError(`A hold cannot be extended by ${String(amountPence)} pence`);
  const [answer] = await db.query<{ unplaced: Unplaced | null }[]>(EXTEND, [
    holdId,
    part,
    amountPence,
    uuidv7(),
    digestOf(['extend', holdId, part, amountPence]),
  ]);
  const unplaced = answer?.unplaced ?? null;
  if (unplaced === null || (await isExtended(db, request))) return { held: true };
  if ('known' in unplaced) throw new Error(`Hold ${holdId} does not wait for part ${String(part)}`);
  return { held: false, ...unplaced };
}

/**
 * Charges a part of a hold and releases the rest. For a settled hold the answer is what it was settled with.
 * @throws RangeError when the charge is above the hold.
 */
export async function settleHold(db: Queryable, request: SettlementRequest): Promise<SettlementResult> {
  const { holdId, chargePence, faultIsOurs = false } = request;
  if (isPence(chargePence)) {
    const [answer] = await db.query<{ releasedPence: number | null }[]>(SETTLE, [
      holdId,
      chargePence,
      faultIsOurs,
      uuidv7(),
      uuidv7(),
      uuidv7(),
      digestOf(['settle', holdId, chargePence, faultIsOurs]),
    ]);
    const releasedPence = answer?.releasedPence ?? null;
    if (releasedPence !== null) return { chargedPence: chargePence, releasedPence };
  }
  const hold = await db.getRepository(HoldEntity).findOneBy({ id: holdId });
  if (hold === null) throw new Error(`There is no hold ${holdId}`);
  if (hold.state === 'SETTLED') return { chargedPence: hold.chargedPence, releasedPence: hold.releasedPence };
  if (!isPence(chargePence) || chargePence > hold.heldPence)
    throw new RangeError(
      `A charge of ${String(chargePence)} pence is not part of ${hold.heldPence} held pence`,
    );
  throw new Error(`Hold ${holdId} was not settled`);
}

function isPence(amountPence: number): boolean {
  return Number.isSafeInteger(amountPence) && amountPence >= 0;
}

/** Whether a hold with the same terms exists. @throws Error when the id belongs to a hold with other terms. */
async function isPlaced(db: Queryable, request: HoldRequest): Promise<boolean> {
  const hold = await db.getRepository(HoldEntity).findOneBy({ id: request.holdId });
  if (hold === null) return false;
  const same =
    hold.accountId === request.accountId &&
    hold.jobId === request.jobId &&
    hold.execution === request.execution &&
    hold.heldPence - hold.extendedPence === request.amountPence;
  if (!same) throw new Error(`Hold ${request.holdId} was placed with other terms`);
  return true;
}

/** Whether the part exists. @throws Error when it was placed with another amount. */
async function isExtended(db: Queryable, { holdId, part, amountPence }: ExtensionRequest): Promise<boolean> {
  const found = await db.getRepository(HoldExtensionEntity).findOneBy({ holdId, part });
  if (found === null) return false;
  if (found.monthlyPence + found.walletPence === amountPence) return true;
  throw new Error(`Part ${String(part)} of hold ${holdId} was placed with other terms`);
}
