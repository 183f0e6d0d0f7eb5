/** The states of a ligand as its result tells them, and whether the one with the poses is the one that won. */
import Joi from 'joi';

import type { DockedStates } from '../../domain/docking-results.ts';
import { MOST_STATES } from '../../domain/state-prices.ts';

/** One state of a ligand as a file tells it; the score is missing where the ligand was not docked. */
export interface ToldState {
  readonly state: number;
  readonly smiles: string;
  readonly formalCharge: number;
  readonly costKcalMol: number;
  readonly bestAffinityKcalMol?: number | null;
}

/** The states of a ligand as a file tells them. */
export interface ToldStates {
  readonly onPaper: number;
  readonly won?: number;
  readonly each: readonly ToldState[];
}

const MOST_CHARGE = 1000;
const MOST_ON_PAPER = Number.MAX_SAFE_INTEGER;
/** Two numbers of three decimals are compared. */
const TOLERANCE_KCAL_MOL = 0.00101;

/**
 * How long each state of a ligand is searched, as the session has it: as long as a single one where there are two at most. More
 * of them share twice that, and none has less than a quarter of what was asked for.
 */
export function stateExhaustiveness(exhaustiveness: number, states: number): number {
  if (states === 1) return exhaustiveness;
  return Math.max(Math.floor(exhaustiveness / 4), Math.ceil((2 * exhaustiveness) / states));
}

/** The shape of the states of a ligand. */
export const STATES = Joi.object<ToldStates>({
  onPaper: Joi.number().integer().min(1).max(MOST_ON_PAPER).required(),
  won: Joi.number().integer().min(1).max(MOST_STATES),
  each: Joi.array()
    .min(1)
    .max(MOST_STATES)
    .items(
      Joi.object({
        state: Joi.number().integer().min(1).max(MOST_STATES).required(),
        smiles: Joi.string().max(4096).required(),
        formalCharge: Joi.number().integer().min(-MOST_CHARGE).max(MOST_CHARGE).required(),
        costKcalMol: Joi.number().min(0).required(),
        bestAffinityKcalMol: Joi.number().allow(null),
      }).unknown(),
    )
    .required(),
});

/** Finds the fault of the states beside a result's best pose and the ligand with the poses; null for none. */
export function statesFault(
  { won, each }: ToldStates,
  bestAffinityKcalMol: number | undefined,
  smilesDocked: string | undefined,
): string | null {
  if (each.some(({ state }, index) => state !== index + 1)) return 'has states that are not counted from 1';
  const winner = each[(won ?? 0) - 1];
  const best = totalOf(winner);
  if (winner === undefined || best === null) return 'names no docked state that won';
  if (winner.bestAffinityKcalMol !== bestAffinityKcalMol || winner.smiles !== smilesDocked)
    return 'has poses of another state than the one that won';
  const isBeaten = each.some((one) => (totalOf(one) ?? Infinity) < best - TOLERANCE_KCAL_MOL);
  return isBeaten ? 'names a state that has not won' : null;
}

/** The states as they are recorded. */
export function recordedStates(
  { onPaper, won = 1, each }: ToldStates,
  smilesOf: (told: string) => string | null,
): DockedStates {
  return {
    onPaper,
    won,
    each: each.map(({ smiles, formalCharge, costKcalMol, bestAffinityKcalMol = null }) => ({
      smiles: smilesOf(smiles),
      formalCharge,
      costKcalMol,
      bestAffinityKcalMol,
    })),
  };
}

function totalOf(state: ToldState | undefined): number | null {
  const score = state?.bestAffinityKcalMol;
  return state === undefined || score === undefined || score === null ? null : score + state.costKcalMol;
}
