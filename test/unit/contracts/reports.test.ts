import { expect } from 'chai';

import type { TaskReport } from '../../../src/contracts/instance.ts';
import { reportFault } from '../../../src/contracts/reports.ts';

const OUTPUT = {
  name: 'result.bin',
  kind: 'result',
  mediaType: 'application/octet-stream',
  format: null,
  byteSize: 100,
  sha256: 'a'.repeat(64),
};

function done(change: object = {}): TaskReport {
  return { ordinal: 0, end: 'done', outputs: [OUTPUT], seconds: 0.1, summary: null, ...change };
}

function failed(change: object = {}): TaskReport {
  return {
    ordinal: 3,
    end: 'failed',
    code: 'ENGINE_CRASHED',
    message: 'It ended.',
    seconds: 1,
    ...change,
  };
}

const withOutput = (change: object): TaskReport => done({ outputs: [{ ...OUTPUT, ...change }] });

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('reports of tasks', () => {
  it('are accepted as a good tool makes them', () => {
    for (const report of [
      done(),
      done({ outputs: [], summary: { best: -7.1, pose: { of: ['é', 1, null, true] } } }),
      done({ summary: { text: 'x'.repeat(8000) } }),
      done({ summary: { deep: nested(63) } }),
      withOutput({
        name: `${'é'.repeat(75)}/b`,
        format: 'sdf',
        mediaType: 'chemical/x-mdl-sdfile',
        kind: 'poses',
      }),
      withOutput({ byteSize: 0, mediaType: 'IMAGE/SVG+xml' }),
      failed(),
      failed({ message: '' }),
      failed({ lost: true }),
      { ordinal: 0, end: 'stopped' } as const,
    ]) {
      expect(reportFault(report), JSON.stringify(report)).to.equal(null);
    }
  });

  it('are refused when a field is not what it must be', () => {
    for (const [name, report] of Object.entries<TaskReport>({
      'no report': null as unknown as TaskReport,
      'no such end': { ordinal: 0, end: 'lost' } as unknown as TaskReport,
      'a negative ordinal': done({ ordinal: -1 }),
      'an ordinal that no column holds': done({ ordinal: 2 ** 31 }),
      'half a loss': failed({ lost: 'yes' }),
      'half an ordinal': { ordinal: 0.5, end: 'stopped' },
      'no seconds': done({ seconds: Number.NaN }),
      'a name that climbs': withOutput({ name: '../a' }),
      'a segment of 151 bytes': withOutput({ name: `${'é'.repeat(75)}a` }),
      'a kind in capitals': withOutput({ kind: 'Poses' }),
      'a long kind': withOutput({ kind: 'a'.repeat(33) }),
      'a media type with a parameter': withOutput({ mediaType: 'text/plain; charset=utf-8' }),
      'a media type with a new line': withOutput({ mediaType: 'text/plain\n' }),
      'a format with a dot': withOutput({ format: '.sdf' }),
      'no format at all': withOutput({ format: undefined }),
      'a negative size': withOutput({ byteSize: -1 }),
      'an unsafe size': withOutput({ byteSize: 2 ** 53 }),
      'a digest in capitals': withOutput({ sha256: 'A'.repeat(64) }),
      'one name twice': done({ outputs: [OUTPUT, OUTPUT] }),
      'outputs that are no list': done({ outputs: {} }),
      '201 outputs': done({
        outputs: Array.from({ length: 201 }, (_, index) => ({ ...OUTPUT, name: `${index}` })),
      }),
      'a summary that is a list': done({ summary: [] }),
      'a summary over 8 KiB': done({ summary: { text: 'é'.repeat(4096) } }),
      'a summary of 65 levels': done({ summary: { deep: nested(64) } }),
      'a summary of 4,000 levels in 8 KiB': done({ summary: { deep: nested(4_000) } }),
      'a summary with NUL': done({ summary: { deep: [{ text: 'a\0' }] } }),
      'a summary with NUL in a name': done({ summary: { 'a\0': 1 } }),
      'a summary with half a surrogate pair': done({ summary: { text: '\ud800' } }),
      'a code in small letters': failed({ code: 'crashed' }),
      'a long message': failed({ message: 'x'.repeat(1001) }),
      'a message with NUL': failed({ message: 'a\0' }),
      'a message with half a surrogate pair': failed({ message: '\udc00' }),
    })) {
      expect(reportFault(report), name).to.be.a('string');
    }
  });

  it('are refused, not fallen over, when a summary is nested without end', () => {
    const text = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect(reportFault(done({ summary: JSON.parse(text) as object }))).to.be.a('string');
  });
});
