/**
 * Quoted prices. A submit with a quote has the price and the rate of the estimate whatever has changed since, as long as
 * nothing differs on which the price depends; and the facts that a quote names are all on which prices depend.
 */
import { expect } from 'chai';
import fc from 'fast-check';

import { AppError } from '../../../src/domain/errors.ts';
import type { PriceBook } from '../../../src/domain/pricing.ts';
import type { EstimateJobRequest, SimulationParams, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { createEstimate } from '../../../src/services/jobs/estimate.ts';
import { offerFor, toolFor } from '../../../src/services/jobs/offer.ts';
import type { PinnedSizes } from '../../../src/services/jobs/offer.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../../src/services/prices/quotes.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { ownerOf } from '../../support/actors.ts';
import { TEST_TOOLS } from '../../support/test-tools.ts';

const SETTINGS = {
  ...{ instanceSlots: 4, instanceVcpus: 4, instanceMemoryMib: 0, instanceDiskMib: 0 },
  ...{ maxInstancesPerJob: 8, taskTimeoutSeconds: 60 },
};
const BOOK = loadPriceBook();
/** A book in which everything costs more. */
const DEARER: PriceBook = {
  ...BOOK,
  version: 'next year',
  startFeeMicroUsd: BOOK.startFeeMicroUsd * 3,
  egressPerGbMicroUsd: BOOK.egressPerGbMicroUsd * 3,
  instanceTypes: Object.fromEntries(
    Object.entries(BOOK.instanceTypes).map(([name, type]) => [
      name,
      { ...type, onDemandMicroUsdPerHour: type.onDemandMicroUsdPerHour * 3 },
    ]),
  ),
};
const tokens = createQuoteTokens('ab'.repeat(32));
const tools = createToolRegistry({ testTools: TEST_TOOLS });
const me = ownerOf('account', 'user');
const KEY = 'accounts/account/uploads/1/file';
/** Of which structures are, in one row of requests, bytes of a file beside the sizes that have prices of their own. */
const FILE_BYTES = [1, 999_999, 1_000_000, 1_000_001, 4_000_000, 4_000_001, 90_000_000];

/** What a process with this book and this rate offers. */
const processOf = (
  book: PriceBook,
  rateMicro: number,
  of: Partial<Pick<Tool, 'planning'>> = {},
  offersSpot = false,
) => {
  const open = { check: () => Promise.resolve(), require: () => Promise.resolve() };
  const deps = {
    quotes: createQuotes(
      book,
      { current: async () => ({ rateMicro, source: 'a test', date: '2026-11-01' }) },
      { offersSpot },
    ),
    ...{ tools, settings: SETTINGS, confirmations: open, offers: open, quoteTokens: tokens },
    catalogue: { find: () => Promise.resolve(null), names: () => Promise.resolve([]) },
  };
  return {
    estimate: (request: EstimateJobRequest) => createEstimate(deps)(me, request),
    async submit(request: SubmitJobRequest, quoteId: string | null, files: PinnedSizes = new Map()) {
      const asked = toolFor(tools, request, true);
      const quoted = quoteId === null ? null : tokens.read(me, quoteId);
      return offerFor(deps, { ...asked, tool: { ...asked.tool, ...of } }, files, {
        accountPlan: null,
        quoted,
      });
    },
  };
};

const today = processOf(BOOK, 790_000);
const tomorrow = processOf(DEARER, 990_000);
const DOCKING = { jobType: 'simulation', simulator: 'vina', taskCount: 3 } as const;
const search: SimulationParams = { exhaustiveness: 4 };

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => expect.fail('it was not refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error;
  expect([error.code, error.status]).to.deep.equal(['QUOTE_MISMATCH', 422]);
  return error.publicMessage;
}

describe('a quoted price', () => {
  it('is that of the estimate, whatever book and rate the submit finds', async () => {
    const estimate = await today.estimate({ ...DOCKING, simulationParams: search });
    const request = { ...DOCKING, simulationParams: { ...search, seed: 7 }, jobName: 'other' };
    const kept = await tomorrow.submit(request, estimate.quoteId);
    expect(kept.quote).to.include({ priceBookVersion: BOOK.version, fxRateMicro: 790_000 });
    expect(kept.quote.heldPence).to.equal(estimate.heldCents).and.to.equal(estimate.ceilingCents);
    expect(kept.quote).to.deep.equal((await today.submit(request, null)).quote);
    const dear = await tomorrow.submit(request, null);
    expect(dear.quote.heldPence).to.be.above(estimate.heldCents);
    expect(dear.quote).to.include({ priceBookVersion: 'next year', fxRateMicro: 990_000 });
  });

  it('is refused where a field differs on which the price depends, and the refusal names the field', async () => {
    const { quoteId } = await today.estimate({ ...DOCKING, simulationParams: search });
    const differing: readonly [Partial<SubmitJobRequest>, RegExp][] = [
      [{ taskCount: 4 }, /taskCount is 4, and the quote is for 3/],
      [{ taskCount: 2 }, /taskCount is 2/],
      [{ simulationParams: { exhaustiveness: 5 } }, /exhaustiveness is 5, and the quote is for 4/],
      [{ simulationParams: { ...search, numModes: 3 } }, /numModes is 3/],
      [{ recovery: { mode: 'resumable' } }, /recovery\.mode is "resumable", and the quote is for "standard"/],
      [{ simulator: 'noop' }, /simulator is "noop"/],
    ];
    for (const [change, words] of differing) {
      const request = { ...DOCKING, simulationParams: search, ...change };
      expect(await refusalOf(today.submit(request, quoteId))).to.match(words);
    }
  });

  it('of a resumable job is lower only where there are spot instances; and a warning tells which', async () => {
    const spot = processOf(BOOK, 790_000, {}, true);
    const resumable = { ...DOCKING, taskCount: 1_000, recovery: { mode: 'resumable' } } as const;
    const standard = await today.estimate({ ...DOCKING, taskCount: 1_000 });
    const here = await today.estimate(resumable);
    expect(here.heldCents).to.equal(standard.heldCents);
    expect(here.warnings.map(({ code }) => code)).to.deep.equal(['SPOT_NOT_OFFERED']);
    expect((await today.submit(resumable, here.quoteId)).warnings).to.deep.equal(here.warnings);
    const cheap = await spot.estimate(resumable);
    expect(cheap.heldCents).to.be.below(standard.heldCents / 2);
    expect(cheap.warnings.map(({ code }) => code)).to.deep.equal(['SPOT_PRICED']);
    expect((await spot.estimate({ ...DOCKING, taskCount: 1_000 })).heldCents).to.equal(standard.heldCents);
    expect(standard.warnings).to.deep.equal([]);
  });

  it('covers files up to the sizes that were estimated', async () => {
    const asked = { jobType: 'simulation', simulator: 'fpocket' } as const;
    const artifact = { storageKey: KEY } as NonNullable<SimulationParams['receptorArtifact']>;
    const request = { ...asked, simulationParams: { receptorArtifact: artifact } };
    const fileOf = (byteSize: number): PinnedSizes => new Map([[KEY, { byteSize }]]);
    const { quoteId, heldCents } = await today.estimate({ ...asked, metadata: { totalSizeGB: 0.002 } });
    for (const bytes of [1, 1_000_001, 4_000_000]) {
      const { quote } = await tomorrow.submit(request, quoteId, fileOf(bytes));
      expect(quote.heldPence).to.equal(heldCents);
    }
    expect(await refusalOf(today.submit(request, quoteId, fileOf(4_000_001)))).to.contain(
      'and the quote is for at most 4000000',
    );
  });

  it('has the classes that were quoted; a release that sorts tasks into others refuses, and prices one class as quoted', async () => {
    const { planning } = tools.find('noop');
    const pence = (list: number[]): SubmitJobRequest => ({
      ...({ jobType: 'simulation', simulator: 'noop', taskCount: 4 } as const),
      metadata: { noop: { pence: list } },
    });
    const quoteOf = async (request: SubmitJobRequest) => {
      const offer = await today.submit(request, null);
      return { offer, quoteId: tokens.sign(me, offer).quoteId };
    };
    const next = processOf(BOOK, 1, { planning: { ...planning, classes: () => ['a', 'a', 'b', 'b'] } });
    const several = await quoteOf(pence([1, 2]));
    expect(await today.submit(pence([1, 2]), several.quoteId)).to.deep.equal(several.offer);
    expect(await refusalOf(next.submit(pence([1, 2]), several.quoteId))).to.contain('other classes');
    expect(await refusalOf(today.submit(pence([1, 3]), several.quoteId))).to.contain('[1,3]');
    const one = await quoteOf(pence([5]));
    const { plan, quote } = await next.submit(pence([5]), one.quoteId);
    expect({ plan, quote }).to.deep.equal({ plan: one.offer.plan, quote: one.offer.quote });
  });

  it('is the price at submit, for any request of any tool', async () => {
    await fc.assert(
      fc.asyncProperty(requests(), fc.integer({ min: 200_000, max: 5_000_000 }), async (sent, rateMicro) => {
        const { request, files, estimate: told } = sent;
        const here = processOf(BOOK, rateMicro);
        const estimate = await here.estimate({ ...request, ...told } as EstimateJobRequest);
        const [plain, quoted] = [
          await here.submit(request, null, files),
          await tomorrow.submit(request, estimate.quoteId, files),
        ];
        expect(quoted.quote).to.deep.equal(plain.quote);
        expect(plain.quote.heldPence).to.equal(estimate.heldCents);
      }),
      { numRuns: 150 },
    );
  });

  it('names all on which prices depend: requests of equal facts have equal prices', async () => {
    const offers = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(requests(), async ({ request, files }) => {
        const { priced, quote, plan } = await today.submit(request, null, files);
        const facts = JSON.stringify(priced);
        const price = JSON.stringify([quote, plan.classes ?? null]);
        expect(offers.get(facts) ?? price, facts).to.equal(price);
        offers.set(facts, price);
      }),
      { numRuns: 600 },
    );
    expect(offers.size, 'different prices that were seen').to.be.above(50);
  });
});

