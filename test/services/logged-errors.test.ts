/** What a log tells of statements that really failed in PostgreSQL. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';
import pg from 'pg';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { createDatabase } from '../../src/adapters/database.ts';
import { errorForLog } from '../../src/bin/process/log-errors.ts';
import { databaseName, removePostgres } from '../../src/stack/postgres.ts';
import type { PostgresPlace } from '../../src/stack/postgres.ts';
import { copyCluster, runCluster } from '../support/cluster.ts';
import type { RunningCluster } from '../support/cluster.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { newMark } from '../support/marks.ts';
import { until } from '../support/until.ts';

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

describe('the log of PostgreSQL', function () {
  this.timeout(240_000);
  let home: string;
  let place: PostgresPlace;
  let server: RunningCluster;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'dockyard-test-server-log-'));
    place = await copyCluster(home);
    server = await runCluster(place);
    await withClient(server.url(databaseName), async (client) => {
      await client.query('create table things (name text unique, size int check (size > 0))');
      await client.query('grant all on things to public');
    });
  });
  after(async () => {
    await server.stop();
    removePostgres(place);
    await rm(home, { recursive: true, force: true });
  });

  const withClient = async (
    config: string | pg.ClientConfig,
    work: (client: pg.Client) => Promise<unknown>,
  ): Promise<void> => {
    const client = new pg.Client(config);
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  /** Statements that fail with a value in the message, in the detail, and in the parameters. */
  const FAILING = [
    'select $1::int',
    'select $1::text::jsonb',
    'insert into things values ($1, 0)',
    'with twice as (select $1::text as name) insert into things select name, 1 from twice union all select name, 1 from twice',
  ];
  /** What the log has of an error that a session of the operator meets after everything else. */
  const lastWord = async (): Promise<string> => {
    const bare = new URL(server.url(databaseName));
    bare.search = '';
    const word = `nothing_${newMark()}`.toLowerCase();
    await withClient(bare.toString(), (client) => client.query(`select from ${word}`).catch(() => undefined));
    await until('the server has written it', () => server.log().includes(word));
    return word;
  };

  it('has nothing of what our sessions send, and what goes wrong in the server itself', async () => {
    const db = await createDatabase(server.url(databaseName), { poolSize: 2 });
    const marks: string[] = [];
    for (const sql of FAILING) {
      marks.push(newMark());
      expect(await db.query(sql, [marks.at(-1)]).catch(() => 'failed')).to.equal('failed');
    }
    await db.destroy();
    const word = await lastWord();
    expect(server.log(), 'errors of sessions that are not ours').to.include(
      `relation "${word}" does not exist`,
    );
    expect(marks.filter((mark) => server.log().includes(mark))).to.deep.equal([]);
  });

  it('has nothing of what the roles of the compose file send, also where statements are timed', async () => {
    const script = readFileSync(join(repositoryRoot, 'deploy/postgres/init.sh'), 'utf8');
    const settings = [...script.matchAll(/^ALTER ROLE dockyard (SET .*;)$/gm)].map((match) => match[1]);
    expect(settings).to.have.length(3);
    await withClient(server.url(databaseName), async (client) => {
      await client.query(`create role customer_side login password 'secret'`);
      for (const setting of settings) await client.query(`alter role customer_side ${setting}`);
      await client.query('alter role customer_side set log_min_duration_statement = 0');
    });
    const url = new URL(server.url(databaseName));
    const place = { host: url.hostname, port: Number(url.port), database: databaseName };
    const marks: string[] = [];
    await withClient({ ...place, user: 'customer_side', password: 'secret' }, async (client) => {
      for (const sql of [...FAILING, 'select $1::text as told']) {
        marks.push(newMark());
        await client.query(sql, [marks.at(-1)]).catch(() => undefined);
      }
    });
    await lastWord();
    expect(server.log(), 'the statement is told').to.include('select $1::text as told');
    expect(marks.filter((mark) => server.log().includes(mark))).to.deep.equal([]);
  });
});
