/** `dockyard tools`: the packs of programs that tools run, on this machine. */
import { resolve } from 'node:path';

import type { Command } from 'commander';

import { cachedPacks, packsFolder } from '../packs/cache.ts';
import { findBuilds } from '../packs/find.ts';
import { installPack, removePack, verifyPack } from '../packs/install.ts';
import type { PackDefinition, PackPlaces } from '../packs/pack.ts';
import { PackMissingError, PackRefusedError } from '../packs/problems.ts';
import { addCommand, addGroup } from './command.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { TOOLS_GROUP } from './operator-groups.ts';
import { createPackBar } from './pack-bar.ts';
import { CommandProblem, EXIT } from './problems.ts';
import { facts, table } from './table.ts';
import { bytesText } from './upload-bar.ts';

interface InstallArguments {
  readonly from?: string;
}

/** Adds the commands on packs. */
export function addToolsCommands(
  program: Command,
  context: CommandContext,
  packs: readonly PackDefinition[],
): void {
  const group = addGroup(program, TOOLS_GROUP.name, TOOLS_GROUP.summary);
  const named = (name: string): PackDefinition => packNamed(packs, name);
  addCommand(group, context, {
    usage: 'list',
    summary: 'List the packs: which are installed, from where, and how large they are. Each is run once.',
    examples: ['tools list', 'tools list --json'],
    run: (cli) => list(cli, packs),
  });
  addCommand<InstallArguments>(group, context, {
    usage: 'install <name>',
    summary: 'Install a pack into the cache of this user, without root. Safe to repeat and to interrupt.',
    examples: [
      ...packs.slice(0, 1).map(({ name }) => `tools install ${name}`),
      ...packs.slice(0, 1).map(({ name }) => `tools install ${name} --from downloads/`),
    ],
    configure: (command) =>
      command.option(
        '--from <file|folder>',
        'take the pinned files from here and not from the network; their SHA-256 must be the pinned one',
      ),
    run: (cli, options, [name = '']) => install(cli, named(name), options),
  });
  addCommand(group, context, {
    usage: 'verify [name]',
    summary:
      'Read every file of the installed packs again and run their programs; exits 1 when one is damaged, and 3 when the named one is not installed.',
    examples: ['tools verify', ...packs.slice(0, 1).map(({ name }) => `tools verify ${name}`)],
    run: (cli, _options, [name]) => (name === undefined ? verify(cli, packs) : verifyNamed(cli, named(name))),
  });
  addCommand(group, context, {
    usage: 'remove <name>',
    summary: 'Remove a pack from the cache of this user. Its simulators are no longer offered.',
    examples: packs.slice(0, 1).map(({ name }) => `tools remove ${name}`),
    run: (cli, _options, [name = '']) => remove(cli, named(name)),
  });
}

/** @throws CommandProblem that names the packs there are. */
function packNamed(packs: readonly PackDefinition[], name: string): PackDefinition {
  const pack = packs.find((each) => each.name === name.toLowerCase());
  if (pack !== undefined) return pack;
  const known = packs.map((each) => each.name).join(', ');
  const message = `There is no pack ${name}. Packs: ${known === '' ? 'none' : known}.`;
  throw new CommandProblem(EXIT.refused, 'USAGE_UNKNOWN_PACK', message);
}

function placesOf({ env }: CommandContext): PackPlaces {
  return { folder: packsFolder(env), environment: env };
}

async function list(context: CommandContext, packs: readonly PackDefinition[]): Promise<CommandResult> {
  const places = placesOf(context);
  const rows = await Promise.all(packs.map((pack) => rowsOf(pack, places)));
  const text = table(
    [
      { title: 'NAME', value: nameOf },
      { title: 'VERSION', value: (row) => row.version },
      { title: 'INSTALLED', value: (row) => (row.installed ? `yes (${row.source ?? ''})` : 'no') },
      { title: 'SIZE', value: (row) => sizeText(row), align: 'right' },
      { title: 'LICENCE', value: (row) => row.licence },
      { title: 'WHERE', value: (row) => row.folder ?? row.problem },
    ],
    rows.flat(),
  );
  return { data: { packs: rows.flat() }, text };
}

/** A pack as the list shows it, and each of its variants. */
async function rowsOf(pack: PackDefinition, places: PackPlaces) {
  const { name, title, version, licence } = pack;
  const [builds, cached] = await Promise.all([findBuilds(pack, places), cachedPacks(places.folder, pack)]);
  const sizeBytes = cached.reduce((sum, { record }) => sum + (record?.sizeBytes ?? 0), 0);
  return builds.map(({ variant, found }) => ({
    name,
    variant,
    title,
    version: found.pack?.version ?? version,
    licence: licence.name,
    installed: found.pack !== null,
    source: found.pack?.source ?? null,
    folder: found.pack?.folder ?? null,
    digest: found.pack?.digest ?? null,
    sizeBytes: cached.length === 0 ? null : sizeBytes,
    downloadBytes: downloadBytesOf(pack),
    problem: found.problem?.message ?? null,
  }));
}

