import { expect } from 'chai';

import { followOutputs } from '../../../src/client/follow-outputs.ts';
import type { Query } from '../../../src/client/index.ts';
import type { JobStatusResponse, OutputListResponse } from '../../../src/client/types.ts';

/** The answers of the service, page by page: names and times of outputs, and whether the page is the last. */
interface Told {
  readonly names?: readonly string[];
  readonly next?: string;
  readonly final?: boolean;
}

const timeOf = (name: string): string => `2026-01-01T00:00:00.00000${name}Z`;

async function follow(
  pages: readonly Told[],
): Promise<{ names: string[]; queries: Query[]; changes: number }> {
  const queries: Query[] = [];
  let changes = 0;
  async function* endless(): AsyncGenerator<JobStatusResponse, void, void> {
    for (;;) {
      changes += 1;
      yield {} as JobStatusResponse;
    }
  }
  const list = async (query: Query): Promise<OutputListResponse> => {
    const {
      names = [],
      next = null,
      final = false,
    } = pages[queries.length] ?? expect.fail('asked too often');
    queries.push(query);
    const outputs = names.map((name) => ({ name, createdAt: timeOf(name) }));
    return { outputs, nextCursor: next, final } as unknown as OutputListResponse;
  };
  const names: string[] = [];
  for await (const output of followOutputs({ changes: endless(), list })) names.push(output.name);
  return { names, queries, changes };
}

describe('following outputs', () => {
  it('gives each once, asks for what is newer as it was answered, and ends when nothing more comes', async () => {
    const { names, queries, changes } = await follow([
      { names: ['1'], next: 'c1' },
      { names: ['2'] },
      {},
      { names: ['3'], final: true },
    ]);
    expect(names).to.deep.equal(['1', '2', '3']);
    expect(changes).to.equal(3);
    const start = '1970-01-01T00:00:00Z';
    expect(queries).to.deep.equal([
      { since: start },
      { since: start, cursor: 'c1' },
      { since: timeOf('2') },
      { since: timeOf('2') },
    ]);
  });

  it('reads every page of the last answer, and believes the last page', async () => {
    expect(
      (
        await follow([
          { names: ['1'], next: 'c', final: true },
          { names: ['2'], final: true },
        ])
      ).names,
    ).to.have.length(2);
    expect(
      (
        await follow([
          { names: ['1'], next: 'c' },
          { names: ['2'], final: true },
        ])
      ).changes,
    ).to.equal(1);
  });

  it('ends for a job that ended without any', async () => {
    expect((await follow([{ final: true }])).names).to.deep.equal([]);
  });
});
