/** Common parts of commands that submit a paid job: the question whether to spend the price, and the job's end. */
import { resolve } from 'node:path';

import type { Client } from '../../client/index.ts';
import type { SubmitJobResponse } from '../../client/types.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { pounds } from '../table.ts';
import { endingOf, watchJob } from './jobs.ts';
import { fetchAlong } from './fetch-along.ts';
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
  const folder = options.out === undefined ? null : resolve(context.folder, options.out);
  const along = folder === null ? null : fetchAlong(client, jobId, folder);
  const followed = await watchJob(context, client, jobId).finally(() => along?.leave());
  const ending = endingOf(context, jobId, followed, folder === null);
  const fetched = (await along?.fetched) ?? 0;
  if (!followed.hasEnded || folder === null || followed.status?.outputsAvailable !== true) {
    return { ...ending, data: { submitted, ...followed } };
  }
  const rest = await downloadOutputs(client, jobId, folder, { screen: context.screen });
  const before = Math.min(fetched, rest.kept);
  const downloads = { ...rest, fetched: rest.fetched + before, kept: rest.kept - before };
  return {
    ...ending,
    data: { submitted, ...followed, downloads },
    text: `${ending.text}\n${downloadText(downloads)}`,
  };
}
