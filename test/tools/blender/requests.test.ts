/** What a render is asked for: its frames, its parameters, its files, and what all that comes to. */
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { expect } from 'chai';
import fc from 'fast-check';

import type { EstimateJobRequest, SubmitJobRequest } from '../../../src/domain/requests.ts';
import { classOf, limitsOf } from '../../../src/domain/instance-classes.ts';
import { machinesFor, missingRoom } from '../../../src/domain/machines.ts';
import { quote, softwareMicro } from '../../../src/domain/pricing.ts';
import type { PriceBook } from '../../../src/domain/pricing.ts';
import { createEstimate } from '../../../src/services/jobs/estimate.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import { createQuoteTokens } from '../../../src/services/prices/quote-tokens.ts';
import { createQuotes } from '../../../src/services/prices/quotes.ts';
import { blender } from '../../../src/tools/blender/index.ts';
import { renderSessionSpec } from '../../../src/tools/blender/specs.ts';
import { placesOf, stemOf } from '../../../src/tools/blender/package.ts';
import { PRICE_FIGURES } from '../../../src/tools/blender/price.ts';
import { framesIn, padded, readRanges, spread } from '../../../src/tools/blender/ranges.ts';
import { createToolRegistry } from '../../../src/tools/registry.ts';
import { ownerOf } from '../../support/actors.ts';
import { codeOf } from '../../support/refusals.ts';

const LIMITS = { maxInstances: 4, slotsPerInstance: 4, vcpusPerInstance: 4 };
const render = (more: Partial<SubmitJobRequest> = {}): SubmitJobRequest => ({
  jobType: 'render',
  sceneFile: 'accounts/a/uploads/u/shot.blend',
  frameStep: 1,
  ...more,
});
const frames = (more: Partial<SubmitJobRequest>): readonly string[] => {
  const request = render(more);
  blender.request.check(request, false);
  return blender.planning.itemIds(request, blender.planning.plan(request, LIMITS));
};
const linear = (text: string) => ({ parameters: { frames: text, order: 'linear' } });

describe('frames of a render', () => {
  it('are those of the range with its last one, of a list, or frame 1', () => {
    expect(frames({ ...linear('1-100:10,205') })).to.deep.equal([
      '1',
      '11',
      '21',
      '31',
      '41',
      '51',
      '61',
      '71',
      '81',
      '91',
      '205',
    ]);
    const order = { order: 'linear' };
    expect(frames({ frameStart: -3, frameEnd: 3, frameStep: 2, parameters: order })).to.deep.equal([
      '-3',
      '-1',
      '1',
      '3',
    ]);
    expect(frames({ frameStart: 5, frameEnd: 9, frameStep: 100, parameters: order })).to.deep.equal(['5']);
    expect(frames({ frameStart: 7 })).to.deep.equal(['7']);
    expect(frames({})).to.deep.equal(['1']);
    expect(frames(linear('-5--3,4-4,4'))).to.deep.equal(['-5', '-4', '-3', '4']);
  });

  it('are refused where they cannot be meant, with the field', () => {
    const refused = (more: Partial<SubmitJobRequest>): string => {
      try {
        frames(more);
      } catch (error) {
        return String(error);
      }
      return 'taken';
    };
    expect(refused({ frameEnd: 9 })).to.contain('frameEnd: needs frameStart');
    expect(refused({ frameStart: 9, frameEnd: 3 })).to.contain('frameEnd: must not be before');
    for (const frameStep of [0.5, 1.5, 0, -1])
      expect(refused({ frameStart: 1, frameEnd: 9, frameStep }), String(frameStep)).to.contain('frameStep:');
    expect(refused({ frameStart: 1, frameEnd: 100_001 })).to.contain('at most 100000');
    expect(refused({ frameStart: 2_000_000 })).to.contain('beyond 1048574');
    for (const text of ['', '1-', 'a', '3-1', '1-9:0', '1.5', '1-2-3', '1e3', ','])
      expect(refused(linear(text)), text).to.contain('parameters.frames');
    expect(refused({ frameStart: 1, parameters: { frames: '3' } })).to.contain(
      'parameters.frames: leave frameStart',
    );
  });

  it('are drawn so that those that are done show the whole film', () => {
    expect(spread(framesIn([[1, 9, 1]]))).to.deep.equal([1, 9, 5, 3, 7, 2, 4, 6, 8]);
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: -500, max: 500 }), { maxLength: 200 }), (some) => {
        const film = some.toSorted((left, right) => left - right);
        const order = spread(film);
        expect(order.toSorted((left, right) => left - right)).to.deep.equal(film);
        // After any number of frames, no gap between them is more than twice another, apart from rounding.
        const done = order.slice(0, Math.ceil(order.length / 2)).map((frame) => film.indexOf(frame));
        const sorted = done.toSorted((left, right) => left - right);
        const gaps = sorted.slice(1).map((place, index) => place - (sorted[index] ?? 0));
        if (gaps.length > 1) expect(Math.max(...gaps)).to.be.at.most(2 * Math.min(...gaps) + 2);
      }),
    );
  });

  it('have four digits in names, and their minus before them', () => {
    expect([0, 7, -7, 12345, -12345].map(padded)).to.deep.equal(['0000', '0007', '-0007', '12345', '-12345']);
    expect(readRanges(' 1 , 3-5:2 ')).to.deep.equal([
      [1, 1, 1],
      [3, 5, 2],
    ]);
  });
});

