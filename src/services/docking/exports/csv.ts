/** An export as CSV (RFC 4180) in UTF-8, with a header line; a value that is not known is an empty cell. */
import { csvText } from '../../../domain/csv.ts';
import type { CellValue, ExportColumn, ExportedRow } from './table.ts';

/** The bytes of the file, page by page. */
export async function* csvFile(
  columns: readonly ExportColumn[],
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<Uint8Array> {
  yield encoded([columns.map(({ name }) => csvText(name)).join(',')]);
  for await (const rows of pages)
    yield encoded(rows.map((row) => columns.map((column) => cellOf(column.of(row))).join(',')));
}

function encoded(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'utf8');
}

function cellOf(value: CellValue): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : csvText(value);
}
