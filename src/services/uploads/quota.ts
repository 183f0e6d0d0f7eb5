/**
 * The one way to take room of an account. Used and reserved bytes are the sum over the rows of the account's objects,
 * so the sum is always exact. An account makes one reservation at a time, else two reservations could take the same
 * room.
 */
import type { Tx } from '../transaction.ts';

/** Size of an object, and the quota of its account. */
export interface RoomRequest {
  readonly accountId: string;
  readonly byteSize: number;
  readonly quotaBytes: number;
}

/** Bytes that an account of each plan may store. */
export interface PlanQuotas {
  readonly free: number;
  readonly pro: number;
}

/**
 * Condition on `stored_objects`: the object takes room of its account. An object that was not sent in time takes room
 * until the sweep has removed it, because its bytes may be in the store.
 */
export const TAKES_ROOM = `state <> 'DELETED'`;

/**
 * Holds the account's room until the transaction ends, which then inserts the object. Answers null, or the public text
 * of the refusal.
 */
export async function takeRoom(tx: Tx, request: RoomRequest): Promise<string | null> {
  const { accountId, byteSize, quotaBytes } = request;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`quota/${accountId}`]);
  const [room] = await tx.query<{ readonly used: number }[]>(
    `select coalesce(sum(byte_size), 0)::bigint as used from stored_objects where account_id = $1 and ${TAKES_ROOM}`,
    [accountId],
  );
  const used = room?.used ?? 0;
  if (used + byteSize <= quotaBytes) return null;
  return `The account may store ${quotaBytes} bytes and has ${used} stored or reserved; ${byteSize} more do not fit. Delete files with DELETE /api/v1/uploads/{uploadId}/file, abort open uploads with DELETE /api/v1/uploads/{uploadId}, let announced files that nobody uses end by themselves about 26 hours later, or ask for a larger plan.`;
}

/** Finds the quota of an account by its plan. */
export function quotaOf(plan: keyof PlanQuotas, quotas: PlanQuotas): number {
  return quotas[plan];
}
