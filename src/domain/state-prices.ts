/**
 * Ligands that are docked in their likely states have a price by the number of their states. How many there are shows when a ligand
 * is prepared, so a ligand is planned in the class of the most states, whose price is held, and is charged in the class that it
 * turned out to be of. The name of that class is the planned one with an ending.
 */
/** The classes by their numbers of states: the largest number of each that costs less than the planned class, and its ending. */
export const FEWER_STATES = [
  { most: 1, ending: ' of 1' },
  { most: 8, ending: ' of 2-8' },
] as const;

/** The most states that are docked of a ligand. */
export const MOST_STATES = 16;

/** The ending of the class of a ligand with so many states; empty for the planned class, null where the price is by no states. */
export function endingOf(states: number | null): string | null {
  if (states === null) return null;
  return FEWER_STATES.find(({ most }) => states <= most)?.ending ?? '';
}
