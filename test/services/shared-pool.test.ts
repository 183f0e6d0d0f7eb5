/** The pool of connections: no account takes all of it, and what passes has a code. Over a real server. */
import { AsyncLocalStorage } from 'node:async_hooks';

import { expect } from 'chai';
import pg from 'pg';
import { QueryFailedError } from 'typeorm';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { sharePool } from '../../src/adapters/database/shared-pool.ts';
import { isAway } from '../../src/domain/away.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('the pool of connections', () => {
  let test: TestDatabase;
  let url: string;
  let db: Database;
  const account = new AsyncLocalStorage<string>();
  before(async () => {
    test = await openTestDatabase({ poolSize: 1 });
    ({ url } = test);
    db = await createDatabase(url, { poolSize: 4, accountOf: () => account.getStore() ?? null });
  });
  after(async () => {
    await db.destroy();
    await test.close();
  });

  /** The error of work that must fail. */
  const failure = async (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => expect.fail('did not fail'),
      (error: unknown) => error,
    );

  it('keeps a quarter for others while one account waits for more than it may have', async () => {
    let ended = 0;
    const lock = 'select pg_advisory_xact_lock_shared(1), pg_sleep(0)';
    const runner = test.db.createQueryRunner();
    await runner.query('begin');
    await runner.query('select pg_advisory_xact_lock(1)');
    const busy = account.run('a', () =>
      Array.from({ length: 20 }, async (_, at) => {
        await (at % 2 === 0 ? db.query(lock) : inTransaction(db, (tx) => tx.query(lock)));
        ended += 1;
      }),
    );
    const waiting = async (): Promise<number> => {
      const rows: readonly { n: number }[] = await runner.query(
        "select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted",
      );
      return rows[0]?.n ?? 0;
    };
    await until(
      'as many statements wait as the account may have connections',
      async () => (await waiting()) === 3,
    );
    for (const other of ['b', 'c', null]) {
      const ask = (): Promise<unknown> => db.query('select 1 as one');
      expect(await (other === null ? ask() : account.run(other, ask))).to.deep.equal([{ one: 1 }]);
    }
    expect([ended, await waiting()]).to.deep.equal([0, 3]);
    await runner.query('commit');
    await runner.release();
    await Promise.all(busy);
    expect(ended).to.equal(20);
    // Each turn was given back: the account has all its connections again.
    await account.run('a', () => Promise.all(Array.from({ length: 9 }, () => db.query('select 1'))));
  });

  it('gives connections that are lost, refused or not free in time the codes of PostgreSQL', async () => {
    const killed = failure(db.query('select pg_terminate_backend(pg_backend_pid())'));
    expect(isAway(await killed), String(await killed)).to.equal(true);
    const inWork = failure(
      inTransaction(db, async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
        await tx.query('select 1');
      }),
    );
    expect(isAway(await inWork), String(await inWork)).to.equal(true);
    expect(await db.query('select 1 as one')).to.deep.equal([{ one: 1 }]);

    const pool = new pg.Pool({ connectionString: url, max: 4 });
    sharePool(pool, { size: 4, waitMs: 50, accountOf: () => account.getStore() ?? null });
    const held = await account.run('a', () => Promise.all([pool.connect(), pool.connect(), pool.connect()]));
    const late = await failure(account.run('a', () => pool.connect()));
    expect([late, isAway(late)]).to.have.deep.nested.property('[0].code', '53300');
    held.push(await pool.connect());
    // Making a connection may take long on a busy machine, so only who waits for a free one has little time.
    pool.options.connectionTimeoutMillis = 50;
    const full = await failure(pool.connect());
    expect([full, isAway(full)]).to.have.deep.nested.property('[0].code', '08006');
    for (const client of held) client.release();
    await pool.end();
  });

  it('leaves the errors of statements as they are', async () => {
    const error = await failure(db.query('select 1/0'));
    expect(error).to.be.instanceOf(QueryFailedError);
    expect([error, isAway(error)]).to.have.deep.nested.property('[0].code', '22012');
    expect(isAway(error)).to.equal(false);
  });
});
