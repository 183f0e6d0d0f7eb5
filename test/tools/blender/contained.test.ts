/** Scenes that take more than a task has end with a code, and nothing of Blender is left; the session is the one of an instance. */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { Containment } from '../../../src/contracts/containment.ts';
import type { TaskOutcome } from '../../../src/instance/session.ts';
import type { InstalledPack } from '../../../src/packs/pack.ts';
import { blenderPack } from '../../../src/tools/blender/pack.ts';
import { doBlenderTask } from '../../support/blender-task.ts';
import type { BlenderTask } from '../../support/blender-task.ts';
import { containmentHere, WITHOUT_SANDBOX } from '../../support/containments.ts';
import { inLongRuns } from '../../support/long.ts';
import { realPack } from '../../support/real-packs.ts';
import { openTinyDisk } from '../../support/tiny-disk.ts';

const HOSTILE = join(repositoryRoot, 'test/fixtures/blender/hostile.py');

const longIt = inLongRuns(it);

describe('a scene that takes more than a task has', function () {
  this.timeout(300_000);
  let pack: InstalledPack;
  let folder: string;
  let containment: Containment;
  before(async function () {
    const found = await realPack(blenderPack);
    if (found === null) return this.skip();
    pack = found;
    folder = await realpath(await mkdtemp(join(tmpdir(), 'dockyard-test-contained-')));
    await promisify(execFile)(pack.python ?? '', [HOSTILE, folder]);
    await writeFile(join(folder, 'scene.json'), JSON.stringify({ chunkSamples: null, warnings: [] }));
    containment = await containmentHere();
    return undefined;
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const outcomeOf = (
    scene: string,
    kind: 'prepare' | 'task',
    changes: Partial<Pick<BlenderTask, 'limits' | 'work' | 'containment'>> = {},
  ): Promise<TaskOutcome> =>
    doBlenderTask({
      ...{ pack, folder, scene, kind, containment },
      ...(kind === 'task' ? { prepared: join(folder, 'scene.json') } : {}),
      ...changes,
    });

  longIt('of memory fails with that, before a frame', async () => {
    expect(await outcomeOf('memory.blend', 'prepare')).to.include({
      ...{ end: 'failed', code: 'ENGINE_OUT_OF_MEMORY' },
    });
  });

  longIt('of time fails with that', async () => {
    expect(await outcomeOf('endless.blend', 'task', { limits: { wallSeconds: 15 } })).to.include({
      ...{ end: 'failed', code: 'ENGINE_TIMEOUT' },
    });
  });

  longIt('of disk fails with that', async () => {
    const disk = await openTinyDisk();
    try {
      const full = { work: disk.folder, containment: WITHOUT_SANDBOX };
      expect(await outcomeOf('noise.blend', 'task', full)).to.include({
        ...{ end: 'failed', code: 'ENGINE_LIMIT_EXCEEDED' },
      });
    } finally {
      await disk.close();
    }
  });
});
