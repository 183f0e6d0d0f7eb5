/** Column kinds that every entity uses. Column names are the properties in snake_case (see the database adapter). */
import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * A `bigint` as a number.
 * @throws RangeError when the number is not exact.
 */
export function toSafeInteger(value: string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${String(value)} is not a safe integer`);
  return number;
}

const safeInteger = {
  from: (value: string | number | null): number | null => (value === null ? null : toSafeInteger(value)),
  to: (value: number | null | undefined): number | null | undefined =>
    value === null || value === undefined ? value : toSafeInteger(value),
};

/** A column of this type, null allowed. */
export function nullable(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, nullable: true };
}

/** A column that is part of the primary key. */
export function primary(column: EntitySchemaColumnOptions): EntitySchemaColumnOptions {
  return { ...column, primary: true };
}

/** A column whose value the database gives when none is sent. */
export function defaulted(column: EntitySchemaColumnOptions, expression: string): EntitySchemaColumnOptions {
  return { ...column, default: () => expression };
}

/** A UUID. */
export const uuid: EntitySchemaColumnOptions = { type: 'uuid' };
/** Text of any length. */
export const text: EntitySchemaColumnOptions = { type: 'text' };
/** A day, as YYYY-MM-DD. */
export const date: EntitySchemaColumnOptions = { type: 'date' };
/** A list of texts. */
export const textArray: EntitySchemaColumnOptions = { type: 'text', array: true };
/** A 32-bit integer. */
export const integer: EntitySchemaColumnOptions = { type: 'integer' };
/** A list of 32-bit integers. */
export const integerArray: EntitySchemaColumnOptions = { type: 'integer', array: true };
/** A single-precision number. */
export const real: EntitySchemaColumnOptions = { type: 'real' };
/** A double-precision number. */
export const double: EntitySchemaColumnOptions = { type: 'double precision' };
/** True or false. */
export const boolean: EntitySchemaColumnOptions = { type: 'boolean' };
/** Bytes. */
export const bytes: EntitySchemaColumnOptions = { type: 'bytea' };
/** A JSON document. */
export const json: EntitySchemaColumnOptions = { type: 'jsonb' };
/** A 64-bit integer, refused when a number cannot hold it exactly. */
export const bigint: EntitySchemaColumnOptions = { type: 'bigint', transformer: safeInteger };
/** A list of 64-bit integers, each as `bigint`. */
export const bigintArray: EntitySchemaColumnOptions = {
  type: 'bigint',
  array: true,
  transformer: {
    from: (values: readonly (string | number)[]): number[] => values.map(toSafeInteger),
    to: (values: readonly number[] | undefined): number[] | undefined => values?.map(toSafeInteger),
  },
};
/** A point in time. */
export const time: EntitySchemaColumnOptions = { type: 'timestamp with time zone' };
/** A list of points in time. */
export const timeArray: EntitySchemaColumnOptions = { type: 'timestamp with time zone', array: true };
/** The time of the insert, by the database's clock. */
export const insertTime: EntitySchemaColumnOptions = defaulted(time, 'now()');
/** The time of the insert itself, which may have waited for others since its transaction began. */
export const writeTime: EntitySchemaColumnOptions = defaulted(time, 'clock_timestamp()');
/** A 64-bit number that the database draws. */
export const identity: EntitySchemaColumnOptions = { ...bigint, primary: true, generated: 'increment' };
