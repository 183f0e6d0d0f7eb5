/** Cells of CSV (RFC 4180). */

/** The beginnings of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** A number with its sign is a value in a spreadsheet, and a reader that calculates must find the number in its cell. */
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A customer's text as a cell: it is never a formula where a spreadsheet opens it, and never ends its cell. */
export function csvText(value: string): string {
  const plain = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
