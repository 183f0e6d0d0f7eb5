import { expect } from 'chai';
import fc from 'fast-check';

import { grantDue } from '../../src/services/execution/capacity/capacity.ts';
import { lackOf, takesFrom, Usage } from '../../src/domain/capacity-pools.ts';
import type { CapacityLimits } from '../../src/domain/capacity-pools.ts';
import { firstStepOf, nextStepOf } from '../../src/services/execution/capacity/turns.ts';
import type { Turn } from '../../src/services/execution/capacity/turns.ts';
import { Askers } from '../support/askers.ts';
import type { Asker } from '../support/askers.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { runsOf } from '../support/long.ts';

const LIMITS: CapacityLimits = { totalVcpus: 8, accountVcpus: 8 };
const BY_TWO = { stepVcpus: 2 };

interface RequestRow {
  readonly state: string;
  readonly gpus: number;
  readonly seats: number;
  readonly wanted_vcpus: number | null;
  readonly reserves: string | null;
}

describe('capacity that is granted by the instance', () => {
  let test: TestDatabase;
  let askers: Askers;
  before(async () => {
    test = await openTestDatabase();
    askers = new Askers(test.db, LIMITS);
  });
  beforeEach(() => test.db.query('delete from capacity_requests'));
  after(() => test.close());

  const newcomer = async (vcpus: number, options = {}): Promise<Asker> =>
    askers.asker(await askers.account(), vcpus, options);
  const vcpusOf = async (one: Asker): Promise<number> => {
    const [row] = await test.db.query<{ vcpus: number }[]>(
      `select vcpus from capacity_requests where job_id = $1 and state = 'GRANTED'`,
      [one.jobId],
    );
    return row?.vcpus ?? 0;
  };
  const minutesPass = async (minutes: number): Promise<void> => {
    await test.db.query(
      `update capacity_requests set requested_at = requested_at - make_interval(mins => $1),
         reserved_at = reserved_at - make_interval(mins => $1)`,
      [minutes],
    );
  };

  it('begins with one instance and grows while there is room', async () => {
    const busy = await newcomer(6);
    await busy.ask();
    const one = await newcomer(6, BY_TWO);
    expect(await one.ask()).to.deep.equal({ granted: true, reason: null, vcpus: 2, newlyGranted: [] });
    expect(await busy.keep(3)).to.deep.equal([one.jobId]);
    expect(await one.ask()).to.deep.equal({ granted: true, reason: null, vcpus: 4, newlyGranted: [] });
    expect(await busy.giveBack()).to.deep.equal([one.jobId]);
    expect([await vcpusOf(one), (await askers.inUse()).total]).to.deep.equal([6, 6]);
    expect(await grantDue(test.db, LIMITS)).to.deep.equal({ newlyGranted: [] });
  });

  it('grows when more is wanted than at first, and stops when less is', async () => {
    const one = await newcomer(2, BY_TWO);
    expect((await one.ask()).vcpus).to.equal(2);
    expect((await one.ask(8)).vcpus).to.equal(8);
    expect((await one.ask(2)).vcpus).to.equal(8);
    const other = await newcomer(8, BY_TWO);
    expect((await other.ask()).granted).to.equal(false);
    expect(await one.keep(4)).to.deep.equal([other.jobId]);
    expect([await vcpusOf(one), await vcpusOf(other)]).to.deep.equal([4, 4]);
    await other.giveBack();
    expect(await vcpusOf(one), 'nothing more is wanted').to.equal(4);
  });

  it('is shared: who has no instance comes before who wants one more, then who has least', async () => {
    const first = await newcomer(8, BY_TWO);
    expect((await first.ask()).vcpus).to.equal(8);
    const [second, third] = [await newcomer(8, BY_TWO), await newcomer(8, BY_TWO)];
    for (const late of [second, third]) expect((await late.ask()).granted).to.equal(false);
    expect(await first.keep(2)).to.have.members([second.jobId, third.jobId]);
    expect(await Promise.all([first, second, third].map(vcpusOf))).to.deep.equal([2, 4, 2]);
    await first.giveBack();
    expect(await Promise.all([second, third].map(vcpusOf))).to.deep.equal([4, 4]);
  });

  it('is shared between the jobs of one account, too', async () => {
    const account = await askers.account();
    const [one, other] = [await askers.asker(account, 8, BY_TWO), await askers.asker(account, 8, BY_TWO)];
    const holder = await newcomer(8);
    await holder.ask();
    for (const waiting of [one, other]) await waiting.ask();
    await holder.giveBack();
    expect(await Promise.all([one, other].map(vcpusOf))).to.deep.equal([4, 4]);
  });

  it('is told again while the job has not taken note that it grew', async () => {
    const busy = await newcomer(6);
    await busy.ask();
    const one = await newcomer(8, BY_TWO);
    await one.ask();
    await busy.giveBack();
    await test.db.query(
      `update capacity_requests set granted_at = now() - interval '6 seconds' where state = 'GRANTED'`,
    );
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([one.jobId]);
    await one.ask();
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([]);
  });

  it('is kept for a large request for a quarter of an hour, then others pass for as long', async () => {
    const busy = await newcomer(6);
    await busy.ask();
    const large = await newcomer(8);
    await large.ask();
    const small = await newcomer(2);
    expect((await small.ask()).granted, 'while the large request reserves').to.equal(false);
    await minutesPass(14);
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([]);
    await minutesPass(2);
    expect((await grantDue(test.db, LIMITS)).newlyGranted).to.deep.equal([small.jobId]);
    await minutesPass(13);
    const late = await newcomer(2);
    await small.giveBack();
    expect((await late.ask()).granted, 'while the large request may not reserve again').to.equal(true);
    await minutesPass(2);
    await late.giveBack();
    expect((await (await newcomer(2)).ask()).granted, 'when the large request reserves again').to.equal(
      false,
    );
    expect(await busy.giveBack()).to.deep.equal([large.jobId]);
  });

  it('keeps its limits, leaves nothing idle that somebody may have, and serves everybody in the end', async function () {
    this.timeout(240_000);
    const steps = fc.array(
      fc.record({
        kind: fc.constantFrom('ask', 'ask', 'ask', 'more', 'less', 'end', 'wait'),
        vcpus: fc.integer({ min: 1, max: 9 }),
        step: fc.constantFrom(null, 1, 2, 3),
        account: fc.nat({ max: 3 }),
        which: fc.nat({ max: 20 }),
        gpus: fc.constantFrom(0, 0, 0, 1),
        ofClass: fc.constantFrom('cpu', 'cpu', 'large'),
        licence: fc.constantFrom('', '', 'maya'),
      }),
      { minLength: 10, maxLength: 40 },
    );
    const limits: CapacityLimits = {
      ...{ totalVcpus: 10, accountVcpus: 6, totalGpus: 2, accountGpus: 1 },
      plans: { free: { vcpus: 7, accountVcpus: 4 } },
      classes: { large: { vcpus: 6 } },
      seats: { maya: 2 },
    };
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        await test.db.query('delete from capacity_requests');
        const accounts = await Promise.all(Array.from({ length: 4 }, () => askers.account()));
        const open: { asker: Asker; wanted: number }[] = [];
        for (const { kind, vcpus, step, account, which, gpus, ofClass, licence } of walk) {
          const chosen = open[which % Math.max(1, open.length)];
          if (kind === 'ask') {
            // The accounts of one plan are always of that plan, and GPUs are granted by the instance.
            const plan = account < 2 ? 'free' : 'pro';
            const options = {
              ...{ limits, plan, priority: plan === 'pro' ? 10 : 0, stepVcpus: step },
              ...{ instanceClass: ofClass, stepGpus: step === null ? 0 : gpus, licence },
            };
            const asker = await askers.asker(accounts[account] ?? '', vcpus, options);
            await asker.ask();
            open.push({ asker, wanted: vcpus });
          } else if (kind === 'wait') {
            await minutesPass(vcpus);
            await grantDue(test.db, limits);
          } else if (chosen !== undefined) {
            if (kind === 'more') await chosen.asker.ask(vcpus);
            else if (kind === 'less') await chosen.asker.keep(1);
            else {
              await chosen.asker.giveBack();
              open.splice(open.indexOf(chosen), 1);
            }
          }
          const { total, largestAccount } = await askers.inUse();
          expect(total).to.be.at.most(limits.totalVcpus);
          expect(largestAccount).to.be.at.most(limits.accountVcpus);
          expect(await idleFor(limits), 'somebody waits for what is idle').to.deep.equal([]);
        }
        await everybodyIsServed(open, limits);
      }),
      { numRuns: runsOf(40), seed: 20_261_123 },
    );
  });

  /**
   * Requests that fit into what is idle and every limit, plan, class and GPUs among them, and that take nothing of what another request
   * reserves. Of requests that wait the first of each account, class and licence counts, because it holds up those behind it.
   */
  async function idleFor(limits: CapacityLimits): Promise<readonly unknown[]> {
    const rows = await test.db.query<(Turn & RequestRow)[]>(
      `select job_id, execution, account_id, class, plan, licence, vcpus, gpus, seats, step_vcpus, step_gpus, wanted_vcpus, priority, '' as asked, state,
         case when reserved_at > now() - interval '15 minutes' then reserved_for end as reserves
       from capacity_requests where state <> 'RELEASED' order by priority desc, requested_at, job_id`,
    );
    const used = new Usage();
    const granted = rows.filter(({ state }) => state === 'GRANTED');
    for (const row of granted) used.take(row, row);
    const waiting = rows.filter(({ state }) => state === 'WAITING');
    const heads = new Map(
      waiting.toReversed().map((row) => [`${row.account_id}/${row.class}/${row.licence}`, row]),
    );
    const growers = granted.filter(
      ({ wanted_vcpus: wanted, vcpus, step_vcpus: step }) =>
        wanted !== null && step !== null && wanted >= vcpus + step,
    );
    const wishes = [
      ...[...heads.values()].map((row) => ({ row, need: firstStepOf(row, limits) })),
      ...growers.map((row) => ({ row, need: nextStepOf(row) })),
    ];
    return wishes.filter(({ row, need }) => {
      const isKept = takesFrom(row, need).some((what) =>
        waiting.some(({ job_id: id, reserves }) => reserves === what && id !== row.job_id),
      );
      return lackOf(row, need, limits, used) === null && !isKept;
    });
  }

  /** Jobs end one after the other, and every request has its turn before all have ended. */
  async function everybodyIsServed(
    open: readonly { readonly asker: Asker }[],
    limits: CapacityLimits,
  ): Promise<void> {
    const waiting = new Set(open.map(({ asker }) => asker));
    for (let round = 0; waiting.size > 0; round += 1) {
      expect(round, 'rounds until everybody was served').to.be.at.most(4 * open.length + 4);
      await minutesPass(16);
      await grantDue(test.db, limits);
      for (const asker of waiting) {
        if ((await vcpusOf(asker)) === 0) continue;
        await asker.giveBack();
        waiting.delete(asker);
      }
    }
  }
});
