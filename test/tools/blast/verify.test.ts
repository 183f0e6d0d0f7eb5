/** An instance may lie: reports that are not what they say are found, whatever the instance tells of them. */
import { expect } from 'chai';

import type { StagedOutput } from '../../../src/contracts/instance.ts';
import { countReports, countRows, countSections } from '../../../src/tools/blast/reports.ts';
import { verifySearch } from '../../../src/tools/blast/verify.ts';
import { cutInto, readsTexts } from '../../support/read-outputs.ts';

const ROW = 'q\ts\t100.0\t12\t0\t0\t1\t12\t1\t12\t1e-40\t77.4\n';
const REPORT = JSON.stringify({
  report: {
    program: 'blastp',
    results: { search: { query_id: 'Query_1', query_len: 12, hits: [{ hsps: [{}] }], stat: {} } },
  },
});
const SUMMARY = {
  schema: 'dockyard.blast.search/v1',
  program: 'blastp',
  ...{ task: 'blastp', evalue: 10, maxHits: 500, queriesSha256: 'c'.repeat(64), missingTasks: [] },
  engine: {
    ...{ name: 'blast', version: '2.12.0', packSha256: 'a'.repeat(64) },
    toolchainSha256: 'd'.repeat(64),
  },
  database: { name: 'd', type: 'prot', sequences: 1, letters: 12, checksum: 'b'.repeat(64) },
  parts: [{ firstQuery: 1, queries: 1, residues: 12, hits: 1, queriesWithHits: 1 }],
};
const GOOD: Readonly<Record<string, string>> = {
  'hits.tsv': ROW,
  'hits.json': `{"BlastOutput2":[\n${REPORT}\n]}\n`,
  'alignments.txt': 'BLASTP\n\n\nQuery= q\n\nLength=12\n',
  'search.json': JSON.stringify(SUMMARY),
};
const FACTS: Readonly<Record<string, readonly [string, string, string]>> = {
  'hits.tsv': ['hits', 'text/tab-separated-values', 'tsv'],
  'hits.json': ['hits_report', 'application/json', 'json'],
  'alignments.txt': ['alignments', 'text/plain', 'txt'],
  'search.json': ['search_summary', 'application/json', 'json'],
};

function judged(files: Readonly<Record<string, string>>, folder = ''): Promise<string | null> {
  const outputs = Object.keys(files).map((name): StagedOutput => {
    const [kind, mediaType, format] = FACTS[name] ?? ['hits', 'text/plain', 'txt'];
    const bytes = { byteSize: 1, sha256: 'c'.repeat(64) };
    return { name: `${folder}${name}`, kind, mediaType, format, ...bytes };
  });
  const read = readsTexts((name) => files[name.slice(folder.length)] ?? '');
  return verifySearch('task', outputs, read);
}

