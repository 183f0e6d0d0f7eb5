/** Schedules are ensured side by side: a Temporal that has just been started may leave calls without an answer. */
import type { Client, ScheduleOptions } from '@temporalio/client';
import { expect } from 'chai';

import { ensureSchedules } from '../../../src/adapters/temporal/schedules.ts';
import { until } from '../../support/until.ts';

describe('the schedules of a deployment', () => {
  /** Each schedule is made once all of them have been asked for; the first try of each has no answer in time. */
  const serverOf = (wanted: number) => {
    const tries = new Map<string, number>();
    const create = async ({ scheduleId }: ScheduleOptions): Promise<void> => {
      tries.set(scheduleId, (tries.get(scheduleId) ?? 0) + 1);
      await until('all are asked for', () => tries.size === wanted);
      if (tries.get(scheduleId) === 1) throw new Error('no answer in time');
    };
    const withDeadline = (_deadline: number, work: () => Promise<unknown>): Promise<unknown> => work();
    return { tries, client: { withDeadline, schedule: { create } } as unknown as Client };
  };

  for (const [hasRates, wanted] of [
    [false, 6],
    [true, 7],
  ] as const)
    it(`are asked for at once${hasRates ? ', with that of exchange rates' : ''}, and again where no answer came`, async () => {
      const { client, tries } = serverOf(wanted);
      await ensureSchedules(client, { sweepSeconds: 60, hasRates });
      expect([...tries.values()]).to.deep.equal(Array.from({ length: wanted }, () => 2));
      expect(tries.has('fx-rate')).to.equal(hasRates);
    });
});
