/** Work of `dockyard project verify`: proves the package of a scene, without the service. */
import { resolve } from 'node:path';

import { verifyPackage } from '../../../services/receipts/verify-package.ts';
import type { PackageFiles, PackageVerdict } from '../../../services/receipts/verify-package.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT, messageOf } from '../../problems.ts';
import { keysOfFile, readKnownKeys } from '../receipt/known-keys.ts';
import { ArchiveFault, readPackage } from './package-files.ts';

/** Proves a package by the keys of a file, else by those that this machine knows. @throws CommandProblem where there is no such file. */
export async function verifyFile(
  cli: CommandContext,
  name: string,
  keysFile: string | undefined,
): Promise<CommandResult> {
  const keys =
    keysFile === undefined
      ? Object.values(readKnownKeys(cli.env)).flat()
      : keysOfFile(resolve(cli.folder, keysFile));
  const read = await readPackage(resolve(cli.folder, name)).catch((error: unknown) => {
    if (error instanceof ArchiveFault) return error.message;
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_INPUT',
      `${name} cannot be read (${messageOf(error)}).`,
      error,
    );
  });
  return typeof read === 'string'
    ? differs(null, read)
    : told(read, verifyPackage(read, { keys: [...keys] }));
}

function told({ digests }: PackageFiles, verdict: PackageVerdict): CommandResult {
  if (!verdict.ok) return differs(verdict.file, verdict.message);
  const { revision, jobs, dataFiles } = verdict;
  const data = { proven: true, files: digests.size, dataFiles, jobReceipts: jobs.length, revision, jobs };
  const files = `All ${digests.size} files are whole; ${dataFiles} with data are those that the receipts name.`;
  if (revision === null)
    return {
      data,
      text: `The data is genuine: ${jobs.length} signed receipts of jobs. ${files}\nThe scene itself, its contacts and its box are of no signed record.\n`,
    };
  const { receipt, signature } = revision;
  const lost = receipt.missing.map((id) => `The file ${id} was lost before the revision was signed.\n`);
  return {
    data,
    text: `The package is genuine: version ${receipt.version} of project ${receipt.projectId}, saved ${receipt.savedAt} at ${receipt.issuer}, signed with the key ${signature.keyId}. ${files}\n${lost.join('')}`,
  };
}

function differs(file: string | null, message: string): CommandResult {
  const text = file === null ? message : `${file}: ${message}`;
  return { data: { proven: false, file, message }, text: `${text}\n`, exitCode: EXIT.failed };
}
