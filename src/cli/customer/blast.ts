/** `dockyard blast`: from queries and a database to hits, with the price before anything is spent. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Option } from 'commander';
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import type { EstimateJobRequest, SubmitJobRequest, SubmitJobResponse } from '../../client/types.ts';
import { someText, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { facts, pounds } from '../table.ts';
import { hitsTable, readBestHits } from './hit-text.ts';
import { agreeToPrice, concludeJob } from './paid-job.ts';
import type { Conclusion } from './paid-job.ts';
import { withService } from './service.ts';
import { idempotencyKey, poundsToPence, refuseAbove, submitOnce } from './submit.ts';

/** What is searched, and how. */
export interface BlastOptions {
  readonly program: 'blastp' | 'blastn';
  readonly task?: string;
  readonly evalue?: number;
  readonly maxHits?: number;
  readonly threads?: number;
  readonly tasks?: number;
}

interface Options extends BlastOptions, Conclusion {
  readonly query: string;
  readonly db: string;
  readonly name?: string;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** The files of a search on this machine; a database without files is one of the service's by name. */
export interface SearchFiles {
  readonly query: string;
  readonly databaseName: string;
  readonly databaseFiles: readonly string[];
}

type SimulationParams = NonNullable<SubmitJobRequest['simulationParams']>;

const BYTES_PER_GB = 1e9;
const VOLUME = /^\.(?:\d{2,3}\.)?[pn](?:hr|in|sq|og|sd|si|nd|ni|al|db|ot|tf|to|js|xm|hd|hi)$/;

/** Adds the command that searches sequences. */
export function addBlastCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'blast',
    summary:
      'Search sequences in a database with BLAST: shows the price, asks, uploads, submits. Exit codes with --watch: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [
      'blast --query chains.fasta --db decoys.fasta --watch',
      'blast --query genes.fna --db genome.fna --program blastn --task dc-megablast --yes --out hits',
      'blast --query proteome.faa --db swissprot.fasta --tasks 20 --evalue 1e-5 --yes --watch --json',
    ],
    configure,
    run: searchSequences,
  });
}

function configure(command: Command): Command {
  return command
    .requiredOption('--query <file>', 'queries, as FASTA')
    .requiredOption(
      '--db <file|name>',
      'FASTA file, volumes of makeblastdb (without endings), or a database of the service',
    )
    .addOption(
      new Option('--program <name>', 'blastp searches proteins, blastn nucleotides')
        .choices(['blastp', 'blastn'])
        .default('blastp'),
    )
    .option('--task <name>', 'the way of searching, as the program names it, such as megablast', someText(64))
    .option('--evalue <x>', 'largest E-value of a hit (default: 10)', evalue)
    .option(
      '--max-hits <n>',
      'sequences with hits to keep for each query (default: 500)',
      wholeNumber(1, 1000),
    )
    .option('--threads <n>', 'threads of each task (default: 1)', wholeNumber(1, 64))
    .option('--tasks <n>', 'tasks into which the queries are cut (default: 1)', wholeNumber(1, 10_000))
    .option('--name <text>', 'name of the job', someText(200))
    .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
    .option('--idempotency-key <key>', 'a repeat with this key makes no second job', idempotencyKey)
    .option('--yes', 'do not ask')
    .option('--watch', 'follow the job to its end and show the best hits; Ctrl-C leaves it running')
    .option('--out <dir>', 'download the outputs into this folder at the end; implies --watch');
}

async function searchSequences(context: CommandContext, options: Options): Promise<CommandResult> {
  const files = filesOf(options, context.folder);
  return withService(context, 'long', async (client) => {
    const { heldCents } = await client.estimate(blastEstimateOf(options, files));
    context.progress(offerText(options, files, heldCents).trimEnd());
    if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, heldCents);
    await agreeToPrice(context, options, heldCents);
    const submitted = await send(context, client, options, files);
    const ending = await concludeJob(context, client, options, submitted);
    return withTable(client, submitted.jobId, ending);
  });
}

function evalue(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 1e-300 && value <= 1000) return value;
  throw new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', '--evalue must be from 1e-300 to 1000.');
}

