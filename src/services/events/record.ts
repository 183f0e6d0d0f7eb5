/** Writing events beside a change; changes of one statement write theirs in the same statement. */
import { EventEntity } from '../../../entities/events.ts';
import type { Queryable } from '../transaction.ts';

/** An event to be written. */
export interface NewEvent {
  readonly accountId: string;
  readonly kind: string;
  /** The id of what the event tells of. */
  readonly subject: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Writes an event in the transaction of the change. */
export async function recordEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx.getRepository(EventEntity).insert({ ...event });
}
