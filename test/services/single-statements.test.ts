/** Statements outside of transactions answer and fail as TypeORM's own, and a connection outlives a statement that failed. */
import { expect } from 'chai';
import { QueryFailedError } from 'typeorm';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';

describe('single statements', () => {
  let test: TestDatabase;
  let one: Database;
  before(async () => {
    test = await openTestDatabase();
    await test.db.query('create table things (name text constraint things_name unique)');
    one = await createDatabase(test.url, { poolSize: 1 });
  });
  after(async () => {
    await one.destroy();
    await test.close();
  });

  const backend = async (): Promise<number | undefined> =>
    (await one.query<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]?.pid;
  const failureOf = (statement: Promise<unknown>): Promise<unknown> =>
    statement.then(
      () => null,
      (thrown: unknown) => thrown,
    );

  it('answer what TypeORM answers within a runner: rows, and the count of changed rows beside them', async () => {
    const runner = one.createQueryRunner();
    const statements: [string, unknown[]?][] = [
      [`insert into things values ('a'), ('b')`],
      ['select name from things where name = $1', ['a']],
      ['update things set name = name || $1 returning name', ['!']],
      ['update things set name = name where name = $1', ['nobody']],
      ['delete from things where name like $1', ['%!']],
    ];
    const [own, typeorms]: [unknown[], unknown[]] = [[], []];
    for (const [text, values] of statements) own.push(await one.query(text, values));
    try {
      for (const [text, values] of statements) typeorms.push(await runner.query(text, values));
    } finally {
      await runner.release();
    }
    expect(own).to.deep.equal(typeorms);
  });

  it('fail as TypeORM fails, told from where they were asked, and keep the connection', async () => {
    const before = await backend();
    await one.query(`insert into things values ('twice')`);
    const failure = await failureOf(one.query('insert into things values ($1)', ['twice']));
    if (!(failure instanceof QueryFailedError))
      throw new Error('The statement did not fail as TypeORM fails.');
    expect(failure).to.include({ code: '23505', constraint: 'things_name' });
    expect(failure).to.deep.include({ query: 'insert into things values ($1)', parameters: ['twice'] });
    expect(failure.stack).to.contain('single-statements.test.ts');
    expect(await backend()).to.equal(before);
  });

  it('fail where the server ends the connection, and the next one has another connection', async () => {
    const before = await backend();
    const failure = await failureOf(one.query('select pg_terminate_backend(pg_backend_pid())'));
    expect(failure).to.be.instanceOf(QueryFailedError);
    expect(await backend()).not.to.equal(before);
  });
});
