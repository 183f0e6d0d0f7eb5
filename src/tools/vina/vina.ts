/**
 * AutoDock Vina: one receptor, one box, up to 10,000 ligands, one task for each ligand. The receptor is prepared first
 * and is found again by digests, so that a later job need not prepare it again; a control docks the deposited ligand.
 * The chemistry runs in Python (`science/`), in a warm session per slot. This folder says what a request means and
 * costs, and what its outputs must be.
 */
import type { Tool } from '../tool.ts';
import { checkDocking } from './checks.ts';
import { dockingFinishFiles, RANKED_NUMBERS } from './finish.ts';
import { dockingInputs, dockingStructures, dockingTaskInputs, reusableOutputs } from './inputs.ts';
import { DOCKING_PARAMETERS, ligandsOf } from './parameters.ts';
import { dockingLimits, planDocking } from './plan.ts';
import { priceDocking, VINA_ID } from './price.ts';
import { scienceSession } from './session.ts';
import type { ScienceInstallation } from './session.ts';
import { dockingSessionSpec, dockingTaskSpec, preparationIdentity } from './specs.ts';
import { toolchainSha256 } from './toolchain.ts';
import { DOCKING_OUTPUT_BYTES, verifyDocking } from './verify.ts';

/** Makes the tool over the Python side of this machine. */
export function createVina(science: ScienceInstallation): Tool {
  let toolchain: string | null = null;
  // The digest is computed once, because the sources of a running process do not change.
  const ownToolchain = (): string => (toolchain ??= toolchainSha256(science.sourceFolder));

  return {
    id: VINA_ID,
    jobType: 'simulation',
    testOnly: false,
    needsSceneFile: false,
    reads: DOCKING_PARAMETERS,
    check: checkDocking,
    plan: planDocking,
    price: priceDocking,
    seed: (request, draw) => request.simulationParams?.seed || draw(),
    itemIds: (request) => ligandsOf(request.simulationParams).map((ligand) => ligand.ligandId),
    inputs: dockingInputs,
    structures: dockingStructures,
    taskInputs: dockingTaskInputs,
    limits: dockingLimits,
    sessionSpec: dockingSessionSpec,
    taskSpec: dockingTaskSpec,
    preparation: (request, inputs) => preparationIdentity(request, inputs, ownToolchain()),
    cachedOutputs: reusableOutputs,
    outputBytes: DOCKING_OUTPUT_BYTES,
    verify: verifyDocking,
    finishNumbers: RANKED_NUMBERS,
    finishFiles: dockingFinishFiles,
    startsAhead: true,
    session: () => scienceSession(science, 'dockyard_science.vina_tool'),
  };
}
