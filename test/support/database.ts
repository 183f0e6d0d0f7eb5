/**
 * A migrated, empty PostgreSQL database per test file. One server per mocha process is started from the embedded
 * binaries in a temporary folder; databases are clones of one migrated template. `DOCKYARD_TEST_DATABASE_URL` names a
 * server to use instead (its user must be a superuser).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

import { createDatabase, runMigrations } from '../../src/adapters/database.ts';
import type { Database } from '../../src/adapters/database.ts';
import {
  initialisePostgres,
  placePostgres,
  postgresCommand,
  postgresUrl,
  removePostgres,
} from '../../src/stack/postgres.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

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
  stop(): Promise<void>;
}

const PASSWORD = 'dockyard';
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
  return cloneOf((await server).url, TEMPLATE);
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

/** Starts PostgreSQL as the stack does, which also works in a checkout that the user of PostgreSQL may not enter. */
async function startEmbedded(): Promise<TestServer> {
  const home = await mkdtemp(join(tmpdir(), 'dockyard-test-postgres-'));
  const place = placePostgres(home);
  await initialisePostgres(place, PASSWORD, false);
  const port = await freePort();
  const command = postgresCommand(place, port, false);
  const log: string[] = [];
  const postgres = spawn(command.file, [...command.arguments], {
    cwd: command.folder,
    env: command.environment,
    ...command.user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  postgres.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()));
  const ended = once(postgres, 'exit');
  const endWithUs = (): void => void postgres.kill('SIGKILL');
  process.once('exit', endWithUs);
  const url = postgresUrl(port, PASSWORD, 'postgres');
  await until(`the test server to start: ${log.slice(-20).join('')}`, () => answers(url));
  return {
    url,
    stop: async () => {
      process.off('exit', endWithUs);
      postgres.kill('SIGINT');
      await ended;
      removePostgres(place);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await withClient(url, (client) => client.query('select 1'));
    return true;
  } catch {
    return false;
  }
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
