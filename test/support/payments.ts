/** Payments for the tests of a suite: a database whose books must add up after each test, and a provider that is stood in for. */
import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { Database } from '../../src/adapters/database.ts';
import { openPayments } from '../../src/adapters/payments/stripe.ts';
import type { KeyActor } from '../../src/domain/access.ts';
import { createCredits } from '../../src/services/credits.ts';
import { followTopup, handleEvent, receiveEvent, startTopup } from '../../src/services/payments/index.ts';
import type { TopupDependencies } from '../../src/services/payments/index.ts';
import { newOwner } from './actors.ts';
import { runCommand } from './command-line.ts';
import type { CommandEnding } from './command-line.ts';
import { suiteLedger } from './ledger.ts';
import { StripeStandIn, WEBHOOK_SECRET } from './stripe.ts';

/** A top-up that was paid, with its payment at the provider. */
export interface BoughtTopup {
  readonly actor: KeyActor;
  readonly topupId: string;
  readonly paymentId: string;
}

/** Payments and what tests do with them. */
export class SuitePayments {
  readonly #ledger = suiteLedger();
  readonly alarms: object[] = [];
  stripe = new StripeStandIn();
  #payments: TopupDependencies['payments'] = null;

  constructor() {
    before(async () => {
      await this.stripe.start();
      this.#payments = openPayments({
        ...{ stripeSecretKey: 'sk_test_1', stripeWebhookSecrets: WEBHOOK_SECRET },
        ...{
          stripeApiUrl: this.stripe.url,
          stripeProPrice: 'price_pro',
          stripeTax: false,
          stripeInvoices: false,
        },
      });
    });
    after(() => this.stripe.stop());
    beforeEach(() => this.alarms.splice(0));
  }

  get db(): Database {
    return this.#ledger.db;
  }

  /** The command line of operators over this database and this provider. */
  dockyard(...args: string[]): Promise<CommandEnding> {
    const env = {
      ...{ HOME: process.env['HOME'] ?? '', DOCKYARD_STRIPE_SECRET_KEY: 'sk_test_1' },
      ...{ DOCKYARD_DATABASE_URL: this.#ledger.url, DOCKYARD_STRIPE_API_URL: this.stripe.url },
    };
    return runCommand(args, env, repositoryRoot);
  }

  get url(): string {
    return this.#ledger.url;
  }

  get deps(): TopupDependencies {
    return {
      ...{ db: this.db, publicUrl: 'https://dockyard.example', payments: this.#payments },
      workflows: { follow: async () => undefined },
      alarm: (_text, facts) => void this.alarms.push(facts),
    };
  }

  /** Buys a tier, and pays at the provider without telling anybody. */
  async order(tierId = 'topup-50', taxPence = 0, buyer?: KeyActor): Promise<BoughtTopup> {
    const actor = buyer ?? (await newOwner(this.db));
    const command = { body: { tierId }, fingerprint: tierId, idempotencyKey: null };
    const { topupId } = await startTopup(this.deps, actor, command);
    this.stripe.complete(topupId, 'paid', taxPence);
    return { actor, topupId, paymentId: `pi_${topupId}` };
  }

  /** Buys a tier; the credits are posted. */
  async buy(tierId = 'topup-50', taxPence = 0, buyer?: KeyActor): Promise<BoughtTopup> {
    const bought = await this.order(tierId, taxPence, buyer);
    expect(await followTopup(this.deps, bought.topupId)).to.include({ state: 'PAID' });
    return bought;
  }

  /** Wallet and debt. */
  async walletOf(actor: KeyActor): Promise<readonly number[]> {
    const { wallet_cents, debt_cents } = await createCredits(this.db).balance(actor);
    return [wallet_cents, debt_cents];
  }

  /** Sums the account's transfers in the accounts of the service. */
  async booksOf({ accountId }: KeyActor): Promise<Record<string, number>> {
    const rows = await this.db.query<{ readonly account: string; readonly pence: number }[]>(
      `select account, sum(amount_pence)::bigint as pence from ledger_entries
       where account_id = $1 and account = any($2) group by 1 having sum(amount_pence) <> 0 order by 1`,
      [accountId, ['stripe_clearing', 'tax_payable', 'bonus_expense']],
    );
    return Object.fromEntries(rows.map(({ account, pence }) => [account, pence]));
  }

  /** An event comes and is handled. */
  async tell(type: string, objectId: string, id?: string): Promise<string> {
    const { body, signature } = this.stripe.event(type, objectId, id === undefined ? {} : { id });
    const eventId = await receiveEvent(this.deps, Buffer.from(body), signature);
    await handleEvent(this.deps, eventId);
    return eventId;
  }
}
