/** What a submit makes of the decision of a workflow that it joined. */
import { expect } from 'chai';

import type { JobStart } from '../../src/adapters/temporal/client.ts';
import type { AdmissionDecision } from '../../src/contracts/job.ts';
import type { SubmitJobResponse } from '../../src/domain/responses.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { createSubmit } from '../../src/services/jobs/submit.ts';
import { placeHold } from '../../src/services/ledger/index.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { createQuotes } from '../../src/services/prices/quotes.ts';
import { createDigestReader } from '../../src/services/stored-digests.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { newAccount } from '../support/admissions.ts';
import { give, newHold } from '../support/ledger.ts';
import { suiteHome } from '../support/home.ts';
import { until } from '../support/until.ts';

const SETTINGS = {
  ...{ provider: 'local', instanceSlots: 2, instanceVcpus: 2, maxInstancesPerJob: 1, taskTimeoutSeconds: 60 },
  ...{ admissionWaitSeconds: 20, admitBySeconds: 60, maxHistoryEvents: 8000, commitDelayMs: 50 },
  ...{ computeHeartbeatSeconds: 15, computePickupSeconds: 15, capacityPollSeconds: 10 },
};

describe('a submit that joins another’s', () => {
  const home = suiteHome();

  /** A workflow that is decided when so many have asked; `meanwhile` happens just before. */
  const workflowsOf = (askers: number, meanwhile: () => Promise<unknown>) => {
    let asked = 0;
    let decision: Promise<AdmissionDecision> | null = null;
    const decide = async (start: JobStart): Promise<AdmissionDecision> => {
      await until('all have asked', () => asked === askers);
      await meanwhile();
      return admitJob(home.db, start.admission, 'run');
    };
    return {
      asked: () => asked,
      async startJob(start: JobStart) {
        asked += 1;
        decision ??= decide(start);
        return { kind: 'decided', decision: await decision } as const;
      },
    };
  };
  /** Submits of an API process of its own. */
  const processOf = (workflows: ReturnType<typeof workflowsOf>) => {
    const book = loadPriceBook();
    const rates = {
      current: () => Promise.resolve({ rateMicro: 790_000, origin: 'book', ageSeconds: 0 } as const),
    };
    return createSubmit({
      ...{ db: home.db, store: home.store, digests: createDigestReader(home.store), workflows },
      ...{ tools: createToolRegistry({ testTools: true }), quotes: createQuotes(book, rates) },
      ...{ settings: SETTINGS, log: { warn: () => undefined, info: () => undefined } },
    });
  };
  const bodyOf = (taskCount: number) => ({
    body: { jobType: 'simulation', simulator: 'noop', taskCount } as const,
    fingerprint: String(taskCount).padStart(64, '0'),
    idempotencyKey: 'one-key-for-all',
  });
  const answerOf = (
    work: Promise<SubmitJobResponse>,
  ): Promise<SubmitJobResponse | { code: string; message: string }> =>
    work.catch((error: unknown) => error as { code: string; message: string });

  it('gets its refusal when it asks for the same, and never that of another body', async () => {
    const owner = await newAccount(home.db, 100);
    const { accountId } = owner;
    const actor = ownerOf(accountId, owner.userId);
    // Enough for each when it is checked; before the first is decided, another job takes it.
    const workflows = workflowsOf(3, () => placeHold(home.db, newHold(accountId, 90)));
    const first = answerOf(processOf(workflows)(actor, bodyOf(40)));
    await until('the first has asked', () => workflows.asked() === 1);
    const [refused, equal, other] = await Promise.all([
      first,
      answerOf(processOf(workflows)(actor, bodyOf(40))),
      answerOf(processOf(workflows)(actor, bodyOf(50))),
    ]);
    expect(refused).to.include({ code: 'INSUFFICIENT_CREDITS' });
    expect(equal).to.include({ code: 'INSUFFICIENT_CREDITS', message: messageOf(refused) });
    expect(other).to.include({ code: 'IDEMPOTENCY_KEY_REUSED' });

    await give(home.db, accountId, 100);
    const accepted = await answerOf(processOf(workflowsOf(1, async () => undefined))(actor, bodyOf(50)));
    expect(accepted, 'a refusal takes no key').to.include({ status: 'SUBMITTED', heldCents: 52 });
  });
});

function messageOf(answer: object): unknown {
  return 'message' in answer ? answer.message : undefined;
}
