import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { loadConfig } from '../../../src/config.ts';
import { classFor, limitsOf } from '../../../src/domain/instance-classes.ts';
import type { TaskResources } from '../../../src/domain/machines.ts';
import { loadInstanceClasses } from '../../../src/services/prices/instance-classes.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { noop } from '../../fixtures/noop-tool/index.ts';

const SUBNETS = 'subnet-0123abcd,subnet-4567cdef';
const TASK: TaskResources = { vcpus: 1, memoryMib: 512, diskMib: 100, gpu: 'none' };

describe('classes of instances', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-classes-'));
  after(() => rmSync(folder, { recursive: true }));
  const load = (content: unknown): unknown => {
    const file = join(folder, 'classes.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return loadInstanceClasses({ instanceClassesFile: file, ec2Subnets: SUBNETS });
  };
  const builtIn = loadInstanceClasses({ instanceClassesFile: '', ec2Subnets: SUBNETS });

  it('of this release are of types of the price book, none of them a p-type, each in each subnet on both markets', () => {
    const types = loadPriceBook().instanceTypes;
    for (const { candidates, vcpus, gpus } of builtIn)
      for (const { type } of candidates) {
        expect(types).to.have.property(type);
        expect(types[type]?.vcpus).to.be.at.least(vcpus);
        expect(types[type]?.gpu === null).to.equal(gpus === 0);
        expect(type).to.not.match(/^p/);
      }
    const [cpu] = builtIn;
    expect(cpu?.candidates.map(({ type, subnet, market }) => [type, subnet, market].join(' '))).to.deep.equal(
      ['c7i.xlarge', 'm7i.xlarge'].flatMap((type) =>
        ['ON_DEMAND', 'SPOT'].flatMap((market) =>
          SUBNETS.split(',').map((subnet) => `${type} ${subnet} ${market}`),
        ),
      ),
    );
  });

  it('are the first in which a task fits, with GPUs only for tasks that use them', () => {
    const named = (task: Partial<TaskResources>): string | null =>
      classFor(builtIn, { ...TASK, ...task })?.name ?? null;
    expect(named({})).to.equal('cpu');
    expect(named({ vcpus: 10 })).to.equal('cpu-16');
    expect(named({ gpu: 'required' })).to.equal('gpu');
    expect(named({ gpu: 'required', vcpus: 6 })).to.equal('gpu-8');
    expect(named({ gpu: 'required', gpuKind: 'L4' })).to.equal('gpu-l4');
    expect(named({ gpu: 'required', gpus: 4 }), 'the smallest with enough GPUs').to.equal('gpu-x4');
    expect(named({ gpu: 'required', gpus: 2, gpuKind: 'A10G' })).to.equal('gpu-a10g-x4');
    expect(named({ gpu: 'required', gpus: 5 }), 'no machine has five').to.equal(null);
    expect(named({ memoryMib: 10_000_000 })).to.equal(null);
    // A GPU of the class has at least what the least of its kinds has, less what the driver takes.
    expect(named({ gpu: 'required', gpuMemoryMib: 14_000 })).to.equal('gpu');
    expect(named({ gpu: 'required', gpuMemoryMib: 16_384 }), 'no class for all has so much').to.equal(null);
    expect(named({ gpu: 'required', gpuKind: 'L4', gpuMemoryMib: 20_000 })).to.equal('gpu-l4');
    expect(named({ gpuMemoryMib: 16_384 }), 'of a task without GPU').to.equal('cpu');
  });

  it('of an operator may have p-types, which only jobs get that name their GPU, and which are priced', () => {
    const own = load([
      { name: 'h100', types: ['p5.4xlarge'], diskGib: 512 },
      { name: 'a100', types: ['p4d.24xlarge'], diskGib: 512, onlyWhenNamed: true },
      { name: 'gpu', types: ['g5.xlarge'], diskGib: 128 },
    ]) as typeof builtIn;
    const named = (task: Partial<TaskResources>): string | null =>
      classFor(own, { ...TASK, gpu: 'required', ...task })?.name ?? null;
    expect(named({})).to.equal('gpu');
    expect(named({ gpuKind: 'H100' })).to.equal('h100');
    expect(named({ gpuKind: 'A100', gpus: 8 })).to.equal('a100');
    expect(named({ gpuKind: 'V100' }), 'no class has one').to.equal(null);
    expect(named({ vcpus: 16 }), 'not named, so the job is not given what costs most').to.equal(null);
    const { instanceTypes } = loadPriceBook();
    const pTypes = Object.keys(instanceTypes).filter((type) => type.startsWith('p'));
    expect(pTypes).to.include.members(['p3.2xlarge', 'p4d.24xlarge', 'p5.48xlarge']);
    for (const type of pTypes) {
      const { onDemandMicroUsdPerHour: onDemand = 0, spotMicroUsdPerHour: spot = 0 } =
        instanceTypes[type] ?? {};
      expect(onDemand, type).to.be.above(3_000_000);
      expect(spot, type).to.be.above(0).and.below(onDemand);
    }
  });

  it('plan a noop job that wants a GPU on instances with one, one task a GPU', () => {
    const request = { jobType: 'simulation', simulator: 'noop', taskCount: 4 } as const;
    const metadata = { noop: { instance: { gpus: 1, vcpus: 4 } } };
    const resources = noop.planning.resources({ ...request, metadata });
    const found = classFor(builtIn, resources) ?? expect.fail('no class');
    const plan = noop.planning.plan({ ...request, metadata }, limitsOf(found, 8));
    expect(plan).to.include({
      ...{ instanceClass: 'gpu', gpusPerInstance: 1, vcpusPerInstance: 4, slotsPerInstance: 1, instances: 4 },
    });
  });

  it('plan as many tasks beside each other as a machine has GPUs', () => {
    const request = { jobType: 'simulation', simulator: 'noop', taskCount: 8 } as const;
    const metadata = { noop: { instance: { gpus: 4, vcpus: 4 } } };
    const found =
      classFor(builtIn, noop.planning.resources({ ...request, metadata })) ?? expect.fail('no class');
    const plan = noop.planning.plan({ ...request, metadata }, limitsOf(found, 8));
    expect(plan).to.include({
      instanceClass: 'gpu-x4',
      gpusPerInstance: 4,
      slotsPerInstance: 4,
      instances: 2,
    });
  });

  it('that are wrong stop the start, and every fault is named', () => {
    const right = { name: 'cpu', types: ['c7i.xlarge'], diskGib: 64 };
    expect(load([right])).to.have.length(1);
    expect(() => load([{ ...right, types: ['zz9.huge'] }])).to.throw('zz9.huge');
    expect(() => load([{ ...right, diskGib: 1, surprise: 1 }])).to.throw(/diskGib.*surprise/);
    expect(() => load([right, right])).to.throw('duplicate');
    expect(() => load('no JSON')).to.throw('classes.json');
    expect(() => load([])).to.throw('at least 1');
  });
});

