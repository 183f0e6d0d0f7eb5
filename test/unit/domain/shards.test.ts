import { expect } from 'chai';
import fc from 'fast-check';
import { partRange, partStarts, shardsOf, tasksOfOrderedPart } from '../../../src/domain/shards.ts';
import type { PartsPlan } from '../../../src/domain/shards.ts';

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

  const plan = fc.record(
    {
      taskCount: fc.integer({ min: 1, max: 10_000 }),
      shardSize: fc.integer({ min: 1, max: 10 }),
      instances: fc.integer({ min: 1, max: 64 }),
      slotsPerInstance: fc.integer({ min: 1, max: 16 }),
    },
    { requiredKeys: ['taskCount', 'shardSize', 'instances', 'slotsPerInstance'] },
  );
  const rangesOf = (one: PartsPlan) => {
    const starts = partStarts(one);
    return starts.map((_, part) => partRange(part, starts, one.taskCount));
  };

  it('cut a job into parts that cover all tasks without overlap', () => {
    fc.assert(
      fc.property(plan, (one) => {
        const ranges = rangesOf(one);
        expect(ranges[0]?.from).to.equal(0);
        expect(ranges.at(-1)?.to).to.equal(one.taskCount);
        ranges.forEach((range, part) => {
          expect(range.to - range.from).to.be.within(1, 250);
          if (part > 0) expect(range.from).to.equal(ranges[part - 1]?.to);
        });
      }),
    );
  });

  it('are of 250 tasks with one instance, which waits for no other one', () => {
    const alone = { taskCount: 600, shardSize: 7, instances: 1, slotsPerInstance: 2 };
    expect(partStarts(alone)).to.deep.equal([0, 250, 500]);
  });

  it('have work for every instance, and small parts at the end', () => {
    const fleet = { shardSize: 1, slotsPerInstance: 2 } as const;
    for (const [taskCount, instances] of [
      [250, 8],
      [600, 8],
      [10_000, 8],
      [10_000, 64],
    ] as const) {
      const sizes = rangesOf({ ...fleet, taskCount, instances }).map(({ from, to }) => to - from);
      expect(sizes.length).to.be.within(instances, 20 * instances);
      expect(sizes).to.deep.equal(sizes.toSorted((a, b) => b - a));
      expect(Math.max(...sizes.slice(-instances))).to.be.at.most(2);
    }
  });

  it('cut a job whose order matters into small parts that follow each other', () => {
    fc.assert(
      fc.property(plan, (one) => {
        const partTasks = tasksOfOrderedPart(one);
        expect(partTasks % one.shardSize === 0 || partTasks === 250).to.equal(true);
        const ranges = rangesOf({ ...one, partTasks });
        expect(ranges.at(-1)?.to).to.equal(one.taskCount);
        for (const { from, to } of ranges) expect(to - from).to.be.within(1, partTasks);
      }),
    );
  });

  it('keep shards whole', () => {
    fc.assert(
      fc.property(plan, ({ shardSize, ...one }) => {
        // A part of 250 tasks need not be a multiple of the size of a shard.
        for (const { from, to } of rangesOf({ ...one, shardSize }).slice(0, -1))
          if (to - from < 250) expect((to - from) % shardSize).to.equal(0);
      }),
    );
  });
});
