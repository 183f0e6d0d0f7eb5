/**
 * Every SQL text of the product is prepared by PostgreSQL against the migrated schema, so a column or a table that a
 * migration renames is found here, wherever a statement still has the old name.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import pg from 'pg';

import { createTestDatabase } from '../support/database.ts';
import { findNames, findTextValues } from '../support/orm-calls.ts';
import { functionTexts } from '../support/sql-functions.ts';
import { findSql } from '../support/sql-texts.ts';
import type { FoundSql, SqlText } from '../support/sql-texts.ts';

const PRODUCT = ['src', 'activities', 'api', 'workflows'];

/** What PostgreSQL cannot prepare, because it names no column and no parameter. */
const COMMANDS = [
  'CREATE DATABASE dockyard',
  'commit',
  'listen dockyard_jobs',
  'listen dockyard_revoked',
  'lock table fx_rates in share row exclusive mode',
  'rollback',
  'set local statement_timeout = 0',
  'start transaction isolation level repeatable read, read only',
];

/** Conditions as texts inside TypeORM's calls, which nothing here would find. */
const TEXTS_IN_CALLS = ['Raw', 'andWhere', 'orWhere', 'addSelect', 'leftJoin', 'innerJoin', 'setParameter'];

/** Functions that answer texts of SQL, and functions that answer no text. */
const VALUES = `import { Users } from '../entities/users.ts';
export async function write(db, rows, more) {
  await db.getRepository(Users).insert({ ...{ at: () => 'now()' }, names: rows.map((row) => row.name) });
  const change = { state: () => \`state || \${more}\`, n: () => { return 'n ' + '+ 1'; } };
  await db.getRepository(Users).update({ id: 1 }, { ...change, text: () => TEXT, from() { return 'other'; } });
  await text({ close: () => rows.close(), list: (one) => one.name }).catch(() => '');
}`;

/** Two calls whose texts exist at run time only. */
const LOOSE = `export async function search(db, conditions) {
  await db.query(\`select 1 from jobs where \${conditions.join(' and ')}\`);
  await [1].map((_one, text) => db.query(text));
}`;

describe('SQL texts', () => {
  let url: string;
  let found: FoundSql;

  before(async () => {
    url = await createTestDatabase();
    found = await findSql(PRODUCT);
  });

  it('are all found: none is put together of what only a call knows', () => {
    expect(found.problems).to.deep.equal([]);
    expect(found.texts.length).to.be.greaterThan(150);
    expect(commandsOf(found.texts)).to.deep.equal(COMMANDS);
  });

  it('are refused when a call puts them together', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-sql-texts-'));
    try {
      await writeFile(join(folder, 'loose.ts'), LOOSE);
      const { texts, problems } = await findSql([folder]);
      expect(texts).to.deep.equal([]);
      expect(problems.map((line) => line.replace(/^.*\//, '')).sort()).to.deep.equal([
        'loose.ts:2: "conditions" is known at run time only',
        'loose.ts:3: the text is a parameter of a function that is no declaration',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('fit the migrated schema', () =>
    withClient(url, async (client) => {
      expect(await refusedOf(client, statementsOf(found.texts))).to.deep.equal([]);
    }));

  it('fit it inside the functions of the database, too', () =>
    withClient(url, async (client) => {
      const texts = await functionTexts(client);
      expect(new Set(texts.map(({ where }) => where))).to.deep.equal(
        new Set(['ledger_extend()', 'ledger_refusal()', 'ledger_reserve()', 'ledger_settle()']),
      );
      expect(await refusedOf(client, texts)).to.deep.equal([]);
    }));

  it('are reported with their places when a column has another name', () =>
    withClient(url, async (client) => {
      await client.query('alter table tasks rename column item_id to item');
      const refused = await refusedOf(client, statementsOf(found.texts));
      const places = new Set(refused.map((line) => line.replace(/:.*/s, '')));
      expect(places).to.include.all.keys(
        'src/services/execution/claim/claim.ts',
        'src/services/execution/commit/commit-records.ts',
        'src/services/jobs/status.ts',
        'src/services/jobs/tasks.ts',
      );
      expect(refused.every((line) => line.includes('item_id'))).to.equal(true);
      await client.query('alter table ledger_transfers rename column debt_after to debt_then');
      const inFunctions = await refusedOf(client, await functionTexts(client));
      expect(new Set(inFunctions.map((line) => line.replace(/:.*/s, '')))).to.deep.equal(
        new Set(['ledger_extend()', 'ledger_reserve()', 'ledger_settle()']),
      );
    }));

  it('are not hidden in calls of the ORM', async () => {
    expect(await findNames(PRODUCT, TEXTS_IN_CALLS)).to.deep.equal([]);
  });

  it("are not hidden in functions that the ORM takes for SQL, save the database's clock", async () => {
    const values = await findTextValues(PRODUCT);
    expect(values.filter((one) => !one.endsWith(`: () => 'now()'`))).to.deep.equal([]);
    expect(values).to.not.have.length(0);
  });

  it('are found in functions that the ORM takes for SQL, wherever the function stands', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-sql-texts-'));
    try {
      await writeFile(join(folder, 'values.ts'), VALUES);
      const values = await findTextValues([folder]);
      expect(values.map((line) => line.replace(/^.*\.ts: /, ''))).to.deep.equal([
        "at: () => 'now()'",
        'state: () => `state || $' + '{more}`',
        "n: () => { return 'n ' + '+ 1'; }",
        'text: () => TEXT',
        "from() { return 'other'; }",
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

function commandsOf(texts: readonly SqlText[]): string[] {
  return texts
    .filter((one) => !isStatement(one))
    .map(({ text }) => text)
    .sort();
}

function statementsOf(texts: readonly SqlText[]): readonly SqlText[] {
  return texts.filter(isStatement);
}

function isStatement({ text }: SqlText): boolean {
  return /^\s*(?:select|insert|update|delete|with)\b/i.test(text);
}

/** Prepares each statement; answers the place of each that PostgreSQL refuses, and why. */
async function refusedOf(client: pg.Client, texts: readonly SqlText[]): Promise<string[]> {
  const refused: string[] = [];
  for (const { where, text } of texts) {
    await client.query('savepoint before_text');
    try {
      await client.query(`prepare one_text as ${text}`);
      await client.query('deallocate one_text');
    } catch (error) {
      refused.push(`${where}: ${String(error)}`);
    }
    await client.query('rollback to before_text');
  }
  return refused;
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin');
    await work(client);
  } finally {
    await client.end();
  }
}
