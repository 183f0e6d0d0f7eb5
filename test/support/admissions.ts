/** Accounts and admissions for tests that need no HTTP. */
import { randomUUID } from 'node:crypto';

import type { DataSource } from 'typeorm';

import type { JobAdmission } from '../../src/contracts/job.ts';
import { quote } from '../../src/domain/pricing.ts';
import { grantCredits, openAccount } from '../../src/services/ledger/index.ts';
import { loadPriceBook } from '../../src/services/prices/price-book.ts';
import { noop } from '../fixtures/noop-tool/index.ts';
import { NO_SIZES } from './prices.ts';

/** The account and the user of a job. */
export interface Owner {
  readonly accountId: string;
  readonly userId: string;
}

/** A new account with credits, with its user and its ledger accounts. */
export async function newAccount(db: DataSource, pence: number): Promise<Owner> {
  const accountId = randomUUID();
  const userId = randomUUID();
  await db.query('insert into accounts (id) values ($1)', [accountId]);
  await db.query('insert into users (id, account_id, email) values ($1, $2, $3)', [
    userId,
    accountId,
    `${userId}@example.com`,
  ]);
  await openAccount(db, accountId);
  if (pence > 0)
    await grantCredits(db, { accountId, amountPence: pence, key: accountId, description: 'test' });
  return { accountId, userId };
}

/** An admission of 40 noop tasks. */
export function admissionOf(owner: Owner, more: Partial<JobAdmission> = {}): JobAdmission {
  const request = { jobType: 'simulation', simulator: 'noop', taskCount: 40 } as const;
  const plan = noop.planning.plan(request, { maxInstances: 1, slotsPerInstance: 2, vcpusPerInstance: 2 });
  const book = loadPriceBook();
  const jobId = more.jobId ?? randomUUID();
  return {
    jobId,
    submitId: randomUUID(),
    ...owner,
    caller: { kind: 'session', id: randomUUID() },
    toolId: more.simulator ?? 'noop',
    internal: false,
    warnings: [],
    accountPlan: 'free',
    jobType: 'simulation',
    simulator: 'noop',
    jobName: null,
    recoveryMode: 'standard',
    idempotencyKey: null,
    fingerprint: 'a'.repeat(64),
    request,
    requestKey: null,
    plan,
    quote: quote(book.version, 790_000, noop.planning.price(request, plan, book, NO_SIZES), 40),
    inputs: [
      { storageKey: 'accounts/x/uploads/1/a', byteSize: 3, sha256: null },
      { storageKey: 'accounts/x/uploads/2/b', byteSize: 4, sha256: 'b'.repeat(64) },
    ],
    provider: 'local',
    effectiveSeed: null,
    admitBy: new Date(Date.now() + 60_000).toISOString(),
    response: {
      jobId,
      jobType: 'simulation',
      estimatedCost: 0.42,
      currency: 'GBP',
      status: 'SUBMITTED',
      provider: 'local',
      message: 'held',
      creditCurrency: 'GBP',
      fxRate: 1,
      heldCents: 42,
    },
    ...more,
  };
}
