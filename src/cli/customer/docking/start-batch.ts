/**
 * Starts a batch: the library is read and priced here, the price is agreed to, receptor and library are stored, and no more can be
 * held than was agreed. A repeat with the same idempotency key is the same batch.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { CLIENT_CODES, ClientError } from '../../../client/index.ts';
import type { Client } from '../../../client/index.ts';
import type {
  CreateDockingBatchRequest,
  DockingBatchResponse,
  EstimateJobResponse,
} from '../../../client/types.ts';
import { REUSES } from '../../../domain/docking-records.ts';
import type { Reuse } from '../../../domain/docking-records.ts';
import { MOST_WATCHED } from '../../../domain/stop-rule.ts';
import type { StopWhen } from '../../../domain/stop-rule.ts';
import type { Screening } from '../../../tools/command.ts';
import { libraryNotes, libraryText, readFacts, readLibraryFile } from '../../../tools/ligand-files.ts';
import type { LibraryFacts, LibraryFile } from '../../../tools/ligand-files.ts';
import { isLibraryFormat } from '../../../tools/ligand-library/library.ts';
import { id, wholeNumber } from '../../arguments.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts, pounds } from '../../table.ts';
import { createJobFiles } from '../job-files.ts';
import { downloadOutputs, downloadText } from '../outputs.ts';
import { agreeToPrice } from '../paid-job.ts';
import type { Conclusion } from '../paid-job.ts';
import { recoveryOf } from '../recovery-option.ts';
import type { RecoveryOptions } from '../recovery-option.ts';
import { withService } from '../service.ts';
import { refuseAbove } from '../submit.ts';
import { placeLibrary } from './library.ts';
import { concludeBatch } from './conclude.ts';
import { watchDocking } from './watch.ts';

/** The options that only a batch has. */
export interface BatchOptions {
  readonly dryRun?: true;
  readonly reuse?: Reuse;
  readonly shardSize?: number;
  readonly stopAfter?: StopWhen;
  readonly sample?: true;
  /** A library that the service has, by the id of its artifact. */
  readonly library?: string;
}

/** The options by which a batch is started. */
export interface StartOptions extends BatchOptions, Conclusion, RecoveryOptions {
  readonly ligands?: string;
  readonly name?: string;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** Ligands of a batch: a file of this machine, or a library that the service has. */
type Library = { readonly name: string; readonly facts: LibraryFacts } & (
  | { readonly kind: 'file'; readonly file: LibraryFile }
  | { readonly kind: 'stored'; readonly artifactId: string }
);

/** The batch of a command line before it is sent. */
interface Draft {
  readonly screening: Screening;
  readonly library: Library;
  readonly options: StartOptions;
  readonly limitCents: number | null;
}

const LONGEST_NAME = 200;
const MOST_LIGANDS = 10_000;
const OF_BATCH = [
  'dryRun',
  'reuse',
  'shardSize',
  'stopAfter',
  'sample',
  'library',
] as const satisfies readonly (keyof BatchOptions)[];
const UNKNOWN_ENDS: ReadonlySet<string> = new Set([CLIENT_CODES.connectionLost, 'SERVICE_UNAVAILABLE']);

/** Adds the options that only a batch has. */
export function addBatchOptions(command: Command): Command {
  return command
    .option(
      '--dry-run',
      'prepare every ligand and dock none: what would fail, what to look at, the price of the rest; costs the start fee',
    )
    .option(
      '--reuse <when>',
      'verified (default): a docking that was done before, equal in everything, is not done and not charged again; never',
      reuse,
    )
    .option(
      '--stop-after <n:m>',
      'stop early: once the best N ligands have not changed for M ligands, such as 100:1000; ligands come in an order shuffled by the seed, and the rest is not charged',
      stopAfter,
    )
    .option('--sample', 'dock a sample of the ligands again, not charged, to tell how far results repeat')
    .option('--shard-size <n>', 'ligands that travel together, 1 to 10 (default: 1)', wholeNumber(1, 10));
}

/** Whether a command line has an option that only a batch has. */
export function isOfBatch(options: BatchOptions): boolean {
  return OF_BATCH.some((name) => options[name] !== undefined);
}

/** Starts a batch, and follows it where the options say so. */
export async function startBatch(
  context: CommandContext,
  screening: Screening,
  options: StartOptions,
): Promise<CommandResult> {
  const { ligands, library: stored } = options;
  if ((ligands === undefined) === (stored === undefined)) {
    const problem = ligands === undefined ? 'Which ligands is missing: give' : 'Give one, not both:';
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_LIGANDS',
      `${problem} --ligands FILE, or --library with the id of an artifact.`,
    );
  }
  const file = ligands === undefined ? null : await readLibraryFile(ligands, context.folder);
  return withService(context, 'long', async (client) => {
    const library: Library =
      file !== null
        ? { kind: 'file', name: ligands ?? '', facts: file, file }
        : await storedLibrary(client, stored ?? '');
    for (const line of libraryNotes(library.facts)) context.progress(line);
    const limitCents = await agree(context, client, screening, library, options);
    const started = await send(context, client, { screening, library, options, limitCents });
    return conclude(context, client, options, started);
  });
}

