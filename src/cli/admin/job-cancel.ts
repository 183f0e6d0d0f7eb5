/** `dockyard admin jobs cancel` */
import type { Command } from 'commander';

import { createTakeUp } from '../../services/job-records/take-up.ts';
import { cancelForCustomer } from '../../services/operations/cancel-job.ts';
import { id, someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { TAKE_UP, TEMPORAL_ACCESS } from '../settings.ts';
import { thisOperator } from './author.ts';
import { openJobWorkflows } from './workflows.ts';

interface CancelOptions {
  readonly reason: string;
}

/** Adds the command that cancels a job in the place of its customer. */
export function addJobCancelCommand(jobs: Command, context: CommandContext): void {
  addCommand<CancelOptions>(jobs, context, {
    usage: 'cancel <job>',
    summary:
      'Cancel a job in the place of its customer: its tools are stopped, complete outputs are charged, the rest of the hold is given back.',
    examples: ['admin jobs cancel 01890a5d-ac96-774b-bcce-b302099a8057 --reason "Asked for by mail"'],
    configure: (command) => {
      command.registeredArguments[0]?.argParser(id);
      return command.requiredOption(
        '--reason <text>',
        'why, for the customer and the audit log',
        someText(500),
      );
    },
    run: (cli, options, [jobId = '']) => cancel(cli, jobId.toLowerCase(), options),
  });
}

async function cancel(cli: CommandContext, jobId: string, { reason }: CancelOptions): Promise<CommandResult> {
  const settings = await cli.settings.read(...TEMPORAL_ACCESS, ...TAKE_UP);
  const workflows = await openJobWorkflows(settings);
  // The answer says what the log of the API would.
  const log = { warn: () => undefined };
  try {
    const { response } = await withDatabase(cli, (db) =>
      cancelForCustomer(
        { db, workflows, takeUp: createTakeUp({ db, workflows, settings }), log },
        { jobId, reason },
        thisOperator(),
      ),
    );
    return { data: response, text: `${response.message}\n` };
  } finally {
    await workflows.close();
  }
}
