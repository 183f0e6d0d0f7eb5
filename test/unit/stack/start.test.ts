import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectRoot } from '../../../src/stack/tools.ts';

describe('the start of a stack', () => {
  it('ends before anything runs where settings are wrong, and names each', () => {
    const home = mkdtempSync(join(tmpdir(), 'dockyard-unit-start-'));
    const env = {
      ...process.env,
      ...{ DOCKYARD_HOME: home, DOCKYARD_CAPACITY_SEATS: 'x', DOCKYARD_CAPACITY_VCPUS: '0' },
    };
    const program = join(projectRoot, 'src', 'bin', 'start.ts');
    const options = { env, encoding: 'utf8', timeout: 60_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
    rmSync(home, { recursive: true });
    // Another stack may have the ports of this one.
    const told = stdout.replaceAll(/^port \d+ is taken by another program; .*\n/gm, '');
    expect({ status, told }).to.deep.equal({ status: 1, told: '' });
    expect(stderr).to.equal(
      'Wrong settings for control: "DOCKYARD_CAPACITY_VCPUS" must be greater than or equal to 1; ' +
        '"DOCKYARD_CAPACITY_SEATS" must be an object of JSON. See docs/settings.md.\n',
    );
  });
});
