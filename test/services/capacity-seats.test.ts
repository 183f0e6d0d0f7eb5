/** Seats of licensed software are granted together with the vCPUs of the instances that take them, and come back together with them. */
import { expect } from 'chai';
import fc from 'fast-check';

import { giveBack, grantDue } from '../../src/services/execution/capacity/capacity.ts';
import { placeIn, readQueue } from '../../src/services/execution/capacity/queue.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';
import { Askers } from '../support/askers.ts';
import type { Asker, AskerOptions } from '../support/askers.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { runsOf } from '../support/long.ts';

const LIMITS: CapacityLimits = {
  ...{ totalVcpus: 16, accountVcpus: 16, totalGpus: 0, accountGpus: 0 },
  seats: { maya: 2, houdini: 1 },
};
const MAYA: AskerOptions = { licence: 'maya' };
const HOUDINI: AskerOptions = { licence: 'houdini' };
const PRO: AskerOptions = { plan: 'pro', priority: 10 };

describe('seats of licensed software', () => {
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
  const held = async (licence: string): Promise<number> => {
    const [row] = await test.db.query<{ seats: number }[]>(
      `select coalesce(sum(seats), 0)::int as seats from capacity_requests where state = 'GRANTED' and licence = $1`,
      [licence],
    );
    return row?.seats ?? 0;
  };
  const granted = async (): Promise<ReadonlySet<string>> => {
    const rows = await test.db.query<{ job_id: string }[]>(
      `select job_id from capacity_requests where state = 'GRANTED'`,
    );
    return new Set(rows.map(({ job_id: id }) => id));
  };

  it('are taken by the instance, as many as there are, and come back with each', async () => {
    const one = await newcomer(6, { ...MAYA, stepVcpus: 2 });
    expect((await one.ask()).vcpus, 'two instances have the two seats').to.equal(4);
    expect(await held('maya')).to.equal(2);
    const other = await newcomer(8, MAYA);
    expect(await other.ask()).to.deep.include({ granted: false, reason: 'LICENSE_SEATS' });
    expect(await one.keep(2)).to.deep.equal([other.jobId]);
    expect(await held('maya'), 'an instance has one seat, however large it is').to.equal(2);
    expect(await other.giveBack(), 'the first one wants no more').to.deep.equal([]);
    expect(await one.withdraw()).to.deep.equal([]);
    expect(await held('maya')).to.equal(0);
  });

  it('hold up nobody who needs none, not even of the same account, and keep no vCPU from anybody', async () => {
    const account = await askers.account();
    for (const vcpus of [2, 2]) await (await newcomer(vcpus, MAYA)).ask();
    // It asks for all that is left, and would reserve that if vCPUs were what it lacks.
    const waiting = await askers.asker(account, 12, { ...MAYA, ...PRO });
    expect(await waiting.ask()).to.deep.include({ granted: false, reason: 'LICENSE_SEATS' });
    for (const free of [await askers.asker(account, 4), await newcomer(4), await newcomer(4, HOUDINI)])
      expect((await free.ask()).granted).to.equal(true);
  });

  it('go to the oldest request for the software that may come, whatever its plan', async () => {
    const first = await newcomer(2, HOUDINI);
    await first.ask();
    const [older, younger] = [await newcomer(2, HOUDINI), await newcomer(2, { ...HOUDINI, ...PRO })];
    const other = await newcomer(2, MAYA);
    for (const one of [older, younger]) expect((await one.ask()).granted).to.equal(false);
    expect((await other.ask()).granted, 'other software').to.equal(true);
    expect(await first.giveBack()).to.deep.equal([older.jobId]);
    expect(await older.giveBack()).to.deep.equal([younger.jobId]);
    const large = await newcomer(16, HOUDINI);
    await large.ask();
    const small = await newcomer(2, HOUDINI);
    await small.ask();
    expect(await younger.giveBack(), 'the oldest has not the vCPUs, and keeps them').to.deep.equal([]);
    expect(await other.giveBack()).to.deep.equal([large.jobId]);
  });

  it('are named with their numbers to whoever waits for them, in a line of their own', async () => {
    const many = await newcomer(15);
    await many.ask();
    const user = await newcomer(1, HOUDINI);
    await user.ask();
    const [older, younger, plain] = [
      await newcomer(1, HOUDINI),
      await newcomer(1, HOUDINI),
      await newcomer(1),
    ];
    for (const one of [older, younger, plain]) await one.ask();
    const places = await readQueue(test.db, LIMITS);
    const license = { software: 'houdini', seats: 1, used: 1 };
    const placeOf = ({ jobId }: Asker) => placeIn(places, { jobId, execution: 1 });
    expect(placeOf(older)).to.deep.equal({ position: 1, reason: 'LICENSE_SEATS', license });
    expect(placeOf(younger)).to.deep.equal({ position: 2, reason: 'LICENSE_SEATS', license });
    expect(placeOf(plain)).to.deep.equal({ position: 1, reason: 'CAPACITY' });
  });

  it('are never more than there are, when many ask at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => newcomer(1, MAYA)));
    const answers = await Promise.all(all.map((one) => one.ask()));
    expect(answers.filter((answer) => answer.granted).length).to.equal(2);
    expect(await held('maya')).to.equal(2);
  });

  it('are never more than there are and none is lost, whoever dies between two steps', async function () {
    this.timeout(120_000);
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('ask', 'ask', 'ask', 'less', 'end', 'dies', 'no room', 'grantor'),
        vcpus: fc.integer({ min: 1, max: 6 }),
        step: fc.constantFrom(null, 1, 2),
        licence: fc.constantFrom('', 'maya', 'houdini'),
        which: fc.nat({ max: 20 }),
      }),
      { minLength: 10, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        await test.db.query('delete from capacity_requests');
        const open: Asker[] = [];
        for (const { kind, vcpus, step, licence, which } of walk) {
          const chosen = open[which % Math.max(1, open.length)];
          if (kind === 'ask') {
            open.push(await newcomer(vcpus, { licence, stepVcpus: step }));
            await open.at(-1)?.ask();
          } else if (kind === 'grantor') await grantDue(test.db, LIMITS);
          else if (chosen !== undefined) {
            if (kind === 'less') await chosen.keep(step ?? vcpus);
            else if (kind === 'no room') await chosen.withdraw();
            else {
              // A process that dies has given back, and has granted nothing to others.
              if (kind === 'dies') await giveBack(test.db, chosen.jobId, 1);
              else await chosen.giveBack();
              open.splice(open.indexOf(chosen), 1);
            }
          }
          expect(await held('maya')).to.be.at.most(2);
          expect(await held('houdini')).to.be.at.most(1);
        }
        for (const one of open) await one.ask();
        await everybodyIsServed(open);
        expect([await held('maya'), await held('houdini')], 'seats that nobody gave back').to.deep.equal([
          0, 0,
        ]);
      }),
      { numRuns: runsOf(12), seed: 20_261_130 },
    );
  });

  /** Those that have what they asked for die one after the other, and the grantor gives what they had to the others. */
  async function everybodyIsServed(open: readonly Asker[]): Promise<void> {
    const waiting = new Set(open);
    for (let round = 0; waiting.size > 0; round += 1) {
      expect(round, 'rounds until everybody was served').to.be.at.most(open.length + 1);
      await grantDue(test.db, LIMITS);
      const served = await granted();
      for (const one of waiting) {
        if (!served.has(one.jobId)) continue;
        await giveBack(test.db, one.jobId, 1);
        waiting.delete(one);
      }
    }
  }
});