/** The name of a pack, with its variant. */
function nameOf({ name, variant }: { readonly name: string; readonly variant: string | null }): string {
  return variant === null ? name : `${name}/${variant}`;
}

/** The size of a pack; of one that is not here what is fetched of it, and of the site's own program none. */
function sizeText(row: { readonly sizeBytes: number | null; readonly downloadBytes: number | null }): string {
  if (row.sizeBytes !== null) return bytesText(row.sizeBytes);
  return row.downloadBytes === null ? 'your own' : `${bytesText(row.downloadBytes)} to fetch`;
}

/** The bytes that an install fetches; null for programs that a site brings itself. */
function downloadBytesOf({ way }: PackDefinition): number | null {
  if (way === null) return null;
  return 'packages' in way
    ? way.packages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    : way.downloadBytes;
}

async function install(
  context: CommandContext,
  pack: PackDefinition,
  { from }: InstallArguments,
): Promise<CommandResult> {
  const interruption = new AbortController();
  const unlisten = context.terminal.onInterrupt(() => interruption.abort());
  const bar = createPackBar(context.screen, pack.title);
  try {
    const { signal } = interruption;
    const options = {
      ...placesOf(context),
      from: from === undefined ? from : resolve(context.folder, from),
      progress: bar,
      signal,
    };
    const { pack: found, isNew } = await installPack(pack, options);
    bar.end();
    const { name, version, digest, folder, source, programs, python } = found;
    const cached = (await cachedPacks(options.folder, pack)).find((each) => each.folder === folder);
    const sizeBytes = cached?.record?.sizeBytes ?? null;
    const data = { name, version, digest, folder, source, programs, python, sizeBytes, isNew };
    const text = `${isNew ? 'Installed' : 'Already there'}:\n${facts([
      ['pack', `${name} ${version} (${source})`],
      ['folder', folder],
      ...(sizeBytes === null ? [] : [['size', bytesText(sizeBytes)] as const]),
      ['digest', digest],
    ])}`;
    return { data, text };
  } catch (error) {
    bar.end();
    if (interruption.signal.aborted) {
      throw new CommandProblem(EXIT.interrupted, 'INTERRUPTED', 'Interrupted; nothing was installed.', error);
    }
    throw problemOf(error);
  } finally {
    unlisten();
  }
}

/** Describes a failed install: a command can mend what the machine lacks, and nothing mends wrong files. */
function problemOf(error: unknown): unknown {
  if (error instanceof PackRefusedError) {
    return new CommandProblem(EXIT.refused, 'PACK_REFUSED', `${error.message}.`, error);
  }
  if (!(error instanceof PackMissingError)) return error;
  const reasons = error.reasons.map((reason) => `\n  ${reason}`).join('');
  const message = `${error.message} cannot be installed here:${reasons}\n  What helps: ${error.command}`;
  return new CommandProblem(EXIT.missing, 'PACK_NOT_INSTALLED', message, error);
}

async function verify(context: CommandContext, packs: readonly PackDefinition[]) {
  const places = placesOf(context);
  const results = (await Promise.all(packs.map((pack) => verifyPack(pack, places)))).flat();
  const isSound = results.every(({ problem }) => problem === null);
  const text =
    results.length === 0
      ? 'No pack is installed.\n'
      : table(
          [
            { title: 'NAME', value: nameOf },
            { title: 'VERSION', value: (row) => row.version },
            { title: 'DIGEST', value: (row) => row.digest },
            { title: 'RESULT', value: (row) => row.problem ?? 'as installed, and runs' },
          ],
          results,
        );
  return { data: { ok: isSound, packs: results }, text, exitCode: isSound ? EXIT.ok : EXIT.failed };
}

/** @throws CommandProblem when the pack is not installed. */
async function verifyNamed(context: CommandContext, pack: PackDefinition): Promise<CommandResult> {
  const result = await verify(context, [pack]);
  if (result.data.packs.length > 0) return result;
  const message = `${pack.title} is not installed. Install it with: dockyard tools install ${pack.name}`;
  throw new CommandProblem(EXIT.missing, 'PACK_NOT_INSTALLED', message);
}

async function remove(context: CommandContext, pack: PackDefinition): Promise<CommandResult> {
  const bar = createPackBar(context.screen, pack.title);
  const removed = await removePack(pack, placesOf(context), bar);
  bar.end();
  const text =
    removed.length === 0
      ? `${pack.name} is not in the cache; nothing was removed.\n`
      : `Removed ${removed.join(', ')}\n`;
  return { data: { name: pack.name, removed }, text };
}
