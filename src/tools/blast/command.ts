/** `dockyard blast`: from queries and a database to hits; one command for both programs. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import type { EstimateJobRequest, SubmitJobRequest } from '../../client/types.ts';
import { CommandRefusal, OptionRefusal } from '../command.ts';
import type { CommandJob, CommandOption, JobFiles, ToolCommand } from '../command.ts';
import { unpackedName, unpackedSize, withUnpacked } from '../packed-file.ts';
import { isVolumeEnding } from './inputs.ts';
import { QUERY_BYTES } from './parameters.ts';

/** Program and parameters of a search. */
export interface BlastOptions {
  readonly program: 'blastp' | 'blastn';
  readonly task?: string;
  readonly evalue?: number;
  readonly maxHits?: number;
  readonly threads?: number;
  readonly tasks?: number;
}

interface Options extends BlastOptions {
  readonly query: string;
  readonly db: string;
}

/** The files of a search on this machine; a database without files is one of the service's by name. */
export interface SearchFiles {
  readonly query: string;
  readonly databaseName: string;
  readonly databaseFiles: readonly string[];
}

/** The files of a search at the service. */
export interface PlacedSearch {
  readonly sceneFile: string;
  readonly attachments: readonly string[];
  readonly databaseName: string;
}

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;

const BYTES_PER_GB = 1e9;
const OCTETS = 'application/octet-stream';
/** Largest database that an instance has room for. */
const BOUND = { mostBytes: 40 * 1024 ** 3, beyond: 'unpacks to more than 40 GiB.' } as const;

const OPTIONS: readonly CommandOption[] = [
  { flags: '--query <file>', description: 'queries, as FASTA, also with .gz', isRequired: true },
  {
    flags: '--db <file|name>',
    description:
      'FASTA file, also with .gz, volumes of makeblastdb (without endings), or a database of the service',
    isRequired: true,
  },
  {
    flags: '--program <name>',
    description: 'blastp searches proteins, blastn nucleotides',
    choices: ['blastp', 'blastn'],
    default: 'blastp',
  },
  {
    flags: '--task <name>',
    description: 'the way of searching, as the program names it, such as megablast',
    read: { kind: 'text', longest: 64 },
  },
  {
    flags: '--evalue <x>',
    description: 'largest E-value of a hit (default: 10)',
    read: { kind: 'own', read: evalue },
  },
  {
    flags: '--max-hits <n>',
    description: 'sequences with hits to keep for each query (default: 500)',
    read: { kind: 'number', least: 1, most: 1000 },
  },
  {
    flags: '--threads <n>',
    description: 'threads of each task (default: 1)',
    read: { kind: 'number', least: 1, most: 64 },
  },
  {
    flags: '--tasks <n>',
    description: 'tasks into which the queries are cut (default: 1)',
    read: { kind: 'number', least: 1, most: 10_000 },
  },
];

/** The command that searches sequences. */
export const blastCommand: ToolCommand = (take) =>
  take<Options>({
    usage: 'blast',
    summary:
      'Search sequences in a database with BLAST: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'blast --query chains.fasta --db decoys.fasta --watch',
      'blast --query genes.fna --db genome.fna --program blastn --task dc-megablast --yes --out hits',
      'blast --query proteome.faa --db swissprot.fasta --tasks 20 --evalue 1e-5 --yes --watch --json',
    ],
    options: OPTIONS,
    shows: 'the best hits',
    prepare: async (options, _args, folder) => jobOf(options, filesOf(options, folder)),
    findings: async (results) => (await import('./found.ts')).findHits(results),
  });

async function jobOf(options: BlastOptions, files: SearchFiles): Promise<CommandJob> {
  const { program, task, tasks = 1 } = options;
  const queries = basename(files.query);
  return {
    estimate: await blastEstimateOf(options, files),
    offer: [
      ['Queries', queries],
      ['Database', files.databaseName],
      ['Protocol', `${task ?? program}, ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`],
    ],
    priceNote: 'nothing for what fails',
    name: `${program} of ${queries}`,
    place: async (store) => blastRequestOf(options, await placeSearch(store, files)),
  };
}

