/**
 * The way of Debian: exact package files, fetched by the system's own `apt-get download` and unpacked by `dpkg-deb -x`
 * into the pack, without root. A file counts by its SHA-256 alone, whatever its name and wherever it came from.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { noteGroup } from './cache.ts';
import { sha256OfFile } from './digest.ts';
import type { DebianPackage, DebianWay } from './pack.ts';
import { PackMissingError, PackRefusedError } from './problems.ts';
import { complaintOf, findProgram, runProgram } from './run.ts';
import type { WayContext } from './way.ts';

const FETCH_SECONDS = 1_800;
const UNPACK_SECONDS = 300;
const LOOK_MS = 300;
/** The variables of the caller that programs of an install may see. */
const KEPT_VARIABLES = ['PATH', 'HOME', 'TMPDIR'];
/** The variables that tell apt how to reach its sources. */
const APT_VARIABLES = ['APT_CONFIG', 'http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'no_proxy'];

/** Unpacks the packages into `made`. @throws PackMissingError, PackRefusedError, Error with the reason. */
export async function installFromDebian(way: DebianWay, context: WayContext): Promise<void> {
  const { from, work, made, progress, environment } = context;
  const help = helpOf(way, context.pack.name);
  const unpack = await findProgram('dpkg-deb', environment['PATH']);
  if (unpack === null) {
    throw new PackMissingError('dpkg-deb', help.elsewhere, ['dpkg-deb is not on PATH: this is no Debian']);
  }
  const files = join(work, 'files');
  await mkdir(files);
  if (from === null) await fetchPackages(way, context, files);
  else if (!(await stat(from)).isDirectory()) await unpackArchive(from, files, context);
  const folder = from !== null && (await stat(from)).isDirectory() ? from : files;
  const byDigest = await filesByDigest(folder);
  const missing = way.packages.filter(({ sha256 }) => !byDigest.has(sha256));
  if (missing.length > 0) throw new PackRefusedError(missingText(missing, from ?? 'the package source'));
  for (const { name, sha256 } of way.packages) {
    progress.step(`unpacking ${name}`);
    const run = await runProgram({
      file: unpack,
      args: ['-x', byDigest.get(sha256) ?? '', made],
      timeoutSeconds: UNPACK_SECONDS,
      environment: { ...pick(environment, KEPT_VARIABLES), LC_ALL: 'C' },
      signal: context.signal,
    });
    if (run.exitCode !== 0) throw new Error(`dpkg-deb could not unpack ${name}: ${complaintOf(run)}`);
  }
  for (const path of way.leftOut) await rm(join(made, path), { recursive: true, force: true });
}

async function fetchPackages(way: DebianWay, context: WayContext, folder: string): Promise<void> {
  const { work, environment, progress, signal } = context;
  const help = helpOf(way, context.pack.name);
  const apt = await findProgram('apt-get', environment['PATH']);
  if (apt === null) throw new PackMissingError('apt-get', help.elsewhere, ['apt-get is not on PATH']);
  const total = way.packages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  progress.step(`downloading ${way.packages.length} packages`);
  const look = setInterval(() => void bytesIn(folder).then((done) => progress.bytes(done, total)), LOOK_MS);
  try {
    const wanted = way.packages.map(({ name, version }) => `${name}=${version}`);
    // A sandbox user of apt cannot write into a folder of root; without root the option means nothing.
    const options = ['-q', '-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=1'];
    const run = await runProgram({
      file: apt,
      args: [...options, 'download', ...wanted],
      folder,
      timeoutSeconds: FETCH_SECONDS,
      signal,
      environment: { ...pick(environment, [...KEPT_VARIABLES, ...APT_VARIABLES]), LC_ALL: 'C' },
      onStart: (pid) => noteGroup(work, pid),
      onLine: (line) => progress.detail(line.trim()),
    });
    if (run.exitCode !== 0) throw new PackMissingError('the packages', help.here, [complaintOf(run)]);
  } finally {
    clearInterval(look);
  }
}

/** Unpacks an archive; what cannot be unpacked is not what was pinned. */
async function unpackArchive(file: string, folder: string, context: WayContext): Promise<void> {
  const tar = await findProgram('tar', context.environment['PATH']);
  if (tar === null)
    throw new PackMissingError('tar', '`apt-get install tar xz-utils`', ['tar is not on PATH']);
  const run = await runProgram({
    file: tar,
    args: ['-x', '--no-same-owner', '-f', resolve(file), '-C', folder],
    environment: pick(context.environment, KEPT_VARIABLES),
    timeoutSeconds: UNPACK_SECONDS,
    signal: context.signal,
  });
  if (run.exitCode === 0) return;
  // The first line of tar names the fault.
  const complaint = run.stderr.trim().split('\n')[0] ?? '';
  throw new PackRefusedError(`${file} is no archive that can be unpacked: ${complaint}`);
}

function pick(
  environment: WayContext['environment'],
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

async function filesByDigest(folder: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.deb')) continue;
    const file = join(folder, name);
    found.set(await sha256OfFile(file), file);
  }
  return found;
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    const facts = await stat(join(folder, name)).catch(() => null);
    if (facts?.isFile() === true) sum += facts.size;
  }
  return sum;
}

function missingText(missing: readonly DebianPackage[], place: string): string {
  const wanted = missing.map(({ name, version, sha256 }) => `\n  ${name} ${version}, SHA-256 ${sha256}`);
  return `${place} does not hold these pinned files of packages:${wanted.join('')}`;
}

/** The commands that help on this machine, and with another machine. */
function helpOf(way: DebianWay, name: string): { readonly here: string; readonly elsewhere: string } {
  const wanted = way.packages.map((each) => `${each.name}=${each.version}`).join(' ');
  const elsewhere = `\`apt-get download ${wanted}\` on a Debian 12 machine (amd64), then \`dockyard tools install ${name} --from FOLDER\` with these files`;
  return { here: `\`apt-get update\` where the package source is reached; or ${elsewhere}`, elsewhere };
}
