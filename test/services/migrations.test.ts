/** The migrations and the entities agree, and every migration can be taken back. */
import { readFileSync } from 'node:fs';

import { expect } from 'chai';
import pg from 'pg';

import { createDatabase, revertMigration, runMigrations } from '../../src/adapters/database.ts';
import { createEmptyDatabase, openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

interface SchemaRow {
  readonly kind: string;
  readonly name: string;
  readonly definition: string;
}

const SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', data_type, udt_name, is_nullable, column_default, is_identity) as definition
    from information_schema.columns where table_schema = 'public'
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'trigger', tgrelid::regclass || '.' || tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', oid::regprocedure::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2, 3`;

async function schemaOf(url: string): Promise<SchemaRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const rows = (await client.query<SchemaRow>(SCHEMA)).rows;
    return rows.filter((row) => !/(^|\.)(migrations|"?PK_)/.test(row.name));
  } finally {
    await client.end();
  }
}

describe('migrations', () => {
  it('go up, down and up again to the same schema', async () => {
    const url = await createEmptyDatabase();
    const empty = await schemaOf(url);
    const applied = await runMigrations(url);
    expect(applied).to.not.be.empty;
    const first = await schemaOf(url);
    await revertMigration(url, applied.length);
    expect(await schemaOf(url)).to.deep.equal(empty);
    await runMigrations(url);
    expect(await schemaOf(url)).to.deep.equal(first);
  });

  it('run once when several processes start together', async () => {
    const url = await createEmptyDatabase();
    const applied = await Promise.all([runMigrations(url), runMigrations(url), runMigrations(url)]);
    expect(applied.filter((names) => names.length > 0)).to.have.length(1);
    expect(await runMigrations(url)).to.deep.equal([]);
  });

  it('give events of before an id of their own and the type that customers know', async () => {
    const url = await createEmptyDatabase();
    const applied = await runMigrations(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await revertMigration(url, applied.length - applied.indexOf('FollowedEvents1766400000000'));
      await client.query(`insert into events (account_id, kind, subject, payload) values
        (gen_random_uuid(), 'job.status', 'j', '{"status": "PARTIALLY_SUCCEEDED", "reason": null}'),
        (gen_random_uuid(), 'account.state', 'a', '{"state": "SUSPENDED"}'),
        (gen_random_uuid(), 'project.saved', 'p', '{"version": 1}')`);
      await runMigrations(url);
      const { rows } = await client.query<{ type: string; public_id: string }>(
        'select type, public_id from events order by entry',
      );
      expect(rows.map(({ type }) => type)).to.deep.equal([
        'job.partially_succeeded',
        'account.suspended',
        'project.saved',
      ]);
      expect(new Set(rows.map((row) => row.public_id)).size).to.equal(3);
    } finally {
      await client.end();
    }
  });

  it('give createDatabase a usable schema', async () => {
    const db = await createDatabase(await createEmptyDatabase(), { poolSize: 2, migrate: true });
    try {
      expect(await db.getRepository('Account').count()).to.equal(0);
    } finally {
      await db.destroy();
    }
  });
});

/** What the catalogue finds against the rules of migrations/README.md. */
const TRESPASSES = `
  select format('%s has no primary key', relname) as trespass from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select from pg_constraint where conrelid = pg_class.oid and contype = 'p')
  union all select format('%s.%s is a %s', table_name, column_name, data_type) from information_schema.columns
    where table_schema = 'public' and table_name <> 'migrations' and (
      data_type not in ('uuid', 'text', 'boolean', 'smallint', 'integer', 'bigint', 'real', 'double precision', 'date', 'jsonb', 'bytea',
        'timestamp with time zone', 'ARRAY') or column_name ~ '_(pence|bytes)$' and data_type not in ('bigint', 'ARRAY')
        or column_name ~ '_at$' and data_type not in ('timestamp with time zone', 'ARRAY'))`;

describe('the schema', () => {
  const folder = new URL('../../migrations/', import.meta.url);
  const text = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

  it('has a key for each table, times with a zone, texts without a length, and amounts as whole numbers of 64 bits', async () => {
    const database = await openTestDatabase();
    try {
      expect(await database.db.query(TRESPASSES)).to.deep.equal([]);
    } finally {
      await database.close();
    }
  });

  it('says of each table, view and function what it is, in lines that a reader sees whole', () => {
    const lines = ['schema.sql', 'functions.sql'].flatMap((file) => text(file).split('\n'));
    const isMade = (line: string): boolean => /^create (table|view|function) /.test(line);
    expect(
      lines.filter((line, at) => isMade(line) && lines[at - 1]?.startsWith('-- ') !== true),
    ).to.deep.equal([]);
    expect(lines.filter((line) => line.length > 140 || /\s$|\t/.test(line))).to.deep.equal([]);
  });
});

describe('entities', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('have every table and column of the schema, of its type, nullability and key', async () => {
    const rows = await database.db.query<{ column: string }[]>(`
      select format('%s.%s %s%s%s', c.table_name, c.column_name,
        case c.udt_name when '_text' then 'text[]' when '_int8' then 'bigint[]' when '_int4' then 'integer[]' when '_timestamptz' then 'timestamp with time zone[]'
          else c.data_type end,
        case when c.is_nullable = 'YES' then ' null' else '' end,
        case when k.column_name is not null then ' key' else '' end) as column
      from information_schema.columns c
      left join (information_schema.table_constraints t join information_schema.key_column_usage k using (constraint_name, table_name))
        on t.constraint_type = 'PRIMARY KEY' and t.table_name = c.table_name and k.column_name = c.column_name
      where c.table_schema = 'public' and c.table_name <> 'migrations'`);
    const mapped = database.db.entityMetadatas.flatMap((entity) =>
      entity.columns.map(
        (column) =>
          `${entity.tableName}.${column.databaseName} ${String(column.type)}${column.isArray ? '[]' : ''}` +
          (column.isNullable ? ' null' : '') +
          (column.isPrimary ? ' key' : ''),
      ),
    );
    expect(mapped.sort()).to.deep.equal(rows.map((row) => row.column).sort());
  });

  it('can be read, every one', async () => {
    for (const entity of database.db.entityMetadatas)
      await database.db.getRepository(entity.name).find({ take: 1 });
  });

  it('refuse a bigint that a number cannot hold', async () => {
    const rows = await database.db.query<{ n: number }[]>('select 9007199254740991::bigint as n');
    expect(rows[0]?.n).to.equal(Number.MAX_SAFE_INTEGER);
    const refused = await database.db.query('select 9007199254740993::bigint as n').then(
      () => null,
      (error: unknown) => error,
    );
    expect(String(refused)).to.contain('safe integer');
  });
});

describe('createDatabase', () => {
  it('survives its connections being killed, idle or in a transaction', async () => {
    const database = await openTestDatabase({ poolSize: 4 });
    const errors: string[] = [];
    const db = await createDatabase(database.url, {
      poolSize: 4,
      onError: (error) => errors.push(error.message),
    });
    try {
      await Promise.all([1, 2, 3].map(() => db.query('select pg_sleep(0.05)')));
      const broken = db
        .transaction(async (tx) => {
          await tx.query('select 1');
          await database.db.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
          );
          await tx.query('select 1');
        })
        .then(
          () => 'committed',
          () => 'refused',
        );
      expect(await broken).to.equal('refused');
      // A query that came before would take an ended connection and be the one that is told.
      await until('the lost connections are told', () => errors.length > 0);
      const answers = async (): Promise<boolean> =>
        db.query('select 1').then(
          () => true,
          () => false,
        );
      while (!(await answers()));
    } finally {
      await db.destroy();
      await database.close();
    }
  });
});
