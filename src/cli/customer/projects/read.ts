/** The commands that read projects. */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';

import type { ProjectResponse, RevisionItem } from '../../../client/types.ts';
import { id, wholeNumber } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT, messageOf } from '../../problems.ts';
import { findCaller, withService } from '../service.ts';
import { historyText, projectText, projectsText, revisionText } from './text.ts';

const MOST_VERSION = 999_999_999;

interface ShowOptions {
  readonly revision?: number;
  readonly content?: string;
}

/** Reads a version number. */
export const readVersion = wholeNumber(1, MOST_VERSION);

/** Adds the commands. */
export function addReadCommands(projects: Command, context: CommandContext): void {
  addCommand(projects, context, {
    usage: 'list',
    summary: 'List your projects, newest first.',
    examples: ['project list', 'project list --json'],
    run: async (cli) => {
      const found = await withService(cli, 'short', async (client) => {
        const listed: ProjectResponse[] = [];
        for await (const project of client.projects.list()) listed.push(project);
        return listed;
      });
      return { data: { projects: found }, text: projectsText(found) };
    },
  });
  addCommand<ShowOptions>(projects, context, {
    usage: 'show <project>',
    summary: 'Show a project, or one revision of it; with --content its content goes to a file.',
    examples: [
      'project show 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11',
      'project show 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --content kinase.json',
      'project show 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --revision 3 --json',
    ],
    configure: (command) =>
      command
        .option('--revision <n>', 'version number of an earlier revision (default: the head)', readVersion)
        .option('--content <file>', 'file that the content is written to; - for standard output'),
    run: async (cli, options, [project = '']) => show(cli, id(project), options),
  });
  addCommand(projects, context, {
    usage: 'history <project>',
    summary: 'List the revisions of a project, newest first.',
    examples: ['project history 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11'],
    run: async (cli, _options, [project = '']) => {
      const projectId = id(project);
      const revisions = await withService(cli, 'short', async (client) => {
        const listed: RevisionItem[] = [];
        for await (const revision of client.projects.revisions(projectId)) listed.push(revision);
        return listed;
      });
      return { data: { revisions }, text: historyText(revisions) };
    },
  });
}

async function show(
  cli: CommandContext,
  projectId: string,
  { revision, content: file }: ShowOptions,
): Promise<CommandResult> {
  const { apiUrl } = findCaller(cli.env, cli.folder);
  const [shown, text] = await withService(cli, 'short', async ({ projects }) => {
    if (revision === undefined) {
      const project = await projects.get(projectId);
      return [project, projectText(project, apiUrl)] as const;
    }
    const found = await projects.revision(projectId, revision);
    return [found, revisionText(found)] as const;
  });
  if (file === undefined) return { data: shown, text };
  const content = `${JSON.stringify(shown.content, null, 2)}\n`;
  const { content: _written, ...record } = shown;
  if (file === '-') return { data: shown, text: content };
  await writeFile(resolve(cli.folder, file), content).catch((error: unknown) => {
    throw new CommandProblem(
      EXIT.refused,
      'USAGE_INPUT',
      `${file} cannot be written (${messageOf(error)}).`,
      error,
    );
  });
  return { data: record, text: `${text}Content written to ${file}\n` };
}
