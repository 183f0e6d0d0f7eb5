/** Buckets that processes share in a real Redis: the same rules as in a process, and what happens while it is away. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { createProcessBuckets } from '../../api/http/buckets.ts';
import { createSharedBuckets } from '../../api/http/shared-buckets.ts';
import type { SharedLimitsAlarm } from '../../api/http/shared-buckets.ts';
import { openSharedBuckets } from '../../src/adapters/limits/valkey.ts';
import type { Bucket, BucketStore, SharedBuckets } from '../../src/domain/buckets.ts';
import { openTestRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const bucket = (quota: number, name = randomUUID()): Bucket => ({
  space: 'callers',
  name,
  group: 'g',
  quota,
});

interface Process {
  readonly store: BucketStore;
  readonly alarms: string[];
  isAway: boolean;
  /** Calls that the server did not answer in time. */
  lost: number;
}

describe('buckets that processes share', function () {
  this.timeout(240_000);
  let redis: TestRedis;
  const opened: SharedBuckets[] = [];
  before(async () => {
    redis = await openTestRedis();
  });
  afterEach(() => {
    for (const each of opened.splice(0)) each.close();
  });
  after(() => redis.close());

  /** A process of the API, as far as limits go; `now` turns its clock. */
  const openProcess = async (url = redis.url, now = () => performance.now()): Promise<Process> => {
    const shared = openSharedBuckets(url);
    opened.push(shared);
    await until('it is connected', () => shared.source() > 0);
    const made: Omit<Process, 'store'> = { alarms: [], isAway: false, lost: 0 };
    const watched: SharedBuckets = {
      ...shared,
      change: (...call) =>
        shared.change(...call).catch((error: unknown) => {
          made.lost += 1;
          throw error;
        }),
    };
    const alarm: SharedLimitsAlarm = {
      changed: (isAway) => (made.isAway = isAway),
      away: (error) => made.alarms.push(String(error)),
      back: () => made.alarms.push('back'),
    };
    const store = createSharedBuckets(watched, createProcessBuckets({ now }), alarm);
    return Object.assign(made, { store });
  };
  const passed = async (stores: readonly BucketStore[], one: Bucket, count: number): Promise<number> => {
    const answers = await Promise.all(
      Array.from({ length: count }, async (_, index) => stores[index % stores.length]?.take([one], 1)),
    );
    return answers.filter((answer) => answer?.isTaken === true).length;
  };
  /** What passed of a new bucket in a round that the server counted whole: a busy machine makes an answer late, and that call is counted here. */
  const shared = async (processes: readonly Process[], quota: number, count: number): Promise<number> => {
    let counted = 0;
    await until('the server counts a whole round', async () => {
      await Promise.all(processes.map(({ store }) => Promise.resolve(store.take([bucket(1)], 0))));
      const lost = processes.map((each) => each.lost);
      if (processes.some(({ isAway }) => isAway)) return false;
      counted = await passed(
        processes.map(({ store }) => store),
        bucket(quota),
        count,
      );
      return processes.every((each, index) => each.lost === lost[index]);
    });
    return counted;
  };

  it('hold one quota for all processes, however many ask at once', async () => {
    const [a, b] = await Promise.all([openProcess(), openProcess()]);
    expect(await shared([a, b], 20, 100)).to.be.within(20, 21);
  });

  it('fill by the clock of the server, evenly over a minute, and never beyond the quota', async () => {
    const { store } = await openProcess();
    const one = bucket(600);
    const startedAt = performance.now();
    const first = await store.take([one], 1);
    expect(first).to.deep.include({ isTaken: true, tokens: [599] });
    await sleep(60);
    const [left = 0] = (await store.take([one], 1)).tokens;
    // 60 ms bring 0.6 of a token, and a busy machine as much more as it was late.
    const brought = (performance.now() - startedAt) / 100;
    expect(left).to.be.within(598.55, Math.min(599, 598 + brought) + 0.05);
    await sleep(300);
    expect((await store.take([one], 0)).tokens).to.deep.equal([600]);
  });

  it('are emptied together or not at all, and give back what was taken for nothing', async () => {
    const { store } = await openProcess();
    const [small, large] = [bucket(1), bucket(5)];
    const taken = await store.take([small, large], 1);
    expect(taken.tokens.map(Math.round)).to.deep.equal([0, 4]);
    const refused = await store.take([small, large], 1);
    expect([refused.isTaken, ...refused.tokens.map(Math.round)]).to.deep.equal([false, 0, 4]);
    await refused.giveBack();
    await taken.giveBack();
    await taken.giveBack();
    expect((await store.take([small, large], 0)).tokens.map(Math.round)).to.deep.equal([1, 5]);
  });

  it('are counted by each process while the server is gone, at the level that it told last', async () => {
    const [a, b] = await Promise.all([openProcess(), openProcess()]);
    const one = bucket(10);
    expect(await passed([a.store], one, 6)).to.equal(6);
    await redis.kill();
    try {
      const here = await passed([a.store], one, 20);
      const there = await passed([b.store], one, 20);
      expect(here, 'what was left').to.be.within(4, 5);
      expect(there, 'a process that has not heard of the bucket').to.be.within(10, 11);
      expect([a.isAway, a.alarms.length, b.alarms.length]).to.deep.equal([true, 1, 1]);
    } finally {
      await redis.start();
    }
    await until('a asks again', async () => (await a.store.take([bucket(1)], 0), !a.isAway));
    await until('b asks again', async () => (await b.store.take([bucket(1)], 0), !b.isAway));
    expect(a.alarms.at(-1)).to.equal('back');
    // The server has forgotten everything; the processes have not.
    expect(await passed([a.store, b.store], one, 20)).to.be.at.most(2);
    expect(await shared([a, b], 10, 40), 'shared again').to.be.within(10, 11);
  });

  it('are counted by the process while the server is held, and nobody waits for it twice', async () => {
    const { store, alarms } = await openProcess();
    redis.pause();
    try {
      const one = bucket(1000);
      const startedAt = performance.now();
      for (let turn = 0; turn < 200; turn += 1) expect((await store.take([one], 1)).isTaken).to.equal(true);
      // Who waits for an answer waits 50 ms, which would be ten seconds and more.
      expect(performance.now() - startedAt).to.be.below(10_000);
      expect(alarms).to.have.length(1);
      expect(alarms[0]).to.include('no answer in time');
    } finally {
      redis.resume();
    }
  });

  it('stay shared when one answer of a server that has just answered is late', async () => {
    let at = 0;
    const made = await openProcess(redis.slowUrl, () => at);
    const one = bucket(10);
    await made.store.take([one], 1);
    redis.delay(120);
    at += 100;
    expect((await made.store.take([one], 1)).tokens.map(Math.round), 'counted here').to.deep.equal([8]);
    redis.delay(0);
    await sleep(250);
    expect([made.isAway, made.alarms.length]).to.deep.equal([false, 0]);
    at += 100;
    const { tokens } = await made.store.take([one], 1);
    expect(tokens[0], 'the late answer, and what was counted here, are known').to.be.within(6.9, 8);
    // A server that stays slow is no longer asked.
    redis.delay(200);
    at += 300;
    await made.store.take([one], 1);
    expect([made.isAway, made.alarms.length]).to.deep.equal([true, 1]);
    redis.delay(0);
  });

  it('make a connection anew that has given no answer for long', async () => {
    const shared = openSharedBuckets(redis.url);
    opened.push(shared);
    await until('it is connected', () => shared.source() === 1);
    const ask = () => shared.change([{ ...bucket(5), ceiling: 5 }], 1);
    redis.pause();
    for (let turn = 0; turn < 5; turn += 1) expect(await ask().catch(String)).to.include('no answer');
    redis.resume();
    await until('it is connected again', () => shared.source() === 2);
    expect((await ask()).isTaken).to.equal(true);
  });

  it('raise one alarm a minute, however often the server comes and goes', async () => {
    let at = 0;
    const { store, alarms } = await openProcess(redis.slowUrl, () => at);
    const one = bucket(100);
    for (let round = 0; round < 3; round += 1) {
      redis.delay(200);
      at += 2_000;
      await store.take([one], 1);
      redis.delay(0);
      await sleep(250);
      at += 2_000;
      await store.take([one], 1);
    }
    expect(alarms.map((alarm) => alarm === 'back')).to.deep.equal([false, true]);
    at += 60_000;
    redis.delay(200);
    await store.take([one], 1);
    redis.delay(0);
    expect(alarms).to.have.length(3);
  });
});
