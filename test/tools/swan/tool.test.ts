/** What a request for a run of SWAN means, costs, and may not be; and what an instance may not tell of a run. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { submitJobBody } from '../../../api/jobs/submit-schemas.ts';
import { chargePence } from '../../../src/domain/charge.ts';
import { quote } from '../../../src/domain/pricing.ts';
import type { SubmitJobRequest } from '../../../src/domain/requests.ts';
import type { StagedOutput } from '../../../src/contracts/instance.ts';
import { loadPriceBook } from '../../../src/services/prices/price-book.ts';
import type { JobCommand } from '../../../src/tools/command.ts';
import {
  wavesCommand,
  wavesEstimateOf,
  wavesOfferOf,
  wavesRequestOf,
} from '../../../src/tools/waves/command.ts';
import type { WavesOptions } from '../../../src/tools/waves/command.ts';
import { findWaves } from '../../../src/tools/waves/found.ts';
import { swan } from '../../../src/tools/swan/index.ts';
import { swanPack } from '../../../src/tools/swan/pack.ts';
import { readsTexts } from '../../support/read-outputs.ts';

const LIMITS = { maxInstances: 8, slotsPerInstance: 2, vcpusPerInstance: 2 };
const CASE = 'accounts/a/uploads/u/coast.zip';
const run = (rest: Partial<SubmitJobRequest> = {}): SubmitJobRequest => ({
  jobType: 'simulation',
  simulator: 'swan',
  sceneFile: CASE,
  ...rest,
});
const codeOf = (request: SubmitJobRequest): unknown => {
  try {
    swan.request.check(request, false);
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('SWAN: a request', () => {
  it('runs one case, or as many as the name of the command file tells apart', () => {
    expect(codeOf(run())).to.equal(null);
    expect(
      codeOf(run({ taskCount: 1, parameters: { commandFile: 'a/INPUT', physics: 'default' } })),
    ).to.equal(null);
    expect(codeOf(run({ taskCount: 4, parameters: { commandFile: 'run{index}/INPUT' } }))).to.equal(null);
    expect(codeOf(run({ taskCount: 4 }))).to.equal('TASK_COUNT_MISMATCH');
    expect(codeOf(run({ taskCount: 4, parameters: { commandFile: 'INPUT' } }))).to.equal(
      'TASK_COUNT_MISMATCH',
    );
    expect(codeOf(run({ taskCount: 1001, parameters: { commandFile: '{index}' } }))).to.equal(
      'VALIDATION_ERROR',
    );
  });

  it('runs the build of the site that its physics name, and else the one without a name', () => {
    const variantOf = (physics: string) => swan.request.variant?.of(run({ parameters: { physics } }));
    expect(['st4', 'default'].map(variantOf)).to.deep.equal(['st4', null]);
    expect(swan.request.variant?.of(run())).to.equal(null);
    expect(codeOf(run({ parameters: { physics: 'st4' } }))).to.equal(null);
  });

  it('names no file outside the case, and nothing that SWAN does not read', () => {
    for (const commandFile of ['/etc/INPUT', '../INPUT', 'a/../../b', 'C:\\INPUT', ''])
      expect(codeOf(run({ parameters: { commandFile } })), commandFile).to.equal('VALIDATION_ERROR');
    expect(codeOf(run({ parameters: { physics: '../st4' } }))).to.equal('VALIDATION_ERROR');
    expect(codeOf(run({ parameters: { cores: '4' } }))).to.equal('VALIDATION_ERROR');
    for (const grid of ['200x100', '0x4x36x32', '200 x 100 x 36 x 32', 'large', ''])
      expect(codeOf(run({ parameters: { grid } })), grid).to.equal('VALIDATION_ERROR');
    for (const steps of ['0', '-1', '1e3', ''])
      expect(codeOf(run({ parameters: { steps } })), steps).to.equal('VALIDATION_ERROR');
  });

  it('gives every task the whole case by the names of its files, and the plan of the preparation', () => {
    const request = run({
      attachments: ['accounts/a/uploads/v/wind.dat'],
      taskCount: 12,
      parameters: { commandFile: 'r{index}' },
    });
    expect(swan.inputs.stored(request)).to.deep.equal([
      { storageKey: CASE, name: 'case/source' },
      { storageKey: 'accounts/a/uploads/v/wind.dat', name: 'case/beside/0' },
    ]);
    const context = { cached: false, staleField: null, verified: [] };
    expect(swan.inputs.taskInputs(request, 'task', 3, context).prepared).to.deep.equal(['plan.json']);
    const spec = swan.work.sessionSpec(request, { effectiveSeed: null, inputs: new Map() });
    expect(spec).to.deep.include({
      sourceName: 'coast.zip',
      files: { 'wind.dat': 'case/beside/0' },
      taskCount: 12,
    });
    expect(swan.work.taskSpec(request, 'task', 3, context)).to.deep.equal({ index: 3, folder: 'cases/03/' });
    expect(swan.work.taskSpec(run(), 'task', 0, context)).to.deep.equal({ index: 0, folder: '' });
  });

  it('has memory for the grid and the spectrum that it tells of, and the preparation is told for how much', () => {
    const bytesOf = (rest: Partial<SubmitJobRequest>) => swan.work.limits(run(rest)).memoryBytes;
    const [small, large] = ['50x4x36x32', '1000x500x36x32'].map((grid) => ({ parameters: { grid } }));
    expect(bytesOf(small ?? {})).to.be.lessThan(2 ** 28);
    expect(bytesOf(large ?? {})).to.be.greaterThan(576e6 * 8);
    expect(bytesOf({})).to.be.within(2 ** 29, 2 ** 30);
    const facts = { effectiveSeed: null, inputs: new Map() };
    expect(swan.work.sessionSpec(run(large), facts)).to.include({ mostNumbers: 576e6 });
    const limits = { ...LIMITS, slotsPerInstance: 20, vcpusPerInstance: 20 };
    expect(
      swan.planning.plan(run({ ...small, taskCount: 20, parameters: { commandFile: '{index}' } }), limits)
        .slotsPerInstance,
    ).to.equal(20);
  });

  it('costs the seconds of its tasks, and nothing where none is verified', () => {
    const book = loadPriceBook();
    const heldFor = (rest: Partial<SubmitJobRequest>) => {
      const request = run(rest);
      const plan = swan.planning.plan(request, LIMITS);
      const price = swan.planning.price(request, plan, book, { bytes: null, totalBytes: 0 });
      return quote('book', 790_000, price, plan.taskCount);
    };
    const hour = heldFor({ simulationParams: { estimatedRuntimeSeconds: 3600 } });
    expect(heldFor({ metadata: { taskRuntimeMinutes: 60 } }).heldPence).to.equal(hour.heldPence);
    expect(heldFor({}).heldPence).to.be.lessThan(hour.heldPence);
    // A million numbers for 9,000 steps are an hour, by the figures; what the request says of the time itself comes first.
    const sized = { parameters: { grid: '100x10x25x40', steps: '9000' } };
    expect(heldFor(sized).heldPence).to.equal(hour.heldPence);
    expect(heldFor({ ...sized, metadata: { taskRuntimeMinutes: 1 } }).heldPence).to.be.lessThan(
      hour.heldPence,
    );
    expect(chargePence(hour, [{ priceClass: null, tasks: 1, meteredMs: 3_600_000 }])).to.be.within(
      1,
      hour.heldPence,
    );
    expect(chargePence(hour, [])).to.equal(0);
  });
});

it('a case that takes the memory of a whole instance is priced as all of its cores', () => {
  const limits = { ...LIMITS, slotsPerInstance: 4, vcpusPerInstance: 4, memoryMibPerInstance: 6656 };
  const perHour = (grid: string): number => {
    const request = run({ parameters: { grid } });
    const plan = swan.planning.plan(request, limits);
    const price = swan.planning.price(request, plan, loadPriceBook(), { bytes: null, totalBytes: 0 });
    return price.model === 'measured' ? price.microPerHour : 0;
  };
  const fieldsOf = (grid: string) =>
    swan.planning.priced(run({ parameters: { grid } }), { bytes: null, totalBytes: 0 }).fields;
  expect(fieldsOf('1000x300x36x32'), 'a quote holds for its grid').not.to.deep.equal(fieldsOf('50x4x36x32'));
  expect(perHour('1000x300x36x32')).to.be.within(4 * perHour('50x4x36x32') - 4, 4 * perHour('50x4x36x32'));
});

const RANGE = { least: 0.5, greatest: 2, last: 1.5 };
const REPORT = {
  schema: 'dockyard.swan.result/v1',
  case: {
    commandFile: 'a.swn',
    commandFileSha256: 'a'.repeat(64),
    isNonstationary: true,
    isSpherical: false,
  },
  grid: { grid: 'regular', points: 24, directions: 12, frequencies: 10 },
  computations: [
    { isStationary: false, begin: '20260101.000000', end: '20260101.050000', stepSeconds: 600, steps: 30 },
  ],
  convergence: { accuratePercent: null, requiredPercent: null, stepsNotConverged: 0 },
  ...{ resumable: true, resumableReason: null },
  tables: [{ file: 'p.tbl', rows: 2, ranges: { depthMetres: RANGE }, points: [{ x: 1, y: 2, ranges: {} }] }],
  ...{ fields: [], files: ['p.tbl', 'sub/f.mat'], warnings: [] },
  provenance: {
    program: {
      name: 'SWAN',
      version: '41.51',
      variant: null,
      packSha256: 'b'.repeat(64),
      packSource: 'path',
    },
    ...{ toolchainSha256: 'c'.repeat(64), cpuClass: 'x86-64-v3' },
  },
};
const outputs = (names: Readonly<Record<string, string>>): readonly StagedOutput[] =>
  Object.entries(names).map(([name, kind]) => ({
    ...{ name, kind, mediaType: 'text/plain', format: null, byteSize: 1, sha256: 'd'.repeat(64) },
  }));
const GOOD = { 'summary.json': 'summary', 'p.tbl': 'table', 'sub/f.mat': 'field', PRINT: 'log' };
const fault = (names: Readonly<Record<string, string>>, report: unknown = REPORT, folder = '') =>
  swan.outputs.verify(
    'task',
    { itemId: '0' },
    outputs(names),
    readsTexts((name) => (name === `${folder}summary.json` ? JSON.stringify(report) : expect.fail(name))),
  );

describe('SWAN: outputs are held against their report', () => {
  it('takes what the report lists, also below a folder, and what did not fit in an archive', async () => {
    expect(await fault(GOOD)).to.equal(null);
    const below = Object.fromEntries(Object.entries(GOOD).map(([name, kind]) => [`cases/1/${name}`, kind]));
    expect(await fault(below, REPORT, 'cases/1/')).to.equal(null);
    const packed = {
      'summary.json': 'summary',
      'p.tbl': 'table',
      PRINT: 'log',
      'case.tar': 'archive',
      'case.txt': 'log',
    };
    expect(await fault(packed)).to.equal(null);
  });

  it('misses a file, and finds one that nobody has asked for', async () => {
    const { 'p.tbl': _table, ...rest } = GOOD;
    expect(await fault(rest)).to.equal('p.tbl is missing');
    expect(await fault({ ...GOOD, 'run.sh': 'field' })).to.equal('run.sh was not expected');
    expect(await fault({ ...GOOD, 'summary.json': 'log' })).to.equal('summary.json is missing');
  });

  it('takes no report with other members, or with numbers that are none', async () => {
    expect(await fault(GOOD, { ...REPORT, host: 'x' })).to.include('no summary');
    expect(
      await fault(GOOD, { ...REPORT, tables: [{ ...REPORT.tables[0], ranges: { depthMetres: 1 } }] }),
    ).to.include('no summary');
    expect(await fault(GOOD, { ...REPORT, schema: 'dockyard.swan.result/v2' })).to.include('no summary');
  });
});

describe('SWAN: a program that somebody has built', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-test-swan-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));
  const prints = (text: string) => async () => {
    await writeFile(join(folder, 'PRINT'), text);
    return { exitCode: 0, stdout: '', stderr: '' };
  };
  const judged = async (rows: string, errors?: string): Promise<string | null> => {
    await writeFile(join(folder, 'heights.tbl'), `%\n% Run:1\n${rows}`);
    if (errors !== undefined) await writeFile(join(folder, 'Errfile'), errors);
    return (swanPack.reference?.judge(folder) ?? expect.fail('no case')).then(
      () => null,
      (error: unknown) => String(error),
    );
  };

  it('names its version, and is old enough to have the unformatted hotfile', async () => {
    const version = 'VERSION NUMBER 41.51A';
    expect(await swanPack.prove(prints(`x\n      ${version}  \n`), folder, {})).to.deep.equal({
      version: '41.51A',
    });
    for (const text of ['VERSION NUMBER 41.31', 'nothing']) {
      const failed = await swanPack.prove(prints(text), folder, {}).catch((error: unknown) => String(error));
      expect(failed, text).to.match(/41\.42 is the oldest|names no version/);
    }
  });

  it('counts where it finds the waves of linear theory on a plane beach, and is told the figures where not', async () => {
    expect(await judged(' 5.0000 1.14909 253.784\n 1.0000 1.62332 262.590\n')).to.equal(null);
    expect(await judged(' 5.0000 1.14909 253.784\n 1.0000 1.63000 262.590\n')).to.include(
      'at 1 m, it finds 1.63 m from 262.59 degrees, and linear theory 1.621 m from 262.6 degrees',
    );
    expect(await judged(' 5.0000 1.14909 254.184\n 1.0000 1.62332 262.590\n')).to.include('at 5 m');
    expect(await judged('')).to.include('at 5 m, it finds NaN m');
    expect(await judged(' 5.0 1.149 253.784\n 1.0 1.623 262.590\n', 'Severe error: x')).to.include(
      'Severe error',
    );
  });
});

describe('dockyard waves', () => {
  it('asks for what the options say, and for the service’s defaults otherwise', () => {
    const bare = { jobType: 'simulation', simulator: 'swan' };
    expect(wavesEstimateOf({})).to.deep.equal(bare);
    const options = { commandFile: 's{index}.swn', cases: 4, seconds: 60, physics: 'default' };
    const request = wavesRequestOf(options, CASE, ['accounts/a/uploads/v/wind.dat']);
    expect(submitJobBody.validate(request).error?.message).to.equal(undefined);
    expect(request).to.deep.equal({
      ...{ ...bare, sceneFile: CASE, attachments: ['accounts/a/uploads/v/wind.dat'], taskCount: 4 },
      simulationParams: { estimatedRuntimeSeconds: 60 },
      parameters: { commandFile: 's{index}.swn', physics: 'default' },
    });
  });

  it('offers the time after which a run that cannot be cut is ended', () => {
    const limitOf = (options: WavesOptions): string =>
      String(wavesOfferOf(options).find(([label]) => label === 'Time limit')?.[1]);
    expect(limitOf({})).to.match(/^6 h, for a case/);
    expect(limitOf({ seconds: 36_000 })).to.match(/^30 h, /);
    expect(limitOf({ grid: '200x100x36x32', steps: 9000 })).to.include('three times');
  });

  it('takes no folder, and says how it is packed before it asks', () => {
    const taken: JobCommand<WavesOptions>[] = [];
    wavesCommand((command) => void taken.push(command as unknown as JobCommand<WavesOptions>));
    const [command] = taken;
    expect(() => command?.prepare({}, ['swan'], '/')).to.throw('/swan is no file.');
    expect(() => command?.prepare({}, ['.'], tmpdir())).to.throw(/is a folder; pack it, as in: tar -czf/);
  });

  it('shows the waves at the points of each case, and nothing of cases that are not done', async () => {
    const point = {
      x: 1000,
      y: 500,
      significantWaveHeightMetres: 1.256,
      peakPeriodSeconds: 8.04,
      depthMetres: 3,
    };
    const tasks = (states: readonly string[], points: readonly object[] = [point]) => ({
      async *tasks() {
        const summary = { greatestWaveHeightMetres: 2, points, steps: 3 };
        for (const [index, state] of states.entries()) yield { id: String(index), state, summary };
      },
    });
    const found = await findWaves(tasks(['SUCCEEDED', 'FAILED']));
    expect(found?.rows).to.deep.equal([['0', 1000, 500, '1.26', '8.0', null]]);
    const { peakPeriodSeconds: smoothedPeakPeriodSeconds, ...rest } = point;
    const smoothed = await findWaves(tasks(['SUCCEEDED'], [{ ...rest, smoothedPeakPeriodSeconds }]));
    expect(smoothed?.rows).to.deep.equal(found?.rows);
    expect((await findWaves(tasks(['SUCCEEDED'], [])))?.note).to.include('tells waves at points');
    expect(await findWaves(tasks(['RUNNING']))).to.equal(null);
  });
});
