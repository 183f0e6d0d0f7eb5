/** `dockyard receipt get` and `receipt verify` */
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';

import type { Command } from 'commander';

import { isRecord } from '../../../domain/is-record.ts';
import type { ReceiptKey, SignedReceipt } from '../../../domain/receipts.ts';
import { readJsonFile } from '../../../files.ts';
import { firstFileFault, verifyReceipt } from '../../../services/receipts/verify.ts';
import type { ReadFileFacts, ReceiptVerdict } from '../../../services/receipts/verify.ts';
import { wholeNumber } from '../../arguments.ts';
import { addCommand, addGroup } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { facts, pounds } from '../../table.ts';
import { readingJob } from '../jobs.ts';
import { findLogin } from '../profile.ts';
import { createPlaces } from '../safe-path.ts';
import { withService } from '../service.ts';
import { keysOfFile, learnKeys, readKnownKeys } from './known-keys.ts';

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
    run: (cli, options, [file = '', folder]) => verifyFile(cli, file, folder, options.keys),
  });
}

async function fetchReceipt(
  cli: CommandContext,
  jobId: string,
  { execution, out = `${jobId}.receipt.json` }: GetOptions,
): Promise<CommandResult> {
  const signed = await withService(cli, 'long', async (client) => {
    learnKeys(cli.env, findLogin(cli.env, cli.folder).apiUrl, await client.receiptKeys());
    return client.receipt(jobId, execution === undefined ? {} : { execution });
  });
  const file = resolve(cli.folder, out);
  await writeFile(file, `${JSON.stringify(signed, null, 2)}\n`);
  return { data: { file, ...signed }, text: `The receipt is in ${file}.\n${receiptText(signed)}` };
}

async function verifyFile(
  cli: CommandContext,
  name: string,
  folder: string | undefined,
  keysFile: string | undefined,
): Promise<CommandResult> {
  const path = resolve(cli.folder, name);
  const value = readJsonFile(path);
  if (value === null || value === undefined)
    throw new CommandProblem(EXIT.refused, 'USAGE_INPUT', `${path} is not there, or is no JSON.`);
  const known =
    keysFile === undefined
      ? readKnownKeys(cli.env)
      : { [keysFile]: keysOfFile(resolve(cli.folder, keysFile)) };
  const { service, verdict } = provenBy(value, known);
  if (!verdict.ok) return failed(verdict.what, verdict.message);
  const { signed } = verdict;
  if (folder !== undefined) {
    const fault = await firstFileFault(signed, filesOf(resolve(cli.folder, folder), signed));
    if (fault !== null) return failed('file', fault);
  }
  const files =
    folder === undefined
      ? 'Its files were not looked at: name their folder.'
      : `All ${String(signed.receipt.outputs.length)} files are as the receipt says.`;
  const text = `The receipt is genuine: signed with the key ${signed.signature.keyId} of ${service}. ${files}\n`;
  return {
    data: { proven: true, keyId: signed.signature.keyId, keysOf: service, filesProven: folder !== undefined },
    text: `${text}${receiptText(signed)}`,
  };
}

/** The service whose keys prove the receipt; else what differs by the keys of the service that knows the key's id. */
function provenBy(
  value: unknown,
  known: Readonly<Record<string, readonly ReceiptKey[]>>,
): { readonly service: string; readonly verdict: ReceiptVerdict } {
  const tried = Object.entries(known).map(([service, keys]) => ({
    service,
    verdict: verifyReceipt(withoutCopy(value), { keys: [...keys] }),
  }));
  return (
    tried.find(({ verdict }) => verdict.ok) ??
    tried.find(({ verdict }) => !verdict.ok && verdict.what !== 'key') ?? {
      service: '',
      verdict: verifyReceipt(withoutCopy(value), { keys: [] }),
    }
  );
}

/** `receipt get --json` adds the name of the file, which is no part of the receipt. */
function withoutCopy(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { receipt, signature } = value;
  return { receipt, signature };
}

function failed(what: string, message: string): CommandResult {
  return { data: { proven: false, differs: what, message }, text: `${message}\n`, exitCode: EXIT.failed };
}

/** Files of a folder, at the places where `outputs --download` puts them. */
function filesOf(folder: string, { receipt }: SignedReceipt): ReadFileFacts {
  const placeOf = createPlaces(receipt.tasks.total);
  return async (output) => {
    const hash = createHash('sha256');
    let byteSize = 0;
    try {
      for await (const piece of createReadStream(join(folder, ...placeOf(output).split('/')))) {
        const bytes: unknown = piece;
        if (!Buffer.isBuffer(bytes)) continue;
        hash.update(bytes);
        byteSize += bytes.length;
      }
    } catch (error) {
      if (isRecord(error) && (error['code'] === 'ENOENT' || error['code'] === 'ENOTDIR')) return null;
      throw error;
    }
    return { byteSize, sha256: hash.digest('hex') };
  };
}

function receiptText({ receipt }: SignedReceipt): string {
  const { tasks, price, attempts, recoveries } = receipt;
  return facts([
    ['Job', `${receipt.jobId}, execution ${String(receipt.execution)}: ${receipt.outcome}`],
    ['Issued by', receipt.issuer],
    ['Request', receipt.requestSha256],
    ['Seed', receipt.effectiveSeed === null ? 'none' : String(receipt.effectiveSeed)],
    ['Code', receipt.toolchainSha256.join(', ')],
    ['Processors', receipt.cpuClasses.join(', ') || 'not told'],
    [
      'Tasks',
      `${String(tasks.verified)} verified, ${String(tasks.failed)} failed, of ${String(tasks.total)}`,
    ],
    ['Attempts', `${String(attempts.started)}, ${String(recoveries.length)} recoveries`],
    ['Charged', pounds(price.chargedCents)],
  ]);
}
