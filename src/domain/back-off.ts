/**
 * Waits between repetitions: the first, then twice as long each time, up to the longest, which is repeated for ever. The
 * unit is that of the arguments. A loop that has succeeded makes a new generator; jitter is the loop's own.
 */
export function* backOff(first: number, longest: number): Generator<number, never, undefined> {
  for (let wait = first; ; wait = Math.min(wait * 2, longest)) yield wait;
}
