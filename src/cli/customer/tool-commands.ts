/**
 * The commands that tools bring, such as `dockyard dock`: from inputs on this machine to a job and what it has found, with
 * the price before anything is spent. A tool says what its command is told and what job that means; the rest is here.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';

import { ClientError } from '../../client/index.ts';
import type { Client } from '../../client/index.ts';
import type { EstimateJobResponse, SubmitJobRequest, SubmitJobResponse } from '../../client/types.ts';
import type {
  CommandFindings,
  CommandJob,
  JobCommand,
  JobResults,
  ScreeningCommand,
  ToolCommand,
} from '../../tools/command.ts';
import { someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { facts, pounds, printable, table } from '../table.ts';
import { addBatchOptions, addLibraryOption, isOfBatch, startBatch } from './docking/start-batch.ts';
import type { BatchOptions } from './docking/start-batch.ts';
import { createJobFiles } from './job-files.ts';
import { warningsText } from './job-text.ts';
import { agreeToPrice, concludeJob } from './paid-job.ts';
import type { Conclusion } from './paid-job.ts';
import { addRecoveryOption, recoveryOf } from './recovery-option.ts';
import type { RecoveryOptions } from './recovery-option.ts';
import { withService } from './service.ts';
import { idempotencyKey, poundsToPence, refuseAbove, submitOnce } from './submit.ts';
import { optionOf } from './tool-options.ts';

/** The options that every command of a tool has. */
interface JobOptions extends Conclusion, RecoveryOptions {
  readonly name?: string;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** The options of a command whose tool serves batches, too. */
interface ByBatch extends BatchOptions {
  readonly batch?: true;
}

/** The estimate whose price was agreed to. */
interface Quoted {
  readonly agreed: EstimateJobResponse;
}

interface AgreedJob extends Quoted {
  readonly job: CommandJob;
}

const LONGEST_NAME = 200;

/** Adds the commands of tools. */
export function addToolCommands(
  program: Command,
  context: CommandContext,
  commands: readonly ToolCommand[],
): void {
  for (const bring of commands) bring((command) => addJobCommand(program, context, command));
}

function addJobCommand<Options>(
  program: Command,
  context: CommandContext,
  command: JobCommand<Options>,
): void {
  const { usage, summary, examples, screening } = command;
  addCommand<Options & JobOptions & ByBatch>(program, context, {
    usage,
    summary,
    examples,
    configure: (into) => configure(into, command),
    run: async (cli, options, args) => {
      if (screening === undefined || !(await isBatch(cli, screening, options)))
        return runJob(cli, command, options, args);
      return startBatch(cli, screening.prepare(options, cli.folder), options);
    },
  });
}

/** Whether a command makes a batch: where it is told to, where an option says what only a batch can do, and where the ligands are many. */
async function isBatch<Options extends ByBatch>(
  { progress, folder }: Pick<CommandContext, 'progress' | 'folder'>,
  screening: ScreeningCommand<Options>,
  options: Options,
): Promise<boolean> {
  if (options.batch === true || isOfBatch(options)) return true;
  const many = await screening.manyLigands(options, folder);
  if (many !== null) progress(many);
  return many !== null;
}

function configure<Options>(into: Command, { options, shows, screening }: JobCommand<Options>): Command {
  for (const option of options) into.addOption(optionOf(option));
  if (screening !== undefined) {
    into.option(
      '--batch',
      'as a batch, however few the ligands are; many are one anyway, and so is what has --library, --dry-run, --reuse, --stop-after, --sample or --shard-size; see dockyard batch --help',
    );
    addBatchOptions(addLibraryOption(into));
  }
  const shown = shows === null ? '' : ` and show ${shows}`;
  return addRecoveryOption(into)
    .option('--name <text>', 'name of the job', someText(LONGEST_NAME))
    .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
    .option('--idempotency-key <key>', 'a repeat with this key makes no second job', idempotencyKey)
    .option('--yes', 'do not ask')
    .option('--watch', `follow the job to its end${shown}; Ctrl-C leaves it running`)
    .option(
      '--out <dir>',
      'download the outputs into this folder, each as soon as it is verified; implies --watch',
    );
}

async function runJob<Options>(
  context: CommandContext,
  { prepare, findings }: JobCommand<Options>,
  options: Options & JobOptions,
  args: readonly string[],
): Promise<CommandResult> {
  const prepared = await prepare(options, args, context.folder);
  const job = { ...prepared, estimate: { ...prepared.estimate, ...recoveryOf(options) } };
  return withService(context, 'long', async (client) => {
    const agreed = await client.estimate(job.estimate);
    const { heldCents } = agreed;
    for (const note of job.notes ?? []) context.progress(printable(note));
    const price = `at most ${pounds(heldCents)}; ${job.priceNote}`;
    const offer = facts([...job.offer, ['Price', price]]);
    context.progress(`${offer}${warningsText(agreed.warnings)}`.trimEnd());
    if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, heldCents);
    await agreeToPrice(context, options, heldCents);
    const submitted = await send(context, client, { job, agreed }, options);
    const ending = withNotes(await concludeJob(context, client, options, submitted), job);
    const found = (await findings?.(resultsOf(client, submitted.jobId))) ?? null;
    return found === null ? ending : withFindings(ending, found);
  });
}

