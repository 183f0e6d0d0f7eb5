/** The requests that `dockyard blast` makes of its options. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { blastEstimateOf, blastRequestOf, filesOf, placeSearch } from '../../../src/tools/blast/command.ts';
import { findingsOf, readBestHits } from '../../../src/tools/blast/found.ts';
import { searchView } from '../../../src/tools/blast/live-view.ts';
import type { SeenTask } from '../../../src/tools/shown.ts';
import { warnOfFewHits } from '../../../src/tools/blast/checks.ts';
import { refusalOf } from '../../support/refusals.ts';

const resultsOf = (tasks: readonly Omit<SeenTask, 'id'>[]) => ({
  async *tasks() {
    await Promise.resolve();
    for (const [index, task] of tasks.entries()) yield { id: String(index), ...task };
  },
});

describe('dockyard blast', () => {
  const files = { sceneFile: 'q', attachments: ['d'], databaseName: 'decoys.fasta' };

  it('asks for what the options say, and for the service’s defaults otherwise', () => {
    expect(blastRequestOf({ program: 'blastp' }, files)).to.deep.equal({
      ...{ jobType: 'simulation', simulator: 'blastp', sceneFile: 'q', attachments: ['d'] },
      simulationParams: { blastDatabasePath: 'decoys.fasta' },
    });
    const options = { task: 'megablast', evalue: 1e-5, maxHits: 9, threads: 2, tasks: 3 };
    expect(blastRequestOf({ program: 'blastn', ...options }, files)).to.deep.include({
      ...{ simulator: 'blastn', parameters: { task: 'megablast' }, taskCount: 3 },
      simulationParams: {
        ...{ blastEvalue: 1e-5, blastMaxHits: 9, blastThreads: 2, blastDatabasePath: 'decoys.fasta' },
      },
    });
  });

  it('names a database of the service where there is no file', () => {
    const placed = { ...files, attachments: [], databaseName: 'swissprot' };
    const request = blastRequestOf({ program: 'blastp' }, placed);
    expect(request.simulationParams).to.deep.equal({ blastDatabaseName: 'swissprot' });
    expect(request).to.not.have.property('attachments');
  });

  it('takes a database for a file where its name has a folder or an ending', () => {
    const query = basename(import.meta.filename);
    const databaseOf = (db: string) => filesOf({ query, db }, import.meta.dirname);
    expect(databaseOf('swissprot')).to.deep.include({ databaseName: 'swissprot', databaseFiles: [] });
    for (const db of ['nothing.fasta', 'nothing.fa', './nothing']) {
      expect(() => databaseOf(db), db).to.throw('is neither a file nor volumes here');
    }
  });

  it('sends what is packed with gzip unpacked, under its name without the ending, and prices what is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-blast-'));
    try {
      const fasta = `>a\n${'MKV'.repeat(1000)}\n`;
      for (const name of ['q.fasta.gz', 'db.fa.gz']) writeFileSync(join(folder, name), gzipSync(fasta));
      writeFileSync(join(folder, 'cut.fasta.gz'), gzipSync(fasta).subarray(0, 30));
      const files = filesOf({ query: 'q.fasta.gz', db: 'db.fa.gz' }, folder);
      expect(files.databaseName).to.equal('db.fa');
      const asked = await blastEstimateOf({ program: 'blastp' }, files);
      expect(asked.parameters).to.deep.equal({ queryBytes: String(fasta.length) });
      expect(asked.metadata).to.deep.equal({ totalSizeGB: (2 * fasta.length) / 1e9 });
      const sent: unknown[] = [];
      const placed = await placeSearch(
        {
          progress: () => undefined,
          upload: async ({ path }) => {
            sent.push([basename(path), readFileSync(path, 'utf8')]);
            return await Promise.resolve(basename(path));
          },
        },
        files,
      );
      expect(sent).to.deep.equal([
        ['q.fasta', fasta],
        ['db.fa', fasta],
      ]);
      const { sceneFile, attachments, simulationParams } = blastRequestOf({ program: 'blastp' }, placed);
      expect([sceneFile, attachments, simulationParams?.blastDatabasePath]).to.deep.equal([
        ...['q.fasta', ['db.fa'], 'db.fa'],
      ]);
      const cut = filesOf({ query: 'cut.fasta.gz', db: 'db.fa.gz' }, folder);
      expect(await refusalOf(blastEstimateOf({ program: 'blastp' }, cut))).to.have.property(
        'code',
        'USAGE_INPUT',
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('asks for the price by the sizes of queries and database, or by the name of the database', async () => {
    const query = import.meta.filename;
    const { size } = statSync(query);
    const files = { query, databaseName: 'db.fasta', databaseFiles: [query, query] };
    const asked = await blastEstimateOf({ program: 'blastp', task: 'blastp-short' }, files);
    expect(asked.metadata).to.deep.equal({ totalSizeGB: (3 * size) / 1e9 });
    expect(asked.parameters).to.deep.equal({ task: 'blastp-short', queryBytes: String(size) });
    const named = await blastEstimateOf(
      { program: 'blastp' },
      { query, databaseName: 'swiss', databaseFiles: [] },
    );
    expect(named.simulationParams).to.include({ blastDatabaseName: 'swiss' });
  });

  it('is warned of before it is paid where it keeps too few sequences for the best to be among them', () => {
    const warned = (blastMaxHits?: number): unknown[] =>
      warnOfFewHits({
        ...{ jobType: 'simulation', simulator: 'blastp' },
        simulationParams: blastMaxHits === undefined ? {} : { blastMaxHits },
      }).map(({ code }) => code);
    expect([1, 4].map(warned)).to.deep.equal([['BLAST_HITS_FEW'], ['BLAST_HITS_FEW']]);
    expect([5, 1000, undefined].map(warned)).to.deep.equal([[], [], []]);
  });

  it('shows the best hit of each query', () => {
    const hit = {
      query: 'q',
      subject: 's',
      identityPercent: 99.5,
      length: 12,
      evalue: 1e-40,
      bitScore: 77.4,
    };
    const found = findingsOf({ hits: [hit], queries: { searched: 3, withHits: 1 } });
    expect(found.rows).to.deep.equal([['q', 's', '99.5', 12, '1.0e-40', '77']]);
    expect(found.data).to.deep.equal({ bestHits: [hit], queries: { searched: 3, withHits: 1 } });
    expect(found.note).to.match(/^1 of 3 queries have hits\. All hits are in/);
    const none = findingsOf({ hits: [], queries: { searched: 3, withHits: 0 } });
    expect([none.rows, none.note]).to.deep.equal([[], 'No query has a hit.']);
    const cut = findingsOf({ hits: [hit], queries: { searched: 9, withHits: 4 } });
    expect(cut.note).to.contain('4 of 9 queries have hits. The first 1 queries with hits are shown.');
  });

  it('tells in one line how many queries are done and what they have found', () => {
    const task = (queries: number, queriesWithHits: number, hits: number) => ({
      ...{ id: 'x', state: 'SUCCEEDED', summary: { queries, queriesWithHits, hits, best: [] } },
    });
    expect(searchView.line([task(10, 8, 120), task(9, 0, 0)])).to.equal(
      '19 queries done, 8 with hits, 120 hits',
    );
    expect(searchView.line([task(1, 1, 1)])).to.equal('1 query done, 1 with hits, 1 hit');
    expect(searchView.line([{ ...task(1, 1, 1), state: 'RUNNING' }])).to.equal(null);
  });

  it('counts the queries of all tasks that it read, and says nothing of tasks that it did not', async () => {
    const best = Array.from({ length: 12 }, (_, index) => ({
      ...{ query: `q${index}`, subject: 's', identityPercent: 90, length: 9, evalue: 0, bitScore: 50 },
    }));
    const task = { state: 'SUCCEEDED', summary: { best, queries: 15, queriesWithHits: 12 } };
    const found = (count: number) => readBestHits(resultsOf(Array.from({ length: count }, () => task)));
    expect(await found(0)).to.equal(null);
    expect(await found(2)).to.deep.include({ queries: { searched: 30, withHits: 24 } });
    const bare = await readBestHits(resultsOf([{ ...task, summary: { best } }]));
    expect(bare).to.deep.include({ queries: null });
    const cut = await found(3);
    expect(cut?.hits).to.have.length(20);
    expect(cut?.queries).to.equal(null);
  });
});