describe('settings of EC2', () => {
  const base = {
    DOCKYARD_DATABASE_URL: 'postgresql://dockyard@127.0.0.1/dockyard',
    DOCKYARD_SECRET: '0'.repeat(64),
    DOCKYARD_SETTINGS_KEY: `key:${'0'.repeat(64)}`,
    DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1',
    DOCKYARD_STORAGE_BUCKET: 'bucket',
    DOCKYARD_STORAGE_ACCESS_KEY_ID: 'key',
    DOCKYARD_STORAGE_SECRET_ACCESS_KEY: 'secret',
    DOCKYARD_STORAGE_ENDPOINT: 'http://127.0.0.1:1',
  };
  const ec2 = {
    DOCKYARD_PROVIDER: 'ec2',
    DOCKYARD_EC2_REGION: 'us-west-2',
    DOCKYARD_EC2_DEPLOYMENT: 'mine',
    DOCKYARD_EC2_SUBNETS: SUBNETS,
    DOCKYARD_EC2_SECURITY_GROUPS: 'sg-0123abcd',
    DOCKYARD_EC2_COMPUTE_IMAGE: `registry.example/compute@sha256:${'a'.repeat(64)}`,
  };

  it('are required with the provider ec2, or while jobs of it are open, and with no other', () => {
    expect(() => loadConfig('control', { ...base, ...ec2 })).to.not.throw();
    for (const name of Object.keys(ec2).filter((key) => key !== 'DOCKYARD_PROVIDER'))
      expect(() => loadConfig('control', { ...base, ...ec2, [name]: undefined }), name).to.throw(name);
    const local = { ...base, DOCKYARD_COMPUTE_TOKEN: 'x'.repeat(32) };
    expect(() => loadConfig('control', local)).to.not.throw();
    expect(() => loadConfig('control', base)).to.throw('DOCKYARD_COMPUTE_TOKEN');
    expect(() => loadConfig('control', { ...local, DOCKYARD_FURTHER_PROVIDERS: 'ec2' })).to.throw(
      'DOCKYARD_EC2_REGION',
    );
  });

  it('leave a cloud more instances and vCPUs than one machine has, unless they are set', () => {
    const fleetOf = (more: Readonly<Record<string, string>>): readonly number[] => {
      const { maxInstancesPerJob, accountCapacityVcpus, capacityVcpus } = loadConfig('cli', {
        ...base,
        DOCKYARD_SETTINGS_KEY: `key:${'0'.repeat(64)}`,
        ...more,
      });
      return [maxInstancesPerJob, accountCapacityVcpus, capacityVcpus];
    };
    expect(fleetOf({ DOCKYARD_COMPUTE_TOKEN: 'x'.repeat(32) })).to.deep.equal([1, 8, 8]);
    expect(fleetOf(ec2)).to.deep.equal([16, 128, 256]);
    const set = {
      DOCKYARD_MAX_INSTANCES_PER_JOB: '64',
      DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '4',
      DOCKYARD_CAPACITY_VCPUS: '12',
    };
    expect(fleetOf({ ...ec2, ...set })).to.deep.equal([64, 4, 12]);
    expect(() => fleetOf({ ...ec2, DOCKYARD_MAX_INSTANCES_PER_JOB: '65' })).to.throw(
      'DOCKYARD_MAX_INSTANCES_PER_JOB',
    );
    expect(() => fleetOf({ ...ec2, DOCKYARD_CAPACITY_VCPUS: '0' })).to.throw('DOCKYARD_CAPACITY_VCPUS');
  });

  it('name an image by its digest, and subnets and groups by their ids', () => {
    for (const [name, value] of [
      ['DOCKYARD_EC2_COMPUTE_IMAGE', 'registry.example/compute:latest'],
      ['DOCKYARD_EC2_SUBNETS', 'subnet-0123abcd;other'],
      ['DOCKYARD_EC2_IMAGE', 'amazon-linux'],
      ['DOCKYARD_EC2_REGION', 'somewhere'],
    ] as const)
      expect(() => loadConfig('control', { ...base, ...ec2, [name]: value }), name).to.throw(name);
  });
});
