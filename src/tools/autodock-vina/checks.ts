/**
 * Checks of a docking request that the schema cannot make. Every fault that is visible in the body is refused here,
 * with a code of its own and the names of the fields; an estimate may leave fields out, but may not contradict itself.
 * A fault that only the files show (chains, components, ligands that cannot be read) fails the job or one ligand later.
 * A ligand file of a format that holds no ligand fails that ligand later, too: one bad entry of a library must not
 * refuse the others.
 */
import { AppError } from '../../domain/errors.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { SimulationParams, SubmitJobRequest } from '../../domain/requests.ts';
import { FIXED_STATES } from '../../domain/requests.ts';
import { checkReceptor, oneOf, RECEPTOR_FORMATS } from '../receptor.ts';
import type { PlannableRequest } from '../tool.ts';
import { DOCKING_REFUSALS } from './codes.ts';
import {
  ligandsOf,
  namedLigandOf,
  preparationOf,
  residueLabel,
  residueOf,
  residuePlace,
} from './parameters.ts';
import type { Preparation } from './parameters.ts';
import { VINA_ID } from './price.ts';

/** The most ligands of one job. */
export const MAX_LIGANDS = 10_000;

/** Notes on fields for dockings, beside their meaning for every job. */
export const DOCKING_NOTES = {
  taskCount: `at most ${MAX_LIGANDS}, where it equals the number of ligands`,
  receptorArtifact: RECEPTOR_FORMATS.join(' or '),
  exhaustiveness:
    'a ligand with rings of 5 to 9 atoms that bend is docked in up to 8 shapes of them, all together searched at most twice as long, for the price of any other ligand of its size',
};

/** The closer bounds of a docking request, for the API document. */
export const DOCKING_RULES: JsonObject = {
  properties: {
    taskCount: { maximum: MAX_LIGANDS },
    simulationParams: {
      properties: { receptorArtifact: { properties: { format: { enum: [...RECEPTOR_FORMATS] } } } },
    },
  },
};

const MEEKO_PH = 7.4;
const PREPARATION = 'simulationParams.receptorPreparation';

type Checked = PlannableRequest & Pick<SubmitJobRequest, 'sceneFile'>;

/**
 * Checks a docking request.
 * @throws VALIDATION_ERROR, INPUT_MISSING, INPUT_CONFLICT, TASK_COUNT_MISMATCH, BOX_MISSING, BOX_CONFLICT,
 * BOX_SIZE_REQUIRED, PREPARATION_CONFLICT.
 */
export function checkDocking(request: Checked, estimate: boolean): void {
  const params = request.simulationParams ?? {};
  checkReceptor(request, estimate, VINA_ID);
  checkLigands(request, params, estimate);
  checkBox(params, estimate);
  checkPreparation(params);
  checkResidues(params);
  checkWaters(params, estimate);
  checkControl(params);
}

/** A control that is required needs the ligand that is docked again. */
function checkControl({ dockingValidation }: SimulationParams): void {
  if (dockingValidation?.requiredRmsdAngstrom === undefined) return;
  if (dockingValidation.nativeReference !== undefined) return;
  throw new AppError(
    'INPUT_MISSING',
    'dockingValidation.requiredRmsdAngstrom requires a control docking, and no native ligand is named. Send dockingValidation.nativeReference beside it (--validate), or leave the requirement out.',
  );
}

function checkLigands(request: Checked, params: SimulationParams, estimate: boolean): void {
  oneOf(
    'the ligands',
    {
      'simulationParams.ligandIdentity': params.ligandIdentity,
      'simulationParams.ligandLibrary': params.ligandLibrary,
      'a stored library': params.libraryUse,
    },
    estimate,
  );
  const ligands = ligandsOf(params);
  const root =
    params.ligandLibrary === undefined ? 'simulationParams.ligandIdentity' : 'simulationParams.ligandLibrary';
  const seen = new Map<string, number>();
  for (const [index, { ligandId }] of ligands.entries()) {
    const path = params.ligandLibrary === undefined ? root : `${root}.${index}`;
    const first = seen.get(ligandId);
    if (first !== undefined) {
      throw invalid(`${path}.ligandId: ${ligandId} is the id of ligand ${first} already`);
    }
    seen.set(ligandId, index);
  }
  checkTaskCount(request.taskCount, ligands.length);
}

function checkTaskCount(taskCount: number | undefined, ligands: number): void {
  if (taskCount === undefined) return;
  if (taskCount > MAX_LIGANDS) {
    throw invalid(`taskCount: must be at most ${MAX_LIGANDS} for autodock-vina`);
  }
  if (ligands > 0 && taskCount !== ligands) {
    throw new AppError(
      'TASK_COUNT_MISMATCH',
      `taskCount is ${taskCount}, but there ${ligands === 1 ? 'is 1 ligand' : `are ${ligands} ligands`}. Leave taskCount out or correct it.`,
    );
  }
}

