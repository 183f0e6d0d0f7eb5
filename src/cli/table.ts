/** Text for a terminal: aligned tables and lists of facts. Texts of customers cannot steer the terminal. */

/** An answer that a text only reads: of the client, whose values may grow, or of a use case, which has today's alone. */
export type ReadOnly<Value> = Value extends string | number | boolean | null
  ? Value
  : { readonly [Key in keyof Value]: ReadOnly<Value[Key]> };

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string | number | null;
  /** Numbers stand under each other by their last digit. */
  readonly align?: 'right';
}

const GAP = '  ';
const NOTHING = '-';

/** A table with a heading, columns as wide as their widest cell. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => printable(column.value(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((cell, index) =>
        columns[index]?.align === 'right'
          ? cell.padStart(widths[index] ?? 0)
          : cell.padEnd(widths[index] ?? 0),
      )
      .join(GAP)
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** Names and values under each other. */
export function facts(values: readonly (readonly [string, string | number])[]): string {
  const width = Math.max(...values.map(([name]) => name.length));
  return values.map(([name, value]) => `${name.padEnd(width)}${GAP}${printable(value)}\n`).join('');
}

/** An amount of pence in pounds. */
export function pounds(pence: number): string {
  return `£${(pence / 100).toFixed(2)}`;
}

/** A time to the second, in UTC. */
export function moment(time: Date | null): string | null {
  return time === null ? null : `${time.toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** A text of several lines in visible characters. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** A value as one line of visible characters. */
export function printable(value: string | number | null): string {
  return value === null ? NOTHING : String(value).replaceAll(/\p{Cc}/gu, '\ufffd');
}
