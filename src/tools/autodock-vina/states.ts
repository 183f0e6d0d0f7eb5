/** The states of a ligand as its result tells them, and whether the one with the poses is the one that won. */
import type { DockedStates } from '../../domain/docking-results.ts';

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
  readonly each: readonly ToldState[];
}

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

/** Finds the fault of the states beside a result's best pose and the ligand with the poses; null for none. */
export function statesFault(
  { won, each }: ToldStates & { readonly won: number },
  bestAffinityKcalMol: number,
  smilesDocked: string,
): string | null {
  if (each.some(({ state }, index) => state !== index + 1)) return 'has states that are not counted from 1';
  const winner = each[won - 1];
  const best = totalOf(winner);
  if (winner === undefined || best === null) return 'names no docked state that won';
  if (winner.bestAffinityKcalMol !== bestAffinityKcalMol || winner.smiles !== smilesDocked)
    return 'has poses of another state than the one that won';
  const isBeaten = each.some((one) => (totalOf(one) ?? Infinity) < best - TOLERANCE_KCAL_MOL);
  return isBeaten ? 'names a state that has not won' : null;
}

/** The states as they are recorded. */
export function recordedStates(
  { onPaper, won, each }: ToldStates & { readonly won: number },
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
