import { expect } from 'chai';

import { AppError } from '../../../src/domain/errors.ts';
import type { PublicEstimateRequest } from '../../../src/domain/public-prices.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { BOOKS, createPublicPrices } from '../../../src/services/prices/public-prices.ts';

const BOOK = loadPriceBook();
const DEFAULTS: PublicEstimateRequest = {
  ...{ mode: 'animation', jobType: 'render', durationMinutes: 0, durationSeconds: 0, fps: 24, imageCount: 1 },
  ...{
    renderTimeMinutes: 10,
    hardware: 'g4dn.xlarge',
    software: 'blender',
    region: 'us-west-2',
    datasetSizeTB: 1,
  },
};
const ofRate = (rateMicro: number) => {
  let reads = 0;
  const rates = {
    current: async () => {
      reads += 1;
      return { rateMicro, source: 'a test', date: '2026-11-20' };
    },
  };
  return { prices: createPublicPrices(BOOK, rates), reads: () => reads };
};

describe('public prices', () => {
  it('has every book there has been, and the present book as it was first published', () => {
    const versions = BOOKS.map((stored) => loadPriceBook(stored).version);
    expect(new Set(versions).size).to.equal(versions.length);
    // Whoever changes a figure keeps this book, and adds one with a new version.
    expect(BOOKS.map((stored) => loadPriceBook(stored))).to.deep.include(BOOK);
  });

  it('answers the present book, and each by its version, with a source and a date for every figure', () => {
    const { prices } = ofRate(790_000);
    const present = prices.read();
    expect(prices.read(BOOK.version)).to.equal(present);
    expect(present.prices).to.include({ version: BOOK.version, current: true, currency: 'USD' });
    const { figures, hardware, tools, fallbackFx } = present.prices;
    for (const one of [...figures, ...hardware, ...tools, fallbackFx]) {
      expect(one.source).to.not.equal('');
      expect(Date.parse(one.date)).to.be.a('number').above(0);
    }
    expect(hardware.map(({ name }) => name)).to.deep.equal(Object.keys(BOOK.instanceTypes));
    expect(tools.map(({ id }) => id)).to.deep.equal(Object.keys(BOOK.tools));
    expect(() => prices.read('1999')).to.throw(AppError, BOOK.version);
  });

  it('keeps the answer for the version of an older book when another book is present', () => {
    const later = { ...BOOK, version: 'later', startFeeMicroUsd: 1 };
    const prices = createPublicPrices(later, { current: () => Promise.reject(new Error('no rate is read')) });
    const read = (version?: string) => prices.read(version);
    expect(read().prices).to.include({ version: 'later', current: true });
    expect(read(BOOK.version).prices).to.include({ version: BOOK.version, current: false });
    expect(read(BOOK.version).prices.figures[0]).to.include({ value: BOOK.startFeeMicroUsd });
    expect(read().tag).to.not.equal(read(BOOK.version).tag);
  });
});

describe('a public estimate', () => {
  it('of nothing costs nothing, and that of ten seconds has parts that come to the sum', async () => {
    const { prices } = ofRate(800_000);
    expect(await prices.estimate(DEFAULTS)).to.deep.include({ estimatedCost: 0, estimatedCostGbp: 0 });
    const { estimatedCost, breakdown, meta, ...rest } = await prices.estimate({
      ...DEFAULTS,
      durationSeconds: 10,
    });
    expect(breakdown).to.deep.equal({
      compute: 21.04,
      software: 0,
      storage: 0.0552,
      egress: 0.216,
      startFee: 0.02,
    });
    expect(estimatedCost).to.equal(21.3312);
    expect(meta).to.deep.equal({
      ...{ totalFrames: 240, totalSizeGB: 2.4 },
      variableRates: { hardwareRate: 0.526, egressRate: 0.09 },
    });
    expect(rest).to.deep.equal({
      ...{ estimatedCostGbp: 17.06496, currency: 'USD', creditCurrency: 'GBP', fxRate: 0.8 },
      ...{ fxSource: 'a test', fxDate: '2026-11-20', priceBookVersion: BOOK.version },
      ...{ hasLicenseFee: false, licenseNames: [] },
    });
  });

  it('counts images of a still, and tasks and data of a simulation', async () => {
    const { prices } = ofRate(800_000);
    const still = await prices.estimate({ ...DEFAULTS, mode: 'still', imageCount: 3, durationMinutes: 9 });
    expect(still.meta).to.deep.include({ totalFrames: 3, totalSizeGB: 0.03 });
    const simulation = await prices.estimate({ ...DEFAULTS, jobType: 'simulation', software: 'fpocket' });
    expect(simulation.meta).to.deep.include({ totalFrames: 1, totalSizeGB: 1000 });
    expect(simulation.breakdown).to.deep.include({ egress: 90, storage: 23 });
  });

  it('with a fee by the hour names the licence', async () => {
    const licences = { engine: { name: 'Render Engine', microUsdPerHour: 600_000 } };
    const prices = createPublicPrices(
      { ...BOOK, version: 'later', licences },
      {
        current: async () => ({ rateMicro: 790_000, source: 's', date: '2026-11-20' }),
      },
    );
    const answer = await prices.estimate({ ...DEFAULTS, mode: 'still', software: 'engine' });
    expect(answer).to.deep.include({ hasLicenseFee: true, licenseNames: ['Render Engine'] });
    expect(answer.breakdown?.software).to.equal(0.1);
  });

  it('names what is known where hardware, software or region is not', async () => {
    const { prices } = ofRate(800_000);
    const refused = { hardware: 'g4dn.xlarge', software: 'blender', region: 'us-west-2' };
    for (const [field, named] of Object.entries(refused)) {
      const error = await prices
        .estimate({ ...DEFAULTS, [field]: 'constructor' })
        .catch((thrown: unknown) => thrown);
      expect(error).to.include({ code: 'VALIDATION_ERROR' });
      expect(String(error)).to.contain(`${field}: `).and.to.contain(named);
    }
  });

  it('reads the rate once for many', async () => {
    const { prices, reads } = ofRate(800_000);
    await Promise.all(Array.from({ length: 50 }, () => prices.estimate(DEFAULTS)));
    expect(reads()).to.equal(1);
  });
});
