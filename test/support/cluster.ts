/**
 * A PostgreSQL cluster with the migrated database, made once per version of the schema and copied for each server that a
 * test starts. The copy spares a test the making of the cluster and all migrations; `test/integration/supervisor.test.ts` and
 * `test/services/migrations.test.ts` begin without it.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { runMigrations } from '../../src/adapters/database.ts';
import {
  createDatabase,
  databaseName,
  initialisePostgres,
  placePostgres,
  postgresCommand,
  postgresUrl,
  removePostgres,
} from '../../src/stack/postgres.ts';
import type { PostgresPlace } from '../../src/stack/postgres.ts';
import { answersSql } from '../../src/stack/probes.ts';
import { freePort } from './ports.ts';
import { until } from './until.ts';

/** The password of every copy. */
export const CLUSTER_PASSWORD = 'dockyard';

/** Everything that decides what is in the cluster. */
const SOURCES = [
  'migrations/*.{ts,sql}',
  'src/adapters/database/*.ts',
  'src/stack/postgres.ts',
  'test/support/cluster.ts',
  'package-lock.json',
];

/** A server that runs over a cluster. */
export interface RunningCluster {
  url(database: string): string;
  /** Log of the server so far. */
  log(): string;
  stop(): Promise<void>;
}

/** Puts a copy of the cluster where PostgreSQL of this data folder lives. */
export async function copyCluster(home: string): Promise<PostgresPlace> {
  const place = placePostgres(home);
  await copyFolder(await madeCluster(), place.data);
  return place;
}

/** Runs PostgreSQL over a cluster until it is stopped, or until this process ends. */
export async function runCluster(place: PostgresPlace): Promise<RunningCluster> {
  const port = await freePort();
  const name = 'dockyard-test';
  const command = postgresCommand(place, { port, name, isDurable: false });
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
  const url = (database: string): string => postgresUrl(port, CLUSTER_PASSWORD, database);
  await until('the test server to start', () => answersSql(url('postgres'), name).catch(() => false)).catch(
    (error: unknown) => {
      throw new Error(`PostgreSQL said: ${log.slice(-20).join('')}`, { cause: error });
    },
  );
  return {
    url,
    log: () => log.join(''),
    stop: async () => {
      process.off('exit', endWithUs);
      postgres.kill('SIGINT');
      await ended;
    },
  };
}

let made: Promise<string> | null = null;

/** The folder of the cluster that copies are made of; the first call on this version of the sources makes the cluster. */
function madeCluster(): Promise<string> {
  made ??= makeCluster();
  return made;
}

async function makeCluster(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: repositoryRoot }).sort())
    hash.update(`${file}\n`).update(readFileSync(join(repositoryRoot, file)));
  const folder = join(repositoryRoot, '.cache', 'test-clusters');
  const target = join(folder, hash.digest('hex').slice(0, 32));
  if (existsSync(target)) return target;
  const home = mkdtempSync(join(tmpdir(), 'dockyard-test-cluster-'));
  const place = placePostgres(home);
  try {
    await initialisePostgres(place, CLUSTER_PASSWORD, false);
    const server = await runCluster(place);
    try {
      await createDatabase(server.url('postgres'));
      await runMigrations(server.url(databaseName));
    } finally {
      await server.stop();
    }
    mkdirSync(folder, { recursive: true });
    const fresh = `${target}.${String(process.pid)}`;
    await copyFolder(place.data, fresh);
    try {
      renameSync(fresh, target);
    } catch (error) {
      // Another process was quicker, and its cluster is as good.
      rmSync(fresh, { recursive: true, force: true });
      if (!existsSync(target)) throw error;
    }
    return target;
  } finally {
    removePostgres(place);
    rmSync(home, { recursive: true, force: true });
  }
}

/** Copies a folder with the owners and the modes of its files, on which PostgreSQL insists. */
async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-Rp', from, to]);
}
