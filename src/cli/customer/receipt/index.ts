/** `dockyard receipt get` and `receipt verify` */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import type { Command } from 'commander';

import { wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { readingJob } from '../jobs.ts';
import { findCaller, withService } from '../service.ts';
import { learnKeys } from './known-keys.ts';
import { receiptText } from './receipt-text.ts';

const JOB = '01890a5d-ac96-774b-bcce-b302099a8057';
const MOST_EXECUTIONS = 1_000_000;

interface GetOptions {
  readonly execution?: number;
  readonly out?: string;
}

/** Adds the group `receipt`. */
export function addReceiptCommands(program: Command, context: CommandContext): void {
  const group = addGroup(program, 'receipt', 'Fetch and prove the signed receipts of jobs.');
  addCommand<GetOptions>(group, context, {
    usage: 'get <job>',
    summary: 'Fetch the signed receipt of a job, and keep the public keys that prove it.',
    examples: [`receipt get ${JOB}`, `receipt get ${JOB} --out receipt.json`],
    configure: (command) =>
      readingJob(command)
        .option(
          '--execution <n>',
          'execution of the job, from 1; else the last one with a receipt',
          wholeNumber(1, MOST_EXECUTIONS),
        )
        .option('--out <file>', 'where the receipt is written; else <job>.receipt.json'),
    run: (cli, options, [jobId = '']) => fetchReceipt(cli, jobId.toLowerCase(), options),
  });
  addCommand<{ readonly keys?: string }>(group, context, {
    usage: 'verify <file> [folder]',
    summary:
      'Prove, without the service, that a receipt and the downloaded files are what the service has signed; names what differs first. Exit code 1 when something does.',
    examples: ['receipt verify receipt.json', 'receipt verify receipt.json poses --keys keys.json'],
    configure: (command) =>
      command.option('--keys <file>', 'public keys of the service; else those that this machine knows'),
    // The proof is read when it is asked for, so that the list of the commands loads no service.
    run: async (cli, options, [file = '', folder]) =>
      (await import('./prove.ts')).proveFile(cli, file, folder, options.keys),
  });
}

async function fetchReceipt(
  cli: CommandContext,
  jobId: string,
  { execution, out = `${jobId}.receipt.json` }: GetOptions,
): Promise<CommandResult> {
  const signed = await withService(cli, 'long', async (client) => {
    learnKeys(cli.env, findCaller(cli.env, cli.folder).apiUrl, await client.receiptKeys());
    return client.receipt(jobId, execution === undefined ? {} : { execution });
  });
  const file = resolve(cli.folder, out);
  await writeFile(file, `${JSON.stringify(signed, null, 2)}\n`);
  return { data: { file, ...signed }, text: `The receipt is in ${file}.\n${receiptText(signed)}` };
}
