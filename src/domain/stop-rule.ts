/**
 * The stop rule of a batch: docking ends where the best ligands have stayed the same for long. The rule looks at the ligands in the
 * one order in which they are to be docked, and at the part of that order in which every ligand is decided. So the ligand at which a
 * batch stops follows from the scores alone, whatever number of workers has docked them and in whatever order they came back.
 *
 * A ligand that is not docked says nothing and is passed over. A score that equals the worst of the best changes nothing.
 */

/** Message about a ligand that a rule has left undone. */
export const STOP_MESSAGE =
  'The best ligands had not changed for as long as stopWhen says; this ligand does not count and is not charged.';

/** The most ligands at the top that a rule may look at. */
export const MOST_WATCHED = 1_000;

/** When a batch stops: after so many docked ligands in a row of which none came among the best. */
export interface StopWhen {
  /** How many of the best ligands are looked at. */
  readonly topN: number;
  /** How many docked ligands must leave them as they are. */
  readonly unchangedFor: number;
}

/** How far the rule has looked. */
export interface StopState {
  /** How many places of the order are behind. */
  readonly places: number;
  /** How many ligands of these are docked. */
  readonly docked: number;
  /** How many ligands were docked when the best changed last. */
  readonly changedAt: number;
  /** The best scores, ascending, at most as many as the rule looks at. */
  readonly best: readonly number[];
}

/** Finding of the rule: where the batch stops, as the number of places before and with the last ligand; null for nowhere yet. */
export interface StopFinding {
  readonly state: StopState;
  readonly stopsAfter: number | null;
}

/** The code of the tasks that a rule has left undone. */
export const STOP_RULE = 'STOP_RULE';

/** State in which the rule begins. */
export const STOP_BEGIN: StopState = { places: 0, docked: 0, changedAt: 0, best: [] };

/** Looks at the next decided ligands in their order; a score is null where a ligand is not docked. */
export function applyStopRule(
  { topN, unchangedFor }: StopWhen,
  from: StopState,
  scores: readonly (number | null)[],
): StopFinding {
  const best = [...from.best];
  let { places, docked, changedAt } = from;
  for (const score of scores) {
    places += 1;
    if (score === null) continue;
    docked += 1;
    if (enters(best, score, topN)) changedAt = docked;
    if (best.length === topN && docked - changedAt >= unchangedFor)
      return { state: { places, docked, changedAt, best }, stopsAfter: places };
  }
  return { state: { places, docked, changedAt, best }, stopsAfter: null };
}

/** Puts a score among the best where it belongs there. */
function enters(best: number[], score: number, topN: number): boolean {
  const worst = best.at(-1);
  if (best.length === topN && worst !== undefined && score >= worst) return false;
  const place = best.findIndex((other) => other > score);
  best.splice(place < 0 ? best.length : place, 0, score);
  if (best.length > topN) best.pop();
  return true;
}
