/**
 * A budget bounds the bytes of memory that one process takes at once to read stored objects. Work that needs more than is left
 * waits. Waiting work is served in the order of asking, so that small objects do not keep a large one waiting for ever.
 */

/** A budget of bytes. */
export interface ByteBudget {
  readonly totalBytes: number;
  /**
   * Does work that holds so many bytes, once there is room for them; they are given back when it has ended.
   * @throws RangeError when it is more than the whole budget, for which nobody could ever wait long enough.
   */
  hold<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Makes a budget. */
export function createByteBudget(totalBytes: number): ByteBudget {
  let left = totalBytes;
  const waiting: { readonly bytes: number; readonly enter: () => void }[] = [];

  const admit = (): void => {
    for (let next = waiting[0]; next !== undefined && next.bytes <= left; next = waiting[0]) {
      waiting.shift();
      left -= next.bytes;
      next.enter();
    }
  };

  return {
    totalBytes,
    async hold(bytes, work) {
      if (bytes > totalBytes)
        throw new RangeError(`${bytes} bytes are more than the budget of ${totalBytes}.`);
      await new Promise<void>((enter) => {
        waiting.push({ bytes, enter });
        admit();
      });
      try {
        return await work();
      } finally {
        left += bytes;
        admit();
      }
    },
  };
}
