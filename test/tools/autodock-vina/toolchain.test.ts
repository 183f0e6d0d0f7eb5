import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { toolchainSha256 } from '../../../src/tools/autodock-vina/toolchain.ts';

const SCIENCE = join(repositoryRoot, 'science');
const PROGRAM = `
import pathlib, sys
from dockyard_science.toolchain import cache_key, toolchain_sha256
print(toolchain_sha256(pathlib.Path(sys.argv[1])))
`;

describe('toolchain digest', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-test-toolchain-'));
    cpSync(join(SCIENCE, 'src'), join(folder, 'src'), {
      recursive: true,
      filter: (path) => !path.includes('__pycache__'),
    });
    cpSync(join(SCIENCE, 'requirements.lock'), join(folder, 'requirements.lock'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const pythonSays = (): string =>
    execFileSync('python3', ['-c', PROGRAM, folder], {
      env: { ...process.env, PYTHONPATH: join(SCIENCE, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
      encoding: 'utf8',
    }).trim();

  it('is the one that the session computes of itself', () => {
    // For these names the order by bytes differs from the order by characters.
    writeFileSync(join(folder, 'src', 'dockyard_science', 'a_b.py'), '1\n');
    writeFileSync(join(folder, 'src', 'dockyard_science', 'a.py'), '2\n');
    writeFileSync(join(folder, 'src', 'dockyard_science', 'Z.py'), '3\n');
    expect(toolchainSha256(folder)).to.equal(pythonSays());
  });

  it('changes with every source and with the locked packages, and with nothing else', () => {
    const before = toolchainSha256(folder);
    writeFileSync(join(folder, 'src', 'notes.txt'), 'x');
    expect(toolchainSha256(folder)).to.equal(before);
    writeFileSync(join(folder, 'requirements.lock'), 'other\n');
    const relocked = toolchainSha256(folder);
    expect(relocked).to.not.equal(before);
    writeFileSync(join(folder, 'src', 'dockyard_science', 'errors.py'), '# changed\n');
    const recoded = toolchainSha256(folder);
    expect(recoded).to.not.equal(relocked);
    writeFileSync(join(folder, 'src', 'dockyard_science', 'pka_sites.tsv'), '# changed\n');
    expect(toolchainSha256(folder)).to.not.equal(recoded);
    expect(toolchainSha256(folder)).to.equal(pythonSays());
  });
});
