/** Cells of CSV (RFC 4180). */

/** The beginnings of a cell that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A customer's text as a cell: it is never a formula where a spreadsheet opens it, and never ends its cell. */
export function csvText(value: string): string {
  const plain = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
