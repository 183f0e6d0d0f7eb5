/** How many parts are under way at once, how much memory they take, and how often the file is read for them. */
import { open, truncate, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { openSource } from '../../../src/client/upload/identity.ts';
import { createPartReader, planReading } from '../../../src/client/upload/part-reader.ts';
import type { PartLayout } from '../../../src/client/upload/part-reader.ts';
import { uploadWorld } from './upload-world.ts';

const MIB = 1024 * 1024;

describe('parts under way at once', () => {
  const world = uploadWorld();
  const { file, options } = world;

  const hole = async (sizeBytes: number): Promise<string> => {
    const path = await file(Buffer.alloc(0));
    await truncate(path, sizeBytes);
    return path;
  };
  /** Holds every part until `count` parts have come, and for a moment longer, in case one part too many comes. */
  const holdUntil = (count: number): void => {
    const { promise: come, resolve } = Promise.withResolvers<null>();
    let waiting = 0;
    world.service.keepsBytes = false;
    world.service.fault = async () => {
      waiting += 1;
      if (waiting === count) setImmediate(() => resolve(null));
      await Promise.race([come, sleep(3_000, undefined, { ref: false })]);
      return null;
    };
  };

  for (const [partMib, parts, expected] of [
    [8, 4, 4],
    [16, 4, 4],
    [20, 4, 4],
    [25, 4, 4],
    [8, 2, 2],
    [20, 2, 2],
    [25, 2, 2],
    [8, 3, 3],
    [16, 3, 3],
    [20, 3, 3],
  ] as const) {
    it(`are ${expected} of a file of ${parts} parts of ${partMib} MiB from its first moment on`, async () => {
      const path = await hole((parts - 1) * partMib * MIB + 1_000);
      holdUntil(expected);
      await world.client.upload({ path }, options({ partSize: partMib * MIB }));
      expect(world.service.mostAtOnce).to.equal(expected);
    });
  }

  it('are as many as are asked for, but for small parts, of which those count that fit the memory', () => {
    const most = (partMib: number, concurrency: number, partCount = 100): number =>
      planReading(layoutOf(partMib * MIB, partCount), concurrency).most;
    expect([5, 8, 10].map((size) => most(size, 16))).to.deep.equal([8, 5, 4]);
    expect([11, 16, 20, 25, 100, 5_000].map((size) => most(size, 16))).to.deep.equal(Array(6).fill(16));
    expect([8, 16, 25].map((size) => most(size, 3))).to.deep.equal([3, 3, 3]);
    expect([8, 20, 24, 25].map((size) => most(size, 16, 2))).to.deep.equal([2, 2, 2, 2]);
    expect([16, 25].map((size) => most(size, 64))).to.deep.equal([64, 64]);
  });

  it('take at most 40 MiB, whatever the size of the file and of its parts', () => {
    const larger: string[] = [];
    for (let partMib = 1; partMib <= 5_120; partMib += 1)
      for (const partCount of [1, 2, 3, 4, 10_000])
        for (const concurrency of [1, 16, 64]) {
          const { places, placeBytes } = planReading(layoutOf(partMib * MIB, partCount), concurrency);
          if (places * placeBytes > 40 * MIB) larger.push(`${partMib} MiB`);
        }
    expect(larger).to.deep.equal([]);
  });

  it('are sent from the bytes that were read once', async () => {
    const sizeBytes = 5 * MIB + 17;
    const path = await file(Buffer.alloc(0));
    await writeFile(path, Buffer.alloc(sizeBytes, 7));
    const source = await openSource(path);
    let readBytes = 0;
    const counted = await open(path);
    const read = counted.read.bind(counted) as (...args: unknown[]) => Promise<{ bytesRead: number }>;
    counted.read = (async (...args: unknown[]) => {
      const answer = await read(...args);
      readBytes += answer.bytesRead;
      return answer;
    }) as typeof counted.read;
    try {
      const layout = { sizeBytes, partSize: MIB, partCount: 6 };
      const reader = createPartReader({ ...source, handle: counted }, layout, 4);
      let sentBytes = 0;
      for await (const part of reader.parts()) {
        for await (const chunk of part.body.chunks()) sentBytes += chunk.byteLength;
        part.release();
      }
      expect({ readBytes, sentBytes }).to.deep.equal({ readBytes: sizeBytes, sentBytes: sizeBytes });
    } finally {
      await Promise.all([counted.close(), source.handle.close()]);
    }
  });
});

function layoutOf(partSize: number, partCount: number): PartLayout {
  return { partSize, partCount, sizeBytes: partSize * partCount };
}
