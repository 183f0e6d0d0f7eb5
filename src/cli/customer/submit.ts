/** `dockyard submit` and `dockyard estimate` */
import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

import { CLIENT_CODES, ClientError } from '../../client/index.ts';
import type { Client } from '../../client/index.ts';
import type { EstimateJobResponse, SubmitJobRequest, SubmitJobResponse } from '../../client/types.ts';
import { QUOTE_ID_CHARACTERS } from '../../domain/priced.ts';
import { someText } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { facts, pounds } from '../table.ts';
import { durationText, warningsText } from './job-text.ts';
import { concludeJob } from './paid-job.ts';
import { estimateRequestOf, readSubmitRequest } from './request-file.ts';
import { withService } from './service.ts';

interface SubmitOptions {
  readonly maxPrice?: number;
  readonly quote?: string;
  readonly idempotencyKey?: string;
  readonly watch?: true;
}

/** Adds the commands `submit` and `estimate`. */
export function addSubmitCommands(program: Command, context: CommandContext): void {
  addCommand<SubmitOptions>(program, context, {
    usage: 'submit <file>',
    summary:
      'Submit the job that a JSON file describes (POST /jobs/submit); - reads standard input. Prints the id of the job.',
    examples: [
      'submit job.json',
      'submit job.json --max-price 2.50 --watch',
      'submit job.json --quote "$QUOTE"',
      'submit - --json < job.json',
    ],
    configure: (command) =>
      command
        .option('--max-price <£>', 'refuse when it may cost more', poundsToPence)
        .addOption(
          new Option('--quote <quote>', 'the quote of estimate --quote: its price and exchange rate hold')
            .argParser(someText(QUOTE_ID_CHARACTERS.most))
            .conflicts('maxPrice'),
        )
        .option('--idempotency-key <key>', 'a repeat with this key makes no second job', idempotencyKey)
        .option('--watch', 'follow it to its end, as watch does'),
    run: (cli, options, [file = '']) => submit(cli, options, file),
  });
  addCommand<{ readonly quote?: true }>(program, context, {
    usage: 'estimate <file>',
    summary: 'Price the job that a JSON file describes, without any effect; - reads standard input.',
    examples: ['estimate job.json', 'estimate job.json --json', 'estimate job.json --quote'],
    configure: (command) =>
      command.option('--quote', 'print the quote alone, which submit --quote takes for 15 minutes'),
    run: async (cli, { quote }, [file = '']) => {
      const request = estimateRequestOf(await readSubmitRequest(cli, file));
      const estimate = await withService(cli, 'short', (client) => client.estimate(request));
      const text = estimateText(estimate);
      if (quote !== true) return { data: estimate, text };
      cli.progress(`${text}Quote until  ${estimate.quoteExpiresAt}`);
      return { data: estimate, text: `${estimate.quoteId}\n` };
    },
  });
}

async function submit(context: CommandContext, options: SubmitOptions, file: string): Promise<CommandResult> {
  const { quote: quoteId } = options;
  const request = {
    ...(await readSubmitRequest(context, file)),
    ...(quoteId === undefined ? {} : { quoteId }),
  };
  return withService(context, 'long', async (client) => {
    const key = options.idempotencyKey ?? randomUUID();
    const answer =
      options.maxPrice === undefined
        ? await submitOnce(client, request, key)
        : await submitBelow(client, request, { key, maxPence: options.maxPrice });
    context.progress(`Job ${answer.jobId}: ${answer.message}`);
    return concludeJob(context, client, options, answer);
  });
}

/** Submits a job by the quote of its estimate, so that the job costs no more than was looked at. */
async function submitBelow(
  client: Client,
  request: SubmitJobRequest,
  { key, maxPence }: { readonly key: string; readonly maxPence: number },
): Promise<SubmitJobResponse> {
  const { heldCents, quoteId } = await client.estimate(estimateRequestOf(request));
  refuseAbove(maxPence, heldCents);
  return submitOnce(client, { ...request, quoteId }, key);
}

/** Submits a job under an idempotency key; when it is unknown whether the job was accepted, the error names the key. */
export async function submitOnce(
  client: Client,
  request: SubmitJobRequest,
  key: string,
): Promise<SubmitJobResponse> {
  try {
    return await client.submit(request, { idempotencyKey: key });
  } catch (error) {
    if (!(error instanceof ClientError) || !UNKNOWN_ENDS.has(error.code)) throw error;
    const own = request.idempotencyKey ?? request.dockingRequest?.idempotencyKey ?? key;
    throw new CommandProblem(
      EXIT.unreachable,
      error.code,
      `${error.message} Whether the job was accepted is not known. Repeat the command with --idempotency-key ${own}: that never makes a second job.`,
      error,
    );
  }
}

const UNKNOWN_ENDS: ReadonlySet<string> = new Set([CLIENT_CODES.connectionLost, 'SERVICE_UNAVAILABLE']);

/** @throws CommandProblem when the job may cost more than the customer wants. */
export function refuseAbove(maxPence: number, heldPence: number): void {
  if (heldPence <= maxPence) return;
  const message = `It may cost up to ${pounds(heldPence)}, which is above ${pounds(maxPence)}. Nothing was submitted.`;
  throw new CommandProblem(EXIT.refused, 'PRICE_ABOVE_MAXIMUM', message);
}

/** A price in words. */
export function estimateText({
  estimatedCost,
  currency,
  heldCents,
  longestTaskSeconds,
  fxRate,
  fxSource,
  fxDate,
  breakdown,
  warnings,
}: EstimateJobResponse): string {
  const parts = Object.entries(breakdown ?? {}).flatMap(([name, amount]) =>
    typeof amount === 'number' && amount > 0
      ? [[`  ${name}`, `${currency} ${amount.toFixed(4)}`] as const]
      : [],
  );
  const price = facts([
    ['Price', `${currency} ${estimatedCost.toFixed(4)}`],
    ...parts,
    ['Held, and the most it can cost', `${pounds(heldCents)} (at ${rateText(fxRate, fxSource, fxDate)})`],
    ['Longest run of a task, or of a part of it', durationText(longestTaskSeconds)],
  ]);
  return `${price}${warningsText(warnings)}`;
}

/** Reads an amount in pounds as pence. */
export function poundsToPence(text: string): number {
  const match = /^£?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (match === null) throw new InvalidArgumentError('It is an amount in pounds, such as 2.50.');
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}

/** Reads an idempotency key. */
export function idempotencyKey(text: string): string {
  if (/^[\x21-\x7e]{8,255}$/.test(text)) return text;
  throw new InvalidArgumentError('It is 8 to 255 printable characters.');
}

function rateText(fxRate: number, source: string | null, date: string | null): string {
  return source === null || date === null ? String(fxRate) : `${String(fxRate)} of ${date}, ${source}`;
}
