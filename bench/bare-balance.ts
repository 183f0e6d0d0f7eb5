/** The bare route that the balance is compared with: Koa, and the statement of the balance through a pool of pg. */
import { once } from 'node:events';

import Koa from 'koa';
import pg from 'pg';

import { MONTHLY_AVAILABLE } from '../src/services/ledger/index.ts';

const [, , connectionString = '', accountId = '', connections = '10'] = process.argv;
const pool = new pg.Pool({ connectionString, max: Number(connections) });
const app = new Koa();
app.use(async (context) => {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select wallet, wallet_held, ${MONTHLY_AVAILABLE} as monthly, monthly_held, debt,
       case when monthly_ends_at > now() then monthly_ends_at end as monthly_ends_at
     from ledger_balances where account_id = $1`,
    [accountId],
  );
  context.body = rows[0];
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.send?.(typeof address === 'object' ? address?.port : undefined);
process.once('disconnect', () => process.exit(0));
