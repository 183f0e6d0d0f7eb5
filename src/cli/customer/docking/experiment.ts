/** `dockyard experiment`: a protocol with one ligand, which costs nothing and never changes, and its runs. */
import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';

import type { Client } from '../../../client/index.ts';
import type { DockingRunResponse } from '../../../client/types.ts';
import type { Reuse } from '../../../domain/docking-records.ts';
import { isRecord } from '../../../domain/is-record.ts';
import type { ScreeningCommand } from '../../../tools/command.ts';
import { heavyAtomsOf } from '../../../tools/ligand-library/heavy-atoms.ts';
import { someText, wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts, pounds } from '../../table.ts';
import { exitCodeOf } from '../job-text.ts';
import { agreeToPrice } from '../paid-job.ts';
import type { Conclusion } from '../paid-job.ts';
import { addRecoveryOption, recoveryOf } from '../recovery-option.ts';
import type { RecoveryOptions } from '../recovery-option.ts';
import { withService } from '../service.ts';
import { idempotencyKey, poundsToPence, refuseAbove } from '../submit.ts';
import { readingIds } from './batch-id.ts';
import { reuse } from './start-batch.ts';
import { addCreateCommand } from './create-experiment.ts';
import { addExportCommand } from './export.ts';
import { experimentsTable, experimentText } from './experiment-text.ts';
import { showPoses } from './results.ts';
import { cancelText, runsTable, runText } from './text.ts';
import type { Followed } from './watch.ts';
import { watchDocking } from './watch.ts';

const EXPERIMENT = '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a01';
const RUN = '0199b6a8-7d55-7f1c-9a43-5d1f2f6f6a03';
const [LONGEST_REASON, MOST_LISTED] = [500, 1000] as const;

interface RunOptions extends Conclusion, RecoveryOptions {
  readonly reuse?: Reuse;
  readonly maxPrice?: number;
  readonly idempotencyKey?: string;
}

/** Adds the group `experiment`. */
export function addExperimentCommands<Options>(
  program: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  const group = addGroup(
    program,
    'experiment',
    'Keep a docking of one ligand as a record that never changes, and run it as often as you like.',
  );
  addCreateCommand(group, context, screening);
  addLooking(group, context);
  addRunning(group, context, screening);
  addEnding(group, context);
  addExportCommand(group, context, 'run');
}

function addLooking(group: Command, context: CommandContext): void {
  addCommand<{ readonly limit?: number }>(group, context, {
    usage: 'list',
    summary: 'List experiments, newest first.',
    examples: ['experiment list', 'experiment list --limit 100 --json'],
    configure: (command) =>
      command.option('--limit <n>', 'how many (default: 25)', wholeNumber(1, MOST_LISTED)),
    run: async (cli, { limit = 25 }) => {
      const experiments = await withService(cli, 'short', (client) =>
        firstOf(client.docking.experiments(), limit),
      );
      const text = experiments.length === 0 ? 'No experiments.\n' : experimentsTable(experiments);
      return { data: { experiments: experiments.map(({ experiment }) => experiment) }, text };
    },
  });
  addCommand(group, context, {
    usage: 'show <experiment>',
    summary: 'Show an experiment and its runs.',
    examples: [`experiment show ${EXPERIMENT}`, `experiment show ${EXPERIMENT} --json`],
    configure: readingIds,
    run: (cli, _options, [experimentId = '']) =>
      withService(cli, 'short', async (client) => {
        const answer = await client.docking.experiment(experimentId.toLowerCase());
        const runs = await firstOf(client.docking.runs(experimentId.toLowerCase()), MOST_LISTED);
        const shown = runs.length === 0 ? 'No runs.\n' : runsTable(runs.map(({ run }) => run));
        const data = { ...answer, runs: runs.map(({ run }) => run) };
        return { data, text: `${experimentText(answer)}\n${shown}` };
      }),
  });
  addCommand(group, context, {
    usage: 'runs <experiment>',
    summary: 'List the runs of an experiment, newest first.',
    examples: [`experiment runs ${EXPERIMENT}`],
    configure: readingIds,
    run: async (cli, _options, [experimentId = '']) => {
      const runs = await withService(cli, 'short', (client) =>
        firstOf(client.docking.runs(experimentId.toLowerCase()), MOST_LISTED),
      );
      const records = runs.map(({ run }) => run);
      return { data: { runs: records }, text: records.length === 0 ? 'No runs.\n' : runsTable(records) };
    },
  });
}

