/** `dockyard recoveries` */
import type { Command } from 'commander';

import type { RecoveryItem } from '../../client/types.ts';
import { addCommand } from '../command.ts';
import type { CommandContext } from '../command.ts';
import { pounds, table } from '../table.ts';
import type { Column } from '../table.ts';
import { readingJob } from './jobs.ts';
import { withService } from './service.ts';

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';

/** Adds the command `recoveries`. */
export function addRecoveriesCommand(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'recoveries <job>',
    summary:
      'Show every instance that a job has lost, and every pause and resume: the cause, what was kept, what was lost, when work went on.',
    examples: [`recoveries ${JOB}`, `recoveries ${JOB} --json`],
    configure: readingJob,
    run: async (cli, _options, [jobId = '']) => {
      const recoveries: RecoveryItem[] = [];
      await withService(cli, 'short', async (client) => {
        for await (const entry of client.recoveries(jobId.toLowerCase())) recoveries.push(entry);
      });
      return { data: { recoveries }, text: recoveriesText(recoveries) };
    },
  });
}

/** A recovery ledger for people. */
export function recoveriesText(recoveries: readonly RecoveryItem[]): string {
  if (recoveries.length === 0) return 'Nothing was lost, and the job was never paused.\n';
  const lost = recoveries.reduce((sum, { secondsLost }) => sum + secondsLost, 0);
  const charged = recoveries.reduce((sum, { chargedCents }) => sum + chargedCents, 0);
  return `${table(COLUMNS, recoveries)}\nWork lost: ${lost.toFixed(1)} s, charged ${pounds(charged)}\n`;
}

const COLUMNS: readonly Column<RecoveryItem>[] = [
  { title: 'AT', value: ({ at }) => `${at.slice(0, 19).replace('T', ' ')}Z` },
  { title: 'WHAT', value: ({ kind }) => kind },
  { title: 'CAUSE', value: ({ cause }) => cause },
  { title: 'INSTANCE', value: ({ instance }) => instanceText(instance) },
  { title: 'KEPT', value: ({ tasksKept }) => tasksKept, align: 'right' },
  { title: 'AGAIN', value: ({ tasksSetBack }) => tasksSetBack, align: 'right' },
  { title: 'LOST s', value: ({ secondsLost }) => secondsLost.toFixed(1), align: 'right' },
  {
    title: 'WENT ON AFTER s',
    value: ({ secondsUntilWork }) => secondsUntilWork?.toFixed(1) ?? null,
    align: 'right',
  },
];

function instanceText(instance: RecoveryItem['instance']): string | null {
  if (instance === null) return null;
  const { slot, generation, type, market } = instance;
  return [
    `${slot}.${generation}`,
    ...(type === null ? [] : [type]),
    ...(market === 'SPOT' ? ['spot'] : []),
  ].join(' ');
}
