/**
 * An export as Apache Parquet. Each page of rows is a row group, whose bytes leave before the next page is read, so the file is
 * never in memory as a whole. Its metadata have the id of the export, whether it is complete, and the number of results.
 */
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { BasicType } from 'hyparquet-writer';

import type { ExportColumn, ExportedRow } from './table.ts';

const TYPES = { text: 'STRING', integer: 'INT32', number: 'DOUBLE' } as const satisfies Readonly<
  Record<ExportColumn['type'], BasicType>
>;

/** The bytes of the file, page by page; `about` is its metadata. */
export async function* parquetFile(
  columns: readonly ExportColumn[],
  pages: AsyncIterable<readonly ExportedRow[]>,
  about: Readonly<Record<string, string>>,
): AsyncGenerator<Uint8Array> {
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({
      columnData: columns.map(({ name, type }) => ({ name, data: [], type: TYPES[type], nullable: true })),
    }),
    kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
    createdBy: 'dockyard',
  });
  for await (const rows of pages) {
    const columnData = columns.map((column) => ({
      name: column.name,
      data: rows.map((row) => column.of(row)),
    }));
    await file.write({ columnData, rowGroupSize: rows.length });
    yield taken(bytes);
  }
  await file.finish();
  yield taken(bytes);
}

/** The bytes so far. The writer goes on in the same room; its own count of the bytes goes on, too. */
function taken(writer: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(writer.buffer.slice(0, writer.index));
  writer.index = 0;
  return bytes;
}
