/**
 * A migrated, empty PostgreSQL database per test file. One server per mocha process runs over a copy of the migrated
 * cluster (cluster.ts); databases are clones of its database. `DOCKYARD_TEST_DATABASE_URL` names a
 * server to use instead (its user must be a superuser).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { createDatabase, runMigrations } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import { databaseName, removePostgres } from '../../src/stack/postgres.ts';
import { copyCluster, runCluster } from './cluster.ts';

/** A database that one test file has for itself. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Runs SQL as a superuser without triggers and foreign keys, to make a state that the application cannot make. */
  tamper(sql: string, values?: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

interface TestServer {
  readonly url: string;
  /** The migrated database that others are clones of. */
  readonly template: string;
  stop(): Promise<void>;
}

/** On a server that is not ours, a template of this process. */
const TEMPLATE = `dockyard_template_${String(process.pid)}`;
let server: Promise<TestServer> | null = null;
let serial = 0;

/** Opens a fresh migrated database. */
export async function openTestDatabase(options: { readonly poolSize?: number } = {}): Promise<TestDatabase> {
  const url = await createTestDatabase();
  const db = await createDatabase(url, { poolSize: options.poolSize ?? 16 });
  return {
    url,
    db,
    tamper: (sql, values = []) =>
      withClient(url, async (client) => {
        await client.query("set session_replication_role = 'replica'");
        await client.query(sql, [...values]);
      }),
    close: async () => {
      if (db.isInitialized) await db.destroy();
      await dropDatabase(url);
    },
  };
}

/** A fresh migrated database, without a connection to it. */
export async function createTestDatabase(): Promise<string> {
  server ??= startServer();
  const { url, template } = await server;
  return cloneOf(url, template);
}

/** A database without tables. */
export async function createEmptyDatabase(): Promise<string> {
  server ??= startServer();
  return cloneOf((await server).url, 'template1');
}

/** Ends the server; in mocha a root hook calls this after the last test. */
export async function stopTestServer(): Promise<void> {
  const running = server;
  server = null;
  if (running !== null) await (await running).stop();
}

async function startServer(): Promise<TestServer> {
  const given = process.env['DOCKYARD_TEST_DATABASE_URL'];
  if (given === undefined || given === '') return startEmbedded();
  const url = await cloneOf(given, 'template1', TEMPLATE);
  await runMigrations(url);
  return { url: given, template: TEMPLATE, stop: () => dropDatabase(url) };
}

/** Starts PostgreSQL as the stack does, which also works in a checkout that the user of PostgreSQL may not enter. */
async function startEmbedded(): Promise<TestServer> {
  const home = await mkdtemp(join(tmpdir(), 'dockyard-test-postgres-'));
  const place = await copyCluster(home);
  const running = await runCluster(place);
  return {
    url: running.url('postgres'),
    template: databaseName,
    stop: async () => {
      await running.stop();
      removePostgres(place);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function cloneOf(serverUrl: string, template: string, name?: string): Promise<string> {
  serial += 1;
  const database = name ?? `dockyard_test_${String(process.pid)}_${String(serial)}`;
  await withClient(serverUrl, (client) => client.query(`create database ${database} template ${template}`));
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function dropDatabase(url: string): Promise<void> {
  const admin = new URL(url);
  const database = admin.pathname.slice(1);
  admin.pathname = '/postgres';
  await withClient(admin.toString(), (client) =>
    client.query(`drop database if exists ${database} with (force)`),
  );
}

async function withClient(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

// Inside mocha the server ends with the run; a benchmark calls stopTestServer.
if (typeof after === 'function') after(stopTestServer);
