/**
 * fpocket: finds and ranks the pockets of one structure. The session (`science/fpocket`) selects the atoms as docking
 * does, runs the program on them with its clock fixed, and reports every number and file as the program wrote them. This
 * folder says what a request means and costs, and what its outputs must be.
 */
import type { TaskInput } from '../../contracts/instance.ts';
import { depositedReceptor, RECEPTOR_SOURCE, receptorReferences, receptorStorageKey } from '../receptor.ts';
import { defineTool } from '../define-tool.ts';
import { checkPockets } from './checks.ts';
import { POCKET_CODES } from './codes.ts';
import { pocketsCommand } from './command.ts';
import { pocketFinishFiles, VIEW_NUMBERS } from './finish.ts';
import { pocketsSummary, pocketsView } from './live-view.ts';
import { POCKET_OUTPUT_BYTES } from './names.ts';
import { fpocketPack } from './pack.ts';
import { CLOCK_SECONDS, FPOCKET_ID, POCKET_PARAMETERS } from './parameters.ts';
import { POCKET_LIMITS, POCKET_PLAN, POCKET_RESOURCES } from './plan.ts';
import { DEFAULT_INPUT_BYTES, PRICE_FIGURES, pricedPockets, pricePockets } from './price.ts';
import { ownToolchainSha256, pocketSession } from './session.ts';
import { pocketSessionSpec } from './specs.ts';
import { verifyPockets } from './verify.ts';

const SOURCE: TaskInput = { from: RECEPTOR_SOURCE, as: RECEPTOR_SOURCE };
/** The one item of a job. */
const ITEM_ID = 'structure';

/** The tool that finds pockets. */
export const fpocket = defineTool({
  about: {
    id: FPOCKET_ID,
    jobType: 'simulation',
    title: 'fpocket',
    summary: 'Finds and ranks the pockets of a structure.',
    licence: { name: 'MIT', url: 'https://github.com/Discngine/fpocket/blob/4.2.2/LICENSE' },
    docsPage: 'docs/tools/fpocket.md',
    audience: 'customers',
    unit: 'task',
  },
  request: {
    needsSceneFile: false,
    reads: POCKET_PARAMETERS,
    check: checkPockets,
    artifactReferences: receptorReferences,
  },
  planning: {
    resources: () => POCKET_RESOURCES,
    plan: () => POCKET_PLAN,
    price: (request, _plan, book, inputs) => pricePockets(request, book, inputs),
    priced: pricedPockets,
    figures: PRICE_FIGURES,
    defaultInputBytes: DEFAULT_INPUT_BYTES,
    seed: () => CLOCK_SECONDS,
    itemIds: () => [ITEM_ID],
  },
  inputs: {
    stored: (request) => {
      const storageKey = receptorStorageKey(request);
      return storageKey === undefined ? [] : [{ storageKey, name: RECEPTOR_SOURCE }];
    },
    structures: depositedReceptor,
    taskInputs: () => ({ inputs: [SOURCE], prepared: [] }),
  },
  work: {
    limits: () => POCKET_LIMITS,
    sessionSpec: pocketSessionSpec,
    session: (_workFolder, installation) => pocketSession(installation),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: POCKET_OUTPUT_BYTES,
    verify: (kind, _item, outputs, read) => verifyPockets(kind, outputs, read),
    finishValues: VIEW_NUMBERS,
    finishFiles: (_request, job) => pocketFinishFiles(job),
  },
  shown: { summary: pocketsSummary, live: pocketsView },
  codes: POCKET_CODES,
  pack: fpocketPack,
  command: pocketsCommand,
});
