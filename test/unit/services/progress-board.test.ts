import { expect } from 'chai';

import { ProgressBoard } from '../../../src/services/execution/instances/progress.ts';
import type { ProgressRow } from '../../../src/services/execution/instances/progress.ts';

const SECOND = 1000;

describe('the progress that waits to be written', () => {
  let now: number;
  let board: ProgressBoard;
  beforeEach(() => {
    now = 0;
    board = new ProgressBoard(() => now);
  });
  const tell = (jobId: string, percent: number, { slot = 0, generation = 1, ordinal = 0 } = {}): void =>
    board.tell({ jobId, slot, generation }, [{ kind: 'task', ordinal, percent }]);
  const take = (): string[] => board.take().map(textOf);
  /** Takes what is due, and writes that of these jobs; of all where none is named. */
  const write = (...jobIds: string[]): string[] => {
    const rows = board.take();
    board.wrote(rows, new Set(jobIds.length > 0 ? jobIds : rows.map(({ jobId }) => jobId)));
    return rows.map(textOf);
  };

  it('is that of all jobs, each at most once a second', () => {
    tell('a', 10);
    tell('b', 20);
    expect(write()).to.deep.equal(['a 0.1 task/0 10', 'b 0.1 task/0 20']);
    now += SECOND / 2;
    tell('a', 11);
    tell('a', 12, { slot: 1, ordinal: 1 });
    tell('c', 30);
    expect(write()).to.deep.equal(['c 0.1 task/0 30']);
    now += SECOND / 2;
    expect(write()).to.deep.equal(['a 0.1 task/0 11', 'a 1.1 task/1 12']);
  });

  it('is what was told last, and nothing where that is written', () => {
    for (const percent of [10, 20, 30]) tell('a', percent);
    expect(write()).to.deep.equal(['a 0.1 task/0 30']);
    now += 5 * SECOND;
    tell('a', 30);
    expect(write()).to.deep.equal([]);
    expect(board.dueInMs).to.equal(null);
    tell('a', 30, { generation: 2 });
    expect(write(), 'of another generation').to.deep.equal(['a 0.2 task/0 30']);
    now += 30 * SECOND;
    tell('a', 30, { generation: 2 });
    expect(write(), 'after a while').to.deep.equal(['a 0.2 task/0 30']);
  });

  it('of a job that was not written is due again a second later', () => {
    tell('a', 10);
    tell('b', 10);
    expect(write('b')).to.have.length(2);
    expect(take()).to.deep.equal([]);
    now += SECOND;
    expect(take()).to.deep.equal(['a 0.1 task/0 10']);
  });

  it('that comes while it is written is written the next time', () => {
    tell('a', 10);
    const rows = board.take();
    tell('a', 20);
    board.wrote(rows, new Set(['a']));
    now += SECOND;
    expect(write()).to.deep.equal(['a 0.1 task/0 20']);
    expect(board.dueInMs).to.equal(null);
  });

  it('is written by itself where no sign of life takes it along in time', () => {
    expect(board.dueInMs).to.equal(null);
    tell('a', 10);
    expect(board.dueInMs).to.equal(250);
    write();
    now += 100;
    tell('a', 20);
    expect(board.dueInMs).to.equal(1150);
    // Signs of life that are a second apart come first.
    now += 900;
    expect(write()).to.deep.equal(['a 0.1 task/0 20']);
  });

  it('of an instance that runs nothing any more is forgotten', () => {
    tell('a', 10);
    board.tell({ jobId: 'a', slot: 0, generation: 1 }, []);
    expect(take()).to.deep.equal([]);
    expect(board.dueInMs).to.equal(null);
  });
});

function textOf({ jobId, slot, generation, kind, ordinal, percent }: ProgressRow): string {
  return `${jobId} ${String(slot)}.${String(generation)} ${kind}/${String(ordinal)} ${String(percent)}`;
}
