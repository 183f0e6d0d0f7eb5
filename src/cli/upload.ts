/**
 * `dockyard upload`: files and folders to the service. The storage keys go to standard output, one a line, as each
 * file is stored; progress goes to the screen. Ctrl-C keeps what was sent, and the same command goes on from there.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';

import { CLIENT_CODES, ClientError, createClient, uploadStateFolder } from '../client/index.ts';
import type { Client, FileUpload, LeftOut, UploadedFile, UploadOptions } from '../client/index.ts';
import { VERSION } from '../version.ts';
import { id, wholeNumber } from './arguments.ts';
import { addCommand } from './command.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { clientFor, findCaller, withCallerAdvice } from './customer/service.ts';
import { CommandProblem, EXIT } from './problems.ts';
import { printable } from './table.ts';
import { createUploadBar } from './upload-bar.ts';

interface UploadCommandOptions {
  readonly checksum?: true;
  readonly project?: string;
  readonly concurrency?: number;
  readonly partSize?: number;
  readonly again?: true;
  readonly abort?: true;
}

/** A file that was stored, as it is told. */
interface Stored extends UploadedFile {
  /** Path of the file as named on the command line. */
  readonly path: string;
  readonly logicalPath: string | null;
}

/** A file or folder on the command line. */
interface Source {
  readonly path: string;
  readonly place: string;
  readonly isFolder: boolean;
}

/** One run of the command: its surroundings, the client, the options and the package. */
interface Work {
  readonly context: CommandContext;
  readonly client: Client;
  readonly options: UploadOptions;
  /** Null: the files are in no package. */
  readonly projectId: string | null;
}

const MEBIBYTE = 1024 * 1024;
const MOST_PARTS_AT_ONCE = 64;
/** About three minutes of attempts, because uploads run over networks that come and go. */
const PATIENCE = { attempts: 20, longestPauseMs: 15_000 };

/** Adds the command on uploads. */
export function addUploadCommand(program: Command, context: CommandContext): void {
  addCommand<UploadCommandOptions>(program, context, {
    usage: 'upload <file...>',
    summary:
      'Upload files and print their storage keys; a folder becomes a project package. Large files go up in parts, several at once; the same command goes on where it was interrupted, even after a crash, and sends nothing twice.',
    examples: [
      'upload scene.blend',
      'upload database.fasta --checksum',
      'upload scene/ --project 01890a5d-ac96-774b-bcce-b302099a8057',
      'upload database.fasta --abort',
    ],
    configure: (command) =>
      command
        .option('--checksum', 'the store checks the SHA-256 of every part as it arrives, where it can')
        .option(
          '--project <id>',
          'project package that the files go to; a folder makes a new one without',
          id,
        )
        .option(
          '--concurrency <n>',
          'parts sent at once, at most (default: 16); memory has room for 5 of 8 MiB, and for all of those above 10 MiB, which are read twice; a busy store halves the number for a while',
          wholeNumber(1, MOST_PARTS_AT_ONCE),
        )
        .option(
          '--part-size <size>',
          'bytes of a part, such as 16MiB, at least 5MiB (default: 8MiB)',
          partSize,
        )
        .option('--again', 'send files again that are stored already')
        .option('--abort', 'end the unfinished upload of the files; the store keeps nothing of it'),
    run: (cli, options, paths) => upload(cli, options, paths),
  });
}

async function upload(
  context: CommandContext,
  options: UploadCommandOptions,
  paths: readonly string[],
): Promise<CommandResult> {
  const caller = findCaller(context.env, context.folder);
  const client = createClient({ ...caller, userAgent: `dockyard-cli/${VERSION}`, retry: PATIENCE });
  const sources = await Promise.all(paths.map((path) => sourceOf(context, path)));
  const projectId = projectOf(context, options, sources);
  const leaving = new AbortController();
  const stop = context.terminal.onInterrupt(() => leaving.abort());
  const work: Work = {
    context,
    client,
    projectId,
    options: {
      signal: leaving.signal,
      stateFolder: uploadStateFolder(context.env),
      checksum: options.checksum ?? false,
      skipStored: options.again !== true,
      ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
      ...(options.partSize === undefined ? {} : { partSize: options.partSize }),
    },
  };
  try {
    await knock(clientFor(caller, 'short'), leaving.signal);
    return options.abort === true ? await abortAll(work, sources) : await uploadAll(work, sources);
  } catch (error) {
    if (leaving.signal.aborted) throw interrupted(work, paths);
    throw withCallerAdvice(asRefusal(error), caller, context.env);
  } finally {
    stop();
  }
}

/** Calls the service once with few attempts, so that a wrong address or key is told in seconds, before a file is read. */
async function knock(client: Client, signal: AbortSignal): Promise<void> {
  await client.listUploads({ state: 'open', limit: 1 }, { signal }).next();
}

async function sourceOf(context: CommandContext, path: string): Promise<Source> {
  const place = resolve(context.folder, path);
  const facts = await stat(place).catch(() => null);
  return { path, place, isFolder: facts?.isDirectory() ?? false };
}

/**
 * The package that the files go to; null: none.
 * @throws CommandProblem when two of them would have one place in it.
 */