function addRunning<Options>(
  group: Command,
  context: CommandContext,
  screening: ScreeningCommand<Options>,
): void {
  addCommand<RunOptions>(group, context, {
    usage: 'run <experiment>',
    summary: 'Run an experiment: shows the price, asks, starts. Prints the id of the run.',
    examples: [
      `experiment run ${EXPERIMENT} --watch`,
      `experiment run ${EXPERIMENT} --max-price 0.50 --yes --json`,
    ],
    configure: (command) =>
      addRecoveryOption(readingIds(command))
        .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
        .option('--idempotency-key <key>', 'a repeat with this key makes no second run', idempotencyKey)
        .option('--yes', 'do not ask')
        .option(
          '--reuse <when>',
          'verified (default): a run that was done before, equal in everything, is not docked and not charged again; never',
          reuse,
        )
        .option('--watch', 'follow the run to its end; Ctrl-C leaves it running'),
    run: (cli, options, [experimentId = '']) =>
      withService(cli, 'long', (client) => run(cli, client, screening, experimentId.toLowerCase(), options)),
  });
  addCommand(group, context, {
    usage: 'status <run>',
    summary:
      'Show how a run stands, also a run of a batch. Its exit code tells how the run ended, as that of watch does.',
    examples: [`experiment status ${RUN}`, `experiment status ${RUN} --json`],
    configure: readingIds,
    run: (cli, _options, [runId = '']) =>
      withService(cli, 'short', async (client) => {
        const data = await client.docking.run(runId.toLowerCase());
        return { data, text: runText(data), exitCode: exitCodeOf(data.run.status) };
      }),
  });
  addCommand(group, context, {
    usage: 'watch <run>',
    summary:
      'Follow a run to its end. Ctrl-C stops the watching, not the run. Exit codes as those of batch watch.',
    examples: [`experiment watch ${RUN}`],
    configure: readingIds,
    run: (cli, _options, [runId = '']) =>
      withService(cli, 'long', async (client) => {
        const { jobId } = await client.docking.run(runId.toLowerCase());
        return watchDocking(cli, client, concludeRun(client, runId.toLowerCase(), jobId));
      }),
  });
}

function addEnding(group: Command, context: CommandContext): void {
  addCommand<{ readonly run?: number }>(group, context, {
    usage: 'results <experiment>',
    summary: 'Show the poses of the newest run, or of another one, each with its contacts to the receptor.',
    examples: [`experiment results ${EXPERIMENT}`, `experiment results ${EXPERIMENT} --run 2 --json`],
    configure: (command) =>
      readingIds(command).option('--run <n>', 'number of the run, from 1', wholeNumber(1, 1_000_000)),
    run: (cli, { run: number }, [experimentId = '']) =>
      withService(cli, 'short', (client) => results(client, experimentId.toLowerCase(), number)),
  });
  addCommand<{ readonly reason?: string }>(group, context, {
    usage: 'cancel <run>',
    summary:
      'Ask for the end of a run. What is docked is kept and charged, the rest of the hold is released.',
    examples: [`experiment cancel ${RUN}`],
    configure: (command) =>
      readingIds(command).option('--reason <text>', 'kept with the job', someText(LONGEST_REASON)),
    run: async (cli, { reason }, [runId = '']) => {
      const request = reason === undefined ? {} : { reason };
      const answer = await withService(cli, 'long', (client) =>
        client.docking.cancelRun(runId.toLowerCase(), request),
      );
      return { data: answer, text: cancelText('run', answer.run, `experiment watch ${answer.run.id}`) };
    },
  });
}

