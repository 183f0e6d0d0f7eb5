/** A throw-away embedded stack to measure on, with accounts that never run out of credits. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { DataSource } from 'typeorm';

import { createDatabase } from '../src/adapters/database.ts';
import { createClient } from '../src/client/index.ts';
import type { Client } from '../src/client/index.ts';
import { createAccount } from '../src/services/identity/index.ts';
import { startStack } from '../src/stack/stack.ts';
import type { Stack } from '../src/stack/stack.ts';
import { TEST_TOOLS } from '../test/support/test-tools.ts';

/** The stack with a database connection of its own. */
export interface BenchStack {
  readonly stack: Stack;
  readonly db: DataSource;
  readonly databaseUrl: string;
  /** Makes an account; its client repeats nothing, so that whatever fails is seen, unless the client is `patient`. */
  account(patience?: 'patient'): Promise<BenchAccount>;
  close(): Promise<void>;
}

/** An account and its client. */
export interface BenchAccount {
  readonly accountId: string;
  readonly liveKey: string;
  readonly client: Client;
}

const CREDITS_PENCE = 1_000_000_000;
const CONNECTIONS = 16;

/** The settings of every measured stack: the defaults of a customer, without the limits that would stop a load. */
const SETTINGS = {
  DOCKYARD_TEST_TOOLS: TEST_TOOLS,
  DOCKYARD_RATE_LIMIT_SCALE: '10000',
  DOCKYARD_LOG_LEVEL: 'warn',
};

const open = new Set<Stack>();

/** Ends every stack that is open, and removes its folder: for a run that is interrupted. */
export async function endOpenStacks(): Promise<void> {
  await Promise.allSettled([...open].map((stack) => end(stack)));
}

async function end(stack: Stack): Promise<void> {
  await stack.stop();
  stack.remove();
  open.delete(stack);
}

/** Starts a stack in a temporary folder. */
export async function openBenchStack(settings: Readonly<Record<string, string>> = {}): Promise<BenchStack> {
  const home = mkdtempSync(join(tmpdir(), 'dockyard-bench-'));
  const stack = await startStack({
    home,
    environment: process.env,
    settings: { ...SETTINGS, ...settings },
    randomPorts: true,
    onEvent: (event) => {
      // A process that dies spoils the figures, so the run fails.
      if (event.type === 'died')
        process.stderr.write(`  ${event.name} died: ${event.reason}, ${event.log}\n`);
    },
  });
  open.add(stack);
  try {
    await stack.ready;
    const databaseUrl = stack.env['DOCKYARD_DATABASE_URL'] ?? '';
    const db = await createDatabase(databaseUrl, {
      poolSize: CONNECTIONS,
      applicationName: 'dockyard-bench',
    });
    return {
      stack,
      db,
      databaseUrl,
      account: (patience) => openAccount(db, stack.apiUrl, patience === 'patient'),
      async close() {
        await db.destroy();
        await end(stack);
      },
    };
  } catch (error) {
    // The folder stays, because its logs tell why the stack did not start.
    await stack.stop();
    open.delete(stack);
    throw error;
  }
}

let accounts = 0;

async function openAccount(db: DataSource, apiUrl: string, isPatient: boolean): Promise<BenchAccount> {
  accounts += 1;
  const email = `bench-${accounts}@example.com`;
  const { accountId, liveKey } = await createAccount(db, { email, creditsPence: CREDITS_PENCE });
  const retry = isPatient ? {} : { retry: { attempts: 1 } };
  return { accountId, liveKey, client: createClient({ apiUrl, apiKey: liveKey, ...retry }) };
}
