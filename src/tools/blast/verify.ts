/**
 * Judges what a search wrote. An instance may lie, so every report is read whole: hits in twelve columns with plain
 * numbers, one JSON report for each query, and one section of alignments for each of those reports.
 */
import Joi from 'joi';

import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { parseJson } from '../parse-json.ts';
import type { ReadOutput } from '../tool.ts';
import { CLEANED_QUERIES, DATABASE_FACTS, QUERY_FACTS, QUERY_PARTS, VOLUMES } from './inputs.ts';
import { MOST_OUTPUT_BYTES } from './parameters.ts';

type Facts = readonly [kind: string, mediaType: string, format: string];

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;
const NEWLINE = 0x0a;
/** A query of a repeat has ten thousands of hits, each of some twenty values. */
const ONE_REPORT = { maxBytes: MOST_OUTPUT_BYTES, maxValues: 4_000_000 };

/** The most bytes of each kind of output. */
export const SEARCH_OUTPUT_BYTES = {
  hits: MOST_OUTPUT_BYTES,
  hits_report: MOST_OUTPUT_BYTES,
  alignments: MOST_OUTPUT_BYTES,
  search_summary: 16 * MEBIBYTE,
  queries: 128 * MEBIBYTE,
  query_parts: 16 * MEBIBYTE,
  query_facts: GIBIBYTE,
  database_volumes: 40 * GIBIBYTE,
  database_facts: MEBIBYTE,
} as const satisfies Readonly<Record<string, number>>;

const REPORT_FILES: Readonly<Record<string, Facts>> = {
  'hits.tsv': ['hits', 'text/tab-separated-values', 'tsv'],
  'hits.json': ['hits_report', 'application/json', 'json'],
  'alignments.txt': ['alignments', 'text/plain', 'txt'],
  'search.json': ['search_summary', 'application/json', 'json'],
};
const PREPARED_FILES: Readonly<Record<string, Facts>> = {
  [CLEANED_QUERIES]: ['queries', 'text/x-fasta', 'fasta'],
  [QUERY_PARTS]: ['query_parts', 'application/json', 'json'],
  [QUERY_FACTS]: ['query_facts', 'application/x-ndjson', 'jsonl'],
  [VOLUMES]: ['database_volumes', 'application/x-tar', 'tar'],
  [DATABASE_FACTS]: ['database_facts', 'application/json', 'json'],
};

/** A summary of a search, as far as it is read here. */
interface SearchSummary {
  readonly parts: readonly { readonly queries: number; readonly hits: number }[];
  readonly [name: string]: unknown;
}

const count = Joi.number().integer().min(0).required();
const sha256 = Joi.string().pattern(/^[0-9a-f]{64}$/);
const DATABASE = Joi.object({
  name: Joi.string().max(128).required(),
  type: Joi.string().valid('prot', 'nucl').required(),
  sequences: count,
  letters: count,
  checksum: sha256.required(),
})
  .unknown()
  .required();
const PARTS = Joi.object({
  schema: Joi.string().valid('dockyard.blast.queries/v1').required(),
  queries: count,
  letters: count,
  parts: Joi.array()
    .min(1)
    .items(Joi.object({ first: count, queries: count }).unknown())
    .required(),
})
  .unknown()
  .required();
const SUMMARY = Joi.object<SearchSummary>({
  schema: Joi.string().valid('dockyard.blast.search/v1').required(),
  program: Joi.string().required(),
  engine: Joi.object({ version: Joi.string().required(), packSha256: Joi.string().required() })
    .unknown()
    .required(),
  database: DATABASE.required(),
  parts: Joi.array()
    .min(1)
    .items(Joi.object({ queries: count, hits: count }).unknown())
    .required(),
})
  .unknown()
  .required();
const REPORT = Joi.object({
  report: Joi.object({
    program: Joi.string().required(),
    results: Joi.object({
      search: Joi.object({
        query_id: Joi.string()
          .pattern(/^Query_\d+$/)
          .required(),
        query_len: count,
        hits: Joi.array()
          .items(Joi.object({ hsps: Joi.array().min(1).required() }).unknown())
          .required(),
        stat: Joi.object().unknown().required(),
      })
        .unknown()
        .required(),
    })
      .unknown()
      .required(),
  })
    .unknown()
    .required(),
})
  .unknown()
  .required();

/** Judges the outputs of a task or step; answers null when the outputs are good, else why they are not. */
export async function verifySearch(
  kind: StepKind | 'task',
  outputs: readonly StagedOutput[],
  read: ReadOutput,
): Promise<string | null> {
  switch (kind) {
    case 'prepare':
      return namesFault(PREPARED_FILES, '', outputs) ?? (await preparedFault(read));
    case 'task':
    case 'merge': {
      const folder = folderOf(kind, outputs);
      return namesFault(REPORT_FILES, folder, outputs) ?? (await reportsFault(folder, read));
    }
    case 'control':
    case 'finish':
      return null;
    default:
      return kind satisfies never;
  }
}

