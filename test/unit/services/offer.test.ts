/** The machines of an offered plan follow from what a task needs, and a task that fits on no instance is refused. */
import { expect } from 'chai';

import type { EstimateJobRequest, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { createEstimate } from '../../../src/services/jobs/estimate.ts';
import { offerFor } from '../../../src/services/jobs/offer.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../../src/services/prices/quotes.ts';
import { noop } from '../../../src/tools/noop/index.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { ownerOf } from '../../support/actors.ts';

const RATES = {
  current: () => Promise.resolve({ rateMicro: 790_000, source: 'a test', date: '2026-11-01' }),
};
const SETTINGS = {
  ...{ instanceSlots: 4, instanceVcpus: 4, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 8, taskTimeoutSeconds: 60 },
};
const request = (vcpus: number): SubmitJobRequest => ({
  ...({ jobType: 'simulation', simulator: 'noop', taskCount: 9 } as const),
  metadata: { noop: { vcpus } },
});

describe('an offer', () => {
  const deps = (settings: Partial<typeof SETTINGS> = {}) => ({
    ...{ tools: createToolRegistry({ testTools: true }), quotes: createQuotes(loadPriceBook(), RATES) },
    settings: { ...SETTINGS, ...settings },
  });
  const offered = async (vcpus: number, settings: Partial<typeof SETTINGS> = {}, tool: Tool = noop) => {
    const asked = { tool, simulator: 'noop', request: request(vcpus), unused: [], warnings: [] };
    const { plan } = await offerFor(deps(settings), asked, new Map());
    return [plan.slotsPerInstance, plan.instances, plan.vcpusPerInstance];
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
    const open = { check: () => Promise.resolve(), require: () => Promise.resolve() };
    const catalogue = { find: () => Promise.resolve(null), names: () => Promise.resolve([]) };
    const quoteTokens = createQuoteTokens('0'.repeat(64));
    const estimate = createEstimate({ ...deps(), confirmations: open, offers: open, catalogue, quoteTokens });
    expect(await refusal(estimate(ownerOf('account', 'user'), request(5) as EstimateJobRequest))).to.include({
      code: 'VALIDATION_ERROR',
      message,
    });
  });

  it('is refused as a simulator that cannot be run here where no field of the request is the reason', async () => {
    expect(await refusal(offered(1, { instanceMemoryMib: 511 }))).to.include({
      code: 'UNSUPPORTED_SIMULATOR',
      message: 'Noop cannot be run here: a task would need 512 MiB of memory, and an instance here has 511.',
    });
  });
});
