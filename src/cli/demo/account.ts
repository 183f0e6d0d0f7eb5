/** The demo's customer: a fresh account each time, made by the service that the operator's command line uses. */
import { randomBytes } from 'node:crypto';

import { createDatabase } from '../../adapters/database.ts';
import { loadConfig } from '../../config.ts';
import { createAccount } from '../../services/identity/index.ts';
import type { NewAccount } from '../../services/identity/index.ts';

/** A new account with the address that it was made for. */
export interface DemoAccount extends NewAccount {
  readonly email: string;
}

/** Creates an account with credits in the database of the stack. */
export async function createDemoAccount(
  settings: Readonly<Record<string, string>>,
  creditsPence: number,
): Promise<DemoAccount> {
  const email = `demo-${randomBytes(4).toString('hex')}@example.com`;
  const { databaseUrl } = loadConfig('cli', settings);
  const db = await createDatabase(databaseUrl, { poolSize: 1, applicationName: 'dockyard-demo' });
  try {
    return { email, ...(await createAccount(db, { email, creditsPence })) };
  } finally {
    await db.destroy();
  }
}
