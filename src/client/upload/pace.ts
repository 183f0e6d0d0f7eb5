/**
 * How many parts of a file are sent at once: the number that the upload may use, less after the store or the network
 * has said "too much". A part that fails in that way halves the number. Parts that were under way together fail
 * together, so they halve the number once. When as many parts have arrived as are sent at once, one part more is sent
 * at once, until the first number is reached again.
 */

/** Lets parts through, and learns from how each of them ends. */
export interface Pace {
  /** Parts that may be under way at once now. */
  readonly limit: number;
  /** Sends a part as soon as there is room for it. */
  run<T>(send: () => Promise<T>): Promise<T>;
}

/** Makes a pace of at most so many parts; `isTooMuch` tells the failures that fewer parts at once may mend. */
export function createPace(most: number, isTooMuch: (error: unknown) => boolean): Pace {
  const waiting: (() => void)[] = [];
  let [limit, underWay, arrived, halvings] = [most, 0, 0, 0];

  const admit = (): void => {
    while (underWay < limit) {
      const next = waiting.shift();
      if (next === undefined) return;
      underWay += 1;
      next();
    }
  };
  const grow = (): void => {
    arrived += 1;
    if (arrived < limit || limit >= most) return;
    limit += 1;
    arrived = 0;
  };
  const halve = (): void => {
    limit = Math.max(1, Math.floor(limit / 2));
    halvings += 1;
    arrived = 0;
  };
  return {
    get limit() {
      return limit;
    },
    async run(send) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      const begunAfter = halvings;
      try {
        const answer = await send();
        grow();
        return answer;
      } catch (error) {
        if (isTooMuch(error) && begunAfter === halvings) halve();
        throw error;
      } finally {
        underWay -= 1;
        admit();
      }
    },
  };
}
