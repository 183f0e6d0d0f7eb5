/**
 * The way of sources: an archive or a folder whose files have the pinned digest is built and the named files are kept.
 * Only the pinned files reach the build, so nothing else that lies in an archive or folder can change it.
 */
import { cp, mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';

import { noteGroup } from './cache.ts';
import { describeFiles, digestOfSources, sha256OfFile } from './digest.ts';
import { downloadFile } from './download.ts';
import type { BuildStep, SourceWay } from './pack.ts';
import { PackMissingError, PackRefusedError, textOf } from './problems.ts';
import { complaintOf, findProgram, runProgram } from './run.ts';
import type { WayContext } from './way.ts';

const UNPACK_SECONDS = 300;
const BUILD_SECONDS = 1_800;
/** The variables of the caller that a build may see; flags for compilers are not among them. */
const KEPT_VARIABLES = ['PATH', 'HOME', 'TMPDIR'];

/** Builds the pack into `made`. @throws PackMissingError, PackRefusedError, Error with the reason. */
export async function installFromSource(way: SourceWay, context: WayContext): Promise<void> {
  const { work, made, environment } = context;
  await expectPrograms(way, environment['PATH']);
  const sources = join(work, 'sources');
  await mkdir(sources);
  await bringSources(way, context, sources);
  for (const [path, text] of Object.entries(way.added)) {
    await mkdir(dirname(join(sources, path)), { recursive: true });
    await writeFile(join(sources, path), text);
  }
  for (const [index, step] of way.steps.entries()) {
    context.progress.step(`building, step ${index + 1} of ${way.steps.length}: ${step.program}`);
    await build(step, context, sources);
  }
  for (const [target, path] of Object.entries(way.kept)) {
    // What an optional step did not make is missing; a missing program is found by the proof.
    if (!existsSync(join(sources, path))) continue;
    await mkdir(dirname(join(made, target)), { recursive: true });
    await rename(join(sources, path), join(made, target));
  }
}

async function expectPrograms({ needs }: SourceWay, path: string | undefined): Promise<void> {
  const missing: string[] = [];
  for (const name of [...needs.programs, 'tar', 'xz']) {
    if ((await findProgram(name, path)) === null) missing.push(name);
  }
  if (missing.length === 0) return;
  const reason = `the build needs ${missing.join(', ')}, which ${missing.length === 1 ? 'is' : 'are'} not on PATH`;
  throw new PackMissingError('a compiler', needs.command, [reason]);
}

async function bringSources(way: SourceWay, context: WayContext, sources: string): Promise<void> {
  const { from, work, progress, environment, signal } = context;
  if (from !== null && (await stat(from)).isDirectory()) {
    await takeContents(way, from, sources, cpInto).catch((error: unknown) => {
      if (!(error instanceof PackRefusedError)) throw error;
      const { title, version } = context.pack;
      throw new PackRefusedError(
        `${from} does not hold the sources of ${title} ${version}: ${error.message}`,
      );
    });
    return;
  }
  let file = from;
  if (file === null) {
    file = join(work, 'archive');
    progress.step(`downloading the sources from ${new URL(way.url).host}`);
    try {
      await downloadFile(way.url, file, { environment, progress, signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw new PackMissingError('the sources', helpWithSources(way, context.pack.name), [textOf(error)]);
    }
  }
  const sha256 = await sha256OfFile(file);
  progress.step('unpacking the sources');
  const unpacked = join(work, 'unpacked');
  await mkdir(unpacked);
  await unpackArchive(file, unpacked, context);
  const names = await readdir(unpacked);
  const top = names.length === 1 && names[0] !== undefined ? join(unpacked, names[0]) : unpacked;
  await takeContents(way, top, sources, rename).catch((error: unknown) => {
    if (!(error instanceof PackRefusedError)) throw error;
    const pinned = `neither the pinned archive ${way.archive.file} (SHA-256 ${way.archive.sha256}) nor another archive of its files`;
    throw new PackRefusedError(`${file} with SHA-256 ${sha256} is ${pinned}: ${error.message}`);
  });
}

/** Unpacks an archive; what cannot be unpacked is not what was pinned. */
export async function unpackArchive(file: string, folder: string, context: WayContext): Promise<void> {
  const tar = await findProgram('tar', context.environment['PATH']);
  if (tar === null)
    throw new PackMissingError('tar', '`apt-get install tar xz-utils`', ['tar is not on PATH']);
  const run = await runProgram({
    ...{ file: tar, args: ['-x', '--no-same-owner', '-f', resolve(file), '-C', folder] },
    environment: keptOf(context.environment),
    timeoutSeconds: UNPACK_SECONDS,
    signal: context.signal,
  });
  if (run.exitCode === 0) return;
  // What tar says first is what it found wrong.
  const complaint = run.stderr.trim().split('\n')[0] ?? '';
  throw new PackRefusedError(`${file} is no archive that can be unpacked: ${complaint}`);
}

/** Takes the pinned files out of a folder. @throws PackRefusedError when they are not the pinned ones. */
async function takeContents(
  { contents }: SourceWay,
  folder: string,
  sources: string,
  take: (from: string, to: string) => Promise<void>,
): Promise<void> {
  for (const path of contents.paths) {
    if (!existsSync(join(folder, path))) throw new PackRefusedError(`it has no ${path}`);
    await mkdir(dirname(join(sources, path)), { recursive: true });
    await take(join(folder, path), join(sources, path));
  }
  // The digest is taken of the files that are built, after they were taken, so that no later change counts.
  const digest = digestOfSources(await describeFiles(sources, contents.paths));
  if (digest === contents.sha256) return;
  throw new PackRefusedError(`the SHA-256 over its files is ${digest}, not the pinned ${contents.sha256}`);
}

async function cpInto(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

async function build(step: BuildStep, context: WayContext, sources: string): Promise<void> {
  const { environment, progress, signal, work } = context;
  const file = await findProgram(step.program, environment['PATH']);
  if (file === null && step.isOptional) return;
  if (file === null) throw new Error(`${step.program} is not on PATH`);
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(step.environment ?? {})) {
    own[name] = value.replaceAll('{folder}', sources);
  }
  let lines = 0;
  const run = await runProgram({
    ...{ file, args: step.args, folder: sources, timeoutSeconds: BUILD_SECONDS, signal },
    environment: { ...keptOf(environment), LC_ALL: 'C', ...own },
    onStart: (pid) => noteGroup(work, pid),
    onLine: () => progress.detail(`${++lines} lines`),
  });
  if (run.exitCode === 0 || step.isOptional) return;
  throw new Error(`${step.program} ${step.args.join(' ')}: ${complaintOf(run)}`);
}

function helpWithSources(way: SourceWay, name: string): string {
  return `fetch ${way.url} on a machine that reaches it, then \`dockyard tools install ${name} --from FILE\``;
}

/** The variables of the caller that programs of an install may see. */
export function keptOf(environment: WayContext['environment']): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_VARIABLES) {
    const value = environment[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
