/**
 * Judges what a search wrote. An instance may lie, so every report is read whole: JSON by its schema, hits in twelve columns with
 * plain numbers, one JSON report for each query, and one section of alignments for each of those reports.
 */
import type { StagedOutput } from '../../contracts/instance.ts';
import type { StepKind } from '../../contracts/job.ts';
import { byPieces } from '../output-readers.ts';
import type { ReadOutput } from '../tool.ts';
import { CLEANED_QUERIES, DATABASE_FACTS, QUERY_FACTS, QUERY_PARTS, VOLUMES } from './inputs.ts';
import { MOST_OUTPUT_BYTES } from './parameters.ts';
import { countFacts } from './facts.ts';
import { countReports, countRows, countSections } from './reports.ts';
import { DATABASE, QUERIES, SUMMARY } from './summaries.ts';

type Facts = readonly [kind: string, mediaType: string, format: string];

const MEBIBYTE = 1024 * 1024;
const GIBIBYTE = 1024 * MEBIBYTE;

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
  const parts = await read(QUERY_PARTS, QUERIES);
  if (!parts.ok) return `${QUERY_PARTS} is no list of parts: ${parts.fault}`;
  const { queries } = parts.value;
  const facts = await read(QUERY_FACTS, byPieces(countFacts));
  if (facts !== queries) return `${QUERY_FACTS} has the facts of ${String(facts)} queries, not ${queries}`;
  const database = await read(DATABASE_FACTS, DATABASE);
  return database.ok ? null : `${DATABASE_FACTS} does not describe a database: ${database.fault}`;
}

async function reportsFault(folder: string, read: ReadOutput): Promise<string | null> {
  const summary = await read(`${folder}search.json`, SUMMARY);
  if (!summary.ok) return `${folder}search.json is no summary of a search: ${summary.fault}`;
  const sumOf = (name: 'queries' | 'hits'): number =>
    summary.value.parts.reduce((sum, part) => sum + part[name], 0);
  const [queries, hits] = [sumOf('queries'), sumOf('hits')];
  const rows = await read(`${folder}hits.tsv`, byPieces(countRows));
  if (rows !== hits) return `${folder}hits.tsv has ${String(rows)} hits, not ${hits}`;
  const reports = await read(`${folder}hits.json`, byPieces(countReports));
  if (reports !== queries) return `${folder}hits.json has ${String(reports)} reports, not ${queries}`;
  const sections = await read(`${folder}alignments.txt`, byPieces(countSections));
  return sections === queries
    ? null
    : `${folder}alignments.txt has ${String(sections)} sections, not ${queries}`;
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
