/** Samples of the entities of the doors: who has changed what. */
import type { EntitySchema, ObjectLiteral } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

import { AuditEntryEntity } from '../../entities/audit.ts';

/** A row with every column set, the values of columns that are left out, and what a second row must change. */
export interface DoorSample {
  readonly entity: EntitySchema<ObjectLiteral>;
  readonly full: ObjectLiteral;
  readonly defaults: ObjectLiteral;
  readonly second: ObjectLiteral;
}

const sample = <T extends ObjectLiteral>(
  entity: EntitySchema<T>,
  full: T,
  defaults: Partial<T>,
  second: Partial<T>,
): DoorSample => ({ entity, full, defaults, second });

/** The samples, of an account and a user that are there. */
export function doorSamples(accountId: string, userId: string, at: Date): readonly DoorSample[] {
  return [
    sample(
      AuditEntryEntity,
      {
        ...{ id: uuidv7(), accountId, authorKind: 'session', authorId: 'a', userId, address: '192.0.2.1' },
        ...{ action: 'key.created', subject: 's', before: { a: 1 }, after: { a: 2 }, createdAt: at },
      },
      { accountId: null, authorId: null, userId: null, address: null, before: null, after: null },
      { id: uuidv7() },
    ),
  ];
}
