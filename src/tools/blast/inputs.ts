/**
 * The files of a search by name: the queries, and the files of the database, which `blastDatabasePath` names among the
 * attachments, else in the project package of the queries, whose files then are attachments too. A path is the whole storage
 * key of an attachment or the end of it, from a `/` on; in a package it is the path in the package. The path of volumes is the
 * name that makeblastdb was given, without the endings.
 */
import type { SubmitJobRequest } from '../../domain/requests.ts';
import { harmless, storedPath } from '../../domain/stored-path.ts';
import type { NamedFile, PackageParts, TaskContext, TaskReads } from '../tool.ts';
import { SEARCH_REFUSALS } from './codes.ts';
import { taskCountOf } from './parameters.ts';

/** The queries as the customer sent them. */
export const QUERIES = 'queries';
/** Output of the preparation: the queries as they were understood. */
export const CLEANED_QUERIES = 'queries.fasta';
/** Output of the preparation: which part of the queries each task searches. */
export const QUERY_PARTS = 'queries.json';
/** Output of the preparation: what the program says of each query apart from hits. */
export const QUERY_FACTS = 'facts.jsonl';
/** Output of the preparation: the volumes of the database in one file. */
export const VOLUMES = 'database.tar';
/** Output of the preparation: name, type, size and checksum of the database. */
export const DATABASE_FACTS = 'database.json';
/** Files that a task and the merge write. */
export const REPORTS = ['hits.tsv', 'hits.json', 'alignments.txt', 'search.json'] as const;

const DATABASE = 'database/';
const VOLUME = /^\.(?:\d{2,3}\.)?[pn](?:hr|in|sq|og|sd|si|nd|ni|al|db|ot|tf|to|js|xm|hd|hi)$/;

type WithFiles = Pick<SubmitJobRequest, 'attachments' | 'simulationParams'>;

/** A file of the database: its storage key, and the name that it has there. */
export interface DatabaseFile {
  readonly storageKey: string;
  readonly fileName: string;
}

/**
 * The files that `blastDatabasePath` names: one FASTA file, or volumes; none when no attachment has the name. In a job by
 * `blastDatabaseName` the attachments are the files of the catalogue's database.
 */
export function databaseFiles({ attachments = [], simulationParams }: WithFiles): readonly DatabaseFile[] {
  const path = simulationParams?.blastDatabasePath;
  if (path === undefined)
    return simulationParams?.blastDatabaseName === undefined ? [] : attachments.map(named);
  const wanted = path.replace(/^\/+/, '');
  const keys = [...new Set(attachments)];
  const found = filesOf(keys, wanted);
  // A key has the harmless form of the path under which its file was uploaded.
  return (found.length > 0 ? found : filesOf(keys, storedPath(harmless(wanted)))).map(named);
}

/** Names the files that the job reads of the project package of the queries; null when an attachment has the name of the database. */
export function packageWishOf(request: WithFiles): PackageParts | null {
  const path = request.simulationParams?.blastDatabasePath;
  if (path === undefined || databaseFiles(request).length > 0) return null;
  return {
    path: path.replace(/^\/+/, ''),
    endings: VOLUME.source,
    mixed: SEARCH_REFUSALS.DATABASE_FILE_MISSING,
  };
}

/** Whether a text is what the name of a volume has after the name of its database. */
export function isVolumeEnding(text: string): boolean {
  return VOLUME.test(text);
}

/** The name of the database in reports. */
export function databaseName({ simulationParams = {} }: Pick<SubmitJobRequest, 'simulationParams'>): string {
  const { blastDatabaseName: name, blastDatabasePath: path = '' } = simulationParams;
  if (name !== undefined) return name;
  const plain = lastSegment(path)
    .replace(/\.(?:fasta|fas|fa|faa|fna|ffn|frn|fsa|seq|txt)$/i, '')
    .replace(/[^A-Za-z0-9._+-]/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '');
  return plain.slice(0, 100) || 'database';
}

/** The stored files that the job reads. */
export function searchInputs(request: SubmitJobRequest): readonly NamedFile[] {
  const queries = request.sceneFile === undefined ? [] : [{ storageKey: request.sceneFile, name: QUERIES }];
  const files = databaseFiles(request).map(({ storageKey }, index) => ({
    storageKey,
    name: `${DATABASE}${index}`,
  }));
  return [...queries, ...files];
}

/** The names of the database's files inside the job, by the names that the volumes have. */
export function databaseInputs(request: SubmitJobRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    databaseFiles(request).map(({ fileName }, index) => [fileName, `${DATABASE}${index}`]),
  );
}

/** Lists the inputs of one task or step. */
export function searchTaskInputs(
  request: SubmitJobRequest,
  kind: 'task' | 'prepare' | 'control' | 'merge',
  context: Pick<TaskContext, 'verified'>,
): TaskReads {
  switch (kind) {
    case 'prepare':
      return { inputs: searchInputs(request).map(({ name }) => ({ from: name, as: name })), prepared: [] };
    case 'task':
      return {
        inputs: [],
        prepared: [CLEANED_QUERIES, QUERY_FACTS, QUERY_PARTS, VOLUMES, DATABASE_FACTS],
      };
    case 'merge':
      return {
        inputs: [],
        prepared: [],
        committed: context.verified.flatMap((ordinal) =>
          REPORTS.map((name) => `outputs/${ordinal}/${folderOf(request, ordinal)}${name}`),
        ),
      };
    case 'control':
      return { inputs: [], prepared: [] };
    default:
      return kind satisfies never;
  }
}

/** The folder of a task's reports; the only task of a job writes the reports of the job. */
export function folderOf(request: Pick<SubmitJobRequest, 'taskCount'>, ordinal: number): string {
  const count = taskCountOf(request);
  if (count === 1) return '';
  return `tasks/${String(ordinal).padStart(String(count - 1).length, '0')}/`;
}

function named(storageKey: string): DatabaseFile {
  return { storageKey, fileName: lastSegment(storageKey) };
}

/** The key of the one file with the path, else the keys of the volumes with it. */
function filesOf(keys: readonly string[], wanted: string): readonly string[] {
  const whole = keys.find((key) => endsWith(key, wanted));
  if (whole !== undefined) return [whole];
  const name = lastSegment(wanted);
  return keys.filter((key) => {
    const ending = lastSegment(key).slice(name.length);
    return isVolumeEnding(ending) && endsWith(key, `${wanted}${ending}`);
  });
}

function endsWith(key: string, wanted: string): boolean {
  return key === wanted || key.endsWith(`/${wanted}`);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
