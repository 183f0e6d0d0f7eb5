/** The room for buckets in a process: bounded, and nobody empties or refills the buckets of others. */
import { expect } from 'chai';

import { createProcessBuckets } from '../../../api/http/buckets.ts';
import type { BucketReading, BucketSpace, BucketStore } from '../../../api/http/buckets.ts';
import { isWithin, networkOf } from '../../../api/http/networks.ts';

const take = (
  store: BucketStore,
  name: string,
  space: BucketSpace = 'addresses',
  quota = 2,
): Promise<BucketReading> => store.take({ space, name, quota });

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
