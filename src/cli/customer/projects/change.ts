/**
 * The commands that change projects. Each change of a head names the version that it is for, so that nobody overwrites what somebody else
 * has saved meanwhile; the command line never takes the version of the moment by itself.
 */
import type { Command } from 'commander';

import { ClientError } from '../../../client/index.ts';
import type { Projects } from '../../../client/index.ts';
import type { ProjectResponse, SaveProjectRequest } from '../../../client/types.ts';
import { id, someText } from '../../arguments.ts';
import { addCommand } from '../../command.ts';
import type { CommandContext, CommandResult } from '../../command.ts';
import { CommandProblem, EXIT } from '../../problems.ts';
import { printable } from '../../table.ts';
import { readObject } from '../request-file.ts';
import { findCaller, withService } from '../service.ts';
import { idempotencyKey as readKey } from '../submit.ts';
import { readVersion } from './read.ts';
import { projectText, sharedAt } from './text.ts';

const [LONGEST_NAME, LONGEST_DESCRIPTION, LONGEST_MESSAGE] = [200, 10_000, 2_000] as const;

interface Keyed {
  readonly idempotencyKey?: string;
}

interface Expecting {
  readonly expectedVersion: number;
}

interface SaveOptions extends Keyed, Partial<Expecting> {
  readonly project?: string;
  readonly name?: string;
  readonly description?: string;
  readonly message?: string;
}

interface ShareOptions extends Keyed, Expecting {
  readonly content?: string;
  readonly message?: string;
}

/** Adds the commands. */
export function addChangeCommands(projects: Command, context: CommandContext): void {
  addSaveCommand(projects, context);
  addRestoreCommand(projects, context);
  addShareCommand(projects, context);
  addRevokeCommand(projects, context);
}

const expecting = (command: Command): Command =>
  command.requiredOption(
    '--expected-version <n>',
    'version of the head that the change is for, as project show tells it',
    readVersion,
  );

const keyed = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'a repeat with this key makes no second change', readKey);

function addSaveCommand(projects: Command, context: CommandContext): void {
  addCommand<SaveOptions>(projects, context, {
    usage: 'save <file>',
    summary:
      'Save a content, a JSON object in a file: as a new project, or with --project as the next version of one.',
    examples: [
      'project save kinase.json --name "Kinase inhibitors"',
      'project save kinase.json --project 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --expected-version 3 --message "Hinge labelled"',
    ],
    configure: (command) =>
      keyed(command)
        .option('--project <id>', 'the project to save in (default: a new one)', id)
        .option('--expected-version <n>', 'version of its head, as project show tells it', readVersion)
        .option('--name <name>', 'name of a new project, or a new name', someText(LONGEST_NAME))
        .option('--description <text>', 'what the project is about', someText(LONGEST_DESCRIPTION))
        .option('--message <text>', 'what the revision is about', someText(LONGEST_MESSAGE)),
    run: save,
  });
}

async function save(
  cli: CommandContext,
  options: SaveOptions,
  [file = '']: readonly string[],
): Promise<CommandResult> {
  const { project, expectedVersion, name, description, message, idempotencyKey } = options;
  const content = await readContent(cli, file);
  const told = {
    content,
    ...(description === undefined ? {} : { description }),
    ...(message === undefined ? {} : { message }),
  };
  if (project === undefined) {
    if (name === undefined) throw missing('A new project needs a name: add --name.');
    return changed(cli, (api) => api.create({ name, ...told }, keyOf(idempotencyKey)));
  }
  if (expectedVersion === undefined)
    throw missing(`Add --expected-version; dockyard project show ${project} tells the version of the head.`);
  const request = { ...told, expectedVersion, ...(name === undefined ? {} : { name }) };
  return changed(cli, (api) => api.save(project, request, keyOf(idempotencyKey)));
}

