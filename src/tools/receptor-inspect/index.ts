/**
 * Inspects a receptor and reports everything that its preparation would find, before a docking is paid for. The tool is
 * internal: inspections of the API (src/services/inspections) make its jobs, no submit does; these jobs cost nothing
 * and appear in no customer's list. The Python package that docks also inspects; a report counts only once it was read
 * here.
 */
import type { TaskInput, TaskLimits } from '../../contracts/instance.ts';
import { machinesFor, ONE_SLOT } from '../../domain/machines.ts';
import { oneClass } from '../../domain/pricing.ts';
import { depositedReceptor, RECEPTOR_SOURCE, receptorSpec } from '../receptor.ts';
import { cpuResources } from '../resources.ts';
import { defineTool } from '../define-tool.ts';
import { dockingInputs, dockingReferences } from '../autodock-vina/inputs.ts';
import { preparationOf } from '../autodock-vina/parameters.ts';
import { scienceSession } from '../autodock-vina/session.ts';
import { ownToolchainSha256 } from '../autodock-vina/toolchain.ts';
import { INSPECTION_CODES } from './codes.ts';
import { verifyInspection, INSPECTION_REPORT_KIND, LARGEST_REPORT_BYTES } from './report.ts';

/** The name of the tool in job rows and in Temporal; no request names it. */
export const INSPECT_ID = 'receptor-inspect';

const MEBIBYTE = 1024 * 1024;
/**
 * The limit finds a session that hangs. A receptor that is too large to be protonated within minutes is not protonated
 * at all.
 */
const WALL_SECONDS = 900;
const LIMITS: TaskLimits = {
  wallSeconds: WALL_SECONDS,
  memoryBytes: 6144 * MEBIBYTE,
  diskBytes: 1024 * MEBIBYTE,
  logBytes: 8 * MEBIBYTE,
};
const RESOURCES = cpuResources(1, LIMITS);
const SOURCE: TaskInput = { from: RECEPTOR_SOURCE, as: RECEPTOR_SOURCE };
const FREE = {
  model: 'fixed',
  classes: oneClass(1, 0),
  currency: 'GBP',
  startFeeMicro: 0,
  softwareMicro: 0,
  storageMicro: 0,
  egressMicro: 0,
  licenceNames: [],
} as const;

/** The tool that inspects a receptor. */
export const receptorInspect = defineTool({
  about: {
    id: INSPECT_ID,
    jobType: 'simulation',
    title: 'Receptor inspection',
    summary: 'Reports what the preparation of a receptor would find, before a docking is paid for.',
    licence: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    docsPage: 'docs/tools/receptor-inspect.md',
    audience: 'service',
    unit: 'task',
  },
  request: {
    needsSceneFile: false,
    reads: [
      'receptorPdbId',
      'receptorArtifact',
      'receptorAssemblyId',
      'receptorModel',
      'receptorChains',
      'receptorPreparation',
    ],
    // The API has checked the request from which it makes the job.
    check: () => undefined,
    artifactReferences: dockingReferences,
  },
  planning: {
    resources: () => RESOURCES,
    plan: () => ({
      unit: 'task',
      taskCount: 1,
      shardSize: 1,
      steps: [],
      ...machinesFor(RESOURCES, 1, ONE_SLOT),
      taskTimeoutSeconds: WALL_SECONDS,
    }),
    price: () => FREE,
    priced: () => ({ fields: {}, sizes: {} }),
    itemIds: () => ['receptor'],
  },
  inputs: {
    stored: dockingInputs,
    structures: depositedReceptor,
    taskInputs: () => ({ inputs: [SOURCE], prepared: [] }),
  },
  work: {
    limits: () => LIMITS,
    sessionSpec: (request, { inputs }) => ({
      kind: INSPECT_ID,
      receptor: receptorSpec(request, inputs),
      preparation: preparationOf(request.simulationParams ?? {}),
    }),
    session: (_workFolder, installation) => scienceSession(installation, 'dockyard_science.inspect_tool'),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: { [INSPECTION_REPORT_KIND]: LARGEST_REPORT_BYTES },
    verify: (kind, _item, outputs, read) => verifyInspection(kind, outputs, read),
  },
  codes: INSPECTION_CODES,
  pack: null,
});
