/** `dockyard admin instances` and `dockyard admin sweep` */
import type { Command } from 'commander';

import type { OperatorInstance } from '../../services/operator.ts';
import { listInstances } from '../../services/operator.ts';
import { costOf } from '../../services/operations/instance-costs.ts';
import type { InstanceCost } from '../../services/operations/instance-costs.ts';
import { loadPriceBook } from '../../services/prices/price-book.ts';
import { wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { moment, table } from '../table.ts';
import type { Column } from '../table.ts';
import { leaksText, sweepLeaks } from './leaks.ts';

interface ListOptions {
  readonly all: boolean;
  readonly leaked: boolean;
  readonly limit: number;
}

type CostedInstance = OperatorInstance & InstanceCost;

const MICRO = 1_000_000;

const COLUMNS: readonly Column<CostedInstance>[] = [
  { title: 'JOB', value: (instance) => instance.jobId },
  { title: 'SLOT', value: (instance) => `${instance.slot}.${instance.generation}` },
  { title: 'STATE', value: (instance) => instance.state },
  { title: 'CAUSE', value: (instance) => instance.fenceCause ?? instance.refusal },
  { title: 'PROVIDER', value: (instance) => instance.provider },
  { title: 'PROVIDER ID', value: (instance) => instance.providerId },
  { title: 'TYPE', value: (instance) => instance.instanceType },
  { title: 'ZONE', value: (instance) => instance.zone },
  { title: 'MARKET', value: (instance) => instance.market },
  { title: 'VCPUS', value: (instance) => instance.vcpus, align: 'right' },
  { title: 'GPUS', value: (instance) => instance.gpus, align: 'right' },
  { title: 'AGE', value: (instance) => ageText(instance.ageSeconds), align: 'right' },
  { title: 'COST', value: (instance) => dollars(instance.costMicroUsd), align: 'right' },
  { title: 'PER DAY', value: (instance) => dollars(instance.costPerDayMicroUsd), align: 'right' },
  { title: 'LAST CONTACT', value: (instance) => moment(instance.lastContactAt) },
];

/** Adds the commands on instances. */
export function addInstanceCommands(admin: Command, context: CommandContext): void {
  addCommand<ListOptions>(admin, context, {
    usage: 'instances',
    summary: 'List the instances that may still exist, newest first, with what they cost by the price book.',
    examples: ['admin instances', 'admin instances --leaked', 'admin instances --all --json'],
    configure: (command) =>
      command
        .option('--all', 'also those that were terminated', false)
        .option('--leaked', 'only those that a sweep would end, asked of their providers', false)
        .option('--limit <n>', 'how many at most', wholeNumber(1, 10_000), 200),
    run: list,
  });
  addCommand<{ readonly dryRun: boolean }>(admin, context, {
    usage: 'sweep',
    summary:
      'End every instance that no open job explains and that is older than 2 minutes. Needs no Temporal; where Temporal answers, also those of open jobs without a workflow.',
    examples: ['admin sweep --dry-run', 'admin sweep'],
    configure: (command) => command.option('--dry-run', 'only tell them, and end nothing', false),
    run: (given, { dryRun }) => sweep(given, dryRun),
  });
}

async function list(context: CommandContext, options: ListOptions): Promise<CommandResult> {
  if (options.leaked) return sweep(context, true);
  const { all, limit } = options;
  const book = loadPriceBook();
  const now = new Date();
  const found = await withDatabase(context, (db) => listInstances(db, { all, limit }));
  const instances = found.map((instance): CostedInstance => ({
    ...instance,
    ...costOf(instance, book, now),
  }));
  const perDay = instances.reduce((sum, { costPerDayMicroUsd: cost }) => sum + (cost ?? 0), 0);
  const sum =
    perDay > 0 ? `Together ${dollars(perDay) ?? ''} a day by the price book ${book.version}.\n` : '';
  const more = instances.length === limit ? `The newest ${limit}; --limit shows more.\n` : '';
  return {
    data: { instances },
    text: instances.length === 0 ? 'No instances.\n' : table(COLUMNS, instances) + sum + more,
  };
}

async function sweep(context: CommandContext, dryRun: boolean): Promise<CommandResult> {
  const { leaks, askedTemporal } = await sweepLeaks(context, dryRun);
  return {
    data: { ended: dryRun ? 0 : leaks.length, leaked: leaks, askedTemporal },
    text: leaksText(leaks, { dryRun, askedTemporal }),
  };
}

/** An amount of US dollars. */
function dollars(microUsd: number | null): string | null {
  return microUsd === null ? null : `$${(microUsd / MICRO).toFixed(2)}`;
}

/** The two largest units of an age. */
function ageText(seconds: number): string {
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${String(days)}d ${String(hours)}h`;
  if (hours > 0) return `${String(hours)}h ${String(minutes)}m`;
  return minutes > 0 ? `${String(minutes)}m ${String(seconds % 60)}s` : `${String(seconds)}s`;
}
