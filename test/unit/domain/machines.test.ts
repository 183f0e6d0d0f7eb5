import { expect } from 'chai';
import fc from 'fast-check';

import { machinesFor, missingRoom, ONE_SLOT } from '../../../src/domain/machines.ts';
import type { PlanLimits, TaskResources } from '../../../src/domain/machines.ts';

const resources = fc.record({
  vcpus: fc.integer({ min: 1, max: 64 }),
  memoryMib: fc.integer({ min: 0, max: 100_000 }),
  diskMib: fc.integer({ min: 0, max: 1_000_000 }),
  gpu: fc.constantFrom<TaskResources['gpu']>('none', 'optional', 'required'),
});
const counted = fc.record({
  maxInstances: fc.integer({ min: 1, max: 8 }),
  slotsPerInstance: fc.integer({ min: 1, max: 64 }),
  vcpusPerInstance: fc.integer({ min: 1, max: 64 }),
});
const limits = fc
  .tuple(counted, fc.nat(200_000), fc.nat(2_000_000))
  .map(([bounds, memoryMibPerInstance, diskMibPerInstance]): PlanLimits => ({
    ...bounds,
    memoryMibPerInstance,
    diskMibPerInstance,
  }));
const shards = fc.integer({ min: 1, max: 10_000 });

describe('the machines of a job', () => {
  it('stay as they were for tasks of one vCPU where memory and disk are not counted', () => {
    fc.assert(
      fc.property(resources, shards, counted, (asked, count, bounds) => {
        const { maxInstances, slotsPerInstance, vcpusPerInstance } = bounds;
        const instances = Math.max(1, Math.min(maxInstances, Math.ceil(count / slotsPerInstance)));
        expect(machinesFor({ ...asked, vcpus: 1 }, count, bounds)).to.deep.equal({
          ...{ instances, slotsPerInstance, vcpusPerInstance },
        });
      }),
    );
  });

  it('have room for all tasks that run at once, when a task fits at all', () => {
    fc.assert(
      fc.property(resources, shards, limits, (asked, count, bounds) => {
        fc.pre(missingRoom(asked, bounds) === null);
        const { slotsPerInstance: slots, instances, vcpusPerInstance } = machinesFor(asked, count, bounds);
        expect(slots).to.be.within(1, bounds.slotsPerInstance);
        expect(instances).to.be.within(1, bounds.maxInstances);
        expect(vcpusPerInstance).to.equal(bounds.vcpusPerInstance);
        if (asked.vcpus > 1) expect(slots * asked.vcpus).to.be.at.most(bounds.vcpusPerInstance);
        if (bounds.memoryMibPerInstance)
          expect(slots * asked.memoryMib).to.be.at.most(bounds.memoryMibPerInstance);
        if (bounds.diskMibPerInstance) expect(slots * asked.diskMib).to.be.at.most(bounds.diskMibPerInstance);
        // No instance more than the shards fill, and no instance fewer than may be had and filled.
        if (instances > 1) expect((instances - 1) * slots).to.be.below(count);
        if (instances < bounds.maxInstances) expect(instances * slots).to.be.at.least(count);
      }),
    );
  });

  it('leave no slot out that would have had room', () => {
    fc.assert(
      fc.property(resources, shards, limits, (asked, count, bounds) => {
        const more = machinesFor(asked, count, bounds).slotsPerInstance + 1;
        const { memoryMibPerInstance: memory, diskMibPerInstance: disk } = bounds;
        expect(
          more > bounds.slotsPerInstance ||
            (asked.vcpus > 1 && more * asked.vcpus > bounds.vcpusPerInstance) ||
            (memory && more * asked.memoryMib > memory) ||
            (disk && more * asked.diskMib > disk),
        ).to.be.ok;
      }),
    );
  });

  it('are one slot of one vCPU for a small job, whatever the number of shards', () => {
    fc.assert(
      fc.property(shards, (count) => {
        expect(
          machinesFor({ vcpus: 1, memoryMib: 1, diskMib: 1, gpu: 'none' }, count, ONE_SLOT),
        ).to.deep.equal({ instances: 1, slotsPerInstance: 1, vcpusPerInstance: 1 });
      }),
    );
  });

  it('are refused to a task that needs more than an instance has, by the first such resource', () => {
    fc.assert(
      fc.property(resources, limits, (asked, bounds) => {
        const missing = missingRoom(asked, bounds);
        const { vcpusPerInstance: vcpus, memoryMibPerInstance: memory, diskMibPerInstance: disk } = bounds;
        if (asked.vcpus > vcpus)
          expect(missing).to.deep.equal({ resource: 'vcpus', needed: asked.vcpus, available: vcpus });
        else if (memory && asked.memoryMib > memory) expect(missing?.resource).to.equal('memoryMib');
        else if (disk && asked.diskMib > disk) expect(missing?.resource).to.equal('diskMib');
        else expect(missing).to.equal(null);
      }),
    );
  });
});