function evalue(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 1e-300 && value <= 1000) return value;
  throw new OptionRefusal('It is a number from 1e-300 to 1000.');
}

/** Finds the files that the options name. @throws CommandRefusal when a file is missing. */
export function filesOf({ query, db }: Pick<Options, 'query' | 'db'>, folder: string): SearchFiles {
  const queryPath = resolve(folder, query);
  if (!existsSync(queryPath)) throw new CommandRefusal('USAGE_INPUT', `${query} is no file here.`);
  const databaseFiles = databaseFilesOf(resolve(folder, db));
  // A name with a folder or an ending such as .fasta is meant as a file, which is said before anything is uploaded.
  if (databaseFiles.length === 0 && /[/\\]|\.[a-z]+$/i.test(db)) {
    throw new CommandRefusal('USAGE_INPUT', `${db} is neither a file nor volumes here.`);
  }
  return { query: queryPath, databaseName: unpackedName(basename(db)), databaseFiles };
}

/** A FASTA file, or the volumes of that name. */
function databaseFilesOf(path: string): readonly string[] {
  if (existsSync(path) && statSync(path).isFile()) return [path];
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = basename(path);
  return readdirSync(folder)
    .filter((file) => file.startsWith(name) && isVolumeEnding(file.slice(name.length)))
    .toSorted()
    .map((file) => join(folder, file));
}

async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(paths.map((path) => unpackedSize(path, BOUND)));
  return sizes.reduce((total, size) => total + size, 0);
}

/** Stores the files of a search; what is packed with gzip is sent unpacked. */
export async function placeSearch(
  store: Pick<JobFiles, 'progress' | 'upload'>,
  files: SearchFiles,
): Promise<PlacedSearch> {
  const place = (path: string, purpose: string): Promise<string> => {
    store.progress(`Uploading ${basename(path)}`);
    return withUnpacked(path, BOUND, (unpacked) =>
      store.upload({ path: unpacked, contentType: OCTETS, purpose }),
    );
  };
  const sceneFile = await place(files.query, 'query');
  const attachments: string[] = [];
  for (const [index, path] of files.databaseFiles.entries()) {
    attachments.push(await place(path, `database/${index}`));
  }
  return { sceneFile, attachments, databaseName: files.databaseName };
}

/** The request that asks for the price, which depends on the sizes of the queries and of the database. */
export async function blastEstimateOf(
  options: BlastOptions,
  files: SearchFiles,
): Promise<EstimateJobRequest> {
  const { simulationParams, parameters, ...protocol } = protocolOf(options);
  const queryBytes = await bytesOf([files.query]);
  const isNamed = files.databaseFiles.length === 0;
  return {
    ...protocol,
    parameters: { ...parameters, [QUERY_BYTES]: String(queryBytes) },
    simulationParams: isNamed
      ? { ...simulationParams, blastDatabaseName: files.databaseName }
      : simulationParams,
    metadata: { totalSizeGB: (queryBytes + (await bytesOf(files.databaseFiles))) / BYTES_PER_GB },
  };
}

/** The request that submits the search; a database without files is one of the service's. */
export function blastRequestOf(options: BlastOptions, placed: PlacedSearch): SubmitJobRequest {
  const { simulationParams, ...protocol } = protocolOf(options);
  const { sceneFile, attachments, databaseName } = placed;
  const database: SimulationParams =
    attachments.length === 0 ? { blastDatabaseName: databaseName } : { blastDatabasePath: databaseName };
  return {
    ...protocol,
    sceneFile,
    ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
    simulationParams: { ...simulationParams, ...database },
  };
}

function protocolOf({ program, task, evalue: most, maxHits, threads, tasks }: BlastOptions) {
  const simulationParams: SimulationParams = {
    ...(most === undefined ? {} : { blastEvalue: most }),
    ...(maxHits === undefined ? {} : { blastMaxHits: maxHits }),
    ...(threads === undefined ? {} : { blastThreads: threads }),
  };
  return {
    jobType: 'simulation' as const,
    simulator: program,
    ...(task === undefined ? {} : { parameters: { task } }),
    ...(tasks === undefined ? {} : { taskCount: tasks }),
    simulationParams,
  };
}
