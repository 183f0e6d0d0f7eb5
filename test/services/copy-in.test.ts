/** Rows that are copied into a table: every value arrives as it was, and an error is that of a statement. */
import { expect } from 'chai';
import fc from 'fast-check';
import { QueryFailedError } from 'typeorm';

import { copyIn, copyRow } from '../../src/adapters/database/copy-in.ts';
import type { CopiedValue } from '../../src/adapters/database/copy-in.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { suiteHome } from '../support/home.ts';

const COPY = 'copy copied (number, note, told) from stdin';

describe('rows that are copied', () => {
  const home = suiteHome();
  before(() => home.db.query('create table copied (id serial, number integer, note text, told jsonb)'));

  const copy = (rows: readonly (readonly CopiedValue[])[]): Promise<void> =>
    inTransaction(home.db, (tx) => copyIn(tx, COPY, rows.map(copyRow)));
  const stored = (): Promise<unknown[]> => home.db.query('select number, note, told from copied order by id');

  it('arrive as they were, whatever signs they have', async () => {
    // PostgreSQL stores no NUL, and no half of a pair of surrogates.
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((value) => value.replaceAll('\0', '').toWellFormed()),
      fc
        .array(fc.constantFrom('\\', '\t', '\n', '\r', 'N', '.', '"', "'", 'é', '🧪', ' '))
        .map((signs) => signs.join('')),
    );
    const row = fc.record({
      number: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
      note: fc.option(text),
      told: fc.option(fc.array(text)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 20 }), async (rows) => {
        await home.db.query('truncate copied');
        await copy(
          rows.map(({ number, note, told }) => [number, note, told === null ? null : JSON.stringify(told)]),
        );
        expect(await stored()).to.deep.equal(rows);
      }),
      { numRuns: 100 },
    );
  });

  it('that are wrong fail as a statement does, all of them, and the connection serves on', async () => {
    await home.db.query('truncate copied');
    const refused = await copy([
      [1, 'fine', null],
      [2, 'not JSON', '{'],
    ]).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(QueryFailedError);
    expect(refused).to.have.nested.property('driverError.code', '22P02');
    expect(await stored()).to.deep.equal([]);
    await Promise.all(Array.from({ length: 8 }, (_, number) => copy([[number, null, null]])));
    expect(await stored()).to.have.length(8);
  });

  it('need a transaction', async () => {
    const outside = await copyIn(home.db.manager, COPY, []).catch((error: unknown) => error);
    expect(outside)
      .to.be.instanceOf(Error)
      .with.property('message', 'Rows are copied in a transaction alone.');
  });
});
