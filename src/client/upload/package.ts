/**
 * A folder as a project package. Everything is looked at before the first byte is sent: a name that cannot be a
 * logical path refuses the whole folder, what has no bytes of its own to send is left out and named. Links are
 * followed where they stay inside the folder; a package holds the files themselves.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { CLIENT_CODES, localError } from '../errors.ts';

/** A file of a folder and its place in the package. */
export interface PackageFile {
  readonly path: string;
  readonly logicalPath: string;
  readonly sizeBytes: number;
}

/** An entry of a folder that is not part of the package, and why. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** The files of a folder that make the package, and the entries that are left out. */
export interface PackagePlan {
  readonly files: readonly PackageFile[];
  readonly leftOut: readonly LeftOut[];
}

/** The longest path that the service takes, in characters (code points). */
const MOST_PATH_CHARACTERS = 1024;
const NAMED = 10;

/**
 * Looks through a folder.
 * @throws ClientError PACKAGE_INVALID, FILE_UNREADABLE.
 */
export async function planPackage(folder: string): Promise<PackagePlan> {
  const root = await realpath(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  const walk: Walk = { root, files: [], leftOut: [], problems: [] };
  await look(walk, { path: root, segments: [], above: new Set([root]) });
  const { files, leftOut } = walk;
  const problems = [...walk.problems, ...doublesOf(files)];
  if (problems.length > 0) throw invalid(folder, problems);
  return { files, leftOut };
}

interface Walk {
  readonly root: string;
  readonly files: PackageFile[];
  readonly leftOut: LeftOut[];
  readonly problems: string[];
}

interface Place {
  readonly path: string;
  readonly segments: readonly string[];
  /** Real paths of the folders that it is in. */
  readonly above: ReadonlySet<string>;
}

async function look(walk: Walk, { path, segments, above }: Place): Promise<void> {
  const names = await readdir(path, { encoding: 'buffer' }).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  for (const bytes of names.sort((one, other) => Buffer.compare(one, other))) {
    const name = textOf(bytes);
    const problem = name === null ? 'the name is not UTF-8' : problemOf(name);
    if (name !== null && problem === null)
      await lookAt(walk, { path: join(path, name), segments: [...segments, name], above });
    else walk.problems.push(`${shownAs([...segments, bytes.toString('utf8')])}: ${problem ?? ''}`);
  }
}

async function lookAt(walk: Walk, { path, segments, above }: Place): Promise<void> {
  const logicalPath = segments.join('/');
  const leave = (reason: string): void => {
    walk.leftOut.push({ path: logicalPath, reason });
  };
  const real = await realpath(path).catch(() => null);
  if (real === null) {
    leave('a link that leads nowhere');
    return;
  }
  if (!isWithin(walk.root, real)) {
    leave('a link that leads out of the folder');
    return;
  }
  const facts = await stat(real);
  if (facts.isDirectory()) {
    if (above.has(real)) leave('a link to a folder that it is in');
    else await look(walk, { path, segments, above: new Set([...above, real]) });
  } else if (!facts.isFile()) leave('neither a file nor a folder');
  else if (facts.size === 0) leave('an empty file');
  else {
    const problem = pathProblem(logicalPath);
    if (problem !== null) walk.problems.push(`${shownAs(segments)}: ${problem}`);
    walk.files.push({ path, logicalPath, sizeBytes: facts.size });
  }
}

/** Why the service would refuse a logical path for its length; null when it would not. */
export function pathProblem(logicalPath: string): string | null {
  return Array.from(logicalPath).length > MOST_PATH_CHARACTERS
    ? `longer than ${MOST_PATH_CHARACTERS} characters`
    : null;
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function shownAs(segments: readonly string[]): string {
  return JSON.stringify(segments.join('/'));
}

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

function problemOf(name: string): string | null {
  if (name.includes('\\')) return 'the name holds a backslash';
  return /\p{Cc}/u.test(name) ? 'the name holds a control character' : null;
}

/** Names that differ only in how their accents are written are one name to the service. */
function doublesOf(files: readonly PackageFile[]): readonly string[] {
  const seen = new Map<string, string>();
  const doubles: string[] = [];
  for (const { logicalPath } of files) {
    const form = logicalPath.normalize('NFC');
    if (seen.has(form)) doubles.push(`${JSON.stringify(logicalPath)}: another file has the same name`);
    seen.set(form, logicalPath);
  }
  return doubles;
}

function invalid(folder: string, problems: readonly string[]): Error {
  const more = problems.length > NAMED ? ` and ${problems.length - NAMED} more` : '';
  return localError(
    CLIENT_CODES.packageInvalid,
    `${folder} cannot be a project package: ${problems.slice(0, NAMED).join('; ')}${more}. Nothing was sent.`,
  );
}

function unreadable(path: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return localError(CLIENT_CODES.fileUnreadable, `${path} cannot be read: ${reason}`, error);
}
