/** The room for buckets in a process: bounded, and nobody empties or refills the buckets of others. */
import { expect } from 'chai';

import { createProcessBuckets } from '../../../api/http/buckets.ts';
import { isWithin, networkOf } from '../../../api/http/networks.ts';
import type { BucketSpace, BucketStore } from '../../../src/domain/buckets.ts';

interface Reading {
  readonly isTaken: boolean;
  readonly tokens: number;
}

const take = async (
  store: BucketStore,
  name: string,
  space: BucketSpace = 'addresses',
  quota = 2,
  group = 'group',
): Promise<Reading> => {
  const { isTaken, tokens } = await store.take([{ space, name, group, quota }], 1);
  return { isTaken, tokens: tokens[0] ?? NaN };
};

const empty = async (store: BucketStore, name: string, space?: BucketSpace): Promise<void> => {
  while ((await take(store, name, space)).isTaken);
};

describe('buckets of a process', () => {
  it('stay empty, however many names come after them', async () => {
    const store = createProcessBuckets({ now: () => 0 });
    await empty(store, 'guesser');
    await empty(store, 'key of a customer', 'callers');
    // More names than the buckets of all networks that a process has room for.
    for (let name = 0; name <= 200_001; name += 1) await take(store, `network ${name}`);
    expect((await take(store, 'guesser')).isTaken, 'the bucket of a network').to.equal(false);
    expect((await take(store, 'key of a customer', 'callers')).isTaken, 'that of a key').to.equal(false);
  });

  it('of addresses take no room from those of callers', async () => {
    const store = createProcessBuckets({ now: () => 0, maxBuckets: 3 });
    for (let name = 0; name < 10; name += 1) await take(store, `network ${name}`);
    for (const name of ['a', 'b', 'c']) {
      expect(await take(store, name, 'callers'), name).to.deep.equal({ isTaken: true, tokens: 1 });
    }
  });

  it('are shared by new names while there is no room, and by no name that has its own', async () => {
    const store = createProcessBuckets({ now: () => 0, maxBuckets: 2 });
    await take(store, 'a');
    await take(store, 'b');
    expect(await take(store, 'c')).to.deep.equal({ isTaken: true, tokens: 1 });
    expect(await take(store, 'd')).to.deep.equal({ isTaken: true, tokens: 0 });
    expect((await take(store, 'e')).isTaken).to.equal(false);
    expect(await take(store, 'a')).to.deep.equal({ isTaken: true, tokens: 0 });
  });

  it('are shared by the names of one limit alone, so that no limit takes or fills the tokens of another', async () => {
    const store = createProcessBuckets({ now: () => 0, maxBuckets: 1 });
    await take(store, 'a');
    expect(await take(store, 'b', 'addresses', 2, 'small')).to.deep.equal({ isTaken: true, tokens: 1 });
    expect(await take(store, 'c', 'addresses', 100, 'large')).to.deep.equal({ isTaken: true, tokens: 99 });
    expect(await take(store, 'd', 'addresses', 2, 'small')).to.deep.equal({ isTaken: true, tokens: 0 });
    expect((await take(store, 'e', 'addresses', 2, 'small')).isTaken).to.equal(false);
    expect(await take(store, 'f', 'addresses', 100, 'large')).to.deep.equal({ isTaken: true, tokens: 98 });
  });

  it('get back what was taken from them, wherever the name would be kept by then', async () => {
    let at = 0;
    const store = createProcessBuckets({ now: () => at, maxBuckets: 1 });
    const bucket = (name: string) => [{ space: 'addresses', name, group: 'g', quota: 2 }] as const;
    await take(store, 'first', 'addresses', 2, 'g');
    const shared = store.take(bucket('late'), 1);
    store.take(bucket('later'), 1);
    await shared.giveBack();
    await shared.giveBack();
    expect(store.take(bucket('latest'), 1).tokens, 'the shared one has its token again').to.deep.equal([0]);

    const own = store.take(bucket('first'), 1);
    at = 120_000;
    // The bucket was full and was forgotten, and its place is taken: nobody else gets its token.
    store.take(bucket('in its place'), 1);
    expect(store.take(bucket('shared'), 1).tokens).to.deep.equal([1]);
    await own.giveBack();
    expect(store.take(bucket('shared'), 0).tokens).to.deep.equal([1]);
  });

  it('are emptied together or not at all', async () => {
    const store = createProcessBuckets({ now: () => 0 });
    const small = { space: 'callers', name: 'small', group: 's', quota: 1 } as const;
    const large = { space: 'callers', name: 'large', group: 'l', quota: 5 } as const;
    expect(store.take([small, large], 1)).to.deep.include({ isTaken: true, tokens: [0, 4] });
    expect(store.take([small, large], 1)).to.deep.include({ isTaken: false, tokens: [0, 4] });
    expect(store.take([large], 0).tokens).to.deep.equal([4]);
  });

  it('are forgotten once they are full again, so that new names get their own', async () => {
    let at = 0;
    const store = createProcessBuckets({ now: () => at, maxBuckets: 2 });
    await take(store, 'a');
    await empty(store, 'b');
    await take(store, 'shared');
    at = 30_000;
    expect(await take(store, 'c'), 'in the place of a').to.deep.equal({ isTaken: true, tokens: 1 });
    expect(await take(store, 'b'), 'b was not full yet').to.deep.equal({ isTaken: true, tokens: 0 });
  });
});

describe('networks', () => {
  const of = (...addresses: readonly string[]): string[] => [...new Set(addresses.map(networkOf))];

  it('hold the addresses that lie in them, in whatever form they come', () => {
    const cidrs = ['192.0.2.0/24', '2001:db8::/32'];
    for (const address of [
      '192.0.2.9',
      '::ffff:192.0.2.9',
      '192.0.2.9:4711',
      '2001:db8:1::7',
      '[2001:db8::1]:80',
    ])
      expect(isWithin(address, cidrs), address).to.equal(true);
    for (const address of ['192.0.3.1', '::ffff:192.0.3.1', '2001:db9::1', '::1', 'unknown', ''])
      expect(isWithin(address, cidrs), address).to.equal(false);
  });

  it('are an IPv4 address in whatever form it comes', () => {
    expect(of('192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207', '192.0.2.7:51000')).to.deep.equal([
      '192.0.2.7',
    ]);
    expect(networkOf('192.0.2.8')).to.equal('192.0.2.8');
  });

  it('are the /64 of an IPv6 address, in whatever form it comes', () => {
    expect(
      of(
        ...['2001:db8:0:1::1', '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8::1:0:0:0:9'],
        ...['[2001:db8:0:1::1]:443', '[2001:db8:0:1::1]'],
      ),
    ).to.deep.equal(['2001:db8:0:1::/64']);
    expect(of('2001:db8:0:1::1', '2001:db8:0:2::1')).to.have.length(2);
    expect(of('fe80::1%eth0', 'fe80::2%eth1')).to.deep.equal(['fe80:0:0:0::/64']);
  });

  it('that cannot be told are all one', () => {
    expect(of('', 'unknown', '_hidden', '999.1.2.3', '2001:db8::1::2')).to.deep.equal(['unknown']);
  });
});
