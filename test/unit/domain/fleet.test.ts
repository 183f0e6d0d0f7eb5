/**
 * A simulated fleet of 100 instances: boots, losses and the lengths of tasks are drawn from a seed
 * (`test/support/fleet/distributions.ts`), and what the fleet does is decided by the product's own functions.
 */
import { expect } from 'chai';

import { staysIdle } from '../../../src/domain/shards.ts';
import { IS_LONG } from '../../support/long.ts';
import { simulateFleet, WORKLOADS } from '../../support/fleet/simulation.ts';

const SEEDS = Array.from({ length: IS_LONG ? 12 : 6 }, (_, n) => n + 1);
const MOST_IDLE = 0.05;
/** With the boots of its instances, which a job of a few minutes pays for as a long one does. */
const MOST_IDLE_OR_BOOTING = { large: 0.05, small: 0.06 } as const;

describe('a fleet of 100 instances', () => {
  for (const name of ['large', 'small'] as const)
    it(`with ${name} jobs is idle for at most 5 % of the time that is paid for, and does every task once`, () => {
      const workload = WORKLOADS[name];
      let [lost, idleOrBooting, paid] = [0, 0, 0];
      for (const seed of SEEDS) {
        const report = simulateFleet(seed, workload);
        const told = `seed ${String(seed)}: ${JSON.stringify(report)}`;
        expect(report, told).to.include({ wrongTasks: 0, openJobs: 0 });
        expect(report.idleShare, told).to.be.within(0, MOST_IDLE);
        expect(report.idleOrBootingShare, told).to.be.at.most(MOST_IDLE_OR_BOOTING[name]);
        idleOrBooting += report.idle + report.booting;
        paid += report.paid;
        lost += report.lost;
      }
      expect(idleOrBooting / paid, 'idle or booting, of all seeds').to.be.at.most(MOST_IDLE);
      expect(lost, 'instances that were taken away').to.be.above(10);
    });

  it('keeps an idle instance while a step runs on it, and the last one of a job', () => {
    const idle = { hasStep: false, isLast: false, isOtherOpen: true };
    expect(staysIdle(idle)).to.equal(false);
    expect(staysIdle({ ...idle, isOtherOpen: false }), 'another one is being launched').to.equal(false);
    expect(staysIdle({ ...idle, hasStep: true })).to.equal(true);
    expect(staysIdle({ ...idle, isLast: true }), 'one with a step stays').to.equal(false);
    expect(staysIdle({ ...idle, isLast: true, isOtherOpen: false })).to.equal(true);
  });
});
