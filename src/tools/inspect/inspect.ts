/**
 * Looks at a receptor and tells all that its preparation would meet, before a docking is paid for. An internal tool: its
 * jobs are made by the inspections of the API (src/services/inspections), never by a submit; they cost nothing and are
 * no customer's jobs. The work is Python's, in the session process that docks as well; the report counts once it was
 * read here.
 */
import type { TaskInput } from '../../contracts/instance.ts';
import type { Tool } from '../tool.ts';
import { dockingInputs, dockingStructures, RECEPTOR_SOURCE } from '../vina/inputs.ts';
import { preparationOf } from '../vina/parameters.ts';
import { scienceSession } from '../vina/session.ts';
import type { ScienceInstallation } from '../vina/session.ts';
import { receptorSpec } from '../vina/specs.ts';
import { verifyInspection, INSPECTION_REPORT_KIND, LARGEST_REPORT_BYTES } from './report.ts';

/** The tool's name: in job rows and in Temporal, never in a request. */
export const INSPECT_ID = 'receptor-inspect';

const MEBIBYTE = 1024 * 1024;
/** A limit is there to find what hangs: a receptor that is too large to be protonated in minutes is not tried. */
const WALL_SECONDS = 900;
const MEMORY_BYTES = 6144 * MEBIBYTE;
const SOURCE: TaskInput = { from: RECEPTOR_SOURCE, as: RECEPTOR_SOURCE };
const FREE = {
  currency: 'GBP',
  perTaskMicro: 0,
  startFeeMicro: 0,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
} as const;

/** Makes the tool over the Python side of this machine. */
export function createInspect(science: ScienceInstallation): Tool {
  return {
    id: INSPECT_ID,
    jobType: 'simulation',
    testOnly: false,
    needsSceneFile: false,
    reads: [
      'receptorPdbId',
      'receptorArtifact',
      'receptorAssemblyId',
      'receptorModel',
      'receptorChains',
      'receptorPreparation',
    ],
    // The API checked the request that it makes the job from.
    check: () => undefined,
    plan: () => ({
      unit: 'task',
      taskCount: 1,
      shardSize: 1,
      steps: [],
      instances: 1,
      slotsPerInstance: 1,
      vcpusPerInstance: 1,
      taskTimeoutSeconds: WALL_SECONDS,
    }),
    price: () => FREE,
    seed: () => null,
    itemIds: () => ['receptor'],
    inputs: dockingInputs,
    structures: dockingStructures,
    taskInputs: () => ({ inputs: [SOURCE], prepared: [] }),
    limits: () => ({
      wallSeconds: WALL_SECONDS,
      memoryBytes: MEMORY_BYTES,
      diskBytes: 1024 * MEBIBYTE,
      logBytes: 8 * MEBIBYTE,
    }),
    sessionSpec: (request, { inputs }) => ({
      kind: INSPECT_ID,
      receptor: receptorSpec(request, inputs),
      preparation: preparationOf(request.simulationParams ?? {}),
    }),
    taskSpec: () => ({}),
    preparation: () => null,
    cachedOutputs: () => [],
    outputBytes: { [INSPECTION_REPORT_KIND]: LARGEST_REPORT_BYTES },
    verify: (kind, _item, outputs, read) => verifyInspection(kind, outputs, read),
    finishNumbers: [],
    finishFiles: () => [],
    startsAhead: false,
    session: () => scienceSession(science),
  };
}
