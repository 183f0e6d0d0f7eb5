/**
 * AutoDock Vina: one receptor, one box, up to 10,000 ligands, one task for each ligand. The receptor is prepared first
 * and is found again by digests, so that a later job need not prepare it again; a control docks the deposited ligand.
 * The chemistry runs in Python (`science/`), in a warm session per slot. This folder says what a request means and
 * costs, and what its outputs must be.
 */
import { depositedReceptor } from '../receptor.ts';
import { defineTool } from '../define-tool.ts';
import { checkDocking, DOCKING_NOTES, DOCKING_RULES } from './checks.ts';
import { DOCKING_CODES } from './codes.ts';
import { DOCKING_EXAMPLE } from './example.ts';
import { controlMiss } from './control.ts';
import { dockingFinishFiles } from './finish.ts';
import { dockingInputs, dockingReferences, dockingTaskInputs, reusableOutputs } from './inputs.ts';
import { DOCKING_DEFAULTS, DOCKING_PARAMETERS, ligandsOf } from './parameters.ts';
import { dockCommand } from './command/index.ts';
import { dockingSummary, dockingView } from './live-view.ts';
import { dockingLimits, dockingResources, planDocking } from './plan.ts';
import {
  dockingClasses,
  PRICE_FIGURES,
  pricedDocking,
  priceDocking,
  VINA_ID,
  warnOfStates,
} from './price.ts';
import { protocolOf } from './protocol.ts';
import { dockingScreening } from './screening.ts';
import { dockingReuse } from './reuse.ts';
import { scienceSession } from './session.ts';
import { dockingSessionSpec, dockingTaskSpec, preparationIdentity } from './specs.ts';
import { dockingOf, preparedAs } from './status.ts';
import { dockingStatus } from './status-schema.ts';
import { dockingLines } from './status-text.ts';
import { ownToolchainSha256 } from './toolchain.ts';
import { DOCKING_OUTPUT_BYTES, verifyDocking } from './verify.ts';

/** The tool that docks ligands into a receptor. */
export const autodockVina = defineTool({
  about: {
    id: VINA_ID,
    aliases: ['vina'],
    jobType: 'simulation',
    title: 'AutoDock Vina',
    summary: 'Docks ligands into a prepared receptor and ranks their poses.',
    licence: {
      name: 'Apache-2.0',
      url: 'https://github.com/ccsb-scripps/AutoDock-Vina/blob/develop/LICENSE',
    },
    docsPage: 'docs/tools/autodock-vina.md',
    audience: 'customers',
    unit: 'ligand',
  },
  request: {
    needsSceneFile: false,
    reads: DOCKING_PARAMETERS,
    defaults: DOCKING_DEFAULTS,
    notes: DOCKING_NOTES,
    rules: DOCKING_RULES,
    example: DOCKING_EXAMPLE,
    check: checkDocking,
    warnings: warnOfStates,
    artifactReferences: dockingReferences,
  },
  planning: {
    resources: dockingResources,
    plan: planDocking,
    price: priceDocking,
    priced: pricedDocking,
    figures: PRICE_FIGURES,
    classes: dockingClasses,
    seed: (request, draw) => protocolOf(request.simulationParams ?? {}).search.seed ?? draw(),
    itemIds: (request) => ligandsOf(request.simulationParams).map((ligand) => ligand.ligandId),
  },
  inputs: {
    stored: dockingInputs,
    structures: depositedReceptor,
    taskInputs: dockingTaskInputs,
    preparation: (request, inputs) => preparationIdentity(request, inputs, ownToolchainSha256()),
    preparedAs,
    reuse: dockingReuse,
    cachedOutputs: reusableOutputs,
  },
  work: {
    limits: dockingLimits,
    sessionSpec: dockingSessionSpec,
    taskSpec: dockingTaskSpec,
    startsAhead: true,
    session: (_workFolder, installation) => scienceSession(installation, 'dockyard_science.vina_tool'),
    toolchainSha256: ownToolchainSha256,
  },
  outputs: {
    largestBytes: DOCKING_OUTPUT_BYTES,
    verify: verifyDocking,
    controlMiss,
    finishFiles: dockingFinishFiles,
  },
  shown: {
    statusPart: { name: 'docking', schema: dockingStatus, read: dockingOf, lines: dockingLines },
    summary: dockingSummary,
    live: dockingView,
  },
  codes: DOCKING_CODES,
  screening: dockingScreening,
  command: dockCommand,
});
