/** Common parts of commands that submit a paid job: the question whether to spend the price, and the job's end. */
import { resolve } from 'node:path';

import type { Client } from '../../client/index.ts';
import type { SubmitJobResponse } from '../../client/types.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { pounds } from '../table.ts';
import { endingOf, watchJob } from './jobs.ts';
import { downloadOutputs, downloadText } from './outputs.ts';

/** The options by which a command asks, follows and fetches. */
export interface Conclusion {
  readonly yes?: true;
  readonly watch?: true;
  readonly out?: string;
}

/** Asks the person at the terminal whether to spend the price; a script is not asked and has to say --yes. */
export async function agreeToPrice(
  { terminal }: Pick<CommandContext, 'terminal'>,
  { yes }: Conclusion,
  heldCents: number,
): Promise<void> {
  if (yes === true) return;
  const price = pounds(heldCents);
  if (!terminal.isInteractive) {
    const message = `It costs up to ${price}, and there is nobody to ask. Add --yes to agree, or --max-price with it. Nothing was submitted.`;
    throw new CommandProblem(EXIT.refused, 'CONFIRMATION_REQUIRED', message);
  }
  const answer = await terminal.ask(`Submit for at most ${price}? [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new CommandProblem(EXIT.refused, 'DECLINED', 'Nothing was submitted.');
}

/** Follows the job to its end and downloads its outputs, where the options say so. */
export async function concludeJob(
  context: CommandContext,
  client: Client,
  options: Conclusion,
  submitted: SubmitJobResponse,
): Promise<CommandResult> {
  const { jobId } = submitted;
  if (options.watch !== true && options.out === undefined) {
    context.progress(`Follow it with: dockyard watch ${jobId}`);
    return { data: submitted, text: `${jobId}\n` };
  }
  const followed = await watchJob(context, client, jobId);
  const ending = endingOf(context, jobId, followed, options.out === undefined);
  if (!followed.hasEnded || options.out === undefined || followed.status?.outputsAvailable !== true) {
    return { ...ending, data: { submitted, ...followed } };
  }
  const folder = resolve(context.folder, options.out);
  const downloads = await downloadOutputs(client, jobId, folder, { screen: context.screen });
  return {
    ...ending,
    data: { submitted, ...followed, downloads },
    text: `${ending.text}\n${downloadText(downloads)}`,
  };
}
