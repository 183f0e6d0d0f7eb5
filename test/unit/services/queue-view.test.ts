import { expect } from 'chai';

import { createQueueView } from '../../../src/services/execution/capacity/queue-view.ts';

const FIRST = { jobId: 'first', execution: 1 };
const SECOND = { jobId: 'second', execution: 2 };

describe('the view of the queue', () => {
  it('is read once for all who ask within its time, and again afterwards', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return new Map([
        ['first/1', reads],
        ['second/2', 7],
      ]);
    };
    const kept = createQueueView(read, 60_000);
    const places = await Promise.all(
      [FIRST, SECOND, { ...FIRST, execution: 2 }].map((one) => kept.position(one)),
    );
    expect(places).to.deep.equal([1, 7, null]);
    expect(await kept.position(FIRST)).to.equal(1);
    expect(reads).to.equal(1);
    expect(await kept.position({ ...SECOND, execution: 3 }), 'may have come since').to.equal(null);
    expect(reads).to.equal(2);

    const fresh = createQueueView(read, 0);
    expect([await fresh.position(FIRST), await fresh.position(FIRST)]).to.deep.equal([3, 4]);
  });

  it('is read by one of those who ask while a slow reading goes on', async () => {
    const gate = Promise.withResolvers<Map<string, number>>();
    let reads = 0;
    const view = createQueueView(() => {
      reads += 1;
      return gate.promise;
    }, 0);
    const asked = [view.position(FIRST), view.position(SECOND), view.position(FIRST)];
    gate.resolve(new Map([['first/1', 5]]));
    expect(await Promise.all(asked)).to.deep.equal([5, null, 5]);
    expect(reads).to.equal(1);
  });

  it('is read again after a reader that failed', async () => {
    const answers = [Promise.reject(new Error('down')), Promise.resolve(new Map([['first/1', 3]]))];
    const view = createQueueView(() => answers.shift() ?? Promise.resolve(new Map<string, number>()), 60_000);
    const failure: unknown = await view.position(FIRST).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'down');
    expect(await view.position(FIRST)).to.equal(3);
  });
});
