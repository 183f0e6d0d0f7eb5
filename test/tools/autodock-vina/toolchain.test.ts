import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { pythonPath } from '../../../src/tools/python-session.ts';
import { DOCKING_PACKAGES, toolchainSha256 } from '../../../src/tools/autodock-vina/toolchain.ts';

const SCIENCE = join(repositoryRoot, 'science');
const PROGRAM = `
import pathlib, sys
from dockyard_science.toolchain import PACKAGES
from dockyard_session.toolchain import toolchain_sha256
print(toolchain_sha256(pathlib.Path(sys.argv[1]), PACKAGES))
`;

describe('toolchain digest', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-toolchain-'));
    for (const name of DOCKING_PACKAGES) {
      const isCopied = (path: string): boolean => !/__pycache__|\/tests$/.test(path);
      cpSync(join(SCIENCE, name), join(folder, name), { recursive: true, filter: isCopied });
    }
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pythonSays = (): string =>
    execFileSync('python3', ['-c', PROGRAM, folder], {
      env: {
        ...process.env,
        PYTHONPATH: pythonPath(DOCKING_PACKAGES),
        PYTHONDONTWRITEBYTECODE: '1',
      },
      encoding: 'utf8',
    }).trim();
  const write = (path: string, text = '# changed\n'): void => writeFileSync(join(folder, path), text);

  it('is the one that the session computes of itself', () => {
    // For these names the order by bytes differs from the order by characters.
    const sources = 'autodock-vina/src/dockyard_science';
    write(`${sources}/a_b.py`, '1\n');
    write(`${sources}/a.py`, '2\n');
    write(`${sources}/Z.py`, '3\n');
    expect(toolchainSha256(folder)).to.equal(pythonSays());
  });

  it('changes with every source and with the locked packages, and with nothing else', () => {
    const before = toolchainSha256(folder);
    write('autodock-vina/src/notes.txt');
    expect(toolchainSha256(folder)).to.equal(before);
    write('autodock-vina/requirements.lock', 'other\n');
    const relocked = toolchainSha256(folder);
    expect(relocked).to.not.equal(before);
    write('autodock-vina/src/dockyard_science/docking.py');
    const recoded = toolchainSha256(folder);
    expect(recoded).to.not.equal(relocked);
    write('autodock-vina/src/dockyard_science/pka_sites.tsv');
    expect(toolchainSha256(folder)).to.not.equal(recoded);
    expect(toolchainSha256(folder)).to.equal(pythonSays());
  });

  it('changes with each package that docking is made of', () => {
    let before = toolchainSha256(folder);
    for (const name of DOCKING_PACKAGES) {
      write(`${name}/src/more.py`);
      const after = toolchainSha256(folder);
      expect(after, name).to.not.equal(before);
      before = after;
    }
    expect(before).to.equal(pythonSays());
  });

  it('stays what it is when a file is added to the package of another tool', () => {
    const before = toolchainSha256(folder);
    mkdirSync(join(folder, 'other-tool', 'src'), { recursive: true });
    write('other-tool/src/tool.py');
    write('other-tool/requirements.lock');
    expect(toolchainSha256(folder)).to.equal(before).and.to.equal(pythonSays());
  });
});
