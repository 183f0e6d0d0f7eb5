import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    const result = setUp(['--for', 'start', '--skip', 'download,go,wheel']);
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

  function python(file: string, version: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `#!/bin/sh\necho 'is cpython ${version}' >&2\nexit 1\n`);
    chmodSync(file, 0o755);
  }

  function toolsOnPath(): void {
    program(join(folder, 'bin', 'temporal'), 'temporal version 1.5.1', allFlags);
    program(join(folder, 'bin', 'versitygw'), 'Version : v1.8.0', '--health posix --port');
  }

  it('names the missing Python, its version and the command that gets it, and exits 3', () => {
    toolsOnPath();
    const result = setUp(['--for', 'demo', '--skip', 'download'], { DOCKYARD_PYTHON: join(folder, 'none') });
    expect(result.status, result.stderr).to.equal(3);
    expect(result.stderr).to.contain('missing: Python 3.11');
    expect(result.stderr).to.match(/get it with: `(apt-get|brew) install python@?3\.11/);
  });

  it('says of a Python that cannot be used why', () => {
    toolsOnPath();
    const file = join(folder, 'bin', 'python3');
    python(file, '3.12');
    const result = setUp(['--for', 'demo', '--skip', 'download'], { DOCKYARD_PYTHON: file });
    expect(result.status).to.equal(3);
    expect(result.stderr).to.contain(`${file} is cpython 3.12`);
  });

  it('takes an environment from the cache only when it was made to its end and its Python is there', () => {
    const digest = createHash('sha256').update(
      readFileSync(join(projectRoot, 'science/autodock-vina/requirements.lock')),
    );
    const made = join(folder, 'cache/dockyard/tools/science', digest.digest('hex').slice(0, 16));
    const file = join(made, 'bin', 'python');
    python(file, '3.11');
    expect(setUp(['--where', 'science-python']).status).to.equal(3);
    writeFileSync(join(made, '.complete'), '');
    expect(setUp(['--where', 'science-python']).stdout.trim()).to.equal(file);
    rmSync(file);
    symlinkSync(join(folder, 'uninstalled', 'python3.11'), file);
    expect(setUp(['--where', 'science-python']).status).to.equal(3);
  });

  it('refuses an argument it does not know with exit code 2 and its usage', () => {
    const result = setUp(['--fast']);
    expect(result.status).to.equal(2);
    expect(result.stderr).to.contain('Usage:');
  });

  it('makes every Python environment by one way, with what its list needs, whoever asks for it', () => {
    const [log, file] = [join(folder, 'log'), join(folder, 'python3.11')];
    // A Python that makes an environment of itself, in which pip installs an uv that does so, too; both note what they are asked for.
    const parts = [
      `echo "$@" >> ${log}`,
      '[ "$2 $3" = "-m venv" ] && mkdir -p "$4/bin" && cp "$0" "$4/bin/python"',
      '[ "$2 $3 $4" = "-m pip install" ] && cp "$0" "$(dirname "$0")/uv"',
      '[ "$1" = venv ] && mkdir -p "$6/bin" && cp "$0" "$6/bin/python"',
      `[ "$2 $3 $4" = "-m pip config" ] && echo ":env:.index-url='https://packages.example.org/simple'"`,
      'exit 0',
    ];
    writeFileSync(file, `#!/bin/sh\n${parts.join('\n')}\n`);
    chmodSync(file, 0o755);
    const lock = 'science/autodock-vina/requirements.lock';
    const env = { DOCKYARD_PYTHON: file, PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
    const made = setUp(['--environment', lock], env);
    if (`${process.platform}-${process.arch}` !== 'linux-x64') {
      expect(made.status).to.equal(3);
      return;
    }
    expect(made.status, made.stderr).to.equal(0);
    const asked = readFileSync(log, 'utf8');
    expect(asked).to.match(/-m pip install [^\n]*scripts\/lib\/uv\.lock/);
    expect(asked).to.match(
      /^pip install [^\n]*--require-hashes [^\n]*--default-index https:\/\/packages\.example\.org\/simple [^\n]*requirements\.lock$/m,
    );
    expect(asked).to.contain('import biotite, ').and.contain('vina\n');
    expect(setUp(['--where', 'science-python'], env).stdout).to.equal(made.stdout);
    const again = setUp(['--environment', lock], env);
    expect([again.status, again.stdout]).to.deep.equal([0, made.stdout]);
    expect(readFileSync(log, 'utf8'), 'the second time nothing is run').to.equal(asked);
  });
});