/** A submit with the sizes of its files, and what an estimate is told in their place. */
interface Sent {
  readonly request: SubmitJobRequest;
  readonly files: PinnedSizes;
  readonly estimate: Partial<EstimateJobRequest>;
}

function requests(): fc.Arbitrary<Sent> {
  const few = (least: number, most: number): fc.Arbitrary<number> => fc.integer({ min: least, max: most });
  const recovery = fc.constantFrom({ mode: 'standard' } as const, { mode: 'resumable' } as const, undefined);
  const docking = fc
    .record({
      recovery,
      taskCount: few(1, 3),
      exhaustiveness: few(1, 3),
      numModes: few(1, 3),
      seed: few(1, 9),
    })
    .chain(({ recovery: how, taskCount, ...params }) =>
      few(0, 2).map((turning) => {
        const flexible = Array.from({ length: turning }, (_, residue) => ({ chain: 'A', residue }));
        const receptorPreparation = { flexibleResidues: flexible } as never;
        return plain({
          ...{ jobType: 'simulation', simulator: 'vina', taskCount },
          ...(how === undefined ? {} : { recovery: how }),
          simulationParams: { ...params, receptorPreparation },
        });
      }),
    );
  const noop = fc
    .record({ taskCount: few(1, 4), minutes: fc.constantFrom(undefined, 1, 2) })
    .map(({ taskCount, minutes }) =>
      plain({
        ...({ jobType: 'simulation', simulator: 'noop', taskCount } as const),
        ...(minutes === undefined ? {} : { metadata: { taskRuntimeMinutes: minutes } }),
      }),
    );
  const pockets = fc
    .record({ recovery, bytes: fc.constantFrom(...FILE_BYTES) })
    .map(({ recovery: how, bytes }) => ({
      request: {
        ...({ jobType: 'simulation', simulator: 'fpocket' } as const),
        ...(how === undefined ? {} : { recovery: how }),
        simulationParams: { receptorArtifact: { storageKey: KEY } as never },
      },
      files: new Map([[KEY, { byteSize: bytes }]]),
      estimate: { simulationParams: { receptorPdbId: '1ABC' }, metadata: { totalSizeGB: bytes / 1e9 } },
    }));
  const searches = fc
    .record({ queryBytes: few(1, 5_000), databaseBytes: few(1, 300_000_000), taskCount: few(1, 3) })
    .map(({ queryBytes, databaseBytes, taskCount }) => {
      const common = { jobType: 'simulation', simulator: 'blastp', taskCount } as const;
      return {
        request: {
          ...common,
          ...{ sceneFile: KEY, attachments: [`${KEY}.fasta`] },
          simulationParams: { blastDatabasePath: 'file.fasta' },
        },
        files: new Map([
          [KEY, { byteSize: queryBytes }],
          [`${KEY}.fasta`, { byteSize: databaseBytes }],
        ]),
        estimate: {
          parameters: { queryBytes: String(queryBytes) },
          metadata: { totalSizeGB: (queryBytes + databaseBytes) / 1e9 },
        },
      };
    });
  return fc.oneof(docking, noop, pockets, searches);
}

function plain(request: SubmitJobRequest): Sent {
  return { request, files: new Map(), estimate: {} };
}
