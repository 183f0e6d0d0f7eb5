/** What a search prepares once for the job, its tasks read; a task prepares nothing again. */
import { expect } from 'chai';

import { QUERY_FACTS, searchTaskInputs } from '../../../src/tools/blast/inputs.ts';
import { verifySearch } from '../../../src/tools/blast/verify.ts';

const REQUEST = {
  jobType: 'simulation',
  simulator: 'blastp',
  sceneFile: 'accounts/a/uploads/b/queries.fasta',
  attachments: ['accounts/a/uploads/c/d.fasta'],
  simulationParams: { blastDatabasePath: 'd.fasta' },
  taskCount: 2,
} as const;

describe('the facts of queries', () => {
  it('are read by every task', () => {
    const { prepared } = searchTaskInputs({ ...REQUEST, attachments: [...REQUEST.attachments] }, 'task', {
      verified: [],
    });
    expect(prepared).to.include(QUERY_FACTS);
  });

  it('are missed where a preparation has left none', async () => {
    const named = ['queries.fasta', 'queries.json', 'database.tar', 'database.json'].map((name) => ({
      ...{ name, kind: 'x', mediaType: 'x', format: null },
      ...{ byteSize: 1, sha256: 'c'.repeat(64) },
    }));
    expect(await verifySearch('prepare', named, () => Promise.reject(new Error('not read')))).to.equal(
      'facts.jsonl is missing',
    );
  });
});
