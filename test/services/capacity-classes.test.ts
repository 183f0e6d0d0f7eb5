import { expect } from 'chai';
import fc from 'fast-check';

import { grantDue } from '../../src/services/execution/capacity/capacity.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';
import { LOWER_PLAN_SHARE } from '../../src/services/execution/capacity/turns.ts';
import { Askers } from '../support/askers.ts';
import type { Asker, AskerOptions } from '../support/askers.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const LIMITS: CapacityLimits = {
  ...{ totalVcpus: 16, accountVcpus: 16, totalGpus: 4, accountGpus: 2 },
  plans: { free: { vcpus: 8, gpus: 1, accountVcpus: 4, accountGpus: 1 } },
  classes: { 'gpu-t4': { gpus: 2 }, 'gpu-l4': { vcpus: 4 } },
};
const T4: AskerOptions = { instanceClass: 'gpu-t4', stepVcpus: 2, stepGpus: 1 };
const FREE: AskerOptions = { plan: 'free' };
const PRO: AskerOptions = { plan: 'pro', priority: 10 };

describe('capacity by plan and class', () => {
  let test: TestDatabase;
  let askers: Askers;
  before(async () => {
    test = await openTestDatabase();
    askers = new Askers(test.db, LIMITS);
  });
  beforeEach(() => test.db.query('delete from capacity_requests'));
  after(() => test.close());

  const newcomer = async (vcpus: number, options: AskerOptions = {}): Promise<Asker> =>
    askers.asker(await askers.account(), vcpus, options);
  const gpusInUse = async (): Promise<number> => {
    const [row] = await test.db.query<{ gpus: number }[]>(
      `select coalesce(sum(gpus), 0)::int as gpus from capacity_requests where state = 'GRANTED'`,
    );
    return row?.gpus ?? 0;
  };
  const minutesPass = (minutes: number): Promise<unknown> =>
    test.db.query(
      `update capacity_requests set requested_at = requested_at - make_interval(mins => $1),
         reserved_at = reserved_at - make_interval(mins => $1)`,
      [minutes],
    );

  it('counts GPUs apart from vCPUs, and gives them back with their instances', async () => {
    const one = await newcomer(4, T4);
    expect((await one.ask()).vcpus).to.equal(4);
    expect(await gpusInUse()).to.equal(2);
    const other = await newcomer(2, T4);
    expect(await other.ask()).to.deep.include({ granted: false, reason: 'CAPACITY' });
    expect((await (await newcomer(8)).ask()).granted, 'vCPUs are free').to.equal(true);
    expect(await one.keep(2)).to.deep.equal([other.jobId]);
    expect(await gpusInUse()).to.equal(2);
    await one.giveBack();
    expect(await gpusInUse()).to.equal(1);
  });

  it('has a limit of GPUs for one account, over all classes', async () => {
    const account = await askers.account();
    const small = { stepVcpus: 1, stepGpus: 1, instanceClass: 'gpu-a10g' };
    expect((await (await askers.asker(account, 2, small)).ask()).vcpus).to.equal(2);
    const refused = await askers.asker(account, 2, T4);
    expect(await refused.ask()).to.deep.include({ granted: false, reason: 'ACCOUNT_LIMIT' });
    expect((await (await newcomer(2, T4)).ask()).granted).to.equal(true);
  });

  it('has limits for a class that hold up no other class, not even of the same account', async () => {
    const account = await askers.account();
    const l4 = { instanceClass: 'gpu-l4', stepVcpus: 4, stepGpus: 1 };
    expect((await (await newcomer(4, l4)).ask()).granted).to.equal(true);
    const waiting = await askers.asker(account, 4, l4);
    expect((await waiting.ask()).granted).to.equal(false);
    expect((await (await askers.asker(account, 8)).ask()).granted).to.equal(true);
    expect(await waiting.place()).to.equal(1);
  });

  it('has limits for each account of a plan and for all accounts of a plan', async () => {
    const account = await askers.account();
    const first = await askers.asker(account, 8, { ...FREE, stepVcpus: 2 });
    expect((await first.ask()).vcpus, 'the limit of one free account').to.equal(4);
    expect(await (await askers.asker(account, 2, FREE)).ask()).to.deep.include({ reason: 'ACCOUNT_LIMIT' });
    expect((await (await newcomer(4, FREE)).ask()).granted).to.equal(true);
    expect(await (await newcomer(2, FREE)).ask(), 'the limit of the plan').to.deep.include({
      ...{ granted: false, reason: 'CAPACITY' },
    });
    expect((await (await newcomer(8, PRO)).ask()).vcpus).to.equal(8);
  });

  it('is kept for a request that lacks GPUs without keeping vCPUs from others', async () => {
    const busy = await newcomer(4, T4);
    await busy.ask();
    const two = await newcomer(4, { ...T4, stepVcpus: 4, stepGpus: 2 });
    expect((await two.ask()).granted).to.equal(false);
    await busy.keep(2);
    const late = await newcomer(2, T4);
    expect((await late.ask()).granted, 'the GPU is kept').to.equal(false);
    expect((await (await newcomer(4)).ask()).granted, 'vCPUs are not').to.equal(true);
    await minutesPass(16);
    expect((await grantDue(test.db, LIMITS)).newlyGranted, 'for a quarter of an hour').to.deep.equal([
      late.jobId,
    ]);
  });

  it('waits for what it can never have without keeping anything from others', async () => {
    const never = await newcomer(2, { ...T4, stepGpus: 3 });
    expect(await never.ask()).to.deep.include({ granted: false });
    expect((await (await newcomer(4, T4)).ask()).vcpus).to.equal(4);
  });

  it('serves the lower plan in its share of a quarter, however many of the higher plan wait', async () => {
    const limits = { totalVcpus: 8, accountVcpus: 8 };
    const flood: Asker[] = [];
    for (let count = 0; count < 12; count += 1) flood.push(await newcomer(1, { ...PRO, limits }));
    const account = await askers.account();
    const free = await Promise.all(
      [1, 1, 1].map((vcpus) => askers.asker(account, vcpus, { ...FREE, limits })),
    );
    for (const one of [...flood, ...free]) await one.ask();
    const told: string[] = [];
    for (const one of flood.slice(0, 4)) told.push(...(await one.giveBack()));
    expect(told.slice(0, 2), 'a quarter').to.deep.equal(free.slice(0, 2).map(({ jobId }) => jobId));
    expect(told.slice(2), 'then the higher plan').to.deep.equal(flood.slice(8, 10).map(({ jobId }) => jobId));
    expect(LOWER_PLAN_SHARE).to.equal(0.25);
  });

  it('serves every request of the lower plan, whatever arrives meanwhile, and never passes a limit', async function () {
    this.timeout(240_000);
    const arrivals = fc.array(
      fc.record({
        step: fc.integer({ min: 1, max: 4 }),
        gpus: fc.constantFrom(0, 0, 1),
        pro: fc.boolean(),
        own: fc.boolean(),
        minutes: fc.integer({ min: 1, max: 10 }),
      }),
      { minLength: 8, maxLength: 20 },
    );
    const limits: CapacityLimits = {
      ...{ totalVcpus: 8, accountVcpus: 6, totalGpus: 2, accountGpus: 2 },
      classes: { gpu: { gpus: 2 } },
    };
    await fc.assert(
      fc.asyncProperty(arrivals, async (walk) => {
        await test.db.query('delete from capacity_requests');
        const own = await askers.account();
        const open: { asker: Asker; free: boolean; rounds: number }[] = [];
        let longest = 0;
        // Requests of the higher plan never cease to come, so that only the rules bring a free request its turn.
        for (let round = 0; round < walk.length + 16; round += 1) {
          const next = walk[round] ?? { step: 2, gpus: 0, pro: true, own: false, minutes: 5 };
          const options = {
            ...{ limits, stepVcpus: next.step, stepGpus: next.gpus, ...(next.pro ? PRO : FREE) },
            ...(next.gpus > 0 && { instanceClass: 'gpu' }),
          };
          const asker = await askers.asker(next.own ? own : await askers.account(), next.step, options);
          await asker.ask();
          open.push({ asker, free: !next.pro, rounds: 0 });
          await minutesPass(next.minutes);
          await grantDue(test.db, limits);
          await withinLimits(limits);
          const granted = await grantedJobs();
          for (const one of open) if (one.free && !granted.has(one.asker.jobId)) one.rounds += 1;
          longest = Math.max(longest, ...open.map(({ rounds }) => rounds));
          // The oldest grant ends in each round.
          const ending = open.findIndex(({ asker: one }) => granted.has(one.jobId));
          if (ending >= 0) await open.splice(ending, 1)[0]?.asker.giveBack();
        }
        expect(
          open.filter((one) => one.free && one.rounds > 24),
          'free requests that wait for ever',
        ).to.deep.equal([]);
        expect(longest, 'rounds that a free request waited at most').to.be.at.most(24);
      }),
      { numRuns: 4, seed: 20_261_125 },
    );
  });

  async function grantedJobs(): Promise<ReadonlySet<string>> {
    const rows = await test.db.query<{ job_id: string }[]>(
      `select job_id from capacity_requests where state = 'GRANTED'`,
    );
    return new Set(rows.map(({ job_id: id }) => id));
  }

  async function withinLimits(limits: CapacityLimits): Promise<void> {
    const { total, largestAccount } = await askers.inUse();
    expect(total).to.be.at.most(limits.totalVcpus);
    expect(largestAccount).to.be.at.most(limits.accountVcpus);
    expect(await gpusInUse()).to.be.at.most(limits.totalGpus ?? 0);
  }
});
