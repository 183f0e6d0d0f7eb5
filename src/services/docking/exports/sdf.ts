/**
 * An export as SDF: the poses of each docked ligand in the asked order, as its `poses.sdf` has them, with rank, label, warnings and the
 * columns of the library as further properties. A record of the library that equals an earlier one has the poses of that one under
 * its own id. Each file is read whole, and counts only with the digest that was verified; a few files are read ahead.
 */
import { createHash } from 'node:crypto';

import type { ObjectStore } from '../../../adapters/storage/storage.ts';
import type { ExportFailureCode } from '../../../domain/codes/exports.ts';
import { resultIdOf } from '../../../domain/docking-ids.ts';
import type { Queryable } from '../../transaction.ts';
import { filesOf } from '../results/list.ts';
import { taskKey } from '../results/rows.ts';
import type { DockedRow } from '../results/rows.ts';
import { dockedPages, ranksOfIncluded } from './included.ts';
import type { ExportSource } from './included.ts';
import { INPUT_PREFIX, warningCodes } from './table.ts';
import type { Answers } from '../../../domain/answers.ts';

type ResultArtifact = Answers['getDockingResult']['result']['artifacts'][number];

/** The export cannot be made, however often it is tried. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
  readonly code: ExportFailureCode;

  constructor(code: ExportFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reads at once, each of which holds one file in memory, and the buffers of the store's client. */
const READS_AHEAD = 8;
/** Rows are kept while their files are read, which takes a second for some hundred. */
const ROWS_AT_ONCE = 250;
const END = '$$$$';

interface Sources {
  readonly db: Queryable;
  readonly store: Pick<ObjectStore, 'read'>;
}

/** The bytes of the file, ligand by ligand; `onLigand` is told of each. @throws ExportFault where poses are gone or changed. */
export async function* sdfFile(
  { db, store }: Sources,
  source: ExportSource,
  onLigand: () => void,
): AsyncGenerator<Uint8Array> {
  const ranks = await ranksOfIncluded(db, source);
  const one = async (row: DockedRow, file: ResultArtifact | null): Promise<Uint8Array> => {
    const poses = await readPoses(store, row, file);
    return Buffer.from(recordsOf(poses, row, ranks.get(row.ligand_id) ?? null, source), 'utf8');
  };
  for await (const rows of dockedPages(db, source, ROWS_AT_ONCE)) {
    const files = await filesOf(db, rows, 'poses');
    const fileOf = (row: DockedRow): ResultArtifact | null => files.get(taskKey(row))?.[0] ?? null;
    for await (const records of inOrder(rows, (row) => one(row, fileOf(row)))) {
      yield records;
      onLigand();
    }
  }
}

/** The results of the work in the order of the items; the work of a few items goes ahead. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting = [...items];
  const ahead: Promise<Result>[] = [];
  const begin = (): void => {
    const item = waiting.shift();
    if (item === undefined) return;
    const begun = work(item);
    // A failure is thrown where the item's turn comes; until then nobody waits for it.
    begun.catch(() => undefined);
    ahead.push(begun);
  };
  try {
    for (let at = 0; at < READS_AHEAD; at += 1) begin();
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      yield await next;
      begin();
    }
  } finally {
    await Promise.allSettled(ahead);
  }
}

/** The whole file of a ligand, compared with the digest that was verified. */
async function readPoses(
  store: Sources['store'],
  row: DockedRow,
  file: ResultArtifact | null,
): Promise<Buffer> {
  const opened = file === null ? null : await store.read(file.storage_key);
  if (opened === null) throw gone(row);
  const digest = createHash('sha256');
  const pieces: Uint8Array[] = [];
  for await (const piece of opened.stream) {
    const bytes = bytesOf(piece);
    digest.update(bytes);
    pieces.push(bytes);
  }
  if (digest.digest('hex') !== file?.sha256) throw gone(row);
  return Buffer.concat(pieces);
}

/** A piece of a stream of bytes, whose pieces the types do not tell. */
function bytesOf(piece: unknown): Uint8Array {
  if (piece instanceof Uint8Array) return piece;
  throw new Error('The store streams something else than bytes.');
}

function gone({ ligand_id }: DockedRow): ExportFault {
  return new ExportFault(
    'EXPORT_SOURCE_CHANGED',
    `The poses of the ligand ${ligand_id} are not stored as they were verified.`,
  );
}

/** The records of a ligand with what is told of it beside its poses. */
function recordsOf(file: Buffer, row: DockedRow, rank: number | null, source: ExportSource): string {
  const chosen = splitRecords(file, source.query.poses === 'all' ? Infinity : 1);
  const more = propertiesOf(row, rank);
  return chosen.map((record) => `${renamed(record, row.ligand_id)}${more}${END}\n`).join('');
}

/** The first records of an SDF without the lines that end them. Bytes behind them are never made a text. */
function splitRecords(file: Buffer, most: number): string[] {
  const records: string[] = [];
  let from = 0;
  while (records.length < most) {
    const end = endOfRecord(file, from);
    if (end === -1) break;
    records.push(file.toString('utf8', from, end));
    const lineEnd = file.indexOf('\n', end);
    if (lineEnd === -1) break;
    from = lineEnd + 1;
  }
  return records;
}

/** Finds the beginning of the line that ends the record from here; -1 where none does. */
function endOfRecord(file: Buffer, from: number): number {
  if (file.toString('latin1', from, from + END.length) === END) return from;
  const before = file.indexOf(`\n${END}`, from);
  return before === -1 ? -1 : before + 1;
}

/** The record under the id under which it is listed: its title, and its property of that name. */
function renamed(record: string, ligandId: string): string {
  const title = record.indexOf('\n');
  const rest = record
    .slice(title)
    .replace(/(^> +<ligandId>[^\n]*\n)[^\n]*/m, (_all, head: string) => head + oneLine(ligandId));
  return oneLine(ligandId) + rest;
}

function propertiesOf(row: DockedRow, rank: number | null): string {
  const properties: readonly (readonly [string, string | number | null])[] = [
    ['rank', rank],
    ['label', row.label],
    ['ligand_efficiency', row.ligand_efficiency],
    ['formal_charge', row.formal_charge],
    ['warnings', warningCodes(row)],
    ['result_id', resultIdOf(row.job_id, row.place)],
    ...Object.entries(row.properties ?? {}).map(
      ([name, value]) => [`${INPUT_PREFIX}${name}`, value] as const,
    ),
  ];
  return properties.map(([name, value]) => propertyOf(name, value)).join('');
}

/** A property of a record; nothing for one that is empty, because an empty line ends a property. */
function propertyOf(name: string, value: string | number | null): string {
  const line = value === null ? '' : oneLine(String(value));
  return line === '' ? '' : `> <${oneLine(name).replaceAll(/[<>]/g, '_')}>\n${line}\n\n`;
}

/** A text that stays on its line, and that no reader takes for the end of a record or the head of a property. */
function oneLine(value: string): string {
  const plain = value.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').trim();
  return plain.startsWith(END) || plain.startsWith('>') ? `'${plain}` : plain;
}
