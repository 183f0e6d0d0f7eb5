/**
 * Rows of a table by `COPY`, which costs PostgreSQL half of what an `insert` of the same rows costs: a page of rows is written at once,
 * and nothing is parsed but the values.
 */
import { pipeline } from 'node:stream/promises';

import pg from 'pg';
import { from } from 'pg-copy-streams';
import { QueryFailedError } from 'typeorm';
import type { EntityManager } from 'typeorm';

/** A value of a column; null is SQL's null. */
export type CopiedValue = string | number | null;

/**
 * A row in the text format of `COPY`.
 * Source: PostgreSQL 18, https://www.postgresql.org/docs/18/sql-copy.html, File Formats, Text Format.
 */
export function copyRow(values: readonly CopiedValue[]): string {
  return `${values.map(copyValue).join('\t')}\n`;
}

/** Sends rows to a statement `copy … from stdin` in the transaction of `tx`. @throws QueryFailedError. */
export async function copyIn(tx: EntityManager, statement: string, rows: readonly string[]): Promise<void> {
  const client: unknown = await tx.queryRunner?.connect();
  if (!(client instanceof pg.Client)) throw new Error('Rows are copied in a transaction alone.');
  try {
    await pipeline([rows.join('')], client.query(from(statement)));
  } catch (error) {
    throw new QueryFailedError(
      statement,
      undefined,
      error instanceof Error ? error : new Error(String(error)),
    );
  }
}

const SPECIAL = /[\\\t\n\r]/;
const EACH_SPECIAL = /[\\\t\n\r]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function copyValue(value: CopiedValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return SPECIAL.test(value) ? value.replaceAll(EACH_SPECIAL, (sign) => ESCAPED[sign] ?? sign) : value;
}
