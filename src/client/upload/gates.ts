/** What bounds an upload: buffers, so that memory stays flat, and places to send from, so that the network does. */

/** Buffers of one size that go round. */
export interface BufferPool {
  readonly count: number;
  take(): Promise<Buffer>;
  give(buffer: Buffer): void;
}

/** Makes a pool; a buffer is allocated when it is first needed. */
export function createBufferPool(count: number, sizeBytes: number): BufferPool {
  const free: Buffer[] = [];
  const waiting: ((buffer: Buffer) => void)[] = [];
  let made = 0;
  return {
    count,
    take() {
      const buffer = free.pop();
      if (buffer !== undefined) return Promise.resolve(buffer);
      if (made === count) return new Promise((resolve) => waiting.push(resolve));
      made += 1;
      return Promise.resolve(Buffer.allocUnsafeSlow(sizeBytes));
    },
    give(buffer) {
      const next = waiting.shift();
      if (next === undefined) free.push(buffer);
      else next(buffer);
    },
  };
}

/** Lets so many through at once as a limit says that may change at any time. */
export interface Gate {
  enter(): Promise<void>;
  leave(): void;
}

/** Makes a gate. */
export function createGate(limit: () => number): Gate {
  const waiting: (() => void)[] = [];
  let inside = 0;
  const admit = (): void => {
    while (inside < limit()) {
      const next = waiting.shift();
      if (next === undefined) return;
      inside += 1;
      next();
    }
  };
  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        admit();
      }),
    leave() {
      inside -= 1;
      admit();
    },
  };
}
