// What a session imports is compiled by the set-up (in the image by its build), so no session spends its start on it.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { findTool } from '../../src/stack/tools.ts';
import { pythonCommand } from '../../src/tools/python-session.ts';

/** Imports every module of the packages on the path, and all that these import. */
const IMPORT_ALL = `
import importlib, os, pkgutil
for folder in os.environ["PYTHONPATH"].split(":"):
    for found in pkgutil.walk_packages([folder]):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)
`;

describe('a session of a tool', function () {
  this.timeout(60_000);

  it('compiles nothing', () => {
    const packages = readdirSync(join(repositoryRoot, 'science'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const python = findTool('science-python', process.env);
    const { file, env } = pythonCommand({ python, packages }, '');
    const run = spawnSync(file, ['-v', '-c', IMPORT_ALL], { env, encoding: 'utf8', maxBuffer: 2 ** 26 });
    expect(run.status, run.stderr.slice(-2_000)).to.equal(0);
    // So Python tells of compiled files that it has read, and of sources that it has compiled.
    expect(run.stderr).to.match(/^# code object from '.*dockyard_science.*\.pyc'$/m);
    expect(run.stderr.match(/^# code object from [^'\n]+$/gm) ?? []).to.deep.equal([]);
  });
});
