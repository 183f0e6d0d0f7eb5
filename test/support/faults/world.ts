/**
 * One stack for all fault tests of a process, seen as a customer and as an auditor. The questions of the auditor are
 * repeated while a server is down, because these tests kill servers.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client as TemporalClient, Connection } from '@temporalio/client';

import { createDatabase } from '../../../src/adapters/database.ts';
import type { Database } from '../../../src/adapters/database.ts';
import { createS3Store } from '../../../src/adapters/storage/s3.ts';
import type { ObjectStore } from '../../../src/adapters/storage/storage.ts';
import { createClient } from '../../../src/client/index.ts';
import type { Client } from '../../../src/client/index.ts';
import { loadConfig } from '../../../src/config.ts';
import { createAccount } from '../../../src/services/identity/index.ts';
import type { Stack } from '../../../src/stack/stack.ts';
import { SETTING_WITHOUT_SANDBOX } from '../containments.ts';
import { startTestStack } from '../stack.ts';
import type { TestStackOptions } from '../stack.ts';
import { FAULT_SETTINGS } from './times.ts';
import { settingsOf } from '../tuning.ts';

/** A customer with credits and a client that repeats calls where that is safe. */
export interface Customer {
  readonly accountId: string;
  readonly key: string;
  readonly client: Client;
}

/** The stack under test. */
export interface FaultWorld {
  readonly stack: Stack;
  readonly db: Database;
  readonly store: ObjectStore;
  /** The folder of the instances' host. */
  readonly computeFolder: string;
  customer(pence?: number): Promise<Customer>;
  /** The rows of a statement; the statement is repeated for a while when PostgreSQL is away. */
  rows<T>(sql: string, parameters?: readonly unknown[]): Promise<T[]>;
  /** The file in which the store keeps an object, so that a test can change its bytes behind the store's back. */
  fileOf(key: string): string;
  temporal(): Promise<TemporalClient>;
  /** Kills processes and waits until their successors serve; an instance has no successor. */
  killAndRestart(...names: string[]): Promise<void>;
}

const PATIENCE_MS = 30_000;

let shared: Promise<FaultWorld> | null = null;

/**
 * The world that the fault tests of this process share. Tools have no sandbox there, because some of them kill their instance,
 * which nothing can do from inside of one.
 */
export function faultWorld(): Promise<FaultWorld> {
  shared ??= openFaultWorld({ settings: SETTING_WITHOUT_SANDBOX });
  return shared;
}

/** Opens a world for one suite, for faults that need other roles or settings. */
export async function openFaultWorld(options: TestStackOptions = {}): Promise<FaultWorld> {
  const stack = await startTestStack({
    ...options,
    settings: settingsOf(FAULT_SETTINGS, options.settings ?? {}),
  });
  const config = loadConfig('cli', stack.env);
  const db = await createDatabase(config.databaseUrl, { poolSize: 6 });
  closing.push(() => db.destroy());
  const store = createS3Store(config);
  let connection: Promise<Connection> | null = null;
  closing.push(async () => (await connection)?.close());
  return {
    stack,
    db,
    store,
    computeFolder: join(stack.home, 'compute'),
    async customer(pence = 100_000) {
      const { accountId, liveKey } = await createAccount(db, {
        email: `${randomUUID()}@example.com`,
        creditsPence: pence,
      });
      return { accountId, key: liveKey, client: createClient({ apiUrl: stack.apiUrl, apiKey: liveKey }) };
    },
    rows: <T>(sql: string, parameters: readonly unknown[] = []) =>
      patiently<T[]>(() => db.query(sql, [...parameters])),
    fileOf: (key) => join(stack.home, 'storage', config.storageBucket, key),
    async temporal() {
      connection ??= Connection.connect({ address: stack.temporalAddress });
      return new TemporalClient({ connection: await connection, namespace: config.temporalNamespace });
    },
    async killAndRestart(...names) {
      for (const name of names) stack.kill(name);
      const supervised = names.filter((name) => !name.startsWith('instance/'));
      await Promise.all(supervised.map((name) => stack.waitUntilRestarted(name)));
    },
  };
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() - startedAt > PATIENCE_MS) throw error;
      await sleep(100);
    }
  }
}

const closing: (() => Promise<unknown>)[] = [];
after('closes what looks into the stack', async () => {
  for (const close of closing) await close();
});