describe('reports of a search', () => {
  it('are good when they agree with each other, in the folder of any task', async () => {
    expect(await judged(GOOD)).to.equal(null);
    expect(await judged(GOOD, 'tasks/07/')).to.equal(null);
  });

  for (const [what, changed, fault] of [
    ['a line without twelve columns', { 'hits.tsv': 'q\ts\n' }, 'hits.tsv has null hits'],
    ['a number that is none', { 'hits.tsv': ROW.replace('77.4', 'x') }, 'hits.tsv has null hits'],
    ['hits left out', { 'hits.tsv': '' }, 'hits.tsv has 0 hits, not 1'],
    ['reports that are no JSON', { 'hits.json': '{"BlastOutput2":[\n{\n]}\n' }, 'hits.json has null'],
    ['reports left out', { 'hits.json': '{"BlastOutput2":[\n]}\n' }, 'hits.json has 0 reports, not 1'],
    ['reports that do not end', { 'hits.json': `{"BlastOutput2":[\n${REPORT}\n` }, 'hits.json has null'],
    ['a report without statistics', { 'hits.json': GOOD['hits.json']?.replace('"stat"', '"x"') }, 'has null'],
    ['alignments of no query', { 'alignments.txt': 'nothing\n' }, 'alignments.txt has 0 sections, not 1'],
    ['a summary of something else', { 'search.json': '{}' }, 'search.json is no summary'],
    ['a file that was not asked for', { 'more.txt': 'x' }, 'not expected'],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      expect(await judged({ ...GOOD, ...(changed as Readonly<Record<string, string>>) })).to.contain(fault);
    });
  }

  const two = (between: string, end = ''): string =>
    `{"BlastOutput2":[\n${REPORT}${between}\n${REPORT}${end}\n]}\n`;
  const TWICE = {
    'search.json': JSON.stringify({
      ...SUMMARY,
      parts: [{ firstQuery: 1, queries: 2, residues: 24, hits: 1, queriesWithHits: 1 }],
    }),
    'alignments.txt': `${GOOD['alignments.txt'] ?? ''}\n\nQuery= r\n\nLength=12\n`,
  };

  it('have one report on each line, with a comma between two', async () => {
    expect(await judged({ ...GOOD, ...TWICE, 'hits.json': two(',') })).to.equal(null);
    expect(await judged({ ...GOOD, ...TWICE, 'hits.json': two(',').trimEnd() }), 'no last end').to.equal(
      null,
    );
    for (const text of [
      two(''),
      two(',', ','),
      two(',,'),
      two(',').replace(',\n', ','),
      two(',').replace(',\n', ',\n\n'),
      two(',').replace('[\n', '[ \n'),
      two(',').replace('\n]}', ']}'),
      two(',').replace('\n]}', '\n]} '),
      `${two(',')}\n`,
      `${two(',')}x`,
      `\n${two(',')}`,
      two(',').slice(0, -3),
      two(',').slice(0, 200),
      '{"BlastOutput2":[\n]}\n]}\n',
      '{"BlastOutput2":[',
      '',
    ])
      expect(await judged({ ...GOOD, ...TWICE, 'hits.json': text }), text).to.contain('hits.json has null');
  });

  for (const [what, from, to] of [
    ['of another depth', '"stat":{}', `"stat":{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
    ['a number of no program', '"query_len":12', '"query_len":-1'],
    ['a length in words', '"query_len":12', '"query_len":"12"'],
    ['another name of a query', 'Query_1', 'Query_1x'],
    ['no program', '"program":"blastp"', '"program":""'],
    ['a hit without stretches', '[{}]', '[]'],
    ['a hit that is none', '[{"hsps":[{}]}]', '[1]'],
    ['hits that are no list', '[{"hsps":[{}]}]', '{}'],
    ['statistics that are none', '"stat":{}', '"stat":[]'],
    ['one name twice', '"stat":{}', '"stat":{"a":1,"a":1}'],
    ['a number beyond all', '"stat":{}', '"stat":{"a":1e999}'],
    ['half a character', '"stat":{}', '"stat":{"a":"\\ud800"}'],
    ['the name of a prototype', '"stat":{}', '"stat":{"__proto__":1}'],
    ['something behind it', '"stat":{}}}}}', '"stat":{}}}}}{}'],
  ] as const) {
    it(`are refused with a report with ${what}`, async () => {
      const text = GOOD['hits.json'] ?? '';
      expect(text).to.contain(from);
      expect(await judged({ ...GOOD, 'hits.json': text.replace(from, to) })).to.contain('hits.json has null');
    });
  }

  it('may say more than is read here', async () => {
    const more = REPORT.replace('"stat":{}', '"stat":{"a":[1,{"b":null}]},"message":"é"').replace(
      '[{}]',
      '[1,{}]',
    );
    expect(await judged({ ...GOOD, 'hits.json': `{"BlastOutput2":[\n${more}\n]}\n` })).to.equal(null);
  });

  it('are refused where a text is no UTF-8', async () => {
    const bad = Buffer.concat([Buffer.from('Query= \xff'), Buffer.from([0xff])]);
    expect(await countSections(cutInto(bad, 5))).to.equal(null);
    const report = Buffer.from(GOOD['hits.json'] ?? '');
    expect(await countReports(cutInto(report, 5))).to.equal(1);
    report[report.indexOf('blastp')] = 0xff;
    expect(await countReports(cutInto(report, 5))).to.equal(null);
  });

  it('count sections that begin behind a blank line', async () => {
    for (const [text, count] of [
      ['Query= a\n', 0],
      ['\nQuery= a\n', 1],
      ['x\nQuery= a\n', 0],
      ['x\n\nQuery= a\n\nQuery= b', 2],
      ['x\n\n\nQuery= a', 1],
      ['x\n \nQuery= a', 0],
      ['\n\nQuery=a', 0],
    ] as const)
      for (const pieceBytes of [1, 3, 100])
        expect(await countSections(cutInto(Buffer.from(text), pieceBytes)), text).to.equal(count);
  });

  it('are refused with a line of any length', async () => {
    expect(await countRows(cutInto(Buffer.alloc(8 * 2 ** 20, '\t'), 65_536))).to.equal(null);
    const long = ROW.replace('q\t', `${'q'.repeat(100_000)}\t`);
    expect(await countRows(cutInto(Buffer.from(long), 65_536)), 'a long name').to.equal(1);
  });

  it('are refused when one is missing', async () => {
    const { 'hits.json': _left, ...rest } = GOOD;
    expect(await judged(rest)).to.equal('hits.json is missing');
  });
});