async function run<Options>(
  cli: CommandContext,
  client: Client,
  screening: ScreeningCommand<Options>,
  experimentId: string,
  options: RunOptions,
): Promise<CommandResult> {
  const { experiment } = await client.docking.experiment(experimentId);
  const estimate = screening.estimateOfRecord(experiment, [sizeOf(experiment.ligand_identity)]);
  const heldCents =
    estimate === null ? null : (await client.estimate({ ...estimate, ...recoveryOf(options) })).heldCents;
  if (heldCents !== null) {
    const price = `at most ${pounds(heldCents)}; a ligand that fails is not charged`;
    cli.progress(
      facts([
        ['Experiment', experiment.name],
        ['Price', price],
      ]).trimEnd(),
    );
    if (options.maxPrice !== undefined) refuseAbove(options.maxPrice, heldCents);
    await agreeToPrice(cli, options, heldCents);
  }
  const limitCents = heldCents ?? options.maxPrice;
  const request = {
    ...(limitCents === undefined ? {} : { limitCents }),
    ...(options.reuse === undefined ? {} : { reuse: options.reuse }),
    ...recoveryOf(options),
  };
  const started = await client.docking.startRun(experimentId, request, {
    idempotencyKey: options.idempotencyKey ?? randomUUID(),
  });
  const { id } = started.run;
  if (options.watch === true) {
    cli.progress(`Run ${id}`);
    return watchDocking(cli, client, concludeRun(client, id, started.jobId));
  }
  cli.progress(`Follow it with: dockyard experiment watch ${id}`);
  return { data: started, text: `${id}\n` };
}

function concludeRun(client: Client, runId: string, jobId: string): Followed {
  return {
    jobId,
    scope: { runId },
    again: `experiment watch ${runId}`,
    cancel: `experiment cancel ${runId}`,
    conclude: async () => {
      const data = await client.docking.run(runId);
      const { experiment_id: experimentId, status, counts } = data.run;
      const next =
        experimentId === null || counts.succeeded === 0
          ? ''
          : `\nPoses: dockyard experiment results ${experimentId}\n`;
      return { data, text: `${runText(data)}${next}`, status };
    },
  };
}

async function results(
  client: Client,
  experimentId: string,
  number: number | undefined,
): Promise<CommandResult> {
  const found = await findRun(client, experimentId, number);
  const {
    results: [result],
  } = await client.docking.listResults({ runId: found.id }, { limit: 1 });
  if (result === undefined) {
    const text = `${runText({ run: found, jobId: found.job_id, uiLinks: { studio: '' } })}\nNo result yet.\n`;
    return { data: { run: found, result: null }, text };
  }
  const shown = await showPoses(client, { runId: found.id }, result.id);
  return { ...shown, exitCode: exitCodeOf(found.status) };
}

async function findRun(
  client: Client,
  experimentId: string,
  number: number | undefined,
): Promise<DockingRunResponse['run']> {
  for await (const { run: one } of client.docking.runs(experimentId)) {
    if (number === undefined || one.number === number) return one;
  }
  const what = number === undefined ? 'has no run yet' : `has no run ${number}`;
  throw new CommandProblem(
    EXIT.refused,
    'NOT_FOUND',
    `The experiment ${what}. Start one with: dockyard experiment run ${experimentId}`,
  );
}

/** The heavy atoms of a ligand whose SMILES the record has. */
function sizeOf(identity: unknown): number | null {
  const source = isRecord(identity) ? identity['source'] : undefined;
  const smiles = isRecord(source) && source['kind'] === 'smiles' ? source['smiles'] : undefined;
  return typeof smiles === 'string' ? heavyAtomsOf(smiles) : null;
}

async function firstOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}
