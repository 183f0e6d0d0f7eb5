/** Inserts that leave a row as it is when there is one already. */
import type { EntitySchema, EntityTarget, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

import type { Queryable } from './transaction.ts';

/** Inserts a row unless one with an equal key exists. @returns whether this call inserted it. */
export async function insertIfNew<Entity extends ObjectLiteral>(
  db: Queryable,
  entity: EntitySchema<Entity> & EntityTarget<Entity>,
  row: QueryDeepPartialEntity<Entity>,
): Promise<boolean> {
  const repository = db.getRepository(entity);
  const insert = repository.createQueryBuilder().insert().values(row).orIgnore().updateEntity(false);
  const keys = repository.metadata.primaryColumns.map((column) => column.propertyName);
  const result = await insert.returning(keys).execute();
  const raw: unknown = result.raw;
  return Array.isArray(raw) && raw.length > 0;
}
