/**
 * Converts a file from one format to another. The tool is internal: conversions of the API (src/services/inspections) make its jobs,
 * no submit does; these jobs cost nothing and appear in no customer's list. The Python package that docks also converts.
 */
import type { TaskInput, TaskLimits } from '../../contracts/instance.ts';
import { machinesFor, ONE_SLOT } from '../../domain/machines.ts';
import { oneClass } from '../../domain/pricing.ts';
import { scienceSession } from '../autodock-vina/session.ts';
import { ownToolchainSha256 } from '../autodock-vina/toolchain.ts';
import { defineTool } from '../define-tool.ts';
import { cpuResources } from '../resources.ts';
import { CONVERSION_CODES } from './codes.ts';
import { CONVERSION_REPORT_KIND, CONVERTED_KIND, LARGEST_REPORT_BYTES, verifyConversion } from './report.ts';

/** The name of the tool in job rows and in Temporal; no request names it. */
export const CONVERT_ID = 'format-convert';

const MEBIBYTE = 1024 * 1024;
/** The limit finds a session that hangs. */
const WALL_SECONDS = 600;
/** mmCIF is up to three times as long as PDB. */
const LARGEST_OUTPUT_BYTES = 256 * MEBIBYTE;
const LIMITS: TaskLimits = {
  wallSeconds: WALL_SECONDS,
  memoryBytes: 4096 * MEBIBYTE,
  diskBytes: 1024 * MEBIBYTE,
  logBytes: 8 * MEBIBYTE,
};
const RESOURCES = cpuResources(1, LIMITS);
const SOURCE: TaskInput = { from: 'input', as: 'input' };
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

/** The tool that converts files. */
export const formatConvert = defineTool({
  about: {
    id: CONVERT_ID,
    jobType: 'simulation',
    title: 'Format conversion',
    summary: 'Writes a structure or molecules in another format, and tells what that format does not say.',
    licence: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    docsPage: 'docs/tools/format-convert.md',
    audience: 'service',
    unit: 'task',
  },
  request: {
    needsSceneFile: true,
    reads: [],
    // The API has checked the request from which it makes the job.
    check: () => undefined,
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
    itemIds: () => ['file'],
  },
  inputs: {
    stored: ({ sceneFile }) =>
      sceneFile === undefined ? [] : [{ storageKey: sceneFile, name: SOURCE.from }],
    taskInputs: () => ({ inputs: [SOURCE], prepared: [] }),
  },
  work: {
    limits: () => LIMITS,
    sessionSpec: ({ parameters }) => ({
      kind: CONVERT_ID,
      from: parameters?.['from'],
      to: parameters?.['to'],
    }),
    session: (_workFolder, installation) => scienceSession(installation, 'dockyard_science.convert_tool'),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: { [CONVERTED_KIND]: LARGEST_OUTPUT_BYTES, [CONVERSION_REPORT_KIND]: LARGEST_REPORT_BYTES },
    verify: (kind, _item, outputs, read) => verifyConversion(kind, outputs, read),
  },
  codes: CONVERSION_CODES,
  pack: null,
});
