/** Scenes that take more than a task has end with a code, and nothing of Blender is left; the session is the one of an instance. */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import type { Containment } from '../../../src/contracts/containment.ts';
import { TASK_MARKER } from '../../../src/contracts/local-host.ts';
import type { TaskLimits } from '../../../src/contracts/instance.ts';
import { makeTaskFolder } from '../../../src/instance/folders.ts';
import { LogCollector } from '../../../src/instance/log-collector.ts';
import { markedProcesses } from '../../../src/instance/process-table.ts';
import { ToolSession } from '../../../src/instance/session.ts';
import type { TaskOutcome } from '../../../src/instance/session.ts';
import { blenderPack } from '../../../src/tools/blender/pack.ts';
import { blenderSession } from '../../../src/tools/blender/session.ts';
import { renderSessionSpec } from '../../../src/tools/blender/specs.ts';
import { containmentHere, WITHOUT_SANDBOX } from '../../support/containments.ts';
import { inLongRuns } from '../../support/long.ts';
import { realPack } from '../../support/real-packs.ts';
import { openTinyDisk } from '../../support/tiny-disk.ts';

const HOSTILE = join(repositoryRoot, 'test/fixtures/blender/hostile.py');
const LIMITS = { wallSeconds: 120, memoryBytes: 2 ** 30, diskBytes: 2 ** 30, logBytes: 2 ** 20 };

const longIt = inLongRuns(it);

describe('a scene that takes more than a task has', function () {
  this.timeout(300_000);
  let python: string;
  let folder: string;
  let containment: Containment;
  before(async function () {
    const pack = await realPack(blenderPack);
    if (pack === null) return this.skip();
    python = pack.python ?? expect.fail('no interpreter');
    folder = await realpath(await mkdtemp(join(tmpdir(), 'dockyard-test-contained-')));
    await promisify(execFile)(python, [HOSTILE, folder]);
    containment = await containmentHere();
    return undefined;
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  /** Does one task of a session as an instance does; afterwards no process of the session is left. */
  const outcomeOf = async (
    scene: string,
    kind: 'prepare' | 'task',
    changes: {
      readonly limits?: Partial<TaskLimits>;
      readonly work?: string;
      readonly containment?: Containment;
    } = {},
  ): Promise<TaskOutcome> => {
    const work = changes.work ?? (await mkdtemp(join(folder, 'work-')));
    const instanceId = `test-${Math.random()}`;
    const sceneFile = `accounts/a/uploads/u/${scene}`;
    const command = blenderSession({ python });
    const session = new ToolSession({
      command: { ...command, reads: [...(command.reads ?? []), folder] },
      open: {
        type: 'open',
        spec: renderSessionSpec({ jobType: 'render', sceneFile, outputFormat: 'EXR', frameStep: 1 }),
      },
      containment: changes.containment ?? containment,
      ...{ devices: [], folder: work, instanceId },
    });
    const taskFolder = join(work, 'task');
    await makeTaskFolder(taskFolder);
    const task = {
      type: 'task',
      ...{ id: 'mine', kind, itemId: '1', attempt: 1, folder: taskFolder },
      ...{ spec: { frame: 1 }, inputs: { 'package/0': join(folder, scene) } },
    } as const;
    const hooks = { log: new LogCollector(LIMITS.logBytes), onProgress: () => undefined };
    const outcome = await session.run(
      task,
      { ...LIMITS, ...changes.limits },
      hooks,
      new AbortController().signal,
    );
    await session.close();
    expect(markedProcesses(TASK_MARKER, instanceId)).to.deep.equal([]);
    return outcome;
  };

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
