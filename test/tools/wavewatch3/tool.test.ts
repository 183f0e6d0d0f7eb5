/** What a request for a run of WAVEWATCH III means and may not be, what its outputs must be, and which builds count. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import type { StagedOutput } from '../../../src/contracts/instance.ts';
import type { SubmitJobRequest } from '../../../src/domain/requests.ts';
import { wavewatch3 } from '../../../src/tools/wavewatch3/index.ts';
import { wavewatch3Pack } from '../../../src/tools/wavewatch3/pack.ts';
import { readsTexts } from '../../support/read-outputs.ts';

const run = (rest: Partial<SubmitJobRequest> = {}): SubmitJobRequest => ({
  ...{ jobType: 'simulation', simulator: 'wavewatch3', sceneFile: 'accounts/a/uploads/u/coast.tar.gz' },
  ...rest,
});
const codeOf = (request: SubmitJobRequest): unknown => {
  try {
    wavewatch3.request.check(request, false);
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};
const CONTEXT = { cached: false, staleField: null, verified: [] };

describe('WAVEWATCH III: a request', () => {
  it('runs an archive of one or several cases, by the build that its physics name', () => {
    expect(codeOf(run())).to.equal(null);
    expect(
      codeOf(run({ taskCount: 4, parameters: { physics: 'st4', grid: '360x180x36x32', steps: '576' } })),
    ).to.equal(null);
    expect(wavewatch3.request.variant?.of(run({ parameters: { physics: 'st4' } }))).to.equal('st4');
    expect(codeOf(run({ sceneFile: 'accounts/a/uploads/u/ww3_shel.inp' }))).to.equal('VALIDATION_ERROR');
    expect(codeOf(run({ parameters: { commandFile: 'ww3_shel.inp' } }))).to.equal('VALIDATION_ERROR');
    expect(codeOf(run({ taskCount: 1001 }))).to.equal('VALIDATION_ERROR');
    expect(wavewatch3.about.aliases).to.deep.equal(['ww3']);
  });

  it('gives every task what the preparation made', () => {
    const { prepared } = wavewatch3.inputs.taskInputs(run(), 'task', 0, CONTEXT);
    expect(prepared).to.deep.equal(['plan.json', 'prepared.tar']);
    expect(wavewatch3.inputs.taskInputs(run(), 'prepare', 0, CONTEXT).prepared).to.deep.equal([]);
    expect(wavewatch3.work.taskSpec(run({ taskCount: 12 }), 'task', 3, CONTEXT)).to.deep.equal({
      ...{ index: 3, folder: 'cases/03/' },
    });
  });
});

const RANGE = { least: 0.5, greatest: 2, last: 1.5 };
const REPORT = {
  schema: 'dockyard.wavewatch3.result/v1',
  case: { shellFile: 'ww3_shel.inp', caseSha256: 'a'.repeat(64), notRun: [] },
  grid: { points: 231, spectrum: 480 },
  run: { begin: '20260101 000000', end: '20260101 060000', stepSeconds: 120, steps: 180 },
  ...{ resumable: true, resumableReason: null, highest: { metres: 1.5, at: '20260101 03 00 00' } },
  tables: [{ file: 'tab33.ww3', rows: 9, points: [{ x: 0, y: null, ranges: { peakPeriodSeconds: RANGE } }] }],
  files: ['out_grd.ww3', 'tab33.ww3', 'log.ww3'],
  provenance: {
    program: {
      ...{ name: 'WAVEWATCH III', version: '7.14', variant: 'st4', switches: 'SHRD PR3 UQ' },
      ...{ packSha256: 'b'.repeat(64), packSource: 'variable' },
    },
    ...{ toolchainSha256: 'c'.repeat(64), cpuClass: 'x86-64-v3' },
  },
};
const outputs = (names: Readonly<Record<string, string>>): readonly StagedOutput[] =>
  Object.entries(names).map(([name, kind]) => ({
    ...{ name, kind, mediaType: 'text/plain', format: null, byteSize: 1, sha256: 'd'.repeat(64) },
  }));
const GOOD = { 'summary.json': 'summary', 'out_grd.ww3': 'field', 'tab33.ww3': 'table', 'log.ww3': 'log' };
const PLAN = {
  cases: [
    {
      ...{ folder: 'case', points: 231, spectrum: 480, steps: 180, stepSeconds: 120 },
      ...{ resumable: false, reason: 'tracks', secondsPerStep: null, estimatedSeconds: 4.5, warnings: [] },
    },
  ],
};
const judged = (kind: 'task' | 'prepare', names: Readonly<Record<string, string>>, report: unknown) =>
  wavewatch3.outputs.verify(
    kind,
    { itemId: '0' },
    outputs(names),
    readsTexts(() => JSON.stringify(report)),
  );

describe('WAVEWATCH III: outputs are held against their report', () => {
  it('takes what the report lists, and nothing more or less', async () => {
    expect(await judged('task', GOOD, REPORT)).to.equal(null);
    expect(await judged('task', { ...GOOD, 'run.sh': 'field' }, REPORT)).to.equal('run.sh was not expected');
    const { 'log.ww3': _log, ...less } = GOOD;
    expect(await judged('task', less, REPORT)).to.equal('log.ww3 is missing');
    expect(await judged('task', GOOD, { ...REPORT, host: 'x' })).to.include('no summary');
  });

  it('takes a preparation with its plan and what it made', async () => {
    const made = { 'plan.json': 'plan', 'prepared.tar': 'archive' };
    expect(await judged('prepare', made, PLAN)).to.equal(null);
    expect(await judged('prepare', { 'plan.json': 'plan' }, PLAN)).to.include('alone are expected');
    expect(await judged('prepare', made, { cases: [] })).to.include('no plan');
  });
});

describe('WAVEWATCH III: programs that somebody has built', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dockyard-test-ww3-'));
  });
  afterEach(async () => rm(folder, { recursive: true }));

  it('name themselves, and have a version that is new enough in them', async () => {
    const program = join(folder, 'ww3_shel');
    const says = (stdout: string) => async () => ({ exitCode: 2, stdout, stderr: '' });
    const title = '*** WAVEWATCH III Program shell ***';
    const proven = async (bytes: string, stdout = title): Promise<unknown> => {
      await writeFile(program, bytes);
      return wavewatch3Pack
        .prove(says(stdout), folder, { ww3_shel: program })
        .then(({ version }) => version, String);
    };
    expect(await proven('x\u{0}7.14      \u{0}x')).to.equal('7.14');
    expect(await proven('x\u{0}6.07      \u{0}x')).to.include('7.00 is the oldest');
    expect(await proven('nothing')).to.include('has no version');
    expect(await proven('x\u{0}7.14      \u{0}x', 'hello')).to.include('does not name itself');
  });

  it('count where swell comes back from round the globe, and are told the figures where not', async () => {
    const row = (place: number, metres: number): string =>
      ` ${place.toFixed(3)} 0.000 ${metres.toFixed(3)} 952.9 24.71 270.0 0.00 0.0407 270.0 0.00\n`;
    const block = (rows: readonly (readonly [number, number])[]): string =>
      ` Time : x\n Long. Lat. Hs\n${rows.map((each) => row(...each)).join('')}`;
    const judge = async (begin: number, place: number, end: number): Promise<string | null> => {
      const text =
        block([
          [-1, 1],
          [0, begin],
        ]) +
        block([
          [place, end],
          [place + 3, end - 0.5],
        ]);
      await writeFile(join(folder, 'tab50.ww3'), text);
      return (wavewatch3Pack.reference?.judge(folder) ?? expect.fail('no case')).then(() => null, String);
    };
    expect(await judge(2.5, 0, 1.948)).to.equal(null);
    expect(await judge(2.5, 3, 1.948)).to.include('it brings 2.5 m to 1.948 m at 3 degrees');
    expect(await judge(2.4, 0, 1.948)).to.include('2.4 m');
    expect(await judge(2.5, 0, 0.4)).to.include('0.4 m');
  });
});
