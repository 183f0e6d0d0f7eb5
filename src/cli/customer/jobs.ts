/** `dockyard status`, `watch`, `cancel` and `resume` */
import type { Command } from 'commander';

import type { Client } from '../../client/index.ts';
import { id, pence, someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { EXIT } from '../problems.ts';
import { createJobDisplay } from './display.ts';
import { followJob } from './follow.ts';
import type { Followed } from './follow.ts';
import { exitCodeOf, jobText } from './job-text.ts';
import { loadTools, partLines } from './ranking.ts';
import { withService } from './service.ts';

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';
const LONGEST_REASON = 500;

/** Adds the commands on one job. */
export function addJobCommands(program: Command, context: CommandContext): void {
  addCommand(program, context, {
    usage: 'status <job>',
    summary: 'Show how a job stands. Its exit code tells how the job ended, as that of watch does.',
    examples: [`status ${JOB}`, `status ${JOB} --json`],
    configure: readingJob,
    run: async (cli, _options, [jobId = '']) => {
      const status = await withService(cli, 'short', (client) => client.status(jobId.toLowerCase()));
      const text = jobText(status, partLines(await loadTools(), status));
      return { data: status, text, exitCode: exitCodeOf(status.status) };
    },
  });
  addCommand(program, context, {
    usage: 'watch <job>',
    summary:
      'Follow a job to its end, with the ranking so far. Ctrl-C stops the watching, not the job. Exit codes: 0 SUCCEEDED, 3 PARTIALLY_SUCCEEDED, 4 FAILED, 5 CANCELLED.',
    examples: [`watch ${JOB}`, `watch ${JOB} --json > result.json`],
    configure: readingJob,
    run: (cli, _options, [jobId = '']) =>
      withService(cli, 'long', (client) => watchToEnd(cli, client, jobId.toLowerCase())),
  });
  addCommand<{ readonly reason?: string }>(program, context, {
    usage: 'cancel <job>',
    summary:
      'Ask for the end of a job. What is complete is kept and charged, the rest of the hold is released.',
    examples: [`cancel ${JOB}`, `cancel ${JOB} --reason "wrong receptor"`],
    configure: (command) =>
      readingJob(command).option('--reason <text>', 'kept with the job', someText(LONGEST_REASON)),
    run: async (cli, { reason }, [jobId = '']) => {
      const request = reason === undefined ? {} : { reason };
      const answer = await withService(cli, 'long', (client) => client.cancel(jobId.toLowerCase(), request));
      return { data: answer, text: `${answer.status}: ${answer.message}\n` };
    },
  });
  addCommand<{ readonly limitPence?: number }>(program, context, {
    usage: 'resume <job>',
    summary:
      'Let a job go on that is paused, failed, cancelled or partly done. What is missing is priced and held as of now.',
    examples: [`resume ${JOB}`, `resume ${JOB} --limit-pence 500`],
    configure: (command) =>
      readingJob(command).option(
        '--limit-pence <pence>',
        'hold no more than this; the job pauses when no further task is covered',
        pence(1),
      ),
    run: async (cli, { limitPence }, [jobId = '']) => {
      const request = limitPence === undefined ? {} : { limitCents: limitPence };
      const answer = await withService(cli, 'long', (client) => client.resume(jobId.toLowerCase(), request));
      return {
        data: answer,
        text: `${answer.status}: ${answer.message}\nFollow it: dockyard watch ${answer.jobId}\n`,
      };
    },
  });
}

/** Reads the argument of a command on one job. */
export function readingJob(command: Command): Command {
  const [argument] = command.registeredArguments;
  argument?.argParser(id);
  return command;
}

/** Watches a job and tells how it ended. */
async function watchToEnd(context: CommandContext, client: Client, jobId: string): Promise<CommandResult> {
  return endingOf(context, jobId, await watchJob(context, client, jobId));
}

/** Watches a job on the screen of a command. */
export function watchJob(
  { terminal, screen }: Pick<CommandContext, 'terminal' | 'screen'>,
  client: Client,
  jobId: string,
): Promise<Followed> {
  return followJob(client, jobId, { display: createJobDisplay(screen), terminal });
}

/** The result of a command that has watched a job. */
export function endingOf(
  { progress }: Pick<CommandContext, 'progress'>,
  jobId: string,
  followed: Followed,
  tellsNext = true,
): CommandResult {
  const { hasEnded, status, ranking } = followed;
  const data = { hasEnded, status, ranking };
  if (!hasEnded || status === null) {
    progress(`\nThe job goes on without you. Follow it again with: dockyard watch ${jobId}`);
    progress(`End it with: dockyard cancel ${jobId}`);
    return { data, text: '', exitCode: EXIT.interrupted };
  }
  const told = followed.rankingText();
  const ranked = told === '' ? '' : `\n${told}`;
  const next =
    tellsNext && status.outputsAvailable ? `\nOutputs: dockyard outputs ${jobId} --download DIR\n` : '';
  return {
    data,
    text: `${jobText(status, followed.partLines())}${ranked}${next}`,
    exitCode: exitCodeOf(status.status),
  };
}