async function send(
  { progress }: CommandContext,
  client: Client,
  { job, agreed }: AgreedJob,
  options: JobOptions,
): Promise<SubmitJobResponse> {
  const key = options.idempotencyKey ?? randomUUID();
  const placed = await job.place(createJobFiles(client, key, progress));
  const request = { ...placed, ...recoveryOf(options), jobName: options.name ?? job.name };
  const submitted = await submitAgreed(client, { ...job, agreed, request }, key);
  progress(`Job ${submitted.jobId}: ${submitted.message}`);
  return submitted;
}

/** Submits at the price that was agreed to; uploads may take longer than its quote, and then the price must not have risen. */
async function submitAgreed(
  client: Client,
  {
    estimate,
    agreed,
    request,
  }: Pick<CommandJob, 'estimate'> & Quoted & { readonly request: SubmitJobRequest },
  key: string,
): Promise<SubmitJobResponse> {
  try {
    return await submitOnce(client, { ...request, quoteId: agreed.quoteId }, key);
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'QUOTE_EXPIRED') throw error;
  }
  const { heldCents, quoteId } = await client.estimate(estimate);
  refuseAbove(agreed.heldCents, heldCents);
  return submitOnce(client, { ...request, quoteId }, key);
}

function resultsOf(client: Client, jobId: string): JobResults {
  return {
    tasks: () => client.tasks(jobId),
    async read(kind, name) {
      for await (const output of client.outputs(jobId, { kind })) {
        if (output.name !== name) continue;
        const folder = await mkdtemp(join(tmpdir(), 'dockyard-output-'));
        try {
          const path = join(folder, 'output');
          await client.download(output, path);
          return await readFile(path);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
      return null;
    },
  };
}

/** Adds the notes to what a script reads: it was shown no progress, and may not miss which records of its file were left out or renamed. */
function withNotes(ending: CommandResult, { notes }: Pick<CommandJob, 'notes'>): CommandResult {
  if (notes === undefined || typeof ending.data !== 'object') return ending;
  return { ...ending, data: { ...ending.data, notes } };
}

/** Adds what a job has found to how it has ended. */
function withFindings(ending: CommandResult, found: CommandFindings): CommandResult {
  const columns = found.columns.map((column, index) => ({
    ...column,
    value: (row: CommandFindings['rows'][number]) => row[index] ?? null,
  }));
  const shown = found.rows.length === 0 ? '' : table(columns, found.rows);
  const data = typeof ending.data === 'object' ? { ...ending.data, ...found.data } : ending.data;
  return { ...ending, data, text: `${ending.text}\n${shown}${found.note}\n` };
}