function projectOf(
  context: CommandContext,
  { project, abort }: UploadCommandOptions,
  sources: readonly Source[],
): string | null {
  const folder = sources.find((source) => source.isFolder);
  if (folder !== undefined && sources.length > 1)
    throw refused('A folder is a package of its own: upload it with a command of its own.');
  if (folder !== undefined && project === undefined && abort === true)
    throw refused('Say with --project which package the upload of the folder went to.');
  const names = sources.map(({ place }) => basename(place));
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (project !== undefined && double !== undefined)
    throw refused(`Two of the files are called ${double}; in a project each has a place of its own.`);
  if (project !== undefined || folder === undefined) return project ?? null;
  const made = randomUUID();
  // The id is printed before anything is sent, because an interrupted person needs the id to go on.
  context.progress(`${printable(folder.path)} becomes project ${made}`);
  return made;
}

function refused(message: string): CommandProblem {
  return new CommandProblem(EXIT.refused, CLIENT_CODES.packageInvalid, message);
}

async function uploadAll(work: Work, sources: readonly Source[]): Promise<CommandResult> {
  const stored: Stored[] = [];
  const leftOut: LeftOut[] = [];
  for (const source of sources) {
    const found = source.isFolder ? await uploadPackage(work, source) : await uploadOne(work, source);
    stored.push(...found.stored);
    leftOut.push(...found.leftOut);
  }
  for (const { path, reason } of leftOut) work.context.progress(`left out: ${printable(path)}, ${reason}`);
  const text = stored.map(({ storageKey }) => `${printable(storageKey)}\n`).join('');
  return { data: { projectId: work.projectId, uploads: stored, leftOut }, text };
}

interface Found {
  readonly stored: readonly Stored[];
  readonly leftOut: readonly LeftOut[];
}

async function uploadOne(work: Work, { path, place }: Source): Promise<Found> {
  const { context, client, options } = work;
  const bar = createUploadBar(context.screen, basename(place));
  try {
    const file = await client.upload(
      { path: place, ...placeIn(work, place) },
      { ...options, onProgress: bar.show },
    );
    bar.end(doneText([file]));
    return {
      stored: [{ path, logicalPath: placeIn(work, place).logicalPath ?? null, ...file }],
      leftOut: [],
    };
  } catch (error) {
    bar.end(null);
    throw error;
  }
}

async function uploadPackage({ context, client, options, projectId }: Work, source: Source): Promise<Found> {
  const { path, place } = source;
  const bar = createUploadBar(context.screen, basename(place));
  try {
    const { files, leftOut } = await client.uploadFolder(
      { path: place, ...(projectId === null ? {} : { projectId }) },
      { ...options, onProgress: bar.show },
    );
    bar.end(doneText(files));
    return { stored: files.map((file) => ({ path, ...file })), leftOut };
  } catch (error) {
    bar.end(null);
    throw error;
  }
}

async function abortAll(work: Work, sources: readonly Source[]): Promise<CommandResult> {
  const { client, options, projectId } = work;
  for (const { place, isFolder } of sources) {
    if (isFolder && projectId !== null) await client.abortFolder({ path: place, projectId }, options);
    else await client.abortUpload({ path: place, ...placeIn(work, place) }, options);
  }
  const aborted = sources.map(({ path }) => path);
  const text = aborted.map((path) => `The upload of ${printable(path)} is aborted.\n`).join('');
  return { data: { aborted }, text };
}

function placeIn({ projectId }: Work, place: string): Pick<FileUpload, 'projectId' | 'logicalPath'> {
  return projectId === null ? {} : { projectId, logicalPath: basename(place) };
}

function doneText(files: readonly UploadedFile[]): string {
  const skipped = files.filter((file) => file.skipped).length;
  if (files.length === 1) return skipped === 1 ? 'stored already' : 'stored';
  return skipped === 0 ? `${files.length} files stored` : `${files.length} files, ${skipped} stored already`;
}

/** Turns an error about a file of this machine into a refusal, because the caller can mend it. */
function asRefusal(error: unknown): unknown {
  const isLocal =
    error instanceof ClientError && error.status === 0 && error.code !== CLIENT_CODES.connectionLost;
  return isLocal ? new CommandProblem(EXIT.refused, error.code, error.message, error) : error;
}

function interrupted({ projectId, options }: Work, paths: readonly string[]): CommandProblem {
  const files = paths.map(quoted).join(' ');
  const project = projectId === null ? '' : ` --project ${projectId}`;
  // Without `--checksum` the command would begin a new upload.
  const checksum = options.checksum === true ? ' --checksum' : '';
  // Without `--again` a stored file would be taken for the file that was being sent.
  const again = options.skipStored === true ? '' : ' --again';
  const command = `dockyard upload ${files}${project}${checksum}${again}`;
  return new CommandProblem(
    EXIT.interrupted,
    'INTERRUPTED',
    `Interrupted. What was sent is kept for seven days. Go on with ${command}, or end it with --abort.`,
  );
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1000,
  m: 1e6,
  g: 1e9,
  ki: 1024,
  mi: MEBIBYTE,
  gi: 1024 * MEBIBYTE,
};

/** Reads a size in bytes. */
function partSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,15})\s*([kmg]i?)?b?$/i.exec(text.trim()) ?? [];
  const bytes = digits === '' ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
  if (Number.isSafeInteger(bytes) && bytes >= 5 * MEBIBYTE && bytes <= 5 * 1024 * MEBIBYTE) return bytes;
  throw new InvalidArgumentError('It is a size from 5MiB to 5GiB, such as 16MiB or 20000000.');
}
