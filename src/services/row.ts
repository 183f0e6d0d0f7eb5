/**
 * Types of the rows that SQL answers, taken from the entities: a statement answers columns under their names in the database,
 * which are the entity's properties in snake_case. Columns that a statement computes are added to these by hand.
 */

/** A property's name as its column has it: `byteSize` is `byte_size`. */
type ColumnName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${First}${ColumnName<Rest>}`
    : `${First}_${ColumnName<Uncapitalize<Rest>>}`
  : Name;

/** Columns of an entity, as a statement answers them. */
export type Row<Entity, Names extends keyof Entity & string> = {
  readonly [Name in Names as ColumnName<Name>]: Entity[Name];
};

/** Columns of a row that may be missing as a whole, as one that an outer join adds. */
export type OuterRow<Entity, Names extends keyof Entity & string> = {
  readonly [Name in Names as ColumnName<Name>]: Entity[Name] | null;
};

/** Columns of times, each answered by `exactTime` as text. */
export type ExactTimes<Entity, Names extends TimesOf<Entity>> = {
  readonly [Name in Names as ColumnName<Name>]: null extends Entity[Name] ? string | null : string;
};

type TimesOf<Entity> = {
  [Name in keyof Entity & string]: Date extends Entity[Name] ? Name : never;
}[keyof Entity & string];

/** Columns of JSON with the types of the documents that the services store in them. */
export type Documents<Entity, Types extends Partial<Record<DocumentsOf<Entity>, unknown>>> = {
  readonly [Name in keyof Types & string as ColumnName<Name>]: Types[Name];
};

type DocumentsOf<Entity> = {
  [Name in keyof Entity & string]: unknown extends Entity[Name] ? Name : never;
}[keyof Entity & string];
