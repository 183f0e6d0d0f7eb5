/** The plain load with which the ledger is compared: pgbench where it is installed, else a loop over connections. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

/** A load that can be run for a while. */
export interface PlainLoad {
  readonly name: string;
  /** Runs the load and answers transactions a second. */
  run(seconds: number): Promise<number>;
  close(): Promise<void>;
}

const TABLES = `
  drop schema if exists bench cascade; create schema bench;
  create table bench.balances (customer int, kind int, pence bigint not null, primary key (customer, kind));
  create table bench.entries (id bigint generated always as identity primary key, customer int not null,
    pence bigint not null, created_at timestamptz not null default now());
  create index on bench.entries (customer, id);`;

const STATEMENTS = [
  'update bench.balances set pence = pence - 42 where customer = :customer and kind = 0',
  'update bench.balances set pence = pence + 42 where customer = :customer and kind = 1',
  'insert into bench.entries (customer, pence) values (:customer, -42)',
  'insert into bench.entries (customer, pence) values (:customer, 42)',
  'insert into bench.entries (customer, pence) values (:customer, 0)',
];

/** Makes the tables and finds the program that loads them. */
export async function openPlainLoad(url: string, connections: number, customers: number): Promise<PlainLoad> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  try {
    await admin.query(TABLES);
    await admin.query(
      'insert into bench.balances select c, k, 1000000000 from generate_series(1, $1::int) c, generate_series(0, 1) k',
      [customers],
    );
  } finally {
    await admin.end();
  }
  const program = findPgbench();
  return program === null
    ? openLoop(url, connections, customers)
    : openPgbench(program, url, connections, customers);
}

function openPgbench(program: string, url: string, connections: number, customers: number): PlainLoad {
  const folder = mkdtempSync(join(tmpdir(), 'dockyard-bench-pgbench-'));
  const script = join(folder, 'pair.sql');
  const lines = [
    `\\set customer random(1, ${customers})`,
    'begin;',
    ...STATEMENTS.map((line) => `${line};`),
    'commit;',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  return {
    name: 'pgbench',
    async run(seconds) {
      const options = ['-n', '-M', 'prepared', '-c', connections, '-j', 2, '-T', seconds, '-f', script, url];
      const { stdout } = await promisify(execFile)(program, options.map(String));
      const rate = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
      if (rate === undefined) throw new Error(`pgbench gave no rate:\n${stdout}`);
      return Number(rate);
    },
    async close() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openLoop(url: string, connections: number, customers: number): Promise<PlainLoad> {
  const pool = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  await Promise.all(pool.map((client) => client.connect()));
  const transaction = async (client: pg.Client): Promise<void> => {
    const customer = String(1 + Math.floor(Math.random() * customers));
    await client.query('begin');
    for (const line of STATEMENTS) await client.query(line.replaceAll(':customer', customer));
    await client.query('commit');
  };
  return {
    name: 'a plain loop over pg (no pgbench here)',
    async run(seconds) {
      let count = 0;
      const startedAt = performance.now();
      const until = startedAt + seconds * 1000;
      const loop = async (client: pg.Client): Promise<void> => {
        for (; performance.now() < until; count += 1) await transaction(client);
      };
      await Promise.all(pool.map(loop));
      return count / ((performance.now() - startedAt) / 1000);
    },
    async close() {
      await Promise.all(pool.map((client) => client.end()));
    },
  };
}

/** pgbench is not among the embedded binaries; distributions put it on PATH or beside their servers. */
function findPgbench(): string | null {
  const candidates = ['pgbench', ...distributionPlaces()];
  return candidates.find((name) => spawnSync(name, ['--version']).status === 0) ?? null;
}

function distributionPlaces(): string[] {
  const root = '/usr/lib/postgresql';
  try {
    return readdirSync(root).map((version) => join(root, version, 'bin', 'pgbench'));
  } catch {
    return [];
  }
}
