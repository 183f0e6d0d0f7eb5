/**
 * Exchange rates over HTTP: the daily XML of the European Central Bank, or JSON with `{ rate }` and perhaps `date`. A number that
 * cannot be a rate is refused here; whether a rate may be used is decided where rates are stored. A source that hangs, or that
 * sends too much, is given up.
 */
import type { FxRate } from '../../domain/fx.ts';
import { isPlausible } from '../../domain/fx.ts';
import { isRecord } from '../../domain/is-record.ts';
import type { RateSource } from './rates.ts';

/** Address of the rates, and the time limit of the source. */
export interface HttpRatesOptions {
  readonly url: string;
  readonly limitMs?: number;
  /** Milliseconds of the epoch. */
  readonly now?: () => number;
}

const LIMIT_MS = 10_000;
const MOST_BYTES = 256 * 1024;
const MICRO = 1_000_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ECB_DAY = /<Cube\s+time=["'](\d{4}-\d{2}-\d{2})["']\s*>/;
const ECB_USD = /<Cube\s+currency=["']USD["']\s+rate=["'](\d+(?:\.\d+)?)["']\s*\/>/;
const ECB_GBP = /<Cube\s+currency=["']GBP["']\s+rate=["'](\d+(?:\.\d+)?)["']\s*\/>/;

/** Makes the source. The source's name is the host of the address, because an address may have a secret in it. */
export function createHttpRates({ url, limitMs = LIMIT_MS, now = Date.now }: HttpRatesOptions): RateSource {
  const source = new URL(url).host;
  return {
    async read() {
      const text = await readText(url, AbortSignal.timeout(limitMs));
      const today = new Date(now()).toISOString().slice(0, 10);
      const rate = text.trimStart().startsWith('<') ? rateOfXml(text) : rateOfJson(text, today);
      if (rate === null || !isPlausible(rate.rateMicro) || !isPastDay(rate.date, now()))
        throw new Error('The exchange rate source answered no plausible rate.');
      return { ...rate, source };
    },
  };
}

async function readText(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new Error(`The exchange rate source answered ${String(answer.status)}.`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    const bytes: unknown = chunk;
    if (!(bytes instanceof Uint8Array)) throw new Error('The exchange rate source answered no bytes.');
    size += bytes.byteLength;
    if (size > MOST_BYTES) throw new Error('The exchange rate source answered too much.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The bank gives what a euro is in each currency, so the pounds of a dollar are the one by the other. */
function rateOfXml(text: string): Omit<FxRate, 'source'> | null {
  const [date, usd, gbp] = [ECB_DAY, ECB_USD, ECB_GBP].map((pattern) => pattern.exec(text)?.[1]);
  if (date === undefined) return null;
  return { rateMicro: Math.round((Number(gbp) / Number(usd)) * MICRO), date };
}

function rateOfJson(text: string, today: string): Omit<FxRate, 'source'> | null {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(body) || typeof body['rate'] !== 'number') return null;
  const { date = today } = body;
  if (typeof date !== 'string' || !DAY.test(date)) return null;
  return { rateMicro: Math.round(body['rate'] * MICRO), date };
}

/** A day that was or is; somewhere on Earth tomorrow has begun. */
function isPastDay(date: string, nowMs: number): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && at <= nowMs + 86_400_000;
}
