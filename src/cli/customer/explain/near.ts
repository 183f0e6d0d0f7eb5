/** Finds known words that are close to a word that was typed. */

const MOST = 5;

/** The closest of the words, best first; none when nothing is near. */
export function nearest(word: string, words: readonly string[]): string[] {
  const typed = word.toLowerCase();
  const limit = Math.max(1, Math.floor(typed.length / 3));
  return [...new Set(words)]
    .map((candidate) => ({ candidate, distance: distanceOf(typed, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || a.candidate.length - b.candidate.length)
    .slice(0, MOST)
    .map(({ candidate }) => candidate);
}

/** How far two words are apart; a word within the other is near whatever surrounds it. */
function distanceOf(typed: string, candidate: string): number {
  if (typed.length >= 3 && candidate.includes(typed)) return 0.5;
  const last = candidate.split('.').at(-1) ?? candidate;
  return Math.min(editsBetween(typed, candidate), editsBetween(typed, last));
}

/** How many letters have to be inserted, deleted, replaced or swapped to make one word from the other. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, above] = [above, current];
  }
  return above[b.length] ?? 0;
}
