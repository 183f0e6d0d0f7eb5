/** The requests that `dockyard blast` makes of its options. */
import { basename } from 'node:path';

import { expect } from 'chai';

import { blastEstimateOf, blastRequestOf, filesOf } from '../../../src/cli/customer/blast.ts';
import { hitsTable } from '../../../src/cli/customer/hit-text.ts';

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

  it('asks for the price by the size of the files', () => {
    expect(blastEstimateOf({ program: 'blastp' }, 2e9).metadata).to.deep.equal({ totalSizeGB: 2 });
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
    const text = hitsTable([hit]);
    expect(text).to.match(/q +s +99\.5 +12 +1\.0e-40 +77/);
    expect(hitsTable([])).to.equal('No query has a hit.\n');
  });
});
