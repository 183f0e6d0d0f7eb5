/** One task of Blender in a session as an instance has it, by the module or by a program of the site. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import type { Containment } from '../../src/contracts/containment.ts';
import type { TaskLimits } from '../../src/contracts/instance.ts';
import { TASK_MARKER } from '../../src/contracts/local-host.ts';
import { makeTaskFolder } from '../../src/instance/folders.ts';
import { LogCollector } from '../../src/instance/log-collector.ts';
import { markedProcesses } from '../../src/instance/process-table.ts';
import { ToolSession } from '../../src/instance/session.ts';
import type { TaskOutcome } from '../../src/instance/session.ts';
import { sessionEnvironmentOf } from '../../src/packs/pack.ts';
import type { InstalledPack } from '../../src/packs/pack.ts';
import { blenderSession } from '../../src/tools/blender/session.ts';
import { renderSessionSpec } from '../../src/tools/blender/specs.ts';

const LIMITS = { wallSeconds: 120, memoryBytes: 2 ** 30, diskBytes: 2 ** 30, logBytes: 2 ** 20 };

/** A task, and what its session runs. */
export interface BlenderTask {
  readonly pack: InstalledPack;
  /** The folder of the scene and of the work. */
  readonly folder: string;
  readonly scene: string;
  readonly kind: 'prepare' | 'task';
  readonly containment: Containment;
  readonly limits?: Partial<TaskLimits>;
  /** The folder of the session; absent: a new one. */
  readonly work?: string;
  /** Further files that the session reads. */
  readonly reads?: readonly string[];
  /** The scene as it was understood, as a path; a frame needs one. */
  readonly prepared?: string;
}

/** Does one task; afterwards no process of the session is left. The outputs lie in `task` below the folder of the session. */
export async function doBlenderTask(asked: BlenderTask): Promise<TaskOutcome> {
  const { pack, folder, scene, kind, containment, reads = [], prepared } = asked;
  const work = asked.work ?? (await mkdtemp(join(folder, 'work-')));
  const instanceId = `test-${Math.random()}`;
  const sceneFile = `accounts/a/uploads/u/${scene}`;
  const command = blenderSession(pack);
  const session = new ToolSession({
    command: {
      ...command,
      env: { ...command.env, ...sessionEnvironmentOf(pack) },
      reads: [...command.reads, folder, ...reads],
    },
    open: {
      type: 'open',
      spec: renderSessionSpec({ jobType: 'render', sceneFile, outputFormat: 'EXR', frameStep: 1 }),
    },
    containment,
    ...{ devices: [], folder: work, instanceId },
  });
  const taskFolder = join(work, 'task');
  await makeTaskFolder(taskFolder);
  const task = {
    type: 'task',
    ...{ id: 'mine', kind, itemId: '1', attempt: 1, folder: taskFolder, spec: { frame: 1 } },
    inputs: {
      'package/0': join(folder, scene),
      ...(prepared === undefined ? {} : { 'prepared/scene.json': prepared }),
    },
  } as const;
  const hooks = { log: new LogCollector(LIMITS.logBytes), onProgress: () => undefined };
  const outcome = await session.run(
    task,
    { ...LIMITS, ...asked.limits },
    hooks,
    new AbortController().signal,
  );
  await session.close();
  expect(markedProcesses(TASK_MARKER, instanceId)).to.deep.equal([]);
  return outcome;
}
