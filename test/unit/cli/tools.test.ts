// `dockyard tools` with a toy pack: what it prints, and its exit codes.
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';
import { Command } from 'commander';

import type { CommandContext } from '../../../src/cli/command.ts';
import { reportOf } from '../../../src/cli/problems.ts';
import { findSettings } from '../../../src/cli/settings.ts';
import { noTerminal } from '../../../src/cli/terminal.ts';
import { addToolsCommands } from '../../../src/cli/tools.ts';
import { makeToyPack } from '../../support/toy-pack.ts';
import type { ToyPack } from '../../support/toy-pack.ts';

describe('dockyard tools', function () {
  this.timeout(120_000);
  let toy: ToyPack;
  beforeEach(async () => (toy = await makeToyPack()));
  afterEach(() => toy.remove());

  const dockyard = async (...argv: string[]) => {
    const printed = { out: '', err: '' };
    let exitCode = 0;
    // The cache of a user whose home is the folder of the test.
    const env = { PATH: process.env['PATH'], HOME: toy.root };
    const screen = { isTTY: false, columns: 80, write: (text: string) => void (printed.err += text) };
    const context: CommandContext = {
      ...{ settings: findSettings(env, toy.root), env, folder: toy.root, screen },
      terminal: noTerminal((text) => (printed.err += text)),
      progress: () => undefined,
      write: (text) => (printed.out += text),
      exitWith: (code) => (exitCode = code),
    };
    const program = new Command('dockyard').exitOverride().configureOutput({ writeErr: () => undefined });
    addToolsCommands(program, context, [toy.pack]);
    try {
      await program.parseAsync(['tools', ...argv], { from: 'user' });
    } catch (error) {
      const report = reportOf(error);
      return {
        ...printed,
        exitCode: report?.exitCode ?? 0,
        code: report?.code,
        message: report?.message ?? '',
      };
    }
    return { ...printed, exitCode, code: undefined, message: '' };
  };

  it('installs, lists, verifies and removes, with sizes and steps', async () => {
    const before = await dockyard('list');
    expect(before.out).to.match(/toy +1\.0 +no +[\d.,]+ k?B to fetch/);
    const install = await dockyard('install', 'toy', '--from', 'toy-1.0');
    expect(install).to.include({ exitCode: 0 });
    expect(install.out).to.match(/Installed:\npack +toy 1\.0 \(cache\)/);
    expect(install.err).to.contain('unpacking toy').and.contain('running what was installed');
    const { packs } = JSON.parse((await dockyard('list', '--json')).out);
    expect(packs).to.have.length(1);
    expect(packs[0]).to.include({ name: 'toy', installed: true, source: 'cache', problem: null });
    expect(packs[0].sizeBytes).to.be.greaterThan(1_000);
    expect((await dockyard('verify')).out).to.contain('as installed, and runs');
    expect((await dockyard('remove', 'toy')).out).to.contain('Removed');
    expect((await dockyard('verify')).out).to.equal('No pack is installed.\n');
    const missing = await dockyard('verify', 'toy');
    expect(missing).to.include({ exitCode: 3, code: 'PACK_NOT_INSTALLED', out: '' });
    expect(missing.message).to.contain('dockyard tools install toy');
  });

  it('exits 3 with the command that helps when the machine lacks something', async () => {
    const failed = await dockyard('install', 'toy');
    expect(failed).to.include({ exitCode: 3, code: 'PACK_NOT_INSTALLED' });
    expect(failed.message).to.contain('What helps: `apt-get update`').and.contain('--from FOLDER');
  });

  it('exits 2 for files that are not pinned and for names of no pack, and 1 for a damaged pack', async () => {
    await dockyard('install', 'toy', '--from', 'toy-1.0');
    const folder = join(toy.root, '.cache', 'dockyard', 'tools', 'packs', 'toy', '1.0-debian');
    await appendFile(join(folder, 'bin', 'toy'), 'x');
    const damaged = await dockyard('verify', 'toy');
    expect(damaged.exitCode).to.equal(1);
    expect(damaged.out).to.contain('bin/toy is not as it was installed');
    await appendFile(toy.package, '\n');
    const refused = await dockyard('install', 'toy', '--from', 'toy-1.0');
    expect(refused).to.include({ exitCode: 2, code: 'PACK_REFUSED' });
    const unknown = await dockyard('install', 'other');
    expect(unknown).to.include({ exitCode: 2, code: 'USAGE_UNKNOWN_PACK' });
    expect(unknown.message).to.equal('There is no pack other. Packs: toy.');
    const nowhere = await dockyard('install', 'toy', '--from', 'nowhere');
    expect(nowhere).to.include({ exitCode: 2, code: 'PACK_REFUSED' });
    await mkdir(join(toy.root, 'empty'));
    const empty = await dockyard('install', 'toy', '--from', 'empty');
    expect(empty.message).to.match(
      /empty does not hold these pinned files of packages:\s+toy 1\.0, SHA-256 [0-9a-f]{64}/,
    );
  });
});
