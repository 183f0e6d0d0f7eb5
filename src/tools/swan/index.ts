/**
 * SWAN: waves near coasts, by the program that a site has built. The preparation (`science/swan`) reads and checks each case and
 * proves whether its run may be cut; a task runs one case, in pieces that end with kept checkpoints where it may. This folder says
 * what a request means and costs, and what its outputs must be.
 */
import { defineTool } from '../define-tool.ts';
import { checkSwan } from './checks.ts';
import { SWAN_CODES } from './codes.ts';
import { wavesCommand } from './command.ts';
import { caseFiles, caseReads } from './inputs.ts';
import { swanSummary, swanView } from './live-view.ts';
import { swanPack } from './pack.ts';
import { GRID, PHYSICS, physicsOf, SWAN_ID, SWAN_PARAMETERS, taskCountOf } from './parameters.ts';
import { planSwan, swanLimits, swanResources } from './plan.ts';
import { PRICE_FIGURES, pricedSwan, priceSwan } from './price.ts';
import { ownToolchainSha256, swanSession } from './session.ts';
import { swanSessionSpec, swanTaskSpec } from './specs.ts';
import { SWAN_OUTPUT_BYTES, verifySwan } from './verify.ts';

/** The tool that runs SWAN. */
export const swan = defineTool({
  about: {
    id: SWAN_ID,
    jobType: 'simulation',
    title: 'SWAN',
    summary: 'Computes waves near coasts, in cases of the wave model SWAN.',
    licence: swanPack.licence,
    docsPage: 'docs/tools/swan.md',
    audience: 'customers',
    unit: 'task',
  },
  request: {
    needsSceneFile: true,
    reads: SWAN_PARAMETERS,
    check: checkSwan,
    variant: { field: `parameters.${PHYSICS}`, of: physicsOf },
  },
  planning: {
    priceModel: 'measured',
    resources: swanResources,
    resourceFields: { memoryMib: `parameters.${GRID}` },
    plan: planSwan,
    price: (request, { taskCount }, book) => priceSwan(request, taskCount, book),
    priced: pricedSwan,
    figures: PRICE_FIGURES,
    itemIds: (request) => Array.from({ length: taskCountOf(request) }, (_, index) => String(index)),
  },
  inputs: {
    stored: caseFiles,
    taskInputs: (request, kind) => caseReads(request, kind),
  },
  work: {
    limits: swanLimits,
    sessionSpec: swanSessionSpec,
    taskSpec: swanTaskSpec,
    checkpoint: { kind: 'restart', provenBy: 'prepare' },
    session: (_workFolder, installation) => swanSession(installation),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: SWAN_OUTPUT_BYTES,
    verify: (kind, _item, outputs, read) => verifySwan(kind, outputs, read),
  },
  shown: { summary: swanSummary, live: swanView },
  codes: SWAN_CODES,
  pack: swanPack,
  command: wavesCommand,
});
