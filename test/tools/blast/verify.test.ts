/** An instance may lie: reports that are not what they say are found, whatever the instance tells of them. */
import { expect } from 'chai';

import type { StagedOutput } from '../../../src/contracts/instance.ts';
import { verifySearch } from '../../../src/tools/blast/verify.ts';

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
  engine: { version: '2.12.0', packSha256: 'a'.repeat(64) },
  database: { name: 'd', type: 'prot', sequences: 1, letters: 12, checksum: 'b'.repeat(64) },
  parts: [{ queries: 1, hits: 1 }],
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
  return verifySearch('task', outputs, (name, parse) =>
    Promise.resolve(parse(Buffer.from(files[name.slice(folder.length)] ?? '', 'utf8'))),
  );
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

  it('are refused when one is missing', async () => {
    const { 'hits.json': _left, ...rest } = GOOD;
    expect(await judged(rest)).to.equal('hits.json is missing');
  });
});
