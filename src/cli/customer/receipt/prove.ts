/** Work of `dockyard receipt verify`: proves a receipt and the files of a folder, without the service. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';

import { isRecord } from '../../../domain/is-record.ts';
import { readJsonFile } from '../../../files.ts';
import { firstFileFault, verifyReceipt } from '../../../services/receipts/verify.ts';
import type { ReadFileFacts, ReceiptVerdict } from '../../../services/receipts/verify.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { createPlaces } from '../safe-path.ts';
import { keysOfFile, readKnownKeys } from './known-keys.ts';
import { receiptText } from './receipt-text.ts';
import type { Answers, SignedReceipt } from '../../../domain/answers.ts';

type ReceiptKey = Answers['listReceiptKeys']['keys'][number];

/**
 * Proves a stored receipt and, where a folder is named, the files in it.
 * @throws CommandProblem where the file is not there or is no JSON.
 */
export async function proveFile(
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
