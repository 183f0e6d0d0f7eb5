/** Work that many ask for and that is done once in a while: whoever asks meanwhile gets the last answer, or the running one. */

/**
 * How long the work may take, which is longer than limits of its own; a connection that is half open would keep everybody
 * waiting for many minutes.
 */
const LONGEST_MS = 4_000;

/**
 * Runs the work at most once in so many milliseconds, and never twice at the same time. Work that has no answer in time
 * fails, and begins anew with the next call.
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
    const answer = inTime(work).finally(() => {
      isRunning = false;
    });
    last = { at: now(), answer };
    return answer;
  };
}

async function inTime<T>(work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), LONGEST_MS);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
