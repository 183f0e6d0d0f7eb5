/**
 * A statement of many lines: what the API process needs more while it is sent, and how long its first byte takes. The process has
 * answered balances before, so the figures are those of the statement; the first one of each form is measured, as memory that a
 * process has taken once is seldom given back.
 */
import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { loadOver } from './http-load.ts';
import { residentMegabytes } from './memory.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';

/** How much is measured. */
export interface StatementSize {
  readonly rounds: number;
  readonly lines: number;
}

const GOALS = { megabytes: 50, firstMs: 200 };
const INTERVAL_MS = 25;
const WARM_UP_SECONDS = 3;
const FORMATS = ['json', 'csv'] as const;

interface Sent {
  readonly bytes: number;
  readonly firstMs: number;
  readonly megabytes: number;
}

/** Measures statements as JSON and as CSV, each on a stack of its own, so that each is the first one of its process. */
export async function measureStatements(size: StatementSize): Promise<Row[]> {
  const rows: Row[] = [];
  for (const format of FORMATS) {
    const bench = await openBenchStack();
    try {
      for (const name of ['control', 'gateway', 'compute']) await bench.stack.stopChild(name);
      rows.push(await measure(bench, format, size));
    } finally {
      await bench.close();
    }
  }
  return rows;
}

async function measure(
  bench: BenchStack,
  format: (typeof FORMATS)[number],
  size: StatementSize,
): Promise<Row> {
  const account = await bench.account();
  await write(bench, account, size.lines);
  const headers = { authorization: `Bearer ${account.liveKey}` };
  const balance = { url: `${bench.stack.apiUrl}/api/v1/credits/balance`, headers };
  await loadOver(4, WARM_UP_SECONDS, () => balance);
  const month = new Date().toISOString().slice(0, 'yyyy-mm'.length);
  const url = `${bench.stack.apiUrl}/api/v1/credits/statements/${month}?format=${format}`;
  const sent: Sent[] = [];
  for (let round = 0; round < size.rounds; round += 1) sent.push(await take(bench, url, headers));
  const firstMs = Math.max(...sent.map((one) => one.firstMs));
  const megabytes = Math.max(...sent.map((one) => one.megabytes));
  return {
    item: `statement of ${String(size.lines)} lines as ${format}`,
    measured: `${megabytes.toFixed(0)} MB more, first byte ${firstMs.toFixed(0)} ms, ${((sent[0]?.bytes ?? 0) / 1e6).toFixed(0)} MB sent`,
    baseline: '',
    ratio: '',
    goal: `< ${String(GOALS.megabytes)} MB, < ${String(GOALS.firstMs)} ms`,
    ok: megabytes < GOALS.megabytes && firstMs < GOALS.firstMs,
    figures: { sent },
  };
}

/** Gifts of this month, written at once. */
async function write({ db }: BenchStack, { accountId }: BenchAccount, lines: number): Promise<void> {
  await db.query(
    `insert into ledger_transfers (id, account_id, version, kind, idempotency_key, input_sha256, description, accounts,
       amounts_pence, wallet_after, wallet_held_after, monthly_after, monthly_held_after, debt_after, created_at)
     select gen_random_uuid(), $1, b.version + n, 'promo', 'many/' || $1 || '/' || n, 'x', 'Gift ' || n, '{wallet,bonus_expense}',
       '{1,-1}', b.wallet + n, 0, 0, 0, 0, clock_timestamp()
     from generate_series(1, $2::integer) n cross join (select version, wallet from ledger_balances where account_id = $1) b`,
    [accountId, lines],
  );
  await db.query('analyze ledger_transfers');
}

async function take({ stack }: BenchStack, url: string, headers: Record<string, string>): Promise<Sent> {
  const pid = stack.pid('api');
  const memory = (): number => (pid === undefined ? null : residentMegabytes(pid)) ?? 0;
  const before = memory();
  let most = before;
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      most = Math.max(most, memory());
      await sleep(INTERVAL_MS);
    }
  })();
  const begun = performance.now();
  const { bytes, firstMs } = await download(url, headers, begun);
  done.abort();
  await watching;
  return { bytes, firstMs, megabytes: most - before };
}

/** Reads an answer to its end, and keeps nothing of it. */
function download(
  url: string,
  headers: Record<string, string>,
  begun: number,
): Promise<Pick<Sent, 'bytes' | 'firstMs'>> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`The statement: ${String(answer.statusCode)}`));
      let [bytes, firstMs] = [0, 0];
      answer.on('data', (piece: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - begun;
        bytes += piece.length;
      });
      answer.once('end', () => resolve({ bytes, firstMs }));
    });
    request.once('error', reject);
  });
}
