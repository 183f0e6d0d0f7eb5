/** `dockyard usage` */
import { Option } from 'commander';
import type { Command } from 'commander';

import type { CreditUsageResponse } from '../../client/types.ts';
import { pointInTime, wholeNumber } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { facts, pounds, table } from '../table.ts';
import type { Column } from '../table.ts';
import { withService } from './service.ts';

interface UsageOptions {
  readonly by: 'day' | 'job' | 'key';
  readonly limit: number;
  readonly from?: string;
  readonly to?: string;
}

type UsageItem = CreditUsageResponse['rows'][number];

const MOST_SHOWN = 1_000;
const SHOWN = 100;

/** Adds the command `usage`. */
export function addUsageCommand(program: Command, context: CommandContext): void {
  addCommand<UsageOptions>(program, context, {
    usage: 'usage',
    summary: 'Show what was spent on jobs in the last 30 days, by day, job or key, and what is held ahead.',
    examples: ['usage', 'usage --by job', 'usage --by key --from 2026-11-01T00:00:00Z --json'],
    configure: (command) =>
      command
        .addOption(
          new Option('--by <group>', 'how it is divided').choices(['day', 'job', 'key']).default('day'),
        )
        .option('--from <time>', 'charges from this time on', pointInTime)
        .option('--to <time>', 'charges before this time', pointInTime)
        .option('--limit <n>', 'how many jobs or keys have a line', wholeNumber(1, MOST_SHOWN), SHOWN),
    run: async (cli, { by, limit, from, to }) => {
      const usage = await withService(cli, 'short', (client) => client.usage({ by, limit, from, to }));
      return { data: usage, text: usageText(usage) };
    },
  });
}

/** Usage for people: the sums, then a line for each day with a charge, each job or each key. */
function usageText(usage: CreditUsageResponse): string {
  const { by, rows, others } = usage;
  const sums = facts([
    ['From', usage.from],
    ['To', usage.to],
    ['Spent', pounds(usage.spent_cents)],
    ['Held now', pounds(usage.held_cents)],
  ]);
  const shown = by === 'day' ? rows.filter((row) => row.jobs > 0) : rows;
  if (shown.length === 0) return sums;
  const beyond =
    others.rows === 0
      ? ''
      : `and ${others.rows} more: ${pounds(others.spent_cents)} spent, ${pounds(others.held_cents)} held\n`;
  return `${sums}\n${table(columnsOf(by), shown)}${beyond}`;
}

function columnsOf(by: CreditUsageResponse['by']): Column<UsageItem>[] {
  const name: Column<UsageItem> = { title: 'NAME', value: (row) => row.name };
  const spent: Column<UsageItem> = {
    title: 'SPENT',
    value: (row) => pounds(row.spent_cents),
    align: 'right',
  };
  const held: Column<UsageItem> = { title: 'HELD', value: (row) => pounds(row.held_cents), align: 'right' };
  const jobs: Column<UsageItem> = { title: 'JOBS', value: (row) => row.jobs, align: 'right' };
  if (by === 'day') return [{ title: 'DAY', value: (row) => row.day }, jobs, spent];
  if (by === 'job') return [{ title: 'JOB', value: (row) => row.job_id }, name, spent, held];
  return [
    { title: 'KEY', value: (row) => row.key_id ?? 'no key: people who had signed in' },
    name,
    jobs,
    spent,
    held,
  ];
}
