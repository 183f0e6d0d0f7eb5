/** The commands that write a revision into a file and prove such a file. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';

import { id } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT, messageOf } from '../../problems.ts';
import { learnKeys } from '../receipt/known-keys.ts';
import { findCaller, withService } from '../service.ts';
import { readVersion } from './read.ts';

interface ExportOptions {
  readonly revision?: number;
  readonly out?: string;
}

/** Adds the commands. */
export function addFileCommands(projects: Command, context: CommandContext): void {
  addCommand<ExportOptions>(projects, context, {
    usage: 'export <project>',
    summary:
      'Write the scene of a revision into a file that Mol* opens: .mvsx with its data and the signed receipt, or .mvsj where all data is public.',
    examples: [
      'project export 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --out kinase.mvsx',
      'project export 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --revision 3 --out kinase.mvsj',
    ],
    configure: (command) =>
      command
        .option('--revision <n>', 'version number of an earlier revision (default: the head)', readVersion)
        .option('--out <file>', 'file that is written, .mvsx or .mvsj (default: <project>-v<n>.mvsx)'),
    run: async (cli, options, [project = '']) => exportRevision(cli, id(project), options),
  });
  addCommand<{ readonly keys?: string }>(projects, context, {
    usage: 'verify <file>',
    summary:
      'Prove, without the service, that an exported .mvsx is what the service has signed; names what differs first. Exit code 1 when something does.',
    examples: ['project verify kinase.mvsx', 'project verify kinase.mvsx --keys receipt-keys.json'],
    configure: (command) =>
      command.option('--keys <file>', 'public keys of the service; else those that this machine knows'),
    // The proof is read when it is asked for, so that the list of the commands loads no service.
    run: async (cli, { keys }, [file = '']) => (await import('./verify.ts')).verifyFile(cli, file, keys),
  });
}

async function exportRevision(
  cli: CommandContext,
  projectId: string,
  { revision, out }: ExportOptions,
): Promise<CommandResult> {
  const format = out?.toLowerCase().endsWith('.mvsj') === true ? 'mvsj' : 'mvsx';
  const { version, bytes } = await withService(cli, 'long', async (client) => {
    learnKeys(cli.env, findCaller(cli.env, cli.folder).apiUrl, await client.receiptKeys());
    const asked = revision ?? (await client.projects.get(projectId)).currentVersion;
    return { version: asked, bytes: await client.projects.export(projectId, asked, format) };
  });
  const name = out ?? `${projectId}-v${version}.${format}`;
  await writeWhole(resolve(cli.folder, name), bytes).catch((error: unknown) => {
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_INPUT',
      `${name} cannot be written (${messageOf(error)}).`,
      error,
    );
  });
  return { data: { file: name, format, version, byteSize: bytes.byteLength }, text: `${name}\n` };
}

/** Writes a file that is there whole or not at all. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.part`;
  try {
    await writeFile(unfinished, bytes);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