describe('a request of a render', () => {
  it('names its parameters and their values exactly', () => {
    const taken = {
      ...{
        camera: 'Top',
        scene: 'Two',
        viewLayer: 'Back',
        resolutionPercent: '50',
        samples: '8',
        denoise: 'true',
      },
      ...{ seed: '0', transparent: 'false', threads: '2', device: 'auto', ocio: 'ocio/config.ocio' },
      ...{ missingAssets: 'warn', order: 'spread', reuse: 'never', frames: '1' },
    };
    blender.request.check(render({ parameters: taken }), false);
    blender.request.check(render({ parameters: { passes: 'scene' }, outputFormat: 'EXR' }), false);
    const wrong: Readonly<Record<string, string>> = {
      ...{
        samples: '0',
        resolutionPercent: '1001',
        denoise: 'yes',
        seed: '-1',
        device: 'tpu',
        passes: 'all',
      },
      ...{
        threads: '1.5',
        memoryGiB: '0.5',
        missingAssets: 'ignore',
        order: 'random',
        reuse: 'always',
        camera: ' ',
        constructor: '1',
      },
      ...{ Frames: '1', ocio: '../config.ocio' },
    };
    for (const [name, value] of Object.entries(wrong)) {
      const check = (): void => blender.request.check(render({ parameters: { [name]: value } }), false);
      expect(check, name).to.throw(`parameters.${name}:`).with.property('code', 'VALIDATION_ERROR');
    }
    expect(() => blender.request.check(render({ parameters: { passes: 'scene' } }), false)).to.throw(
      'outputFormat EXR',
    );
    expect(() =>
      blender.request.check(render({ sceneFile: 'accounts/a/uploads/u/shot.obj' }), false),
    ).to.throw('.blend');
  });

  it('places the files of the package by their paths, and others beside the scene', () => {
    const of = (upload: string, path: string, project = 'p'): string =>
      `accounts/a/projects/${project}/${upload}/${path}`;
    const scene = of('1', 'film/scenes/shot.blend');
    const attachments = [
      of('2', 'film/textures/wood.png'),
      of('3', 'film/textures/wood.png'),
      of('4', 'other.png', 'q'),
      'accounts/a/uploads/5/sky.exr',
      of('6', 'film/scenes/shot.blend'),
    ];
    const places = placesOf({ sceneFile: scene, attachments });
    expect(places.scene).to.equal('film/scenes/shot.blend');
    expect(Object.fromEntries(places.files)).to.deep.equal({
      'film/scenes/shot.blend': scene,
      'film/textures/wood.png': attachments[0],
      'film/scenes/other.png': attachments[2],
      'film/scenes/sky.exr': attachments[3],
    });
    expect(places.attached).to.deep.equal(['film/scenes/other.png', 'film/scenes/sky.exr']);
    expect(['a/Shot 01.blend', '.blend', '_é?.BLEND', 'x'.repeat(99)].map(stemOf)).to.deep.equal([
      'Shot_01',
      'frame',
      'é_',
      'x'.repeat(40),
    ]);
  });

  it('draws one frame at a time on all vCPUs of an instance, unless it names threads', () => {
    const plan = blender.planning.plan(render({ frameStart: 1, frameEnd: 8 }), LIMITS);
    expect(plan).to.include({ unit: 'frame', taskCount: 8, slotsPerInstance: 1, instances: 4 });
    const two = blender.planning.plan(
      render({ frameStart: 1, frameEnd: 8, parameters: { threads: '2' } }),
      LIMITS,
    );
    expect(two).to.include({ slotsPerInstance: 2, instances: 4 });
    const resources = blender.planning.resources(render({ parameters: { threads: '9' } }));
    expect(machinesFor(resources, 1, LIMITS).slotsPerInstance).to.equal(1);
    expect(resources.vcpus).to.equal(9);
  });

  it('has the memory that the request gives a frame, 6 GiB without a word', () => {
    const memoryOf = (parameters: Record<string, string>) => {
      const request = render({ parameters });
      const { memoryMib } = blender.planning.resources(request);
      return [memoryMib, blender.work.limits(request).memoryBytes / 2 ** 20];
    };
    expect(memoryOf({})).to.deep.equal([6144, 6144]);
    expect(memoryOf({ memoryGiB: '24' })).to.deep.equal([24_576, 24_576]);
    const classes = [8192, 65_536].map((memoryMib) => ({ ...LIMITS, memoryMibPerInstance: memoryMib }));
    const fits = classes.map((limits) =>
      missingRoom(blender.planning.resources(render({ parameters: { memoryGiB: '24' } })), limits),
    );
    expect(fits).to.deep.equal([{ resource: 'memoryMib', needed: 24_576, available: 8192 }, null]);
    expect(blender.planning.resourceFields?.memoryMib).to.equal('parameters.memoryGiB');
  });

  it('costs the share of its slot for the minutes of its frames, and ten frames of a stepped range cost ten', () => {
    const book = loadPriceBook();
    const sizes = { bytes: null, totalBytes: 0 };
    const priced = (more: Partial<SubmitJobRequest>) => {
      const request = render({ metadata: { renderTimeMinutes: 1 }, ...more });
      return blender.planning.price(request, blender.planning.plan(request, LIMITS), book, sizes);
    };
    const pricing = priced({ frameStart: 1, frameEnd: 100, frameStep: 10 });
    if (pricing.model !== 'measured') expect.fail('not measured');
    expect(pricing.estimatedSeconds).to.equal(600);
    const half = priced({ frameStart: 1, parameters: { threads: '2' } });
    if (half.model !== 'measured') expect.fail('not measured');
    expect(half.microPerHour * 2).to.be.closeTo(pricing.microPerHour, 2);
    const named = priced({ metadata: { totalSizeGB: 2 } });
    expect(named.storageMicro).to.equal(2 * book.storagePerGbMonthMicroUsd);
  });

  it('costs the share of its slot of the machine by which the planned class is priced', () => {
    const book = loadPriceBook();
    const request = render({ parameters: { threads: '2' } });
    const perHour = (types: readonly string[], recovery?: SubmitJobRequest['recovery']) => {
      const limits = limitsOf(
        classOf({ name: 'own', types, diskGib: 256 }, book.instanceTypes, ['subnet']),
        4,
      );
      const asked = recovery === undefined ? request : { ...request, recovery };
      const plan = blender.planning.plan(asked, limits);
      const pricing = blender.planning.price(asked, plan, book, { bytes: null, totalBytes: 0 });
      if (pricing.model !== 'measured') expect.fail('not measured');
      return { slots: plan.slotsPerInstance, micro: pricing.microPerHour };
    };
    const { overheadFactor } = PRICE_FIGURES.figures;
    for (const [type, slots] of [
      ['m7i.xlarge', 2],
      ['g5.2xlarge', 4],
    ] as const) {
      const { onDemandMicroUsdPerHour: hour = 0, spotMicroUsdPerHour: spot = 0 } =
        book.instanceTypes[type] ?? {};
      const standard = perHour([type]);
      expect(standard.slots).to.equal(slots);
      expect(standard.micro)
        .to.be.closeTo((hour / slots) * overheadFactor, 1)
        .and.above(0);
      const resumable = perHour([type], { mode: 'resumable' });
      expect(resumable.micro)
        .to.be.closeTo((spot / slots) * overheadFactor, 1)
        .and.below(standard.micro);
    }
  });

  it('costs its share of the seat of its instance for each hour of a slot, and nothing where the book has no licence', async () => {
    const book = loadPriceBook();
    const request = render({ metadata: { renderTimeMinutes: 60 }, frameStart: 1, frameEnd: 4 });
    const offerBy = (prices: PriceBook, asked = request) => {
      const plan = blender.planning.plan(asked, LIMITS);
      const pricing = blender.planning.price(asked, plan, prices, { bytes: null, totalBytes: 0 });
      return quote('test', 1_000_000, pricing, 4);
    };
    const withFee = { ...book, licences: { blender: { name: 'Made-up Render', microUsdPerHour: 500_000 } } };
    const [free, licensed] = [offerBy(book), offerBy(withFee)];
    const four = offerBy(withFee, { ...request, parameters: { threads: '1' } });
    expect(softwareMicro(four), 'four frames on one instance, which has one seat').to.equal(500_000);
    expect([softwareMicro(free), free.pricing.licenceNames]).to.deep.equal([0, []]);
    expect([softwareMicro(licensed), licensed.pricing.licenceNames]).to.deep.equal([
      2_000_000,
      ['Made-up Render'],
    ]);
    expect(licensed.estimatedMicro - free.estimatedMicro).to.equal(2_000_000);
    const open = { check: () => Promise.resolve(), require: () => Promise.resolve() };
    const rate = { rateMicro: 790_000, source: 'a test', date: '2026-11-01' };
    const estimate = createEstimate({
      ...{ tools: createToolRegistry({ testTools: '' }), confirmations: open, offers: open },
      quotes: createQuotes(withFee, { current: () => Promise.resolve(rate) }),
      catalogue: { find: () => Promise.resolve(null), names: () => Promise.resolve([]) },
      quoteTokens: createQuoteTokens('0'.repeat(64)),
      settings: {
        ...{ instanceSlots: 4, instanceVcpus: 4, instanceMemoryMib: 0, instanceDiskMib: 0 },
        ...{ maxInstancesPerJob: 4, taskTimeoutSeconds: 60 },
      },
    });
    const shown = await estimate(ownerOf('account', 'user'), request as EstimateJobRequest);
    expect(shown).to.deep.include({ hasLicenseFee: true, licenseNames: ['Made-up Render'] });
    expect(shown.breakdown?.software).to.equal(2);
  });

  it('finds earlier frames by every file, setting and frame, and none where it wants none', async () => {
    const reuse = blender.inputs.reuse ?? expect.fail('no reuse');
    const facts = {
      ...{ accountId: 'a', cacheKey: null, effectiveSeed: null, cpuClass: 'x86-64-v3', toolchainSha256: 'f' },
      build: null,
      digests: new Map([
        ['accounts/a/uploads/u/shot.blend', '1'],
        ['accounts/a/uploads/t/wood.png', '2'],
      ]),
    };
    const keys = (more: Partial<SubmitJobRequest> = {}, other = {}) =>
      reuse.keys(render({ frameStart: 1, frameEnd: 3, ...more }), { ...facts, ...other }, async () => null);
    const [one, ...others] = await keys();
    expect(new Set([one, ...others]).size).to.equal(3);
    expect((await keys({ frameStart: 3, frameEnd: 3 }))[0]).to.equal(others[0]);
    for (const more of [
      { attachments: ['accounts/a/uploads/t/wood.png'] },
      { outputFormat: 'EXR' as const },
      { metadata: { samples: 3 } },
      { parameters: { seed: '4' } },
    ])
      expect((await keys(more))[0], JSON.stringify(more)).to.not.equal(one);
    for (const other of [{ cpuClass: 'x' }, { toolchainSha256: 'e' }, { accountId: 'b' }])
      expect((await keys({}, other))[0], JSON.stringify(other)).to.not.equal(one);
    expect((await keys({ parameters: { threads: '2', memoryGiB: '8', order: 'linear' } }))[0]).to.equal(one);
    expect(await keys({ parameters: { reuse: 'never' } })).to.deep.equal([null, null, null]);
    expect(await keys({ parameters: { device: 'gpu' } }), 'cards differ').to.deep.equal([null, null, null]);
    expect(await keys({ attachments: ['accounts/a/uploads/t/gone.png'] })).to.deep.equal([null, null, null]);
  });

  it('draws in the version that it names, else in the oldest that is there and not older than the scene', async () => {
    const { variant, settle } = blender.request;
    const named = (more: Partial<SubmitJobRequest>) => variant?.of(render(more));
    expect(named({ metadata: { software: 'Blender 5.0' } })).to.equal('5.0');
    expect(named({ metadata: { renderer: 'blender_5.0.1' } })).to.equal('5.0');
    expect(named({ parameters: { version: '5.0' } })).to.equal('5.0');
    for (const software of ['Blender', 'cycles', 'blender-4.5'])
      expect(named({ metadata: { software } })).to.equal(null);
    const settled = async (
      head: string,
      offered: readonly (string | null)[],
      {
        pack = (bytes: Buffer) => bytes,
        more = {},
      }: { readonly pack?: (bytes: Buffer) => Buffer; readonly more?: Partial<SubmitJobRequest> } = {},
    ) => {
      const scene = pack(Buffer.concat([Buffer.from(head), Buffer.alloc(400_000, 7)]));
      const read = async (_key: string, most: number) => ({
        ...{ bytes: scene.subarray(0, most), isWhole: false, byteSize: scene.byteLength },
      });
      const request = await settle?.(render(more), read, offered);
      return variant?.of(request ?? render());
    };
    const both = [null, '5.0'];
    for (const pack of [zstdCompressSync, gzipSync, (bytes: Buffer) => bytes]) {
      expect(await settled('BLENDER17-01v0500REND', both, { pack })).to.equal('5.0');
      expect(await settled('BLENDER-v405REND', both, { pack })).to.equal(null);
      expect(await settled('BLENDER_v279REND', both, { pack })).to.equal(null);
    }
    expect(await settled('BLENDER-v405REND', ['5.0'])).to.equal('5.0');
    expect(await settled('BLENDER17-01v0500REND', [null])).to.equal(null);
    expect(await settled('BLENDER17-01v0600REND', both)).to.equal(null);
    expect(await settled('BLENDER17-01v0501REND', [null, '5.0', '5.2', '5.3'])).to.equal('5.2');
    expect(await settled('BLENDER17-01v0503REND', [null, '5.0', '5.2', '5.3'])).to.equal('5.3');
    expect(await settled('PK', both)).to.equal(null);
    const asked = { more: { metadata: { software: 'blender-4.5' } } };
    expect(await settled('BLENDER17-01v0500REND', both, asked)).to.equal(null);
  });

  it('needs a GPU, may have one or none, as the request says, and keeps what was decided', () => {
    const of = (parameters: Readonly<Record<string, string>> = {}) =>
      blender.planning.resources(render({ parameters }));
    expect(of()).to.include({ gpu: 'none' }).and.to.not.have.property('gpuMemoryMib');
    expect(of({ device: 'gpu', memoryGiB: '12' })).to.include({ gpu: 'required', gpuMemoryMib: 12_288 });
    expect(of({ device: 'auto' })).to.include({ gpu: 'optional', gpuMemoryMib: 6_144 });
    const asked = render({ parameters: { device: 'auto', samples: '4' } });
    for (const [usesGpu, device] of [
      [true, 'gpu'],
      [false, 'cpu'],
    ] as const) {
      const decided = blender.planning.decideGpu?.(asked, usesGpu) ?? expect.fail();
      expect(decided.parameters).to.deep.equal({ device, samples: '4' });
      expect(renderSessionSpec(decided)).to.include({ device });
    }
    const limits = { ...LIMITS, gpusPerInstance: 1 };
    expect(blender.planning.plan(render({ parameters: { device: 'gpu' } }), limits)).to.include({
      gpusPerInstance: 1,
    });
    expect(blender.planning.plan(render(), limits)).to.not.have.property('gpusPerInstance');
  });

  it('refuses two versions in one request, and takes one that is named twice', async () => {
    const told = (parameters: Record<string, string>, metadata: Record<string, string>) =>
      codeOf(Promise.resolve().then(() => blender.request.check(render({ parameters, metadata }), false)));
    expect(await told({ version: '5.0' }, { software: 'Blender 4.5' })).to.equal('VALIDATION_ERROR');
    expect(await told({}, { software: 'blender-4.5', renderer: 'blender-5.0' })).to.equal('VALIDATION_ERROR');
    expect(await told({ version: '4.5' }, { software: 'blender-4.5.15', renderer: 'cycles' })).to.equal(
      'accepted',
    );
  });

  it('is meant by the host, its engine and its version, and by no other software', async () => {
    const { id, aliases } = blender.about;
    const names = [id, ...aliases];
    expect(names).to.include.members([
      'blender',
      'blender-4.5',
      'blender-4.5.15',
      'blender-5.0',
      'blender-5.2.3',
      'cycles',
    ]);
    expect(names).to.not.include.members(['blender-5.9', 'blender-4', 'eevee']);
    expect(
      await codeOf(Promise.resolve().then(() => blender.request.check(render({ frameEnd: 1 }), true))),
    ).to.equal('VALIDATION_ERROR');
  });
});
