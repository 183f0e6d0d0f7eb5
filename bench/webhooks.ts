/**
 * Events of payments: each is signed, stored and answered, and handled after its answer, which reads the checkout and posts its
 * credits. The provider is a server of this process that knows every checkout as paid.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadOver } from './http-load.ts';
import type { Ask, Load } from './http-load.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface WebhookSize {
  readonly rounds: number;
  readonly seconds: number;
}

const CONNECTIONS = 20;
const PER_SECOND = 200;
const ACCOUNTS = 20;
const GOAL_MS = 50;
const PATIENCE_SECONDS = 60;
const SECRET = 'whsec_bench';

/** Measures events, and the balance at the same rate beside them in turns. */
export async function measureWebhooks(size: WebhookSize): Promise<Row[]> {
  const provider = await openProvider();
  const place = provider.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  const bench = await openBenchStack({
    DOCKYARD_STRIPE_SECRET_KEY: 'sk_test_bench',
    DOCKYARD_STRIPE_WEBHOOK_SECRETS: SECRET,
    DOCKYARD_STRIPE_API_URL: `http://127.0.0.1:${String(port)}`,
  });
  try {
    for (const name of ['control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    return await measure(bench, size);
  } finally {
    await bench.close();
    provider.closeAllConnections();
    provider.close();
  }
}

async function measure(bench: BenchStack, size: WebhookSize): Promise<Row[]> {
  const accounts: BenchAccount[] = [];
  for (let index = 0; index < ACCOUNTS; index += 1) accounts.push(await bench.account());
  const topups = await makeTopups(
    bench,
    accounts,
    PER_SECOND * (size.seconds * size.rounds + 2) + CONNECTIONS,
  );
  const balance = {
    url: `${bench.stack.apiUrl}/api/v1/credits/balance`,
    headers: { authorization: `Bearer ${accounts[0]?.liveKey ?? ''}` },
  };
  let sent = 0;
  const event = (): Ask => eventOf(bench, topups[sent++] ?? randomUUID());
  const [events, balances]: [Load[], Load[]] = [[], []];
  await loadOver(CONNECTIONS, 1, event, PER_SECOND);
  for (let round = 0; round < size.rounds; round += 1) {
    balances.push(await loadOver(CONNECTIONS, size.seconds, () => balance, PER_SECOND));
    events.push(await loadOver(CONNECTIONS, size.seconds, event, PER_SECOND));
  }
  const posted = await postedOf(bench, sent);
  const times = spreadOf(events.flatMap(({ ms }) => ms));
  const rate = spreadOf(events.map(({ perSecond }) => perSecond));
  const beside = spreadOf(balances.flatMap(({ ms }) => ms));
  const areGood = [...events, ...balances].every(({ statuses }) =>
    [...statuses.keys()].every((status) => status === 200),
  );
  return [
    {
      item: `webhook to 200, ${String(PER_SECOND)} events a second, against the balance at that rate`,
      measured: `p99 ${times.p99.toFixed(1)} ms, ${describeSpread(times, 'ms')}, ${rate.median.toFixed(0)} a second`,
      baseline: `p99 ${beside.p99.toFixed(1)} ms, ${describeSpread(beside, 'ms')}`,
      ratio: (times.median / beside.median).toFixed(2),
      goal: `p99 < ${String(GOAL_MS)} ms`,
      ok: areGood && posted === sent && times.p99 < GOAL_MS && rate.median > PER_SECOND * 0.95,
      figures: { times, rate, beside, sent, posted },
    },
  ];
}

/** Top-ups whose checkout is open, spread over the accounts. */
async function makeTopups(
  { db }: BenchStack,
  accounts: readonly BenchAccount[],
  count: number,
): Promise<readonly string[]> {
  const rows = await db.query<{ readonly id: string }[]>(
    `insert into topups (id, account_id, tier_id, amount_pence, bonus_pence, state, fingerprint, success_url, cancel_url,
       checkout_id, expires_at)
     select t.id, ($1::uuid[])[1 + n % $2], 'topup-50', 5000, 250, 'OPEN', '', '', '', 'cs_' || t.id, now() + interval '1 hour'
     from generate_series(1, $3::integer) n cross join lateral (select gen_random_uuid() as id where n > 0) t
     returning id`,
    [accounts.map(({ accountId }) => accountId), accounts.length, count],
  );
  return rows.map(({ id }) => id);
}

function eventOf({ stack }: BenchStack, topupId: string): Ask {
  const created = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({
    ...{
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'checkout.session.completed',
      livemode: false,
      created,
    },
    data: { object: { id: `cs_${topupId}`, object: 'checkout.session' } },
  });
  const signature = createHmac('sha256', SECRET)
    .update(`${String(created)}.${body}`)
    .digest('hex');
  return {
    url: `${stack.apiUrl}/hooks/stripe`,
    headers: { 'stripe-signature': `t=${String(created)},v1=${signature}` },
    body,
  };
}

/** How many top-ups are paid, once all are or the patience is over. */
async function postedOf({ db }: BenchStack, wanted: number): Promise<number> {
  for (let second = 0; ; second += 1) {
    const [row] = await db.query<{ readonly n: number }[]>(
      `select count(*)::int as n from topups where state = 'PAID'`,
    );
    const posted = row?.n ?? 0;
    if (posted >= wanted || second === PATIENCE_SECONDS) return posted;
    await sleep(1000);
  }
}

/** A provider that knows every checkout as paid. */
async function openProvider(): Promise<Server> {
  const server = createServer((request, response) => {
    const [, topupId = ''] = /^\/v1\/checkout\/sessions\/cs_([0-9a-f-]+)/.exec(request.url ?? '') ?? [];
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...{
          id: `cs_${topupId}`,
          object: 'checkout.session',
          mode: 'payment',
          currency: 'gbp',
          livemode: false,
        },
        ...{ status: 'complete', payment_status: 'paid', amount_subtotal: 5000, url: null, invoice: null },
        ...{
          client_reference_id: topupId,
          metadata: { topup_id: topupId },
          total_details: { amount_tax: 0 },
        },
        payment_intent: {
          id: `pi_${topupId}`,
          object: 'payment_intent',
          status: 'succeeded',
          latest_charge: null,
        },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
