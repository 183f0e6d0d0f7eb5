import { expect } from 'chai';
import fc from 'fast-check';
import { partCount, partRange, shardsOf } from '../../../src/domain/shards.ts';

describe('shard plans', () => {
  it('carry every ordinal exactly once, in order, in shards of at most the size', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(20_000), { maxLength: 300 }),
        fc.integer({ min: 1, max: 10 }),
        (ordinals, size) => {
          const shards = shardsOf(ordinals, size);
          expect(shards.flat()).to.deep.equal(ordinals);
          for (const shard of shards) expect(shard.length).to.be.within(1, size);
          expect(shards.length).to.equal(Math.ceil(ordinals.length / size));
        },
      ),
    );
  });

  it('cut a job into parts that cover all tasks without overlap', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 1, max: 500 }), (tasks, size) => {
        const ranges = Array.from({ length: partCount(tasks, size) }, (_, part) =>
          partRange(part, size, tasks),
        );
        expect(ranges[0]?.from).to.equal(0);
        expect(ranges.at(-1)?.to).to.equal(tasks);
        ranges.forEach((range, part) => {
          expect(range.to - range.from).to.be.within(1, size);
          if (part > 0) expect(range.from).to.equal(ranges[part - 1]?.to);
        });
      }),
    );
  });
});