async function preparedFault(read: ReadOutput): Promise<string | null> {
  if (!(await read(QUERY_PARTS, (bytes) => isOf(PARTS, bytes)))) return `${QUERY_PARTS} is no list of parts`;
  return (await read(DATABASE_FACTS, (bytes) => isOf(DATABASE, bytes)))
    ? null
    : `${DATABASE_FACTS} does not describe a database`;
}

async function reportsFault(folder: string, read: ReadOutput): Promise<string | null> {
  const summary = await read(`${folder}search.json`, (bytes) => SUMMARY.validate(parseJson(bytes)));
  if (summary.error !== undefined) return `${folder}search.json is no summary of a search`;
  const queries = total(summary.value.parts.map((part) => part.queries));
  const hits = total(summary.value.parts.map((part) => part.hits));
  const rows = await read(`${folder}hits.tsv`, countRows);
  if (rows !== hits) return `${folder}hits.tsv has ${String(rows)} hits, not ${hits}`;
  const reports = await read(`${folder}hits.json`, countReports);
  if (reports !== queries) return `${folder}hits.json has ${String(reports)} reports, not ${queries}`;
  const sections = await read(`${folder}alignments.txt`, countSections);
  return sections === queries
    ? null
    : `${folder}alignments.txt has ${String(sections)} sections, not ${queries}`;
}

/** The number of hits in a table; null when a line is none. */
export function countRows(bytes: Uint8Array): number | null {
  let rows = 0;
  for (const line of lines(bytes)) {
    const columns = line.split('\t');
    const isRow =
      columns.length === 12 && columns.slice(2).every((text) => text !== '' && isFinite(Number(text)));
    if (!isRow) return null;
    rows += 1;
  }
  return rows;
}

/** The number of reports, each on a line of its own; null when the file is something else. */
export function countReports(bytes: Uint8Array): number | null {
  let [reports, at] = [0, 0];
  let isClosed = false;
  for (const line of lines(bytes)) {
    at += 1;
    if (isClosed) return null;
    if (at === 1) {
      if (line !== '{"BlastOutput2":[') return null;
    } else if (line === ']}') {
      isClosed = true;
    } else {
      const report = parseJson(
        Buffer.from(line.endsWith(',') ? line.slice(0, -1) : line, 'utf8'),
        ONE_REPORT,
      );
      if (REPORT.validate(report, { convert: false }).error !== undefined) return null;
      reports += 1;
    }
  }
  return isClosed ? reports : null;
}

/** The number of sections of an alignments file; null when the file is no text. */
export function countSections(bytes: Uint8Array): number | null {
  let [sections, isAfterBlank] = [0, false];
  try {
    const text = new TextDecoder('utf-8', { fatal: true });
    text.decode(bytes);
  } catch {
    return null;
  }
  for (const line of lines(bytes)) {
    if (isAfterBlank && line.startsWith('Query= ')) sections += 1;
    isAfterBlank = line === '';
  }
  return sections;
}

function* lines(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  while (from < buffer.byteLength) {
    const found = buffer.indexOf(NEWLINE, from);
    const end = found === -1 ? buffer.byteLength : found;
    yield buffer.toString('utf8', from, end);
    from = end + 1;
  }
}

/** The folder of a task is told by its first output; the merge writes the reports of the whole job. */
function folderOf(kind: 'task' | 'merge', outputs: readonly StagedOutput[]): string {
  const name = outputs[0]?.name ?? '';
  return kind === 'merge' ? '' : name.slice(0, name.lastIndexOf('/') + 1);
}

function namesFault(
  expected: Readonly<Record<string, Facts>>,
  folder: string,
  outputs: readonly StagedOutput[],
): string | null {
  const names = outputs.map(({ name }) => name);
  const missing = Object.keys(expected).filter((name) => !names.includes(`${folder}${name}`));
  if (missing.length > 0) return `${missing.join(', ')} is missing`;
  if (names.length > Object.keys(expected).length) return 'there are files that were not expected';
  const wrong = outputs.find(({ name, kind, mediaType, format }) => {
    const [wantedKind, wantedType, wantedFormat] = expected[name.slice(folder.length)] ?? [];
    return kind !== wantedKind || mediaType !== wantedType || format !== wantedFormat;
  });
  return wrong === undefined ? null : `${wrong.name} is reported as ${wrong.kind}, ${wrong.mediaType}`;
}

function isOf(schema: Joi.Schema, bytes: Uint8Array): boolean {
  return schema.validate(parseJson(bytes), { convert: false }).error === undefined;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
