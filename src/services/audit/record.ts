/**
 * Writing the audit log. A change and its entry are one transaction: whoever changes something that the log tells of calls
 * `recordChange` with the transaction of the change. An entry holds no secret: neither keys, tokens and passwords, nor
 * their digests.
 */
import { v7 as uuidv7 } from 'uuid';

import { AuditEntryEntity } from '../../../entities/audit.ts';
import type { AuditAction, AuthorKind } from '../../domain/audit.ts';
import type { Actor } from '../../domain/access.ts';
import { callerOf } from '../../domain/access.ts';
import { isAuditedEvent, payloadOf } from '../../domain/events.ts';
import { recordEvent } from '../events/record.ts';
import type { Tx } from '../transaction.ts';

/** Author of a change, as the audit log has it. */
export interface Author {
  readonly kind: AuthorKind;
  /** The key or the session, or the name of the operator; null where nobody knows, and for the provider of payments. */
  readonly id: string | null;
  readonly userId: string | null;
  /** The address that the author calls from; null on the command line, and for events. */
  readonly address: string | null;
}

/** A change, with what there was before and after, as far as an owner of the account may read it. */
export interface Change {
  /** Null where the change belongs to no account. */
  readonly accountId: string | null;
  readonly action: AuditAction;
  /** The id of what was changed. */
  readonly subject: string;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** An operator whose name nobody told. */
export const SOME_OPERATOR: Author = operator(null);

/** The operator of this name. */
export function operator(name: string | null): Author {
  return { kind: 'operator', id: name, userId: null, address: null };
}

/** The provider of payments, whose events tell what became of a subscription. */
export const PAYMENT_PROVIDER: Author = { kind: 'payments', id: null, userId: null, address: null };

/** The author of a change that a key or a session asks for. */
export function authorOf(actor: Actor, address: string): Author {
  return { ...callerOf(actor), userId: actor.userId, address };
}

/** Somebody who has not signed in, and perhaps proved which user it is. */
export function visitor(address: string, userId: string | null = null): Author {
  return { kind: 'visitor', id: null, userId, address };
}

/** Records a change in its transaction, and the event of the change where customers follow changes of this kind. */
export async function recordChange(tx: Tx, author: Author, change: Change): Promise<void> {
  const { accountId, action, subject, before, after } = change;
  await tx.getRepository(AuditEntryEntity).insert({
    id: uuidv7(),
    accountId,
    action,
    subject,
    authorKind: author.kind,
    authorId: author.id,
    userId: author.userId,
    address: author.address,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
  if (accountId !== null && isAuditedEvent(action))
    await recordEvent(tx, { accountId, kind: action, subject, payload: payloadOf(action, after ?? {}) });
}
