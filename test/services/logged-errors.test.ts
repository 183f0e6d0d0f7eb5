/** What a log tells of statements that really failed in PostgreSQL. */
import { expect } from 'chai';

import { errorForLog } from '../../src/bin/process/log-errors.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { newMark } from '../support/marks.ts';

describe('failed statements in logs', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase();
    await test.db.query(
      'create table things (name text constraint things_name unique, size int constraint things_size check (size > 0))',
    );
  });
  after(() => test.close());

  const WAYS: readonly (readonly [what: string, sql: string, code: string, constraint?: string])[] = [
    ['a text that is no number', 'select $1::int', '22P02'],
    ['a text that is no JSON', 'select $1::text::jsonb', '22P02'],
    ['a text that is no time', 'select $1::text::timestamptz', '22007'],
    ['a value twice', 'insert into things (name) values ($1), ($1)', '23505', 'things_name'],
    ['a row that a check refuses', 'insert into things values ($1, 0)', '23514', 'things_size'],
    ['a table that is not there', 'insert into nothing values ($1)', '42P01'],
  ];

  for (const [what, sql, code, constraint] of WAYS)
    it(`tell nothing of the parameters: ${what}`, async () => {
      const mark = newMark();
      const error: unknown = await test.db.query(sql, [mark]).catch((thrown: unknown) => thrown);
      const told = errorForLog(error);
      expect(told).to.include({ type: 'QueryFailedError', code });
      if (constraint !== undefined) expect(told).to.include({ constraint });
      expect(JSON.stringify(told)).not.to.contain(mark);
      // Node itself would print the parameters.
      expect(JSON.stringify(Object.values(error ?? {}))).to.contain(mark);
    });
});
