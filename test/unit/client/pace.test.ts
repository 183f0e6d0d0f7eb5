/** How many parts are sent at once, and what a store that is busy makes of that number. */
import { randomBytes } from 'node:crypto';

import { expect } from 'chai';

import { createPace } from '../../../src/client/upload/pace.ts';
import type { Pace } from '../../../src/client/upload/pace.ts';
import { PART, uploadWorld } from './upload-world.ts';

/** A part that is under way, until the test says how it ends. */
interface Sending {
  readonly arrive: () => Promise<void>;
  readonly fail: (reason: string) => Promise<void>;
}

/** A pace of which a failure with the reason `busy` halves the number, and the parts that it has let through. */
function pacedSender(most: number): {
  pace: Pace;
  underWay: Sending[];
  begin: (count: number) => Promise<void>;
} {
  const pace = createPace(most, (error) => error instanceof Error && error.message === 'busy');
  const underWay: Sending[] = [];
  const begin = async (count: number): Promise<void> => {
    for (let part = 0; part < count; part += 1) {
      const held = Promise.withResolvers<undefined>();
      let ended: Promise<unknown> = Promise.resolve();
      const settled = async (): Promise<void> => {
        await ended.catch(() => undefined);
      };
      ended = pace.run(() => {
        underWay.push({
          arrive: async () => {
            held.resolve(undefined);
            await settled();
          },
          fail: async (reason) => {
            held.reject(new Error(reason));
            await settled();
          },
        });
        return held.promise;
      });
      ended.catch(() => undefined);
    }
    await new Promise(setImmediate);
  };
  return { pace, underWay, begin };
}

/** Lets parts arrive one after the other. */
async function arrive(pace: Pace, count: number): Promise<void> {
  for (let part = 0; part < count; part += 1) await pace.run(() => Promise.resolve());
}

describe('the pace of parts', () => {
  it('sends as many parts at once as it may from the first one on, and no more', async () => {
    const { pace, underWay, begin } = pacedSender(5);
    await begin(8);
    expect([pace.limit, underWay.length]).to.deep.equal([5, 5]);
    await underWay[0]?.arrive();
    await new Promise(setImmediate);
    expect(underWay).to.have.length(6);
  });

  it('halves after a failure, once for all parts that were under way together', async () => {
    const { pace, underWay, begin } = pacedSender(8);
    await begin(8);
    for (const part of underWay.splice(0)) await part.fail('busy');
    expect(pace.limit).to.equal(4);
    await begin(8);
    expect(underWay).to.have.length(4);
  });

  it('halves again when a part fails that began afterwards, and never sends less than one', async () => {
    const { pace, underWay, begin } = pacedSender(8);
    for (const halved of [4, 2, 1, 1]) {
      await begin(1);
      await underWay.splice(0)[0]?.fail('busy');
      expect(pace.limit).to.equal(halved);
    }
  });

  it('takes no notice of failures that fewer parts at once do not mend', async () => {
    const { pace, underWay, begin } = pacedSender(8);
    await begin(1);
    await underWay[0]?.fail('refused');
    expect(pace.limit).to.equal(8);
  });

  it('grows back by one part for as many as are sent at once, up to the first number', async () => {
    const { pace, underWay, begin } = pacedSender(8);
    await begin(1);
    await underWay[0]?.fail('busy');
    await arrive(pace, 3);
    expect(pace.limit).to.equal(4);
    await arrive(pace, 1);
    expect(pace.limit).to.equal(5);
    await arrive(pace, 5 + 6);
    expect(pace.limit).to.equal(7);
    await arrive(pace, 100);
    expect(pace.limit).to.equal(8);
  });
});

describe('an upload to a busy store', () => {
  const world = uploadWorld();
  const PARTS = 24;

  async function upload(): Promise<void> {
    const path = await world.file(randomBytes(PART * PARTS));
    await world.client.upload({ path }, world.options({ concurrency: 8 }));
  }

  for (const status of [429, 500, 503])
    it(`sends half as many parts at once after a ${status}, and all of them in the end`, async () => {
      const begunAfter: number[] = [];
      let [underWay, isRefused] = [0, false];
      world.service.fault = async (part, attempt) => {
        underWay += 1;
        if (isRefused) begunAfter.push(underWay);
        await new Promise((done) => setTimeout(done, 10));
        underWay -= 1;
        if (part !== 1 || attempt !== 1) return null;
        isRefused = true;
        return { status };
      };
      await upload();
      expect(new Set(world.service.puts).size).to.equal(PARTS);
      // Parts that were on their way at the refusal are counted among the first. With them at most 20 parts have arrived
      // when the last of these begins, which lets 7 be sent at once; 8 would be sent had nothing been halved.
      expect(Math.max(...begunAfter.slice(8, 14)), begunAfter.join()).to.be.at.most(7);
    });

  it('waits as long as Retry-After says before it sends that part again', async () => {
    const times: number[] = [];
    world.service.fault = (part, attempt) => {
      if (part === 2) times.push(performance.now());
      return part === 2 && attempt === 1 ? { status: 429, retryAfterSeconds: 1 } : null;
    };
    await upload();
    const [first = NaN, second = NaN] = times;
    expect(second - first).to.be.within(1_000, 5_000);
  });
});
