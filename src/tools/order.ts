/** Orders that no locale changes, because they are part of digests. */

/** Compares by code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The values of a list in one order, each once. */
export function sortedSet(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted(compareText);
}
