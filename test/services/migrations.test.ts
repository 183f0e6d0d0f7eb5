/** The migrations and the entities agree, and every migration can be taken back. */
import { expect } from 'chai';
import pg from 'pg';

import { createDatabase, revertMigration, runMigrations } from '../../src/adapters/database.ts';
import { createEmptyDatabase, createTestDatabase, openTestDatabase } from '../support/database.ts';
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

/** Jobs of each unit with outputs, as rows were before they named tools and items. */
const OLD_JOBS = `
  insert into accounts (id) values ('a0000000-0000-0000-0000-000000000000');
  insert into users (id, account_id, email) values ('a0000000-0000-0000-0000-000000000000', 'a0000000-0000-0000-0000-000000000000', 'a@example.com');
  insert into jobs (id, account_id, user_id, job_type, simulator, provider, status, request, fingerprint, submit_response, first_run_id, unit, task_total)
  select ('b0000000-0000-0000-0000-00000000000' || n)::uuid, a.id, a.id, job_type, simulator, 'local', 'RUNNING', '{}', '', '{}', '', unit, 9
  from accounts a, (values (1, 'simulation', 'noop', 'task'), (2, 'simulation', 'autodock-vina', 'ligand'), (3, 'render', null, 'frame'))
    old (n, job_type, simulator, unit);
  insert into tasks (job_id, kind, ordinal, item_id) values ('b0000000-0000-0000-0000-000000000001', 'task', 3, '3');
  insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, frame, ligand_id, media_type, byte_size, sha256)
  select gen_random_uuid(), 'a0000000-0000-0000-0000-000000000000', job, task_kind, ordinal, name, name, 'result', frame, ligand, 'text/plain', 1, ''
  from (values ('of a task', 'b0000000-0000-0000-0000-000000000001'::uuid, 'task', 3, null::int, null),
    ('of a ligand', 'b0000000-0000-0000-0000-000000000002', 'task', 0, null, 'lig'), ('of a frame', 'b0000000-0000-0000-0000-000000000003', 'task', 1, 7, null),
    ('of a step', 'b0000000-0000-0000-0000-000000000002', 'prepare', 0, null, null), ('of nobody', null, null, null, null, null))
    old (name, job, task_kind, ordinal, frame, ligand)`;
const OLD_ARTIFACTS = 'select name, frame, ligand_id from artifacts order by name';

/** A docking job with tasks as they were before there were records, and a job of another tool with the same summary. */
const OLD_SUMMARIES = `
  insert into accounts (id) values ('a0000000-0000-0000-0000-000000000000');
  insert into users (id, account_id, email) values ('a0000000-0000-0000-0000-000000000000', 'a0000000-0000-0000-0000-000000000000', 'a@example.com');
  insert into jobs (id, account_id, user_id, job_type, simulator, tool_id, provider, status, request, fingerprint, submit_response, first_run_id, unit, task_total)
  select ('b0000000-0000-0000-0000-00000000000' || n)::uuid, a.id, a.id, 'simulation', 'x', 'x', 'local', 'RUNNING', '{}', '', '{}', '', unit, 9
  from accounts a, (values (1, 'ligand'), (2, 'task')) old (n, unit);
  insert into tasks (job_id, kind, ordinal, item_id, state, execution, summary)
  select job.id, old.kind, old.ordinal, old.item, old.state, 2, old.summary::jsonb from jobs job, (values
    ('task', 0, 'whole', 'SUCCEEDED', '{"bestAffinityKcalMol": -7.125, "ligandEfficiency": 0.3, "poseCount": 9, "bestPoseFailedChecks": 0, "heavyAtoms": 21}'),
    ('task', 1, 'old', 'SUCCEEDED', '{"bestAffinityKcalMol": 0, "poseCount": 1e300, "heavyAtoms": "many"}'),
    ('task', 2, 'odd', 'SUCCEEDED', '{"bestAffinityKcalMol": "-7"}'),
    ('task', 3, 'none', 'SUCCEEDED', null),
    ('task', 4, 'failed', 'FAILED', '{"bestAffinityKcalMol": -7}'),
    ('control', 0, 'control', 'SUCCEEDED', '{"bestAffinityKcalMol": -9}')) old (kind, ordinal, item, state, summary)`;

async function read(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function write(url: string, sql: string): Promise<void> {
  await read(url, sql);
}

/** Takes migrations back, newest first, until the named one is not there. */
async function goBack(url: string, name: string): Promise<void> {
  const newer = `select 1 from migrations where id >= (select id from migrations where name = '${name}')`;
  await revertMigration(url, (await read(url, newer)).length);
  expect(await read(url, `select 1 from migrations where name = '${name}'`)).to.deep.equal([]);
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

  it('name tools and items of rows that were there before, and give both back', async () => {
    const url = await createTestDatabase();
    await goBack(url, 'ToolIds1764600000000');
    await write(url, OLD_JOBS);
    const before = await read(url, OLD_ARTIFACTS);
    await runMigrations(url);
    expect(await read(url, 'select tool_id from jobs order by id')).to.deep.equal([
      ...[{ tool_id: 'noop' }, { tool_id: 'autodock-vina' }, { tool_id: 'render' }],
    ]);
    expect(await read(url, 'select name, item_id from artifacts order by name')).to.deep.equal([
      { name: 'of a frame', item_id: '7' },
      { name: 'of a ligand', item_id: 'lig' },
      { name: 'of a step', item_id: null },
      { name: 'of a task', item_id: '3' },
      { name: 'of nobody', item_id: null },
    ]);
    await goBack(url, 'ToolIds1764600000000');
    expect(await read(url, OLD_ARTIFACTS)).to.deep.equal(before);
    await runMigrations(url);
    expect(await read(url, `select item_id from artifacts where name = 'of a frame'`)).to.deep.equal([
      { item_id: '7' },
    ]);
  });

  it('record the ligands that were docked before there were records, by what their summaries tell', async () => {
    const url = await createTestDatabase();
    await goBack(url, 'DockingResults1764692600000');
    await write(url, OLD_SUMMARIES);
    await runMigrations(url);
    const none = { size_independent_efficiency: null, plausible_pose_count: null, result_sha256: null };
    expect(
      await read(
        url,
        `select ordinal, execution, ligand_id, best_affinity_kcal_mol, ligand_efficiency, size_independent_efficiency, pose_count,
           best_pose_failed_checks, plausible_pose_count, heavy_atoms, result_sha256 from docking_results order by ordinal`,
      ),
    ).to.deep.equal([
      {
        ...{ ordinal: 0, execution: 2, ligand_id: 'whole', best_affinity_kcal_mol: -7.125 },
        ...{ ligand_efficiency: 0.3, pose_count: 9, best_pose_failed_checks: 0, heavy_atoms: 21, ...none },
      },
      {
        ...{ ordinal: 1, execution: 2, ligand_id: 'old', best_affinity_kcal_mol: 0, ligand_efficiency: null },
        ...{ pose_count: null, best_pose_failed_checks: null, heavy_atoms: null, ...none },
      },
    ]);
    await goBack(url, 'DockingResults1764692600000');
    await runMigrations(url);
    expect(await read(url, 'select 1 from docking_results')).to.have.length(2);
  });

  it('run once when several processes start together', async () => {
    const url = await createEmptyDatabase();
    const applied = await Promise.all([runMigrations(url), runMigrations(url), runMigrations(url)]);
    expect(applied.filter((names) => names.length > 0)).to.have.length(1);
    expect(await runMigrations(url)).to.deep.equal([]);
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
