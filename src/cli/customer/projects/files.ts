/** The commands that write a revision into a file and prove such a file. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';

import type { SceneScope } from '../../../client/docking.ts';
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
  readonly batch?: string;
  readonly run?: string;
  readonly result?: string;
  readonly pose?: string;
}

/** Adds the commands. */
export function addFileCommands(projects: Command, context: CommandContext): void {
  addCommand<ExportOptions>(projects, context, {
    usage: 'export [project]',
    summary:
      'Write the scene of a revision, or of docked poses, into a file that Mol* opens: .mvsx with its data and the signed receipts, or .mvsj where all data is public.',
    examples: [
      'project export 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --out kinase.mvsx',
      'project export 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --revision 3 --out kinase.mvsj',
      'project export --run 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --out poses.mvsx',
    ],
    configure: (command) =>
      command
        .option('--revision <n>', 'version number of an earlier revision (default: the head)', readVersion)
        .option('--batch <id>', 'the best poses of a docking batch', id)
        .option('--run <id>', 'the best poses of a run, or of a docking job by its id', id)
        .option('--result <id>', 'the poses of one ligand', id)
        .option('--pose <id>', 'one pose', id)
        .option(
          '--out <file>',
          'file that is written, .mvsx or .mvsj (default: <project>-v<n>.mvsx, or <kind>-<id>.mvsx)',
        ),
    run: async (cli, options, [project]) => exportScene(cli, project, options),
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

/** The docking records that the options name, as the client takes them. */
function recordsOf({
  batch,
  run,
  result,
  pose,
}: ExportOptions): readonly (SceneScope & { readonly name: string })[] {
  return [
    ...(batch === undefined ? [] : [{ batchId: batch, name: `batch-${batch}` }]),
    ...(run === undefined ? [] : [{ runId: run, name: `run-${run}` }]),
    ...(result === undefined ? [] : [{ resultId: result, name: `result-${result}` }]),
    ...(pose === undefined ? [] : [{ poseId: pose, name: `pose-${pose}` }]),
  ];
}

async function exportScene(
  cli: CommandContext,
  project: string | undefined,
  options: ExportOptions,
): Promise<CommandResult> {
  const { revision, out } = options;
  const [record, ...others] = recordsOf(options);
  if ((project === undefined) === (record === undefined) || others.length > 0)
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_INPUT',
      'Name one scene: a project, or one of --batch, --run, --result and --pose.',
    );
  const format = out?.toLowerCase().endsWith('.mvsj') === true ? 'mvsj' : 'mvsx';
  const { version, bytes, stem } = await withService(cli, 'long', async (client) => {
    learnKeys(cli.env, findCaller(cli.env, cli.folder).apiUrl, await client.receiptKeys());
    if (record !== undefined)
      return { version: null, stem: record.name, bytes: await client.docking.exportScene(record, format) };
    const projectId = id(project ?? '');
    const asked = revision ?? (await client.projects.get(projectId)).currentVersion;
    const bytes = await client.projects.export(projectId, asked, format);
    return { version: asked, stem: `${projectId}-v${asked}`, bytes };
  });
  const name = out ?? `${stem}.${format}`;
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