function addRestoreCommand(projects: Command, context: CommandContext): void {
  addCommand<Keyed & Expecting & { readonly message?: string }>(projects, context, {
    usage: 'restore <project> <version>',
    summary: 'Make an earlier revision the head again, by a copy; the history stays as it is.',
    examples: ['project restore 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 2 --expected-version 5'],
    configure: (command) =>
      keyed(expecting(command)).option(
        '--message <text>',
        'what the revision is about',
        someText(LONGEST_MESSAGE),
      ),
    run: async (cli, { expectedVersion, message, idempotencyKey }, [project = '', version = '']) => {
      const request = { expectedVersion, ...(message === undefined ? {} : { message }) };
      const [projectId, from] = [id(project), readVersion(version)];
      return changed(cli, (api) => api.restore(projectId, from, request, keyOf(idempotencyKey)));
    },
  });
}

function addShareCommand(projects: Command, context: CommandContext): void {
  addCommand<ShareOptions>(projects, context, {
    usage: 'share <project>',
    summary: 'Make a link that shows the head for ever, whatever is saved later.',
    examples: [
      'project share 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --expected-version 3',
      'project share 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --expected-version 3 --content kinase.json',
    ],
    configure: (command) =>
      keyed(expecting(command))
        .option('--content <file>', 'content that is saved first and then shared')
        .option('--message <text>', 'what the saved revision is about', someText(LONGEST_MESSAGE)),
    run: async (cli, { expectedVersion, content: file, message, idempotencyKey }, [project = '']) => {
      const projectId = id(project);
      const request = {
        expectedVersion,
        ...(file === undefined ? {} : { content: await readContent(cli, file) }),
        ...(message === undefined ? {} : { message }),
      };
      const { data } = await changed(cli, (api) => api.share(projectId, request, keyOf(idempotencyKey)));
      const { apiUrl } = findCaller(cli.env, cli.folder);
      return {
        data,
        text: `${printable(data.share === null ? null : sharedAt(apiUrl, data.share.token))}\n`,
      };
    },
  });
}

function addRevokeCommand(projects: Command, context: CommandContext): void {
  addCommand<Expecting & { readonly share?: string }>(projects, context, {
    usage: 'revoke <project>',
    summary: 'End the shares of a project, or one of them, at once and for everybody.',
    examples: [
      'project revoke 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --expected-version 3',
      'project revoke 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11 --expected-version 3 --share 0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a12',
    ],
    configure: (command) =>
      expecting(command).option('--share <id>', 'the one share to end (default: all of them)', id),
    run: async (cli, { expectedVersion, share }, [project = '']) => {
      const projectId = id(project);
      const request = { expectedVersion, ...(share === undefined ? {} : { shareId: share }) };
      return changed(cli, (api) => api.revoke(projectId, request));
    },
  });
}

/** Makes a change and shows the project; where the head is another one, the error says how to go on. */
async function changed(
  cli: CommandContext,
  change: (projects: Projects) => Promise<ProjectResponse>,
): Promise<CommandResult & { readonly data: ProjectResponse }> {
  const { apiUrl } = findCaller(cli.env, cli.folder);
  const project = await withService(cli, 'long', ({ projects }) => change(projects)).catch(
    (error: unknown) => {
      throw withWayOn(error);
    },
  );
  return { data: project, text: projectText(project, apiUrl) };
}

function withWayOn(error: unknown): unknown {
  if (!(error instanceof ClientError) || error.currentVersion === null) return error;
  const { currentVersion, code } = error;
  const advice = `Nothing was changed. Look at what was saved meanwhile with project show --content FILE; to go on, repeat the command with --expected-version ${currentVersion}.`;
  return new CommandProblem(EXIT.refused, code, `${error.message} ${advice}`, error);
}

function keyOf(idempotencyKey: string | undefined): Keyed {
  return idempotencyKey === undefined ? {} : { idempotencyKey };
}

function readContent(cli: CommandContext, file: string): Promise<SaveProjectRequest['content']> {
  return readObject(cli, file);
}

function missing(message: string): CommandProblem {
  return new CommandProblem(EXIT.refused, 'USAGE_MISSING', message);
}
