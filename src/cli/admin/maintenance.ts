/** `dockyard admin maintenance …` */
import type { Command } from 'commander';

import { beginMaintenance, endMaintenance, readMaintenance } from '../../services/maintenance.ts';
import type { MaintenanceMode } from '../../services/maintenance.ts';
import { someText } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { moment } from '../table.ts';
import { thisOperator } from './author.ts';

interface OnOptions {
  readonly reason: string;
}

const OFF = 'Maintenance is off: jobs are taken.\n';

/** Adds the commands of the maintenance mode. */
export function addMaintenanceCommands(admin: Command, context: CommandContext): void {
  const maintenance = addGroup(admin, 'maintenance', 'Take no new jobs for a while');
  addCommand<OnOptions>(maintenance, context, {
    usage: 'on',
    summary:
      'Take no new jobs: submits are answered 503 with the reason and Retry-After. Everything else goes on, such as jobs that were accepted.',
    examples: ['admin maintenance on --reason "The database moves until 14:00 UTC"'],
    configure: (command) =>
      command.requiredOption('--reason <text>', 'what customers are told, and the audit log', someText(500)),
    run: (cli, { reason }) =>
      withDatabase(cli, async (db) => {
        const mode = await beginMaintenance(db, reason, thisOperator());
        return shown(
          mode,
          ' Submits that were being decided may still be accepted for a minute. End it with: dockyard admin maintenance off',
        );
      }),
  });
  addCommand(maintenance, context, {
    usage: 'off',
    summary: 'Take jobs again.',
    examples: ['admin maintenance off'],
    run: (cli) =>
      withDatabase(cli, async (db) => {
        await endMaintenance(db, thisOperator());
        return shown(null);
      }),
  });
  addCommand(maintenance, context, {
    usage: 'show',
    summary: 'Say whether new jobs are taken, and why not.',
    examples: ['admin maintenance show', 'admin maintenance show --json'],
    run: (cli) => withDatabase(cli, async (db) => shown(await readMaintenance(db))),
  });
}

function shown(mode: MaintenanceMode | null, more = ''): CommandResult {
  if (mode === null) return { data: { on: false, reason: null, since: null }, text: OFF };
  const { reason, since } = mode;
  return {
    data: { on: true, reason, since: since.toISOString() },
    text: `Maintenance is on since ${moment(since)}: no new jobs are taken. Reason: ${reason}\n${more === '' ? '' : `${more.trim()}\n`}`,
  };
}
