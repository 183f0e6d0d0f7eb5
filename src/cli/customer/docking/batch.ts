/** `dockyard batch`: campaigns of many ligands against one receptor. */
import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import type { Client } from '../../../client/index.ts';
import type { DockingBatchResponse } from '../../../client/types.ts';
import { FAILURES_OF_THE_ENGINE } from '../../../domain/codes/jobs.ts';
import type { ScreeningCommand } from '../../../tools/command.ts';
import { heavyAtomsOf } from '../../../tools/ligand-library/heavy-atoms.ts';
import { count } from '../../../tools/shown.ts';
import { someText, wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { facts, pounds } from '../../table.ts';
import { exitCodeOf } from '../job-text.ts';
import { agreeToPrice } from '../paid-job.ts';
import type { Conclusion } from '../paid-job.ts';
import { addRecoveryOption } from '../recovery-option.ts';
import { withService } from '../service.ts';
import { idempotencyKey, poundsToPence, refuseAbove } from '../submit.ts';
import { optionOf } from '../tool-options.ts';
import { readingIds } from './batch-id.ts';
import { concludeBatch, showBatch } from './conclude.ts';
import { addEnrichmentCommand } from './enrichment.ts';
import { addExportCommand } from './export.ts';
import { addFailuresCommand } from './failures.ts';
import { addPickCommand } from './pick.ts';
import { addResultOptions, showPoses, showResults } from './results.ts';
import type { ResultOptions } from './results.ts';
import { addBatchOptions, addLibraryOptions, startBatch } from './start-batch.ts';
import type { StartOptions } from './start-batch.ts';
import { batchesTable, cancelText, runText } from './text.ts';
import { watchDocking } from './watch.ts';

const BATCH = '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a04';
const [LONGEST_NAME, LONGEST_REASON, MOST_LISTED] = [200, 500, 1000] as const;

interface RetryOptions extends Conclusion {
  readonly codes?: readonly string[];
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** Adds the group `batch`. */
export function addBatchCommands<Options>(
  program: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  const group = addGroup(
    program,
    'batch',
    'Dock many ligands against one receptor: start, follow, look, dock failed ones again.',
  );
  addCreate(group, context, screening);
  addLooking(group, context);
  addResults(group, context);
  addFailuresCommand(group, context);
  addExportCommand(group, context, 'batch');
  addPickCommand(group, context);
  addEnrichmentCommand(group, context);
  addRetry(group, context, screening);
  addCancel(group, context);
}

function addCreate<Options>(
  group: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  addCommand<Options & StartOptions>(group, context, {
    usage: 'create',
    summary:
      'Start a batch over a library file: checks and prices it here, asks, uploads it once, starts. Prints the id of the batch.',
    examples: [
      'batch create --receptor 1a28.pdb --chains A --box-from-ligand STR:A:1 --ligands library.sdf.gz --dry-run',
      'batch create --receptor 1a28.pdb --chains A --box-from-ligand STR:A:1 --ligands library.sdf.gz --max-price 25 --watch',
      'batch create --receptor 1a28.pdb --chains A --box-from-ligand STR:A:1 --ligands library.smi --stop-after 100:1000 --sample',
      `batch create --receptor 1HPV --center 8.9,2.3,14.5 --size 24 --library ${BATCH} --reuse never --yes`,
    ],
    configure: (command) => {
      for (const option of screening.options) command.addOption(optionOf(option));
      addRecoveryOption(addBatchOptions(addLibraryOptions(command)));
      return command
        .option('--name <text>', 'name of the batch', someText(LONGEST_NAME))
        .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
        .option('--idempotency-key <key>', 'a repeat with this key makes no second batch', idempotencyKey)
        .option('--yes', 'do not ask')
        .option('--watch', 'follow the batch to its end; Ctrl-C leaves it running')
        .option('--out <dir>', 'download the outputs into this folder at the end; implies --watch');
    },
    run: (cli, options) => startBatch(cli, screening.prepare(options, cli.folder), options),
  });
}

function addLooking(group: Command, context: CommandContext): void {
  addCommand<{ readonly name?: string; readonly limit?: number }>(group, context, {
    usage: 'list',
    summary: 'List batches, newest first.',
    examples: ['batch list', 'batch list --name kinase --limit 100 --json'],
    configure: (command) =>
      command
        .option('--name <text>', 'only those whose name begins so', someText(LONGEST_NAME))
        .option('--limit <n>', 'how many (default: 25)', wholeNumber(1, MOST_LISTED)),
    run: async (cli, { name, limit = 25 }) => {
      const batches: DockingBatchResponse['batch'][] = [];
      await withService(cli, 'short', async (client) => {
        for await (const { batch } of client.docking.batches(name === undefined ? {} : { name })) {
          batches.push(batch);
          if (batches.length === limit) break;
        }
      });
      return { data: { batches }, text: batches.length === 0 ? 'No batches.\n' : batchesTable(batches) };
    },
  });
  addCommand(group, context, {
    usage: 'show <batch>',
    summary:
      'Show how a batch stands, what failed, and what a dry run has found. Its exit code tells how the batch ended, as that of watch does.',
    examples: [`batch show ${BATCH}`, `batch show ${BATCH} --json`],
    configure: readingIds,
    run: (cli, _options, [batchId = '']) =>
      withService(cli, 'short', async (client) => {
        const { data, text } = await showBatch(client, batchId.toLowerCase());
        return { data, text, exitCode: exitCodeOf(data.batch.status) };
      }),
  });
  addCommand(group, context, {
    usage: 'watch <batch>',
    summary:
      'Follow a batch to its end, with the best ligands so far. Ctrl-C stops the watching, not the batch. Exit codes: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [`batch watch ${BATCH}`, `batch watch ${BATCH} --json > end.json`],
    configure: readingIds,
    run: (cli, _options, [batchId = '']) =>
      withService(cli, 'long', (client) => watchBatch(cli, client, batchId.toLowerCase())),
  });
}

async function watchBatch(cli: CommandContext, client: Client, batchId: string): Promise<CommandResult> {
  const { jobId } = await client.docking.batch(batchId);
  return watchDocking(cli, client, concludeBatch(client, batchId, jobId));
}

function addResults(group: Command, context: CommandContext): void {
  addCommand<ResultOptions>(group, context, {
    usage: 'results <batch>',
    summary: 'Show results, also while they arrive: filtered and sorted by the service.',
    examples: [
      `batch results ${BATCH} --top 50`,
      `batch results ${BATCH} --where "affinity<=-8" --where interaction=hydrogen_bond:A:GLN725 --sort efficiency`,
      `batch results ${BATCH} --where interaction=hydrogen_bond:A:GLN725 --where interaction=hydrogen_bond:A:ARG766 --max-missing 1`,
      `batch results ${BATCH} --where status=FAILED --json`,
    ],
    configure: (command) => addResultOptions(readingIds(command)),
    run: (cli, options, [batchId = '']) =>
      withService(cli, 'short', (client) => showResults(client, { batchId: batchId.toLowerCase() }, options)),
  });
  addCommand(group, context, {
    usage: 'poses <batch> <ligand>',
    summary: 'Show the poses of one ligand with their contacts to the receptor.',
    examples: [`batch poses ${BATCH} caffeine`, `batch poses ${BATCH} caffeine --json`],
    configure: readingIds,
    run: (cli, _options, [batchId = '', ligand = '']) =>
      withService(cli, 'short', (client) => showPoses(client, { batchId: batchId.toLowerCase() }, ligand)),
  });
}

function addRetry<Options>(
  group: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  addCommand<RetryOptions>(group, context, {
    usage: 'retry <batch>',
    summary:
      'Dock failed ligands again in a new run: those that the engine or the machine is to blame for, or those with --codes. The newest run of a ligand is the one that counts.',
    examples: [
      `batch retry ${BATCH} --watch`,
      `batch retry ${BATCH} --codes ENGINE_TIMEOUT,LIGAND_EMBED_FAILED --max-price 5 --yes`,
    ],
    configure: (command) =>
      readingIds(command)
        .option('--codes <codes>', 'failure codes whose ligands are docked again', failureCodes)
        .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
        .option('--idempotency-key <key>', 'a repeat with this key makes no second run', idempotencyKey)
        .option('--yes', 'do not ask')
        .option('--watch', 'follow the run to its end; Ctrl-C leaves it running'),
    run: (cli, options, [batchId = '']) =>
      withService(cli, 'long', (client) => retry(cli, client, screening, batchId.toLowerCase(), options)),
  });
}

async function retry<Options>(
  cli: CommandContext,
  client: Client,
  screening: ScreeningCommand<Options>,
  batchId: string,
  options: RetryOptions,
): Promise<CommandResult> {
  const codes = options.codes ?? FAILURES_OF_THE_ENGINE;
  const limitCents = await agreeToRetry(cli, client, screening, batchId, codes, options);
  const request = {
    ...(options.codes === undefined ? {} : { codes: [...options.codes] }),
    ...(limitCents === null ? {} : { limitCents }),
  };
  const key = options.idempotencyKey ?? randomUUID();
  const started = await client.docking.retryFailed(batchId, request, { idempotencyKey: key });
  if (options.watch === true) {
    cli.progress(`Run ${started.run.id}`);
    return watchDocking(cli, client, concludeBatch(client, batchId, started.jobId));
  }
  cli.progress(`Follow it with: dockyard batch watch ${batchId}`);
  return { data: started, text: runText(started) };
}

/** Prices the ligands that are docked again and asks. @returns the most that may be held; null where nobody can price them. */
async function agreeToRetry<Options>(
  cli: CommandContext,
  client: Client,
  screening: ScreeningCommand<Options>,
  batchId: string,
  codes: readonly string[],
  options: RetryOptions,
): Promise<number | null> {
  const { batch } = await client.docking.batch(batchId);
  const sizes: (number | null)[] = [];
  for await (const { failure, smiles_input: smiles } of client.docking.results(
    { batchId },
    { status: 'FAILED', sort: 'ligandId' },
  )) {
    if (failure !== null && codes.includes(failure.code))
      sizes.push(smiles === null ? null : heavyAtomsOf(smiles));
  }
  const request = sizes.length === 0 ? null : screening.estimateOfRecord(batch, sizes);
  // Where nothing is to be docked again the service says why.
  if (request === null) return options.maxPrice ?? null;
  const { heldCents } = await client.estimate(request);
  cli.progress(
    facts([
      ['Again', `${count(sizes.length)} failed ligand${sizes.length === 1 ? '' : 's'} of ${batch.name}`],
      ['Price', `at most ${pounds(heldCents)}; only ligands that were docked are charged`],
    ]).trimEnd(),
  );
  if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, heldCents);
  await agreeToPrice(cli, options, heldCents);
  // Of a ligand that came as a record of an SDF the size is not told, so its price may be another one.
  return sizes.includes(null) ? (options.maxPrice ?? null) : heldCents;
}

function addCancel(group: Command, context: CommandContext): void {
  addCommand<{ readonly reason?: string }>(group, context, {
    usage: 'cancel <batch>',
    summary:
      'Ask for the end of a batch. What is docked is kept and charged, the rest of the hold is released.',
    examples: [`batch cancel ${BATCH}`, `batch cancel ${BATCH} --reason "wrong receptor"`],
    configure: (command) =>
      readingIds(command).option('--reason <text>', 'kept with the job', someText(LONGEST_REASON)),
    run: async (cli, { reason }, [batchId = '']) => {
      const request = reason === undefined ? {} : { reason };
      const answer = await withService(cli, 'long', (client) =>
        client.docking.cancelBatch(batchId.toLowerCase(), request),
      );
      const { batch } = answer;
      return { data: answer, text: cancelText('batch', batch, `batch watch ${batch.id}`) };
    },
  });
}

/** Reads failure codes. */
export function failureCodes(text: string): readonly string[] {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  if (codes.every((code) => /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) && codes.length <= 100) {
    return [...new Set(codes)];
  }
  throw new InvalidArgumentError('It is failure codes, such as ENGINE_TIMEOUT,ENGINE_CRASHED.');
}
