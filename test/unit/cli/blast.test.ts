/** The requests that `dockyard blast` makes of its options. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';

import { expect } from 'chai';

import { blastEstimateOf, blastRequestOf, filesOf } from '../../../src/cli/customer/blast.ts';
import { hitsTable, readBestHits } from '../../../src/cli/customer/hit-text.ts';

const clientOf = (tasks: readonly object[]) => {
  async function* all() {
    await Promise.resolve();
    yield* tasks;
  }
  return { tasks: all } as unknown as Parameters<typeof readBestHits>[0];
};

describe('dockyard blast', () => {
  const files = { sceneFile: 'q', attachments: ['d'], databaseName: 'decoys.fasta' };

  it('asks for what the options say, and for the service’s defaults otherwise', () => {
    expect(blastRequestOf({ program: 'blastp' }, 'name', files)).to.deep.equal({
      ...{ jobType: 'simulation', simulator: 'blastp', jobName: 'name', sceneFile: 'q', attachments: ['d'] },
      simulationParams: { blastDatabasePath: 'decoys.fasta' },
    });
    const options = { task: 'megablast', evalue: 1e-5, maxHits: 9, threads: 2, tasks: 3 };
    expect(blastRequestOf({ program: 'blastn', ...options }, 'name', files)).to.deep.include({
      ...{ simulator: 'blastn', parameters: { task: 'megablast' }, taskCount: 3 },
      simulationParams: {
        ...{ blastEvalue: 1e-5, blastMaxHits: 9, blastThreads: 2, blastDatabasePath: 'decoys.fasta' },
      },
    });
  });

  it('names a database of the service where there is no file', () => {
    const placed = { ...files, attachments: [], databaseName: 'swissprot' };
    const request = blastRequestOf({ program: 'blastp' }, 'name', placed);
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

  it('asks for the price by the sizes of queries and database, or by the name of the database', () => {
    const query = import.meta.filename;
    const { size } = statSync(query);
    const files = { query, databaseName: 'db.fasta', databaseFiles: [query, query] };
    const asked = blastEstimateOf({ program: 'blastp', task: 'blastp-short' }, files);
    expect(asked.metadata).to.deep.equal({ totalSizeGB: (3 * size) / 1e9 });
    expect(asked.parameters).to.deep.equal({ task: 'blastp-short', queryBytes: String(size) });
    const named = blastEstimateOf({ program: 'blastp' }, { query, databaseName: 'swiss', databaseFiles: [] });
    expect(named.simulationParams).to.include({ blastDatabaseName: 'swiss' });
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
    const text = hitsTable({ hits: [hit], queries: { searched: 3, withHits: 1 } });
    expect(text).to.match(/q +s +99\.5 +12 +1\.0e-40 +77/);
    expect(text).to.contain('1 of 3 queries have hits. All hits are in');
    expect(hitsTable({ hits: [], queries: { searched: 3, withHits: 0 } })).to.equal('No query has a hit.\n');
    const cut = hitsTable({ hits: [hit], queries: { searched: 9, withHits: 4 } });
    expect(cut).to.contain('4 of 9 queries have hits. The first 1 queries with hits are shown.');
  });

  it('counts the queries of all tasks that it read, and says nothing of tasks that it did not', async () => {
    const best = Array.from({ length: 12 }, (_, index) => ({
      ...{ query: `q${index}`, subject: 's', identityPercent: 90, length: 9, evalue: 0, bitScore: 50 },
    }));
    const task = { state: 'SUCCEEDED', summary: { best, queries: 15, queriesWithHits: 12 } };
    const found = (count: number) => readBestHits(clientOf(Array.from({ length: count }, () => task)), 'job');
    expect(await found(0)).to.equal(null);
    expect(await found(2)).to.deep.include({ queries: { searched: 30, withHits: 24 } });
    const bare = await readBestHits(clientOf([{ ...task, summary: { best } }]), 'job');
    expect(bare).to.deep.include({ queries: null });
    const cut = await found(3);
    expect(cut?.hits).to.have.length(20);
    expect(cut?.queries).to.equal(null);
  });
});
