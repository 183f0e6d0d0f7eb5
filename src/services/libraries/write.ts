/** Writes the index of a library, row by row while the library is read, so that an index is never in memory as a whole. */
import type { LigandLibrary } from '../../../entities/libraries.ts';
import { LibraryColumns } from '../../tools/ligand-library/losses.ts';
import type { LibraryLosses } from '../../tools/ligand-library/losses.ts';
import type { Dropped } from '../../tools/ligand-library/record.ts';
import { exactTime } from '../exact-time.ts';
import type { ExactTimes } from '../row.ts';
import type { Tx } from '../transaction.ts';

/** The version of the readers of libraries. A change of what a record, an id or a label is makes another version. */
export const READER = 6;

/** A record of an index; places and line are null in a list, the source is null in a file. */
export interface IndexedRecord {
  readonly ligandId: string;
  readonly label: string;
  /** Whether an earlier record has the same name. */
  readonly isRepeated: boolean;
  readonly line: number | null;
  readonly start: number | null;
  readonly end: number | null;
  readonly contentSha256: string | null;
  readonly structureSha256: string;
  readonly heavyAtoms: number | null;
  readonly smiles: string | null;
  readonly fault: string | null;
  readonly source: Readonly<Record<string, unknown>> | null;
  readonly properties: ReadonlyMap<string, string>;
  readonly dropped: Dropped;
}

/** Totals of an index. */
export type IndexCounts = Pick<
  LigandLibrary,
  'recordCount' | 'taskCount' | 'unreadableCount' | 'propertyNames'
> & { readonly losses: LibraryLosses | null };

/** Identity of a library. */
export type LibraryIdentity = Pick<LigandLibrary, 'id' | 'accountId' | 'format' | 'sha256' | 'storageKey'>;

const ROWS_PER_INSERT = 1_000;
const CHARACTERS_PER_INSERT = 1_000_000;

/** The counts follow when the library has been read. */
const BEGIN = `
  insert into ligand_libraries (id, account_id, format, sha256, storage_key, reader, record_count, task_count, unreadable_count)
  values ($1, $2, $3, $4, $5, $6, 1, 1, 0) on conflict do nothing returning ${exactTime('used_at')} as used_at`;

const INSERT = `
  insert into ligand_library_records (library_id, ordinal, ligand_id, label, line, start_byte, end_byte, content_sha256,
    structure_sha256, heavy_atoms, smiles, same_as, fault, source, properties)
  select $1, ordinal, ligand_id, label, line, start_byte, end_byte, content_sha256, structure_sha256, heavy_atoms, smiles, same_as,
    fault, source, properties
  from json_to_recordset($2::json) as r (ordinal int, ligand_id text, label text, line int, start_byte bigint, end_byte bigint,
    content_sha256 text, structure_sha256 text, heavy_atoms int, smiles text, same_as int, fault text, source jsonb, properties jsonb)`;

const END = `
  update ligand_libraries set record_count = $2, task_count = $3, unreadable_count = $4, property_names = $5, losses = $6,
    byte_size = $7, content_sha256 = $8 where id = $1`;

/**
 * Begins an index. @returns the time at which the library counts as opened; null where another attempt has made an index of the same
 * library, for which this one has waited.
 */
export async function beginIndex(tx: Tx, library: LibraryIdentity): Promise<string | null> {
  const { id, accountId, format, sha256, storageKey } = library;
  const [row] = await tx.query<ExactTimes<LigandLibrary, 'usedAt'>[]>(BEGIN, [
    id,
    accountId,
    format,
    sha256,
    storageKey,
    READER,
  ]);
  return row?.used_at ?? null;
}

/** Writes all records, and answers what the index has. Rows are written while the next ones are read. */
export async function writeRecords(
  tx: Tx,
  libraryId: string,
  records: AsyncIterable<IndexedRecord> | Iterable<IndexedRecord>,
): Promise<IndexCounts> {
  const first = new Map<string, number>();
  const columns = new LibraryColumns();
  const rows = new RowWriter(tx, libraryId);
  let [ordinal, unreadableCount] = [0, 0];
  try {
    for await (const record of records) {
      // A record that cannot be read fails by itself, and tells its own line.
      const sameAs = record.fault === null ? (first.get(record.structureSha256) ?? null) : null;
      if (record.fault !== null) unreadableCount += 1;
      else if (sameAs === null) first.set(record.structureSha256, ordinal);
      columns.add(record);
      const isFull = rows.add(JSON.stringify(columnsOf(record, ordinal, sameAs)));
      if (isFull) await rows.begin();
      ordinal += 1;
    }
    await rows.flush();
  } finally {
    // The transaction ends only after its last statement, also where the library is refused.
    await rows.settled();
  }
  const taskCount = first.size + unreadableCount;
  const { names: propertyNames, losses } = columns;
  return { recordCount: ordinal, taskCount, unreadableCount, propertyNames, losses };
}

/** Writes rows by the thousand, one statement at a time, and takes further rows meanwhile. */
class RowWriter {
  readonly #tx: Tx;
  readonly #libraryId: string;
  #pending: string[] = [];
  #characters = 0;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(tx: Tx, libraryId: string) {
    this.#tx = tx;
    this.#libraryId = libraryId;
  }

  /** Takes a row. @returns whether the rows so far are to be written. */
  add(row: string): boolean {
    this.#pending.push(row);
    this.#characters += row.length;
    return this.#pending.length >= ROWS_PER_INSERT || this.#characters > CHARACTERS_PER_INSERT;
  }

  /** Writes what is left. */
  async flush(): Promise<void> {
    await this.begin();
    await this.#writing;
  }

  /** Waits for the statement that runs, however it ends. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => undefined);
  }

  /** Begins to write the rows so far, once those before are written. @throws what the statement before has thrown. */
  async begin(): Promise<void> {
    await this.#writing;
    if (this.#pending.length === 0) return;
    this.#writing = this.#tx.query(INSERT, [this.#libraryId, `[${this.#pending.join(',')}]`]);
    // A failure is thrown where the statement is waited for; until then nobody waits for it.
    this.#writing.catch(() => undefined);
    [this.#pending, this.#characters] = [[], 0];
  }
}

/** Completes an index with its counts and with the copy that its places are of. */
export async function endIndex(
  tx: Tx,
  libraryId: string,
  counts: IndexCounts,
  copy: { readonly byteSize: number; readonly sha256: string } | null,
): Promise<void> {
  const { recordCount, taskCount, unreadableCount, propertyNames, losses } = counts;
  await tx.query(END, [
    libraryId,
    recordCount,
    taskCount,
    unreadableCount,
    propertyNames,
    losses === null ? null : JSON.stringify(losses),
    copy?.byteSize ?? null,
    copy?.sha256 ?? null,
  ]);
}

function columnsOf(
  record: IndexedRecord,
  ordinal: number,
  sameAs: number | null,
): Readonly<Record<string, unknown>> {
  return {
    ordinal,
    ligand_id: record.ligandId,
    label: record.label,
    line: record.line,
    start_byte: record.start,
    end_byte: record.end,
    content_sha256: record.contentSha256,
    structure_sha256: record.structureSha256,
    heavy_atoms: record.heavyAtoms,
    smiles: record.smiles,
    same_as: sameAs,
    fault: record.fault,
    source: record.source,
    properties: Object.fromEntries(record.properties),
  };
}
