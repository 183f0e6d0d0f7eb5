/** `dockyard bill` */
import type { Command } from 'commander';

import type { JobBillResponse } from '../../client/types.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { facts, pounds, table } from '../table.ts';
import type { Column } from '../table.ts';
import { readingJob } from './jobs.ts';
import { withService } from './service.ts';

type Execution = JobBillResponse['executions'][number];
type Line = Execution['lines'][number];
type Transfer = Execution['transfers'][number];

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';
const MICRO = 1_000_000;

/** Adds the command `bill`. */
export function addBillCommand(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'bill <job>',
    summary:
      'Show what a job costs, line by line: what was verified, the exchange rate, the rounding, the transfers.',
    examples: [`bill ${JOB}`, `bill ${JOB} --json`],
    configure: readingJob,
    run: async (cli, _options, [jobId = '']) => {
      const bill = await withService(cli, 'short', (client) => client.bill(jobId.toLowerCase()));
      return { data: bill, text: billText(bill) };
    },
  });
}

/** A bill for people. */
export function billText({ executions, chargedCents }: JobBillResponse): string {
  const charged = facts([['Charged', pounds(chargedCents)]]);
  return `${executions.map((execution) => executionText(execution, executions.length > 1)).join('\n')}\n${charged}`;
}

function executionText(execution: Execution, isNamed: boolean): string {
  const { currency, lines, totalMicro, fxRate, convertedMicro, roundingMicro, transfers } = execution;
  const shown =
    lines.length === 0 ? 'Nothing is verified, so nothing is due.\n' : table(lineColumns(currency), lines);
  const sums = facts([
    ['Sum', `${currency} ${(totalMicro / MICRO).toFixed(6)}`],
    [
      'At the rate',
      `${fxRate}${execution.fxDate === null ? '' : ` of ${execution.fxDate}`}, price book ${execution.priceBookVersion}`,
    ],
    ['In credits', `£${(convertedMicro / MICRO).toFixed(6)}`],
    ['Rounded down by', `£${(Math.abs(roundingMicro) / MICRO).toFixed(6)}`],
    [execution.settledAt === null ? 'Due so far' : 'Charged', pounds(execution.dueCents)],
    ['Held', pounds(execution.heldCents)],
    ['Released', pounds(execution.releasedCents)],
  ]);
  const title = isNamed ? `Execution ${execution.execution}: ${execution.outcome ?? 'open'}\n` : '';
  return `${title}${shown}\n${sums}\n${table(TRANSFERS, transfers)}`;
}

function lineColumns(currency: string): readonly Column<Line>[] {
  return [
    { title: 'For', value: ({ kind, priceClass }) => nameOf(kind, priceClass) },
    { title: 'Tasks', value: ({ tasks }) => tasks, align: 'right' },
    {
      title: 'Seconds',
      value: ({ meteredMs }) => (meteredMs === null ? null : (meteredMs / 1000).toFixed(3)),
      align: 'right',
    },
    { title: currency, value: ({ amountMicro }) => (amountMicro / MICRO).toFixed(6), align: 'right' },
  ];
}

const TRANSFERS: readonly Column<Transfer>[] = [
  { title: 'Transfer', value: ({ transferId }) => transferId },
  { title: 'Type', value: ({ type }) => type },
  { title: 'Amount', value: ({ amountCents }) => pounds(amountCents), align: 'right' },
];

function nameOf(kind: string, priceClass: string | null): string {
  const name = kind.replaceAll('_', ' ');
  return priceClass === null || priceClass === 'task' ? name : `${name} of class ${priceClass}`;
}
