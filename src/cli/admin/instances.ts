/** `dockyard admin instances` and `dockyard admin sweep` */
import type { Command } from 'commander';

import { createLocalProvider } from '../../adapters/instances/local.ts';
import { sweepInstances } from '../../services/execution/instances/sweep.ts';
import { listInstances } from '../../services/operator.ts';
import type { OperatorInstance } from '../../services/operator.ts';
import { wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { CommandProblem, EXIT, isUnreachable, messageOf } from '../problems.ts';
import { moment, table } from '../table.ts';
import type { Column } from '../table.ts';

interface ListOptions {
  readonly all: boolean;
  readonly limit: number;
}

const COLUMNS: readonly Column<OperatorInstance>[] = [
  { title: 'JOB', value: (instance) => instance.jobId },
  { title: 'SLOT', value: (instance) => `${instance.slot}.${instance.generation}` },
  { title: 'STATE', value: (instance) => instance.state },
  { title: 'FENCED', value: (instance) => instance.fenceCause },
  { title: 'PROVIDER', value: (instance) => instance.provider },
  { title: 'PROVIDER ID', value: (instance) => instance.providerId },
  { title: 'TYPE', value: (instance) => instance.instanceType },
  { title: 'MARKET', value: (instance) => instance.market },
  { title: 'VCPUS', value: (instance) => instance.vcpus, align: 'right' },
  { title: 'ZONE', value: (instance) => instance.zone },
  { title: 'REFUSAL', value: (instance) => instance.refusal },
  { title: 'LAUNCHED', value: (instance) => moment(instance.launchedAt) },
  { title: 'LAST CONTACT', value: (instance) => moment(instance.lastContactAt) },
];

/** Adds the commands on instances. */
export function addInstanceCommands(admin: Command, context: CommandContext): void {
  addCommand<ListOptions>(admin, context, {
    usage: 'instances',
    summary: 'List the instances that may still exist, newest first.',
    examples: ['admin instances', 'admin instances --all --json'],
    configure: (command) =>
      command
        .option('--all', 'also those that were terminated', false)
        .option('--limit <n>', 'how many at most', wholeNumber(1, 10_000), 200),
    run: list,
  });
  addCommand(admin, context, {
    usage: 'sweep',
    summary:
      'End every instance that no open job explains and that is older than 2 minutes. Needs no Temporal.',
    examples: ['admin sweep'],
    run: sweep,
  });
}

async function list(context: CommandContext, { all, limit }: ListOptions): Promise<CommandResult> {
  const instances = await withDatabase(context, (db) => listInstances(db, { all, limit }));
  const more = instances.length === limit ? `The newest ${limit}; --limit shows more.\n` : '';
  return {
    data: { instances },
    text: instances.length === 0 ? 'No instances.\n' : table(COLUMNS, instances) + more,
  };
}

async function sweep(context: CommandContext): Promise<CommandResult> {
  const {
    provider: name,
    computeUrl,
    computeToken,
  } = await context.settings.read('provider', 'computeUrl', 'computeToken');
  const provider = createLocalProvider({ name, url: computeUrl, token: computeToken });
  return withDatabase(context, async (db) => {
    try {
      const ended = await sweepInstances(db, provider);
      const text =
        ended === 0 ? 'Nothing to end: every instance is explained.\n' : `Instances ended: ${ended}\n`;
      return { data: { ended }, text };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      const message = `The compute host at ${computeUrl} does not answer (${messageOf(error)}). ${context.settings.advice()}`;
      throw new CommandProblem(EXIT.unreachable, 'SERVICE_UNAVAILABLE', message, error);
    }
  });
}
