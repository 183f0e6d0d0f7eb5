/** `dockyard convert`: a file of this machine in another format. */
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';

import { sha256OfFile } from '../../client/index.ts';
import { OUTPUT_FORMATS } from '../../domain/conversions.ts';
import type { OutputFormat } from '../../domain/conversions.ts';
import { addCommand } from '../command.ts';
import type { CommandContext, CommandResult } from '../command.ts';
import { CommandProblem, EXIT } from '../problems.ts';
import { printable } from '../table.ts';
import { createJobFiles } from './job-files.ts';
import { withService } from './service.ts';

interface Options {
  readonly to: string;
  readonly out?: string;
}

/** The end of a file's name by its format. */
const ENDINGS = { pdb: '.pdb', mmcif: '.cif', sdf: '.sdf', pdbqt: '.pdbqt' } as const satisfies Readonly<
  Record<OutputFormat, string>
>;

/** Adds the command. */
export function addConvertCommand(program: Command, context: CommandContext): void {
  addCommand<Options>(program, context, {
    usage: 'convert <file>',
    summary:
      'Write a structure or molecules in another format, and tell what that format does not say. Costs nothing.',
    examples: [
      'convert 1hpv.pdb --to mmcif',
      'convert poses.pdbqt --to sdf --out poses.sdf',
      'convert ligands.smi --to sdf --json',
    ],
    configure: (command) =>
      command
        .requiredOption('--to <format>', `format of the new file: ${OUTPUT_FORMATS.join(', ')}`)
        .option('--out <file>', 'the new file (default: beside the old one, with another ending)'),
    run: (cli, options, [file = '']) => convert(cli, options, file),
  });
}

async function convert(
  { env, folder, progress }: CommandContext,
  { to, out }: Options,
  file: string,
): Promise<CommandResult> {
  const path = resolve(folder, file);
  const ending = OUTPUT_FORMATS.find((format) => format === to);
  const target = out ?? `${basename(file, extname(file))}${ending === undefined ? '' : ENDINGS[ending]}`;
  if (resolve(folder, target) === path)
    throw new CommandProblem(EXIT.refused, 'USAGE_INPUT', `${target} is the file itself; give --out.`);
  return withService({ env, folder }, 'long', async (client) => {
    // A file is stored once, however often it is converted.
    const key = `convert/${await sha256OfFile(path)}/${basename(path)}`;
    progress(`Uploading ${basename(path)}`);
    const storageKey = await createJobFiles(client, key, progress).upload({
      path,
      contentType: 'application/octet-stream',
      purpose: 'convert',
    });
    progress('Converting');
    const made = await client.convert({ input: { storageKey }, to });
    const { artifact, warnings } = made;
    if (artifact === null)
      throw new CommandProblem(EXIT.failed, 'UNEXPECTED_ANSWER', 'The service answered no file.');
    await client.downloadArtifact(artifact.artifactId, resolve(folder, target));
    const lines = warnings.map(({ code, message }) => `${code}: ${printable(message)}\n`);
    return { data: { file: target, ...made }, text: `${target}\n${lines.join('')}` };
  });
}
