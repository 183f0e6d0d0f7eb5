import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../src/stack/tools.ts';

describe('set-up script', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-unit-setup-'));
    mkdirSync(join(folder, 'bin'));
    symlinkSync(process.execPath, join(folder, 'bin', 'node'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function setUp(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
  ): SpawnSyncReturns<string> {
    return spawnSync(process.execPath, [join(projectRoot, 'scripts', 'setup.mjs'), ...args], {
      encoding: 'utf8',
      env: { PATH: join(folder, 'bin'), HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), ...environment },
    });
  }

  function program(file: string, version: string, help: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\ncase "$1" in --version) echo "${version}";; *) echo "${help}";; esac\n`);
    chmodSync(file, 0o755);
  }

  const allFlags = '--db-filename --search-attribute --ui-port --ip';

  it('names the missing tool, its version and the command that gets it, and exits 3', () => {
    const result = setUp(['--for', 'start', '--skip', 'download,go']);
    expect(result.status, result.stderr).to.equal(3);
    expect(result.stderr).to.match(/Temporal CLI 1\.5\.1/);
    expect(result.stderr).to.contain('go install github.com/temporalio/cli/cmd/temporal@v1.5.1');
  });

  it('takes a tool from PATH when it is the pinned version or a later one and can do what is needed', () => {
    const file = join(folder, 'bin', 'temporal');
    program(file, 'temporal version 1.6.0', allFlags);
    expect(setUp(['--where', 'temporal']).stdout.trim()).to.equal(file);
  });

  it('takes a source build without a version when it can do what is needed', () => {
    const file = join(folder, 'bin', 'temporal');
    program(file, 'temporal version 0.0.0-DEV', allFlags);
    expect(setUp(['--where', 'temporal']).stdout.trim()).to.equal(file);
  });

  it('passes over one that is too old, too new or lacks an option, and uses the cache', () => {
    const cached = join(folder, 'cache', 'dockyard', 'tools', 'temporal', '1.5.1', 'temporal');
    program(cached, 'temporal version 1.5.1', allFlags);
    for (const [version, help] of [
      ['1.5.0', allFlags],
      ['2.0.0', allFlags],
      ['1.5.1', '--ip'],
    ] as const) {
      program(join(folder, 'bin', 'temporal'), `temporal version ${version}`, help);
      expect(setUp(['--where', 'temporal']).stdout.trim()).to.equal(cached);
    }
  });

  it('refuses an argument it does not know with exit code 2 and its usage', () => {
    const result = setUp(['--fast']);
    expect(result.status).to.equal(2);
    expect(result.stderr).to.contain('Usage:');
  });
});