function checkBox(params: SimulationParams, estimate: boolean): void {
  const centres = Object.entries({
    boxCenterAngstrom: params.boxCenterAngstrom,
    pocketLigand: params.pocketLigand,
    pocketResidues: params.pocketResidues,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (centres.length > 1) {
    throw new AppError(
      DOCKING_REFUSALS.BOX_CONFLICT,
      `The centre of the box was given more than once: ${centres.join(', ')}. Keep one of them.`,
    );
  }
  checkPocketLigand(params, centres[0], estimate);
  if (centres.length === 0 && !estimate) {
    throw new AppError(
      DOCKING_REFUSALS.BOX_MISSING,
      'The centre of the box is missing. Send one of simulationParams.boxCenterAngstrom, pocketLigand, pocketResidues.',
    );
  }
  if (params.boxCenterAngstrom !== undefined && params.boxSizeAngstrom === undefined) {
    throw new AppError(
      DOCKING_REFUSALS.BOX_SIZE_REQUIRED,
      'simulationParams.boxCenterAngstrom needs simulationParams.boxSizeAngstrom beside it. Send the edge lengths in Å.',
    );
  }
}

/**
 * Chain and residue say which copy of the pocket ligand is meant, so without a pocket ligand they mean nothing. An
 * estimate may have them without one.
 */
function checkPocketLigand(params: SimulationParams, centre: string | undefined, estimate: boolean): void {
  if (params.pocketLigand !== undefined || (estimate && centre === undefined)) return;
  const stray = Object.entries({
    pocketLigandChain: params.pocketLigandChain,
    pocketLigandResidue: params.pocketLigandResidue,
    pocketLigandInsertionCode: params.pocketLigandInsertionCode,
  }).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (stray.length === 0) return;
  throw centre === undefined
    ? new AppError(
        DOCKING_REFUSALS.BOX_MISSING,
        `simulationParams.pocketLigand is missing beside ${stray.join(' and ')}. Send its component id.`,
      )
    : new AppError(
        DOCKING_REFUSALS.BOX_CONFLICT,
        `${stray.join(' and ')} belong to pocketLigand, but the box has ${centre}. Keep one of them.`,
      );
}

function checkPreparation(params: SimulationParams): void {
  const preparation = preparationOf(params);
  const retained = new Set(preparation.retainComponents);
  const both = preparation.removeComponents.filter((id) => retained.has(id));
  if (both.length > 0) {
    throw invalid(`${PREPARATION}.removeComponents: ${both.join(', ')} is to be removed and retained`);
  }
  if (preparation.protonationMethod !== 'meeko') return;
  if (preparation.protonationPh !== MEEKO_PH) {
    throw new AppError(
      DOCKING_REFUSALS.PREPARATION_CONFLICT,
      `${PREPARATION}: the method meeko sets standard states and knows no pH. Leave protonationPh at ${MEEKO_PH} or use pdb2pqr-propka.`,
    );
  }
  if (preparation.forceField !== 'AMBER') {
    throw new AppError(
      DOCKING_REFUSALS.PREPARATION_CONFLICT,
      `${PREPARATION}: the method meeko has no force field ${preparation.forceField}. Leave forceField out or use pdb2pqr-propka.`,
    );
  }
}

/** Each residue is fixed once, in a state that it can have, and is not to be removed and anything else as well. */
function checkResidues(params: SimulationParams): void {
  const preparation = preparationOf(params);
  checkFlexible(preparation);
  const fixed = new Set<string>();
  const sent = params.receptorPreparation?.fixedProtonationStates ?? [];
  for (const [index, state] of sent.entries()) {
    const residue = residueOf(state);
    const place = residuePlace(residue);
    if (fixed.has(place)) {
      throw invalid(
        `${PREPARATION}.fixedProtonationStates: ${residueLabel(residue)} is fixed more than once`,
      );
    }
    fixed.add(place);
    const states: readonly string[] = FIXED_STATES[state.residueName];
    if (!states.includes(state.state)) {
      throw invalid(
        `${PREPARATION}.fixedProtonationStates.${index}.state: ${state.residueName} can be ${states.join(' or ')}, not ${state.state}`,
      );
    }
  }
  const retained = new Set(preparation.retainResidues?.map(residuePlace));
  const both = preparation.removeResidues?.filter((residue) => retained.has(residuePlace(residue))) ?? [];
  if (both.length > 0) {
    throw invalid(
      `${PREPARATION}.removeResidues: ${both.map(residueLabel).join(', ')} is to be removed and retained`,
    );
  }
}

/** Each side chain turns once, and is not to be removed. */
function checkFlexible({ flexibleResidues, removeResidues }: Preparation): void {
  const removed = new Set(removeResidues?.map(residuePlace));
  const flexible = new Set<string>();
  for (const residue of flexibleResidues ?? []) {
    const [place, label] = [residuePlace(residue), residueLabel(residue)];
    if (flexible.has(place)) {
      throw invalid(`${PREPARATION}.flexibleResidues: ${label} is there more than once`);
    }
    if (removed.has(place)) {
      throw invalid(`${PREPARATION}.flexibleResidues: ${label} is to be flexible and removed`);
    }
    flexible.add(place);
  }
}

/** Waters at the ligand need one that the file has; an estimate may still leave out what the box is made from. */
function checkWaters(params: SimulationParams, estimate: boolean): void {
  const waters = params.receptorPreparation?.retainWatersWithin;
  if (waters?.of !== 'ligand' || namedLigandOf(params) !== null) return;
  const isOpen = params.boxCenterAngstrom === undefined && params.pocketResidues === undefined;
  if (estimate && isOpen) return;
  throw new AppError(
    DOCKING_REFUSALS.PREPARATION_CONFLICT,
    `${PREPARATION}.retainWatersWithin: waters at the ligand need simulationParams.pocketLigand or dockingValidation.nativeReference. Send one of them, or of: "box".`,
  );
}

function invalid(text: string): AppError {
  return new AppError('VALIDATION_ERROR', `${text}.`);
}
