import { expect } from 'chai';

import { Invariant } from '../../src/domain/invariant.ts';
import {
  grantDue,
  reduceCapacity,
  releaseCapacity,
  requestCapacity,
} from '../../src/services/execution/capacity/capacity.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';
import { Askers } from '../support/askers.ts';
import type { Asker, Standing } from '../support/askers.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const LIMITS: CapacityLimits = { totalVcpus: 8, accountVcpus: 4 };
const WIDE: CapacityLimits = { totalVcpus: 8, accountVcpus: 8 };

describe('capacity', () => {
  let test: TestDatabase;
  let askers: Askers;
  before(async () => {
    test = await openTestDatabase();
    askers = new Askers(test.db, LIMITS);
  });
  beforeEach(() => test.db.query('delete from capacity_requests'));
  after(() => test.close());

  const account = (): Promise<string> => askers.account();
  const asker: Askers['asker'] = (...args) => askers.asker(...args);
  const inUse: Askers['inUse'] = () => askers.inUse();
  const granted = (vcpus: number): Standing => ({ granted: true, reason: null, vcpus, newlyGranted: [] });
  const waits = (reason: 'ACCOUNT_LIMIT' | 'CAPACITY'): Standing => ({
    granted: false,
    reason,
    vcpus: 0,
    newlyGranted: [],
  });

  it('grants what fits, and says the place in the queue and why one waits', async () => {
    const [a, b, c] = [await account(), await account(), await account()];
    expect(await (await asker(a, 4)).ask()).to.deep.equal(granted(4));
    const behind = await asker(a, 1);
    expect(await behind.ask()).to.deep.equal(waits('ACCOUNT_LIMIT'));
    expect(await behind.place()).to.equal(1);
    expect(await (await asker(b, 4)).ask()).to.deep.equal(granted(4));
    // The account that uses nothing stands before the account at its limit, although its request is newer.
    const last = await asker(c, 2);
    expect(await last.ask()).to.deep.equal(waits('CAPACITY'));
    expect([await last.place(), await behind.place()]).to.deep.equal([1, 2]);
  });

  it('keeps the reason where the job’s status reads it, until it is granted', async () => {
    const a = await account();
    const [first, second] = [await asker(a, 4), await asker(a, 2)];
    await first.ask();
    await second.ask();
    const reason = async (): Promise<unknown> => {
      const [row] = await test.db.query<{ reason: string | null }[]>(
        'select reason from capacity_requests where job_id = $1',
        [second.jobId],
      );
      return row?.reason;
    };
    expect(await reason()).to.equal('ACCOUNT_LIMIT');
    await first.giveBack();
    expect(await reason()).to.equal(null);
  });

  it('is the same for an asker that asks again', async () => {
    const [a, b] = [await account(), await account()];
    const [first, second] = [await asker(a, 4), await asker(a, 4)];
    for (let repeat = 0; repeat < 3; repeat += 1) {
      expect(await first.ask()).to.deep.equal(granted(4));
      expect(await second.ask()).to.deep.equal(waits('ACCOUNT_LIMIT'));
      expect(await second.place()).to.equal(1);
    }
    expect(await (await asker(b, 4)).ask()).to.deep.equal(granted(4));
    expect(await inUse()).to.deep.equal({ total: 8, largestAccount: 4 });
  });

  it('goes to the higher plan first, then to the account that uses least, then to the oldest', async () => {
    const [busy, idle, pro] = [await account(), await account(), await account()];
    const holder = await asker(await account(), 4);
    const small = await asker(busy, 2);
    const blocker = await asker(await account(), 2);
    for (const one of [holder, small, blocker]) expect((await one.ask()).granted).to.equal(true);
    const waiting = {
      busyOld: await asker(busy, 2),
      idleOld: await asker(idle, 2),
      idleNew: await asker(idle, 2),
      pro: await asker(pro, 2, { priority: 10 }),
    };
    for (const one of Object.values(waiting)) expect((await one.ask()).granted).to.equal(false);
    // After its first grant the idle account uses as much as the busy one, and the busy account's next request is
    // older.
    const order: (keyof typeof waiting)[] = ['pro', 'idleOld', 'busyOld', 'idleNew'];
    for (const [index, name] of order.entries()) {
      expect((await waiting[name].ask()).granted, name).to.equal(false);
      expect(await waiting[name].place(), name).to.equal(index + 1);
    }
    expect(await blocker.giveBack()).to.deep.equal([waiting.pro.jobId]);
    expect(await holder.giveBack()).to.deep.equal([waiting.idleOld.jobId, waiting.busyOld.jobId]);
    expect(await waiting.idleNew.place()).to.equal(1);
  });

  it('is not kept from others by an account at its limit', async () => {
    const [greedy, other] = [await account(), await account()];
    for (let count = 0; count < 6; count += 1) await (await asker(greedy, 2, { priority: 10 })).ask();
    expect(await inUse()).to.deep.equal({ total: 4, largestAccount: 4 });
    expect(await (await asker(other, 4)).ask()).to.deep.equal(granted(4));
  });

  it('has a queue in which nobody stands before who is granted first', async () => {
    const [greedy, other] = [await account(), await account()];
    const [holder, filler] = [await asker(greedy, 4), await asker(await account(), 4)];
    for (const one of [holder, filler]) expect((await one.ask()).granted).to.equal(true);
    // The request is older and of a higher plan, but its account is at its limit, so capacity that others give back
    // goes to other requests.
    const barred = await asker(greedy, 2, { priority: 10 });
    const free = await asker(other, 2);
    await barred.ask();
    expect(await barred.place()).to.equal(1);
    expect(await free.ask()).to.deep.equal(waits('CAPACITY'));
    expect(await barred.ask()).to.deep.equal(waits('ACCOUNT_LIMIT'));
    expect([await free.place(), await barred.place()]).to.deep.equal([1, 2]);
    expect(await filler.giveBack()).to.deep.equal([free.jobId]);
    expect([await free.place(), await barred.place()]).to.deep.equal([null, 1]);
    expect(await holder.giveBack()).to.deep.equal([barred.jobId]);
  });

  it('is granted in the order in which the queue was told, whatever waits', async () => {
    const accounts = await Promise.all([account(), account(), account()]);
    const blocker = await asker(await account(), 8, { limits: WIDE });
    expect((await blocker.ask()).granted).to.equal(true);
    const waiting: Asker[] = [];
    for (let count = 0; count < 12; count += 1) {
      const one = await asker(accounts[(count * count) % 3] ?? '', 1 + (count % 4), {
        priority: 10 * Number(count % 5 === 4),
      });
      await one.ask();
      waiting.push(one);
    }
    // The deployment has room for all requests; the limit of an account stays.
    const grown = { ...LIMITS, totalVcpus: 100 };
    const places = await Promise.all(
      waiting.map(async (one) => ({ jobId: one.jobId, place: (await one.place(grown)) ?? 0 })),
    );
    const told = places.sort((a, b) => a.place - b.place).map(({ jobId }) => jobId);
    expect(new Set(places.map(({ place }) => place)).size).to.equal(waiting.length);
    const { newlyGranted } = await releaseCapacity(test.db, blocker.jobId, 1, grown);
    expect(newlyGranted).to.have.length.above(3).and.below(waiting.length);
    expect(newlyGranted).to.deep.equal(told.slice(0, newlyGranted.length));
  });

  it('comes to a large request although smaller ones keep arriving', async () => {
    const limits = WIDE;
    const small: Asker[] = [];
    const newcomer = async (): Promise<Asker> => asker(await account(), 2, { limits });
    for (let count = 0; count < 4; count += 1) {
      small.push(await newcomer());
      await small[count]?.ask();
    }
    const large = await asker(await account(), 8, { limits });
    expect(await large.ask()).to.deep.equal(waits('CAPACITY'));
    for (const one of small) {
      expect((await (await newcomer()).ask()).granted).to.equal(false);
      await one.giveBack();
    }
    expect(await large.ask()).to.deep.equal(granted(8));
  });

  it('cuts a request to what the limits ever allow, also when they have shrunk since', async () => {
    expect(await (await asker(await account(), 100)).ask()).to.deep.equal(granted(4));
    expect(await inUse()).to.deep.equal({ total: 4, largestAccount: 4 });
    await test.db.query('delete from capacity_requests');
    const full = await asker(await account(), 8, { limits: WIDE });
    await full.ask();
    const waiting = await asker(await account(), 8, { limits: WIDE });
    await waiting.ask();
    const shrunk = { totalVcpus: 2, accountVcpus: 2 };
    expect((await releaseCapacity(test.db, full.jobId, 1, shrunk)).newlyGranted).to.deep.equal([
      waiting.jobId,
    ]);
    expect(await inUse()).to.deep.equal({ total: 2, largestAccount: 2 });
  });

  it('wakes the next when it is given back, once', async () => {
    const a = await account();
    const [first, second, third] = [await asker(a, 4), await asker(a, 2), await asker(a, 2)];
    for (const one of [first, second, third]) await one.ask();
    expect(await first.giveBack()).to.deep.equal([second.jobId, third.jobId]);
    expect(await first.giveBack()).to.deep.equal([]);
    expect(await second.ask()).to.deep.equal(granted(2));
    expect(await second.giveBack()).to.deep.equal([]);
    expect(await third.giveBack()).to.deep.equal([]);
    expect(await inUse()).to.deep.equal({ total: 0, largestAccount: 0 });
  });

  it('is told again while the job has not taken note of the grant', async () => {
    const a = await account();
    const [first, second] = [await asker(a, 4), await asker(a, 4)];
    for (const one of [first, second]) await one.ask();
    expect(await first.giveBack()).to.deep.equal([second.jobId]);
    // The message may still be under way.
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([]);
    await test.db.query(`update capacity_requests set granted_at = now() - interval '6 seconds'`);
    for (let repeat = 0; repeat < 2; repeat += 1)
      expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([second.jobId]);
    expect(await second.ask()).to.deep.equal(granted(4));
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([]);
  });

  it('is granted by the timer where no event did it: after a crash, and when limits are raised', async () => {
    const holder = await asker(await account(), 8, { limits: WIDE });
    await holder.ask();
    const [one, other] = [await asker(await account(), 4), await asker(await account(), 4)];
    for (const waiting of [one, other]) await waiting.ask();
    // A process that gave back and died before it granted.
    await test.db.query(`update capacity_requests set state = 'RELEASED' where job_id = $1`, [holder.jobId]);
    const narrow = { totalVcpus: 4, accountVcpus: 4 };
    expect((await grantDue(test.db, narrow)).newlyGranted).to.deep.equal([one.jobId]);
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([other.jobId]);
    expect(await inUse()).to.deep.equal({ total: 8, largestAccount: 4 });
  });

  it('is granted by one of two processes that look at once', async () => {
    const holder = await asker(await account(), 8, { limits: WIDE });
    await holder.ask();
    const waiting = await asker(await account(), 4);
    await waiting.ask();
    await test.db.query(`update capacity_requests set state = 'RELEASED' where job_id = $1`, [holder.jobId]);
    const both = await Promise.all([grantDue(test.db, LIMITS), grantDue(test.db, LIMITS)]);
    expect(both.flatMap(({ newlyGranted }) => newlyGranted)).to.deep.equal([waiting.jobId]);
  });

  it('of an account is held up by the account’s own earlier request alone', async () => {
    const [a, b] = [await account(), await account()];
    const holder = await asker(a, 2);
    await holder.ask();
    const [large, small, other] = [await asker(a, 4), await asker(a, 1), await asker(b, 4)];
    expect(await large.ask()).to.deep.equal(waits('ACCOUNT_LIMIT'));
    expect((await small.ask()).granted).to.equal(false);
    expect((await other.ask()).granted).to.equal(true);
    expect([await large.place(), await small.place()]).to.deep.equal([1, 2]);
    expect(await holder.giveBack()).to.deep.equal([large.jobId]);
  });

  it('comes to a request of the lower plan that has waited for half an hour, before newer ones of the higher plan', async () => {
    const holder = await asker(await account(), 8, { limits: WIDE });
    await holder.ask();
    const free = await asker(await account(), 4);
    await free.ask();
    const pro = await asker(await account(), 4, { priority: 10 });
    await pro.ask();
    expect([await pro.place(), await free.place()]).to.deep.equal([1, 2]);
    await test.db.query(
      `update capacity_requests set requested_at = now() - interval '31 minutes' where job_id = $1`,
      [free.jobId],
    );
    expect([await free.place(), await pro.place()]).to.deep.equal([1, 2]);
    const half = { totalVcpus: 4, accountVcpus: 4 };
    expect((await releaseCapacity(test.db, holder.jobId, 1, half)).newlyGranted).to.deep.equal([free.jobId]);
  });

  it('is given back in parts, in whatever order they come, and never taken again', async () => {
    const holder = await asker(await account(), 8, { limits: WIDE });
    await holder.ask();
    const [one, other] = [await asker(await account(), 2), await asker(await account(), 4)];
    for (const waiting of [one, other]) await waiting.ask();
    const reduce = async (vcpus: number) =>
      (await reduceCapacity(test.db, { jobId: holder.jobId, execution: 1, vcpus }, WIDE)).newlyGranted;
    expect(await reduce(2)).to.deep.equal([one.jobId, other.jobId]);
    for (const late of [6, 4, 2]) expect(await reduce(late)).to.deep.equal([]);
    expect(await inUse()).to.deep.equal({ total: 8, largestAccount: 4 });
    await holder.giveBack();
    expect(await reduce(1)).to.deep.equal([]);
    expect(await inUse()).to.deep.equal({ total: 6, largestAccount: 4 });
  });

  it('is withdrawn while waiting', async () => {
    const a = await account();
    const [first, second, third] = [await asker(a, 4), await asker(a, 4), await asker(a, 4)];
    for (const one of [first, second, third]) await one.ask();
    expect(await second.giveBack()).to.deep.equal([]);
    expect(await first.giveBack()).to.deep.equal([third.jobId]);
  });

  it('is never granted to an execution that is over, not even when it asks for the first time', async () => {
    const late = await asker(await account(), 2);
    await late.giveBack();
    const refused = await late.ask().catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Invariant);
    expect(await inUse()).to.deep.equal({ total: 0, largestAccount: 0 });
    expect((await (await asker(await account(), 4)).ask()).granted).to.equal(true);
  });

  it('is apart for each execution of a job', async () => {
    const a = await account();
    const one = await asker(a, 2);
    await one.ask();
    await one.giveBack();
    const again = { jobId: one.jobId, execution: 2, accountId: a, vcpus: 2, priority: 0 };
    expect(await requestCapacity(test.db, again, LIMITS)).to.deep.equal(granted(2));
  });

  it('never exceeds a limit while 20 jobs of 3 accounts ask and give back at once', async () => {
    const accounts = [await account(), await account(), await account()];
    const jobs = await Promise.all(
      Array.from({ length: 20 }, (_, index) => asker(accounts[index % 3] ?? '', 1 + (index % 3))),
    );
    let running = true;
    let looks = 0;
    const watch = (async () => {
      while (running) {
        const now = await inUse();
        looks += 1;
        expect(now.total).to.be.at.most(LIMITS.totalVcpus);
        expect(now.largestAccount).to.be.at.most(LIMITS.accountVcpus);
      }
    })();
    const woken = new Set<string>();
    const live = async (one: Asker): Promise<void> => {
      // The first asking and each giving back grant whatever is due to any request.
      while (!(await one.ask()).granted) await new Promise((resolve) => setTimeout(resolve, 2));
      for (const jobId of await one.giveBack()) {
        expect(woken.has(jobId), 'woken twice').to.equal(false);
        woken.add(jobId);
      }
    };
    await Promise.all(jobs.map(live));
    running = false;
    await watch;
    expect(looks).to.be.greaterThan(0);
    expect(await inUse()).to.deep.equal({ total: 0, largestAccount: 0 });
    const [rows] = await test.db.query<{ count: number }[]>(
      `select count(*)::int as count from capacity_requests where state = 'RELEASED'`,
    );
    expect(rows?.count).to.equal(20);
  });
});
