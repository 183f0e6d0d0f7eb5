/** The machines of an offered plan follow from what a task needs, and a task that fits on no instance is refused. */
import { expect } from 'chai';

import type { EstimateJobRequest, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { machinesFor } from '../../../src/domain/machines.ts';
import { classOf } from '../../../src/domain/instance-classes.ts';
import type { CapacityLimits } from '../../../src/domain/capacity-pools.ts';
import { createEstimate } from '../../../src/services/jobs/estimate.ts';
import { offerFor } from '../../../src/services/jobs/offer.ts';
import type { OfferedTo } from '../../../src/services/jobs/offer.ts';
import type { PlanSettings } from '../../../src/services/jobs/room.ts';
import { loadInstanceClasses } from '../../../src/services/prices/instance-classes.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../../src/services/prices/quotes.ts';
import { noop } from '../../fixtures/noop-tool/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { ownerOf } from '../../support/actors.ts';
import { TEST_TOOLS } from '../../support/test-tools.ts';

const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
const SETTINGS: PlanSettings = {
  ...{ instanceSlots: 4, instanceVcpus: 4, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 8, taskTimeoutSeconds: 60 },
};
const request = (vcpus: number): SubmitJobRequest => ({
  ...({ jobType: 'simulation', simulator: 'noop', taskCount: 9 } as const),
  metadata: { noop: { vcpus } },
});

describe('an offer', () => {
  const deps = (settings: Partial<PlanSettings> = {}) => ({
    ...{ tools: createToolRegistry({ testTools: TEST_TOOLS }), quotes: createQuotes(loadPriceBook(), RATES) },
    settings: { ...SETTINGS, ...settings },
  });
  const offered = async (vcpus: number, settings: Partial<PlanSettings> = {}, tool: Tool = noop) => {
    const asked = { tool, simulator: 'noop', request: request(vcpus), unused: [], warnings: [] };
    const { plan } = await offerFor(deps(settings), asked, new Map(), { accountPlan: 'free' });
    return [plan.slotsPerInstance, plan.instances, plan.vcpusPerInstance];
  };
  const estimateWith = (settings: Partial<PlanSettings>): ReturnType<typeof createEstimate> => {
    const open = { check: () => Promise.resolve(), require: () => Promise.resolve() };
    const catalogue = { find: () => Promise.resolve(null), names: () => Promise.resolve([]) };
    const quoteTokens = createQuoteTokens('0'.repeat(64));
    return createEstimate({ ...deps(settings), confirmations: open, offers: open, catalogue, quoteTokens });
  };
  const refusal = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('it was not refused'),
      (error: unknown) => error,
    );

  it('gives tasks of several vCPUs fewer slots, and the job more instances', async () => {
    expect(await offered(1)).to.deep.equal([4, 3, 4]);
    expect(await offered(2)).to.deep.equal([2, 5, 4]);
    expect(await offered(3)).to.deep.equal([1, 8, 4]);
    expect(await offered(4)).to.deep.equal([1, 8, 4]);
  });

  it('counts memory and disk where the installation says how much an instance has', async () => {
    expect(await offered(1, { instanceMemoryMib: 1024 }), '512 MiB a task').to.deep.equal([2, 5, 4]);
    expect(await offered(1, { instanceDiskMib: 60 }), '17 MiB a task').to.deep.equal([3, 3, 4]);
  });

  it('is refused by submit and estimate, with the field because of which a task fits on no instance', async () => {
    const message =
      'metadata.noop.vcpus: a task would need 5 vCPUs, and an instance here has 4. Ask for less.';
    expect(await refusal(offered(5))).to.include({ code: 'VALIDATION_ERROR', message });
    const asked = request(5) as EstimateJobRequest;
    expect(await refusal(estimateWith({})(ownerOf('account', 'user'), asked))).to.include({
      code: 'VALIDATION_ERROR',
      message,
    });
  });

  it('decides whether a task that may use a GPU gets one: where one with room is offered, and allowed', async () => {
    const resources: Tool['planning']['resources'] = (sent) => ({
      ...noop.planning.resources(sent),
      ...({ gpu: sent.parameters?.['on'] === undefined ? 'optional' : 'none', gpuMemoryMib: 8_000 } as const),
      ...(sent.parameters?.['on'] === 'gpu' ? { gpu: 'required' as const } : {}),
    });
    const decideGpu: Tool['planning']['decideGpu'] = (sent, usesGpu) => ({
      ...sent,
      parameters: { on: usesGpu ? 'gpu' : 'cpu' },
    });
    const plan: Tool['planning']['plan'] = (sent, limits) => ({
      ...noop.planning.plan(sent, limits),
      ...machinesFor(resources(sent), 9, limits),
    });
    const tool: Tool = { ...noop, planning: { ...noop.planning, resources, decideGpu, plan } };
    const decided = async (settings: Partial<PlanSettings>, more: Partial<OfferedTo> = {}) => {
      const asked = { tool, simulator: 'noop', request: request(1), unused: [], warnings: [] };
      const offer = await offerFor(deps(settings), asked, new Map(), { accountPlan: 'free', ...more });
      return [offer.request.parameters?.['on'], offer.plan.gpusPerInstance ?? 0, offer.plan.instanceClass];
    };
    const limits = { totalVcpus: 8, accountVcpus: 8, totalGpus: 8, accountGpus: 8 };
    expect(await decided({})).to.deep.equal(['cpu', 0, undefined]);
    expect(await decided({ instanceGpus: 1 })).to.deep.equal(['gpu', 1, undefined]);
    expect(await decided({ instanceGpus: 1, instanceGpuMemoryMib: 7_000 })).to.deep.equal([
      'cpu',
      0,
      undefined,
    ]);
    const forbidden = { instanceGpus: 1, capacityLimits: { ...limits, accountGpus: 0 } };
    expect(await decided(forbidden)).to.deep.equal(['cpu', 0, undefined]);
    const known = loadPriceBook().instanceTypes;
    const classes = (...types: readonly string[]) =>
      types.map((type) => classOf({ name: type, types: [type], diskGib: 64 }, known, ['a']));
    const cloud = { instanceClasses: classes('c7i.xlarge', 'g6.xlarge'), capacityLimits: limits };
    expect(await decided(cloud)).to.deep.equal(['gpu', 1, 'g6.xlarge']);
    expect(await decided({ ...cloud, capacityLimits: { ...limits, totalGpus: 0 } })).to.deep.equal([
      ...['cpu', 0, 'c7i.xlarge'],
    ]);
    expect(await decided({ instanceClasses: classes('c7i.xlarge') })).to.deep.equal(['cpu', 0, 'c7i.xlarge']);
    expect(await decided({ instanceGpus: 1 }, { usesGpu: false }), 'a resume').to.deep.equal([
      'cpu',
      0,
      undefined,
    ]);
    // A quote stands, whatever is offered meanwhile.
    for (const [before, now, device] of [
      [{ instanceGpus: 1 }, { instanceGpus: 2, instanceGpuMemoryMib: 9_000 }, 'gpu'],
      [{}, { instanceGpus: 1 }, 'cpu'],
    ] as const) {
      const asked = { tool, simulator: 'noop', request: request(1), unused: [], warnings: [] };
      const { priced, quote } = await offerFor(deps(before), asked, new Map(), { accountPlan: 'free' });
      const [told] = await decided(now, { quoted: { priced, quote } });
      expect(told).to.equal(device);
    }
  });

  it('is refused where a task fits no class but one that only those get who name it', async () => {
    const classes = loadInstanceClasses({ instanceClassesFile: '', ec2Subnets: 'subnet-0a' });
    const offeredTo = (own: Partial<ReturnType<Tool['planning']['resources']>>) => {
      const resources: Tool['planning']['resources'] = (sent) => ({
        ...noop.planning.resources(sent),
        ...own,
      });
      const tool: Tool = { ...noop, planning: { ...noop.planning, resources } };
      return offered(1, { instanceClasses: classes }, tool);
    };
    expect(await offeredTo({ gpu: 'required', gpuMemoryMib: 14_000 })).to.have.length(3);
    expect(await refusal(offeredTo({ gpu: 'required', gpuMemoryMib: 16_384 })))
      .to.have.property('message')
      .that.includes('a task would need 16384 MiB of memory on a GPU, and an instance here has 14745');
    expect(await refusal(offeredTo({ gpu: 'required', gpuKind: 'V100' }))).to.include({
      code: 'UNSUPPORTED_SIMULATOR',
    });
    expect(await refusal(offeredTo({ memoryMib: 100_000 })))
      .to.have.property('message')
      .that.includes('MiB of memory, and an instance here has 29491');
  });

  it('is refused where a task needs a GPU, and no machine has one', async () => {
    const resources: Tool['planning']['resources'] = (sent) => ({
      ...noop.planning.resources(sent),
      gpu: 'required',
    });
    const tool: Tool = { ...noop, planning: { ...noop.planning, resources } };
    expect(await refusal(offered(1, {}, tool))).to.include({ code: 'UNSUPPORTED_SIMULATOR' });
  });

  it('is refused by submit and estimate where one instance is more than a limit ever lets be granted', async () => {
    const resources: Tool['planning']['resources'] = (sent) => ({
      ...noop.planning.resources(sent),
      ...({ gpu: 'required', gpus: 2 } as const),
    });
    const plan: Tool['planning']['plan'] = (sent, limits) => ({
      ...noop.planning.plan(sent, limits),
      ...machinesFor(resources(sent), 9, limits),
    });
    const tool: Tool = { ...noop, planning: { ...noop.planning, resources, plan } };
    const granted = (limits: Partial<CapacityLimits>) => ({
      instanceGpus: 2,
      capacityLimits: { totalVcpus: 8, accountVcpus: 8, totalGpus: 8, accountGpus: 8, ...limits },
    });
    expect(await offered(1, granted({}), tool)).to.deep.equal([1, 8, 4]);
    for (const [limits, whose] of [
      [{ accountGpus: 1 }, 'an account of this plan may have 1 GPUs'],
      [{ totalGpus: 1 }, 'this installation may have 1 GPUs'],
      [{ plans: { free: { gpus: 0 } } }, 'this plan, with all its accounts, may have 0 GPUs'],
      [{ plans: { free: { accountGpus: 1 } } }, 'an account of this plan may have 1 GPUs'],
      [{ classes: { cpu: { gpus: 1 } } }, 'the instances of this class together may have 1 GPUs'],
    ] as const)
      expect(await refusal(offered(1, granted(limits), tool)), whose).to.include({
        code: 'CAPACITY_LIMIT_EXCEEDED',
        message: `One instance of this job has 2 GPUs, and ${whose} at once, so the job would wait for ever.`,
      });
    expect(
      await offered(1, granted({ plans: { pro: { accountGpus: 0 } } }), tool),
      'another plan',
    ).to.have.length(3);
    expect(await offered(1, granted({ accountGpus: 0 })), 'without GPUs').to.have.length(3);
    const narrow = { capacityLimits: { totalVcpus: 8, accountVcpus: 3 } };
    expect(await refusal(offered(1, narrow))).to.include({ code: 'CAPACITY_LIMIT_EXCEEDED' });
    expect(
      await refusal(estimateWith(narrow)(ownerOf('account', 'user'), request(1) as EstimateJobRequest)),
    ).to.include({
      code: 'CAPACITY_LIMIT_EXCEEDED',
      status: 422,
    });
  });

  it('takes a seat of software whose seats are counted, and is refused where there are none', async () => {
    const asked = { tool: noop, simulator: 'noop', request: request(1), unused: [], warnings: [] };
    const licenceWith = async (seats: Readonly<Record<string, number>>) => {
      const capacityLimits = { totalVcpus: 99, accountVcpus: 99, seats };
      return (await offerFor(deps({ capacityLimits }), asked, new Map(), { accountPlan: 'free' })).plan
        .licence;
    };
    expect(await licenceWith({ maya: 0 }), 'seats of other software').to.equal(undefined);
    expect(await licenceWith({ noop: 1 })).to.equal('noop');
    const price: Tool['planning']['price'] = (...of) => ({
      ...noop.planning.price(...of),
      ...{ softwareMicro: 500_000, licenceNames: ['Made-up Noop'] },
    });
    const licensed: Tool = { ...noop, planning: { ...noop.planning, price } };
    const [first, again] = await Promise.all(
      [noop, licensed].map((tool) =>
        offerFor(deps(), { ...asked, tool }, new Map(), { accountPlan: 'free' }),
      ),
    );
    expect(first?.plan.licence, 'free software').to.equal(undefined);
    expect(
      again?.plan.licence,
      'software with a licence in the price, counted before its seats are',
    ).to.equal('noop');
    expect(await refusal(licenceWith({ noop: 0 }))).to.include({
      code: 'CAPACITY_LIMIT_EXCEEDED',
      message: 'This installation has no seat of noop, so the job would wait for ever.',
    });
  });

  it('is made for a smaller class where a limit forbids the first that a task fits in', async () => {
    const classes = [
      { name: 'large', types: ['c7i.4xlarge'], diskGib: 64 },
      { name: 'small', types: ['c7i.xlarge'], diskGib: 64 },
    ].map((one) => classOf(one, loadPriceBook().instanceTypes, ['subnet-0123abcd']));
    const limited = { instanceClasses: classes, capacityLimits: { totalVcpus: 64, accountVcpus: 8 } };
    expect(await offered(2, limited)).to.deep.equal([2, 5, 4]);
    expect(await offered(2, { instanceClasses: classes })).to.deep.equal([8, 2, 16]);
    expect(await refusal(offered(6, limited))).to.include({ code: 'CAPACITY_LIMIT_EXCEEDED' });
  });

  it('is refused as a simulator that cannot be run here where no field of the request is the reason', async () => {
    expect(await refusal(offered(1, { instanceMemoryMib: 511 }))).to.include({
      code: 'UNSUPPORTED_SIMULATOR',
      message: 'Noop cannot be run here: a task would need 512 MiB of memory, and an instance here has 511.',
    });
  });
});
