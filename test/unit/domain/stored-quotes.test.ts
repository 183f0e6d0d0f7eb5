import { expect } from 'chai';

import type { JobAdmission } from '../../../src/contracts/job.ts';
import { accruedMicro, chargePence } from '../../../src/domain/charge.ts';
import { pricingOf } from '../../../src/domain/pricing.ts';
import type { Quote } from '../../../src/domain/pricing.ts';
import type { Settlement } from '../../../src/services/execution/settle/settle.ts';
import { historyFiles } from '../../replay/history-files.ts';
import type { HistoryFile } from '../../replay/history-files.ts';
import { verified } from '../../support/prices.ts';

/** A job of a recorded history: the quote in its start arguments, and how it was settled. */
interface SettledJob {
  readonly name: string;
  readonly quote: Quote;
  readonly settlement: Settlement;
}

const jobs = historyFiles().flatMap(settledJob);

/** Reads both from the history; a history that starts in the middle of a job, or ends before the settlement, has none. */
function settledJob({ name, events }: HistoryFile): SettledJob[] {
  if (!name.startsWith('job-')) return [];
  const [start] = payloads<{ start: { admission?: JobAdmission } }>(
    events[0].workflowExecutionStartedEventAttributes.input,
  );
  const settling = events.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType.name === 'settleJob',
  );
  const done = events.find(
    ({ activityTaskCompletedEventAttributes: ended }) =>
      settling !== undefined && ended?.scheduledEventId === settling.eventId,
  );
  const [settlement] = payloads<Settlement>(done?.activityTaskCompletedEventAttributes.result);
  const quote = start?.start.admission?.quote;
  return quote === undefined || settlement === undefined ? [] : [{ name, quote, settlement }];
}

function payloads<T>(input: { payloads: { data: string }[] } | undefined): T[] {
  return (input?.payloads ?? []).map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')));
}

describe('quotes that were stored before prices had models', () => {
  const stored = jobs.filter(({ quote }) => quote.pricing.model === undefined);

  it('are in the recorded histories: jobs that were charged in full, in part and not at all', () => {
    expect(stored.length).to.be.at.least(10);
    const shares = stored.map(({ quote, settlement }) => settlement.chargedPence / quote.heldPence);
    expect(Math.min(...shares)).to.equal(0);
    expect(Math.max(...shares)).to.equal(1);
    expect(shares.some((share) => share > 0 && share < 1)).to.equal(true);
  });

  for (const { name, quote, settlement } of stored) {
    it(`are charged what they were charged then: ${name}`, () => {
      expect(chargePence(quote, verified(settlement.verified))).to.equal(settlement.chargedPence);
      expect(quote.heldPence - settlement.chargedPence).to.equal(settlement.releasedPence);
      expect(accruedMicro(quote, verified(quote.taskCount))).to.equal(quote.estimatedMicro);
      const pricing = pricingOf(quote);
      expect(pricing.model).to.equal('fixed');
      expect(pricing.model === 'fixed' && pricing.classes.map(({ tasks }) => tasks)).to.deep.equal([
        quote.taskCount,
      ]);
    });
  }
});
