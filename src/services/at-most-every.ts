/** Work that many ask for and that is done once in a while: whoever asks meanwhile gets the last answer, or the running one. */

/**
 * Runs the work at most once in so many milliseconds, and never twice at the same time.
 * @param now monotonic time in milliseconds; tests set it.
 */
export function atMostEvery<T>(
  ms: number,
  work: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | null = null;
  let isRunning = false;
  return () => {
    if (last !== null && (isRunning || now() - last.at < ms)) return last.answer;
    isRunning = true;
    const answer = work().finally(() => {
      isRunning = false;
    });
    last = { at: now(), answer };
    return answer;
  };
}
