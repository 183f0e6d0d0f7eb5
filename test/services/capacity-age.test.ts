import { expect } from 'chai';

import { requestCapacity } from '../../src/services/execution/capacity/capacity.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';
import { Invariant } from '../../src/domain/invariant.ts';
import { Askers } from '../support/askers.ts';
import type { Asker, AskerOptions } from '../support/askers.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

const LIMITS: CapacityLimits = { totalVcpus: 4, accountVcpus: 4 };
const PRO: AskerOptions = { priority: 10 };

describe('the age of a request whose provider has no room', () => {
  let test: TestDatabase;
  let askers: Askers;
  before(async () => {
    test = await openTestDatabase();
    askers = new Askers(test.db, LIMITS);
  });
  beforeEach(() => test.db.query('delete from capacity_requests'));
  after(() => test.close());

  const newcomer = async (options: AskerOptions = {}): Promise<Asker> =>
    askers.asker(await askers.account(), 4, options);
  const minutesPass = async (minutes: number): Promise<void> => {
    const times = ['requested_at', 'granted_at', 'first_granted_at', 'released_at'];
    const earlier = times.map((time) => `${time} = ${time} - make_interval(mins => $1)`);
    await test.db.query(`update capacity_requests set ${earlier.join(', ')}`, [minutes]);
  };
  const ageOf = async ({ jobId }: Asker): Promise<number> => {
    const [row] = await test.db.query<{ minutes: number }[]>(
      `select extract(epoch from now() - requested_at)::float8 / 60 as minutes from capacity_requests where job_id = $1`,
      [jobId],
    );
    return row?.minutes ?? NaN;
  };

  it('goes on over every pause and every grant that came to nothing, so that the request comes up in the end', async () => {
    const free = await newcomer();
    for (const minutes of [1, 2, 4, 8, 15]) {
      expect((await free.ask()).granted).to.equal(true);
      expect(await free.withdraw()).to.deep.equal([]);
      expect(await free.withdraw(), 'once more').to.deep.equal([]);
      await minutesPass(minutes);
    }
    const holder = await newcomer(PRO);
    await holder.ask();
    expect((await free.ask()).granted).to.equal(false);
    const pro = await newcomer(PRO);
    await pro.ask();
    // Half an hour of waiting in all counts as the highest plan, and the request is the older one.
    expect(await holder.giveBack()).to.deep.equal([free.jobId]);
    expect(await pro.place()).to.equal(1);
  });

  it('has no part of the time in which the execution held capacity and worked, also when it grew meanwhile', async () => {
    const one = await askers.asker(await askers.account(), 2, { stepVcpus: 2 });
    const holder = await newcomer();
    await holder.ask();
    await one.ask();
    await minutesPass(10);
    expect(await holder.giveBack()).to.deep.equal([one.jobId]);
    await minutesPass(60);
    expect((await one.ask(4)).vcpus, 'it has grown').to.equal(4);
    await minutesPass(60);
    await one.withdraw();
    expect(await ageOf(one)).to.be.closeTo(10, 0.5);
    await minutesPass(5);
    expect((await one.ask(2)).granted).to.equal(true);
    expect(await ageOf(one)).to.be.closeTo(15, 0.5);
  });

  it('is that of a request which waits for nothing else: it takes nothing, and has no place, until it asks again', async () => {
    const one = await newcomer();
    await one.ask();
    const next = await newcomer();
    await next.ask();
    expect(await one.withdraw()).to.deep.equal([next.jobId]);
    expect(await one.place()).to.equal(null);
    expect(await askers.inUse()).to.deep.equal({ total: 4, largestAccount: 4 });
    expect(await one.ask()).to.deep.include({ granted: false, reason: 'CAPACITY' });
    expect(await one.place()).to.equal(1);
    expect(await next.giveBack()).to.deep.equal([one.jobId]);
  });

  it('ends with the execution: what was given back for good is never granted again', async () => {
    const one = await newcomer();
    await one.ask();
    await one.withdraw();
    await one.giveBack();
    const again = { jobId: one.jobId, execution: 1, accountId: one.accountId, vcpus: 4, priority: 0 };
    const refused = await requestCapacity(test.db, again, LIMITS).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Invariant);
    expect(await askers.inUse()).to.deep.equal({ total: 0, largestAccount: 0 });
  });
});
