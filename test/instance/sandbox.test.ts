import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { describeGpus, gpusOfMachine, gpusOfSlots } from '../../src/instance/gpus.ts';
import { findContainment, sandboxArguments } from '../../src/instance/sandbox.ts';

describe('the sandbox of tools', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'dockyard-sandbox-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What a machine says whose bubblewrap is this script. */
  async function found(script: string): Promise<unknown> {
    const program = join(folder, 'bwrap');
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    return findContainment({ folder: '/nowhere', environment: { DOCKYARD_PACK_BUBBLEWRAP: folder } });
  }
  const version = 'if [ "$1" = --version ]; then echo bubblewrap 0.9.1; exit 0; fi';

  it('is there once it was made for a trial, and a machine that cannot make it says why', async () => {
    expect(await found(version)).to.deep.equal({
      ...{ kind: 'bubblewrap', version: '0.9.1', program: join(folder, 'bwrap') },
    });
    expect(await found(`${version}; echo 'No permissions to create a namespace' >&2; exit 1`))
      .to.have.property('reason')
      .that.includes('No permissions to create a namespace');
    expect(await found('echo bubblewrap 0.6.1'))
      .to.have.property('reason')
      .that.includes('0.8 or a later one is needed');
    const environment = { DOCKYARD_PACK_BUBBLEWRAP: '/nowhere' };
    expect(await findContainment({ folder: '/nowhere', environment }))
      .to.include({ kind: 'process-group' })
      .and.to.have.property('reason')
      .that.includes('/nowhere');
  });

  it('shows what is named, and no folder of the system twice', () => {
    const view = {
      folder: '/folder/session-1',
      reads: ['/opt/tool', '/opt/tool', '/usr/lib/tool'],
      devices: [],
    };
    const shown = sandboxArguments(view);
    expect(shown.filter((word) => word === '/opt/tool')).to.have.length(2);
    expect(shown).to.not.include('/usr/lib/tool');
    expect(shown.join(' ')).to.include('--bind /folder/session-1 /folder/session-1 --remount-ro /');
    expect(shown.join(' ')).to.not.include('/dev/nvidia');
  });

  it('tells name, memory and driver of each GPU, as far as the driver does', async () => {
    const devices = join(folder, 'dev');
    await mkdir(devices);
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      expect(await describeGpus(devices)).to.deep.equal([]);
      for (const name of ['nvidia0', 'nvidia1', 'nvidiactl']) await writeFile(join(devices, name), '');
      const unknown = { name: null, memoryMib: null, driver: null };
      expect(await describeGpus(devices), 'without nvidia-smi').to.deep.equal([unknown, unknown]);
      const program = join(folder, 'nvidia-smi');
      await writeFile(
        program,
        "#!/bin/sh\nprintf 'NVIDIA L4, 23034, 570.86.10\\n[N/A], [N/A], 570.86.10\\n'\n",
      );
      await chmod(program, 0o755);
      expect(await describeGpus(devices)).to.deep.equal([
        { name: 'NVIDIA L4', memoryMib: 23_034, driver: '570.86.10' },
        unknown,
      ]);
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('lets a slot use GPUs of its own, which no other slot has', async () => {
    for (const name of ['nvidia0', 'nvidia1', 'nvidia2', 'nvidia3', 'nvidia4', 'nvidiactl', 'null'])
      await writeFile(join(folder, name), '');
    const gpus = gpusOfMachine(folder);
    expect(gpus).to.deep.equal([0, 1, 2, 3, 4]);
    const visible = (slots: number): unknown[] =>
      gpusOfSlots(slots, gpus, folder).map(({ env }) => env['CUDA_VISIBLE_DEVICES']);
    expect(visible(2)).to.deep.equal(['0,1', '2,3']);
    expect(visible(1)).to.deep.equal(['0,1,2,3,4']);
    // Tasks of which a machine runs more than it has GPUs need none.
    expect(visible(6)).to.deep.equal(['', '', '', '', '', '']);
    const [slot] = gpusOfSlots(2, gpus, folder);
    expect(slot?.devices).to.include.members([join(folder, 'nvidiactl'), join(folder, 'nvidia4')]);
    await mkdir(join(folder, 'none'));
    expect(gpusOfSlots(2, gpusOfMachine(join(folder, 'none')), join(folder, 'none'))).to.deep.equal([
      { devices: [], env: {} },
      { devices: [], env: {} },
    ]);
  });
});
