/** What a search prepares once for the job, its tasks read; a task prepares nothing again. */
import { expect } from 'chai';

import { countFacts } from '../../../src/tools/blast/facts.ts';
import { QUERY_FACTS, searchTaskInputs } from '../../../src/tools/blast/inputs.ts';
import { verifySearch } from '../../../src/tools/blast/verify.ts';
import { cutInto, readsTexts } from '../../support/read-outputs.ts';

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

  const FACT = JSON.stringify({
    search: { query_id: 'Query_1', query_len: 3, hits: [], stat: {}, message: 'No hits found' },
    statistics: '\n\nEffective search space used: 0\n',
  });

  it('are one line for each query, which is null where the query cannot be judged', async () => {
    const count = (text: string): Promise<number | null> => countFacts(cutInto(Buffer.from(text), 7));
    expect(await count(`${FACT}\nnull\n${FACT}\n`)).to.equal(3);
    expect(await count('')).to.equal(0);
    for (const text of [
      `${FACT}\n${FACT}`,
      `${FACT}${FACT}\n`,
      `${FACT}\n\n`,
      'nul\n',
      'nullnull\n',
      '[]\n',
      '{}\n',
      `${FACT.replace('[]', '[{}]')}\n`,
      `${FACT.replace('[]', '["x"]')}\n`,
      `${FACT.replace('"query_len":3', '"query_len":"3"')}\n`,
      `${FACT.replace('{"search"', '{"more":1,"search"')}\n`,
      `${FACT.replace('"message"', '"other"')}\n`,
    ])
      expect(await count(text), text).to.equal(null);
  });

  it('are refused where they are not those of all queries', async () => {
    const files: Readonly<Record<string, readonly [string, string, string, string]>> = {
      'queries.fasta': ['queries', 'text/x-fasta', 'fasta', ''],
      'queries.json': [
        ...(['query_parts', 'application/json', 'json'] as const),
        '{"schema":"dockyard.blast.queries/v1","type":"prot","queries":2,"letters":6,"parts":[{"first":1,"queries":2,"letters":6,"offset":0,"bytes":14}]}',
      ],
      'database.tar': ['database_volumes', 'application/x-tar', 'tar', ''],
      'database.json': [
        ...(['database_facts', 'application/json', 'json'] as const),
        `{"name":"d","type":"prot","sequences":1,"letters":1,"checksum":"${'b'.repeat(64)}"}`,
      ],
      'facts.jsonl': ['query_facts', 'application/x-ndjson', 'jsonl', ''],
    };
    const staged = Object.entries(files).map(([name, [kind, mediaType, format]]) => ({
      ...{ name, kind, mediaType, format, byteSize: 1, sha256: 'c'.repeat(64) },
    }));
    const judged = (facts: string): Promise<string | null> =>
      verifySearch(
        'prepare',
        staged,
        readsTexts((name) => (name === 'facts.jsonl' ? facts : (files[name]?.[3] ?? ''))),
      );
    expect(await judged(`${FACT}\n${FACT}\n`)).to.equal(null);
    expect(await judged(`${FACT}\n`)).to.equal('facts.jsonl has the facts of 1 queries, not 2');
    expect(await judged('x\n')).to.equal('facts.jsonl has the facts of null queries, not 2');
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
