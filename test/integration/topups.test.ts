/**
 * The workflow of a top-up on a server whose clock jumps over timers, with the real activities: it brings a top-up to its end without any
 * event, also after workers died, and while the provider was away.
 */
import { randomUUID } from 'node:crypto';

import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { expect } from 'chai';

import { createTopupActivities } from '../../activities/topups.ts';
import { openPayments } from '../../src/adapters/payments/stripe.ts';
import { plainAccess } from '../../src/adapters/temporal/access.ts';
import { createTopupWorkflows } from '../../src/adapters/temporal/topups.ts';
import type { TopupWorkflows } from '../../src/adapters/temporal/topups.ts';
import { ensureBundle } from '../../src/bin/process/workflow-bundle.ts';
import { CONTROL_QUEUE, topupWorkflowId } from '../../src/contracts/names.ts';
import { createCredits } from '../../src/services/credits.ts';
import { listTopups, startTopup } from '../../src/services/payments/index.ts';
import type { TopupDependencies } from '../../src/services/payments/index.ts';
import { newOwner } from '../support/actors.ts';
import { suiteLedger } from '../support/ledger.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';
import { codeOf } from '../support/refusals.ts';
import { StripeStandIn } from '../support/stripe.ts';
import { openTimeSkipping } from '../support/time-skipping.ts';

describe('the workflow of a top-up', function () {
  this.timeout(120_000);
  const ledger = suiteLedger();
  let time: TestWorkflowEnvironment;
  let workflows: TopupWorkflows;
  let stripe: StripeStandIn;
  let deps: TopupDependencies;
  before(async () => {
    quietRuntime();
    [time, stripe] = [await openTimeSkipping(), await new StripeStandIn().start()];
    workflows = createTopupWorkflows(plainAccess(time.address));
    deps = {
      ...{ db: ledger.db, workflows, publicUrl: 'https://dockyard.example', alarm: () => undefined },
      payments: openPayments({
        ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: '', stripeApiUrl: stripe.url },
        ...{ stripeProPrice: 'price_pro', stripeTax: false, stripeInvoices: false },
      }),
    };
  });
  after(async () => {
    await workflows.close();
    await time.teardown();
    await stripe.stop();
  });

  const start = (actor: Parameters<typeof startTopup>[1]) =>
    startTopup(deps, actor, { body: { tierId: 'topup-10' }, fingerprint: 'f', idempotencyKey: randomUUID() });
  /** Serves the workflows until the one of this top-up has ended. */
  const result = async (
    topupId: string,
    onAsk: (asked: number) => void = () => undefined,
  ): Promise<unknown> => {
    const real = createTopupActivities(deps);
    let asked = 0;
    const worker = await Worker.create({
      ...{ connection: time.nativeConnection, taskQueue: CONTROL_QUEUE },
      workflowBundle: { codePath: await ensureBundle() },
      activities: {
        async followTopup(input: { topupId: string }) {
          onAsk((asked += 1));
          return real.followTopup(input);
        },
      },
    });
    return worker.runUntil(time.client.workflow.getHandle(topupWorkflowId(topupId)).result());
  };
  const walletOf = async (actor: Parameters<typeof startTopup>[1]): Promise<number> =>
    (await createCredits(ledger.db).balance(actor)).wallet_cents;

  it('credits a payment of which no event tells, after the provider was away', async () => {
    const actor = await newOwner(ledger.db);
    const { topupId } = await start(actor);
    expect(
      await result(topupId, (asked) => {
        if (asked === 2) stripe.complete(topupId, 'unpaid');
        if (asked === 4) stripe.complete(topupId);
        stripe.isDown = asked === 3;
      }),
    ).to.deep.equal({ state: 'PAID' });
    expect(await walletOf(actor)).to.equal(1000);
  });

  it('opens the one checkout of a start that was cut off, and ends with its expiry', async () => {
    const actor = await newOwner(ledger.db);
    // The account has its customer already, so it is the answer with the checkout that is lost.
    await start(actor);
    stripe.answersToLose = 3;
    expect(await codeOf(start(actor))).to.equal('SERVICE_UNAVAILABLE');
    const [lost] = (await listTopups(ledger.db, actor, { limit: 1 })).topups;
    const id = lost?.id ?? '';
    const { id: sessionId } = stripe.sessionOf(id);
    expect(
      await result(id, (asked) => {
        if (asked === 3) stripe.change(id, { status: 'expired', url: null });
      }),
    ).to.deep.equal({ state: 'EXPIRED' });
    expect(stripe.sessionOf(id).id).to.equal(sessionId);
    expect(await walletOf(actor)).to.equal(0);
  });
});