/** Reads a library that the service has, so that its price is known, too. */
async function storedLibrary(client: Client, artifactId: string): Promise<Library> {
  const { artifact } = await client.artifact(artifactId).catch((error: unknown) => {
    throw error instanceof ClientError && error.status === 404 ? unknownLibrary(artifactId, error) : error;
  });
  const { format } = artifact;
  if (!isLibraryFormat(format)) {
    throw new CommandProblem(
      EXIT.refused,
      'ARTIFACT_MISMATCH',
      `Artifact ${artifactId} is ${format}, and a library is smi, csv or sdf. Give the file itself with --ligands.`,
    );
  }
  const name = artifact.storageKey.slice(artifact.storageKey.lastIndexOf('/') + 1);
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-library-'));
  try {
    const path = join(folder, 'library');
    await client.downloadArtifact(artifactId, path);
    return { kind: 'stored', artifactId, name, facts: await readFacts(path, format, name) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unknownLibrary(artifactId: string, cause: ClientError): CommandProblem {
  const advice =
    'Give the file itself with --ligands: a file that the account has already is not sent a second time.';
  return new CommandProblem(
    EXIT.refused,
    'INPUT_NOT_FOUND',
    `There is no artifact ${artifactId} in this account. ${advice}`,
    cause,
  );
}

/** Shows the price and asks. @returns the most that may be held; null where a dry run costs its start fee. */
async function agree(
  context: CommandContext,
  client: Client,
  screening: Screening,
  { name, facts: library }: Library,
  options: StartOptions,
): Promise<number | null> {
  const estimate = await client.estimate({
    ...screening.estimateOf(library.sizes),
    ...recoveryOf(options),
  });
  const isDry = options.dryRun === true;
  const cents = isDry ? startFeeOf(estimate) : estimate.heldCents;
  const price = isDry
    ? `the start fee, ${pounds(cents)}; docking all of them would cost at most ${pounds(estimate.heldCents)}`
    : `at most ${pounds(cents)}; ${screening.priceNote}`;
  const lines = [
    ...screening.offer,
    ['Ligands', `${libraryText(library)} of ${name}`],
    ['Price', price],
  ] as const;
  context.progress(facts(lines.map(([title, value]) => [title, value])).trimEnd());
  if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, cents);
  await agreeToPrice(context, options, cents);
  return isDry ? (options.maxPrice ?? null) : cents;
}

/** The start fee in pence, rounded up as every hold is. */
function startFeeOf({ breakdown, fxRate }: EstimateJobResponse): number {
  const fee = breakdown?.startFee ?? 0;
  return Math.ceil(Number((fee * fxRate * 100).toFixed(6)));
}

async function send(
  { progress, screen, env }: CommandContext,
  client: Client,
  { screening, library, options, limitCents }: Draft,
): Promise<DockingBatchResponse> {
  const key = options.idempotencyKey ?? randomUUID();
  const receptor = await screening.place(createJobFiles(client, key, progress));
  const libraryArtifactId =
    library.kind === 'stored'
      ? library.artifactId
      : await placeLibrary({ screen, env }, client, library.file);
  if (library.kind === 'file')
    progress(`Library ${libraryArtifactId}; it is docked again with --library and this id`);
  const { ligandPreparation, parameters, receptorName } = screening;
  const { dryRun, reuse: reused, shardSize, stopAfter: stopWhen, sample } = options;
  const request: CreateDockingBatchRequest = {
    name: (options.name ?? `${receptorName} × ${basename(library.name)}`).slice(0, LONGEST_NAME),
    receptor,
    parameters,
    libraryArtifactId,
    ...(ligandPreparation === null ? {} : { ligandPreparation }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(reused === undefined ? {} : { reuse: reused }),
    ...(shardSize === undefined ? {} : { dockingExecution: { shardSize } }),
    ...(stopWhen === undefined ? {} : { stopWhen }),
    ...(sample === undefined ? {} : { sample }),
    ...recoveryOf(options),
    ...(limitCents === null ? {} : { limitCents }),
  };
  const started = await createOnce(client, request, key);
  progress(
    `Batch ${started.batch.id}${started.idempotentReplay === true ? ', of an earlier command with this key' : ''}`,
  );
  return started;
}

/** Creates a batch under a key; where it is unknown whether the batch was accepted, the error names the key. */
async function createOnce(
  client: Client,
  request: CreateDockingBatchRequest,
  key: string,
): Promise<DockingBatchResponse> {
  try {
    return await client.docking.createBatch(request, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof ClientError) || !UNKNOWN_ENDS.has(error.code)) throw error;
    throw new CommandProblem(
      EXIT.unreachable,
      error.code,
      `${error.message} Whether the batch was accepted is not known. Repeat the command with --idempotency-key ${key}: that never makes a second batch.`,
      error,
    );
  }
}

async function conclude(
  context: CommandContext,
  client: Client,
  options: StartOptions,
  started: DockingBatchResponse,
): Promise<CommandResult> {
  const { jobId, batch } = started;
  // A dry run is asked a question, so its answer is waited for.
  if (options.watch !== true && options.out === undefined && options.dryRun !== true) {
    context.progress(`Follow it with: dockyard batch watch ${batch.id}`);
    return { data: started, text: `${batch.id}\n` };
  }
  const ending = await watchDocking(context, client, concludeBatch(client, batch.id, jobId));
  if (options.out === undefined || ending.exitCode === EXIT.interrupted) return ending;
  const folder = resolve(context.folder, options.out);
  const downloads = await downloadOutputs(client, jobId, folder, { screen: context.screen });
  const data = typeof ending.data === 'object' ? { ...ending.data, downloads } : ending.data;
  return { ...ending, data, text: `${ending.text}\n${downloadText(downloads)}` };
}

/** Reads whether earlier dockings are taken. */
export function reuse(text: string): Reuse {
  const known = REUSES.find((one) => one === text.toLowerCase());
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`It is ${REUSES.join(' or ')}.`);
}

/** Reads when a batch stops early. */
export function stopAfter(text: string): StopWhen {
  const [, top = '', unchanged = ''] = /^(\d{1,5}):(\d{1,5})$/.exec(text.trim()) ?? [];
  const [topN, unchangedFor] = [Number(top), Number(unchanged)];
  const isInRange = topN >= 1 && topN <= MOST_WATCHED && unchangedFor >= 1 && unchangedFor <= MOST_LIGANDS;
  if (isInRange) return { topN, unchangedFor };
  throw new InvalidArgumentError(
    `It is how many of the best, 1 to ${MOST_WATCHED}, and for how many ligands they must not have changed, 1 to ${MOST_LIGANDS}, such as 100:1000.`,
  );
}

/** The options that name the ligands of a batch. */
export function addLibraryOptions(command: Command): Command {
  return addLibraryOption(
    command.option(
      '--ligands <file>',
      '.smi (SMILES and name), .csv or .tsv (columns smiles, name) or .sdf, also with .gz; up to 10,000 records, uploaded once',
    ),
  );
}

/** The option that names a library that the service has. */
export function addLibraryOption(command: Command): Command {
  return command.option(
    '--library <artifact>',
    'in the place of --ligands: a library that is registered already, by the id of its artifact',
    id,
  );
}
