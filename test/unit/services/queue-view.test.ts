import { expect } from 'chai';

import { createQueueView } from '../../../src/services/execution/capacity/queue-view.ts';
import type { QueuePlace } from '../../../src/services/job-records/queue-place.ts';

const FIRST = { jobId: 'first', execution: 1 };
const SECOND = { jobId: 'second', execution: 2 };
const at = (position: number): QueuePlace => ({ position, reason: 'CAPACITY' });

describe('the view of the queue', () => {
  it('is read once for all who ask within its time, and again afterwards', async () => {
    let reads = 0;
    const read = async () => {
      reads += 1;
      return new Map([
        ['first/1', at(reads)],
        ['second/2', at(7)],
      ]);
    };
    const kept = createQueueView(read, 60_000);
    const places = await Promise.all(
      [FIRST, SECOND, { ...FIRST, execution: 2 }].map((one) => kept.placeOf(one)),
    );
    expect(places).to.deep.equal([at(1), at(7), null]);
    expect(await kept.placeOf(FIRST)).to.deep.equal(at(1));
    expect(reads).to.equal(1);
    expect(await kept.placeOf({ ...SECOND, execution: 3 }), 'may have come since').to.equal(null);
    expect(reads).to.equal(2);

    const fresh = createQueueView(read, 0);
    expect([await fresh.placeOf(FIRST), await fresh.placeOf(FIRST)]).to.deep.equal([at(3), at(4)]);
  });

  it('is read by one of those who ask while a slow reading goes on', async () => {
    const gate = Promise.withResolvers<Map<string, QueuePlace>>();
    let reads = 0;
    const view = createQueueView(() => {
      reads += 1;
      return gate.promise;
    }, 0);
    const asked = [view.placeOf(FIRST), view.placeOf(SECOND), view.placeOf(FIRST)];
    gate.resolve(new Map([['first/1', at(5)]]));
    expect(await Promise.all(asked)).to.deep.equal([at(5), null, at(5)]);
    expect(reads).to.equal(1);
  });

  it('is read again after a reader that failed', async () => {
    const answers = [Promise.reject(new Error('down')), Promise.resolve(new Map([['first/1', at(3)]]))];
    const view = createQueueView(
      () => answers.shift() ?? Promise.resolve(new Map<string, QueuePlace>()),
      60_000,
    );
    const failure: unknown = await view.placeOf(FIRST).catch((error: unknown) => error);
    expect(failure).to.have.property('message', 'down');
    expect(await view.placeOf(FIRST)).to.deep.equal(at(3));
  });
});
