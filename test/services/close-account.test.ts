import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { closeAccount, createAccount, createIdentity } from '../../src/services/identity/index.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { admissionOf } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('closing an account', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  const newAccount = () =>
    createAccount(database.db, { email: `${randomUUID()}@example.com`, creditsPence: 10_000 });

  it('ends its keys everywhere and notes its files for the sweep, as often as asked', async () => {
    const account = await newAccount();
    const identity = createIdentity(database.db);
    try {
      expect((await identity.authenticate(account.liveKey)).accountId).to.equal(account.accountId);
      expect(await closeAccount(database.db, account.accountId)).to.include({ keysRevoked: 2 });
      expect(await closeAccount(database.db, account.accountId)).to.include({ keysRevoked: 0 });
      await until('the key is refused', () =>
        identity.authenticate(account.liveKey).then(
          () => false,
          () => true,
        ),
      );
    } finally {
      identity.close();
    }
    const noted = await database.db.query<unknown[]>('select 1 from account_removals where account_id = $1', [
      account.accountId,
    ]);
    expect(noted).to.have.length(1);
  });

  it('is refused while it has open jobs, and leaves it as it was', async () => {
    const account = await newAccount();
    const [user] = await database.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      account.accountId,
    ]);
    const admission = admissionOf({ accountId: account.accountId, userId: user?.id ?? '' });
    expect(await admitJob(database.db, admission, 'run')).to.include({ kind: 'admitted' });
    const refusal = await closeAccount(database.db, account.accountId).catch((error: unknown) => error);
    expect(String(refusal)).to.include(admission.jobId);
    const keys = await database.db.query<unknown[]>(
      'select 1 from api_keys where account_id = $1 and revoked_at is null',
      [account.accountId],
    );
    expect(keys).to.have.length(2);
  });
});