/** Finds the files that the options name. @throws CommandProblem when a file is missing. */
export function filesOf({ query, db }: Pick<Options, 'query' | 'db'>, folder: string): SearchFiles {
  const queryPath = resolve(folder, query);
  if (!existsSync(queryPath)) {
    throw new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', `${query} is no file here.`);
  }
  const databaseFiles = databaseFilesOf(resolve(folder, db));
  // A name with a folder or an ending such as .fasta is meant as a file, which is said before anything is uploaded.
  if (databaseFiles.length === 0 && /[/\\]|\.[a-z]+$/i.test(db)) {
    throw new CommandProblem(EXIT.refused, 'VALIDATION_ERROR', `${db} is neither a file nor volumes here.`);
  }
  return { query: queryPath, databaseName: basename(db), databaseFiles };
}

/** A FASTA file, or the volumes of that name. */
function databaseFilesOf(path: string): readonly string[] {
  if (existsSync(path) && statSync(path).isFile()) return [path];
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = basename(path);
  return readdirSync(folder)
    .filter((file) => file.startsWith(name) && VOLUME.test(file.slice(name.length)))
    .toSorted()
    .map((file) => join(folder, file));
}

function bytesOf(paths: readonly string[]): number {
  return paths.reduce((total, path) => total + statSync(path).size, 0);
}

function offerText(options: Options, files: SearchFiles, heldCents: number): string {
  const { program, task, tasks = 1 } = options;
  return facts([
    ['Queries', basename(files.query)],
    ['Database', files.databaseName],
    ['Protocol', `${task ?? program}, ${tasks} ${tasks === 1 ? 'task' : 'tasks'}`],
    ['Price', `at most ${pounds(heldCents)}; nothing for what fails`],
  ]);
}

async function send(
  { progress }: CommandContext,
  client: Client,
  options: Options,
  files: SearchFiles,
): Promise<SubmitJobResponse> {
  const key = options.idempotencyKey ?? randomUUID();
  const place = async (path: string, purpose: string): Promise<string> => {
    progress(`Uploading ${basename(path)}`);
    const file = { path, contentType: 'application/octet-stream' };
    const { storageKey } = await client.upload(file, { idempotencyKey: keyOf(`${key}/${purpose}`) });
    return storageKey;
  };
  const sceneFile = await place(files.query, 'query');
  const attachments: string[] = [];
  for (const [index, path] of files.databaseFiles.entries()) {
    attachments.push(await place(path, `database/${index}`));
  }
  const name = options.name ?? `${options.program} of ${basename(files.query)}`;
  const placed = { sceneFile, attachments, databaseName: files.databaseName };
  const submitted = await submitOnce(client, blastRequestOf(options, name, placed), key);
  progress(`Job ${submitted.jobId}: ${submitted.message}`);
  return submitted;
}

/** Adds the best hits to how the job ended, where it ended with some. */
async function withTable(client: Client, jobId: string, ending: CommandResult): Promise<CommandResult> {
  const found = await readBestHits(client, jobId);
  if (found === null) return ending;
  const { hits, queries } = found;
  const data = typeof ending.data === 'object' ? { ...ending.data, bestHits: hits, queries } : ending.data;
  return { ...ending, data, text: `${ending.text}\n${hitsTable(found)}` };
}

/** The request that asks for the price, which depends on the sizes of the queries and of the database. */
export function blastEstimateOf(options: BlastOptions, files: SearchFiles): EstimateJobRequest {
  const { simulationParams, parameters, ...protocol } = protocolOf(options);
  const queryBytes = bytesOf([files.query]);
  const isNamed = files.databaseFiles.length === 0;
  return {
    ...protocol,
    parameters: { ...parameters, queryBytes: String(queryBytes) },
    simulationParams: isNamed
      ? { ...simulationParams, blastDatabaseName: files.databaseName }
      : simulationParams,
    metadata: { totalSizeGB: (queryBytes + bytesOf(files.databaseFiles)) / BYTES_PER_GB },
  };
}

/** The request that submits the search; a database without files is one of the service's. */
export function blastRequestOf(
  options: BlastOptions,
  jobName: string,
  placed: {
    readonly sceneFile: string;
    readonly attachments: readonly string[];
    readonly databaseName: string;
  },
): SubmitJobRequest {
  const { simulationParams, ...protocol } = protocolOf(options);
  const { sceneFile, attachments, databaseName } = placed;
  const database: SimulationParams =
    attachments.length === 0 ? { blastDatabaseName: databaseName } : { blastDatabasePath: databaseName };
  return {
    ...protocol,
    jobName,
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

function keyOf(purpose: string): string {
  return createHash('sha256').update(purpose).digest('hex');
}
