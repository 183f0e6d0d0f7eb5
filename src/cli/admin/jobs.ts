/** `dockyard admin jobs …` */
import type { Command } from 'commander';

import type { JobState } from '../../domain/job-state.ts';
import { createTakeUp } from '../../services/job-records/take-up.ts';
import { findAccount, listAllJobs, pauseJob } from '../../services/operator.ts';
import type { OperatorJob } from '../../services/operator.ts';
import { id, jobState, someText, wholeNumber } from '../arguments.ts';
import { addCommand, addGroup } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { withDatabase } from '../connections.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { TAKE_UP, TEMPORAL_ACCESS } from '../settings.ts';
import { moment, pounds, table } from '../table.ts';
import type { Column } from '../table.ts';
import { thisOperator } from './author.ts';
import { addJobCancelCommand } from './job-cancel.ts';
import { addJobEndCommand } from './job-end.ts';
import { addJobResumeCommand } from './job-resume.ts';
import { addJobShowCommands } from './job-show.ts';
import { openJobWorkflows } from './workflows.ts';

interface ListOptions {
  readonly status?: JobState;
  readonly account?: string;
  readonly limit: number;
}

const COLUMNS: readonly Column<OperatorJob>[] = [
  { title: 'JOB', value: (job) => job.jobId },
  { title: 'ACCOUNT', value: (job) => job.accountId },
  { title: 'STATUS', value: (job) => job.status },
  { title: 'REASON', value: (job) => job.pauseReason ?? job.statusReason },
  { title: 'TYPE', value: (job) => job.toolId },
  { title: 'DONE', value: (job) => `${job.verified}/${job.tasks}`, align: 'right' },
  { title: 'FAILED', value: (job) => job.failed, align: 'right' },
  { title: 'RECOVERIES', value: (job) => job.recoveries, align: 'right' },
  { title: 'HELD', value: (job) => pounds(job.heldPence), align: 'right' },
  { title: 'CHARGED', value: (job) => pounds(job.chargedPence), align: 'right' },
  { title: 'SUBMITTED', value: (job) => moment(job.submittedAt) },
];

/** Adds the commands on jobs. */
export function addJobCommands(admin: Command, context: CommandContext): void {
  const jobs = addGroup(admin, 'jobs', 'Jobs of all customers');
  addCommand<ListOptions>(jobs, context, {
    usage: 'list',
    summary: 'List jobs, newest first.',
    examples: ['admin jobs list', 'admin jobs list --status RUNNING --account ada@example.org --limit 10'],
    configure: (command) =>
      command
        .option('--status <state>', 'only jobs in this state', jobState)
        .option('--account <account>', 'only jobs of this account: id or e-mail address', someText(254))
        .option('--limit <n>', 'how many at most', wholeNumber(1, 1000), 50),
    run: list,
  });
  addJobShowCommands(jobs, context);
  addCommand(jobs, context, {
    usage: 'pause <job>',
    summary:
      'Pause a job: running tasks finish, verified ones are charged, and everything that the job holds is given back.',
    examples: ['admin jobs pause 01890a5d-ac96-774b-bcce-b302099a8057'],
    configure: (command) => {
      const [argument] = command.registeredArguments;
      argument?.argParser(id);
      return command;
    },
    run: (cli, _options, [jobId = '']) => pause(cli, jobId.toLowerCase()),
  });
  addJobResumeCommand(jobs, context);
  addJobCancelCommand(jobs, context);
  addJobEndCommand(jobs, context);
}

async function list(context: CommandContext, options: ListOptions): Promise<CommandResult> {
  const { status, account, limit } = options;
  const jobs = await withDatabase(context, async (db) =>
    listAllJobs(db, {
      limit,
      ...(status === undefined ? {} : { status }),
      ...(account === undefined ? {} : { accountId: await findAccount(db, account) }),
    }),
  );
  const more = jobs.length === limit ? `The newest ${limit}; --limit shows more.\n` : '';
  return { data: { jobs }, text: jobs.length === 0 ? 'No jobs.\n' : table(COLUMNS, jobs) + more };
}

async function pause(context: CommandContext, jobId: string): Promise<CommandResult> {
  const settings = await context.settings.read(...TEMPORAL_ACCESS, ...TAKE_UP);
  const workflows = await openJobWorkflows(settings);
  try {
    const result = await withDatabase(context, (db) =>
      pauseJob({ db, workflows, takeUp: createTakeUp({ db, workflows, settings }) }, jobId, thisOperator()),
    );
    if (result.outcome === 'already ending') {
      const message = `The job is ending or has ended (${result.status}); there is nothing to pause.`;
      throw new CommandProblem(EXIT.refused, 'NOT_PAUSABLE', message);
    }
    const text =
      result.outcome === 'requested'
        ? 'The job has been told to pause. Tasks that run finish first.\n'
        : 'The job is paused already.\n';
    return { data: result, text };
  } finally {
    await workflows.close();
  }
}
