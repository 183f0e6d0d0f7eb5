/**
 * Estimates. The public one: how many a second beside a bare route that reads the same request and writes the same answer. Of an
 * account: how long, while another account sends large ones.
 */
import { fork } from 'node:child_process';

import { measureCrowd } from './crowded.ts';
import { loadOver } from './http-load.ts';
import type { Ask, Load } from './http-load.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';

/** How much is measured. */
export interface EstimatesSize {
  readonly rounds: number;
  readonly seconds: number;
  /** Crowds of large estimates beside one of another account. */
  readonly crowds: number;
}

const CONNECTIONS = 50;
const GOAL = 0.5;
const REQUEST = JSON.stringify({ jobType: 'render', hardware: 'g5.xlarge', durationMinutes: 2, fps: 24 });

/** Measures the public estimate, and one of an account beside a crowd. */
export async function measureEstimates(size: EstimatesSize): Promise<Row[]> {
  const bench = await openBenchStack();
  try {
    for (const name of ['control', 'gateway', 'compute']) await bench.stack.stopChild(name);
    const ask = { url: `${bench.stack.apiUrl}/api/v1/public/estimate`, headers: {}, body: REQUEST };
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(ask.url, { method: 'POST', headers, body: REQUEST });
    if (answer.status !== 200) throw new Error(`The estimate was answered with ${String(answer.status)}.`);
    return [...(await compare(ask, await answer.text(), size)), await measureCrowd(bench, size.crowds)];
  } finally {
    await bench.close();
  }
}

async function compare(ask: Ask, answer: string, size: EstimatesSize): Promise<Row[]> {
  const bare = fork(new URL('bare-estimate.ts', import.meta.url), [answer], { execArgv: [] });
  const [ours, plain]: [Load[], Load[]] = [[], []];
  try {
    const port = await new Promise<unknown>((resolve) => bare.once('message', resolve));
    const bareAsk = { ...ask, url: `http://127.0.0.1:${String(port)}/` };
    await loadOver(CONNECTIONS, 1, () => ask);
    await loadOver(CONNECTIONS, 1, () => bareAsk);
    for (let round = 0; round < size.rounds; round += 1) {
      plain.push(await loadOver(CONNECTIONS, size.seconds, () => bareAsk));
      ours.push(await loadOver(CONNECTIONS, size.seconds, () => ask));
    }
  } finally {
    bare.disconnect();
  }
  const rates = (loads: readonly Load[]): number[] => loads.map(({ perSecond }) => perSecond);
  const ratio = spreadOf(ratiosOf(rates(ours), rates(plain)));
  const isAnswered = ours.every(({ statuses }) => [...statuses.keys()].every((status) => status === 200));
  return [
    {
      item: `public estimate, ${CONNECTIONS} connections, against a bare route`,
      measured: describeSpread(spreadOf(rates(ours)), 'requests/s', 0),
      baseline: describeSpread(spreadOf(rates(plain)), 'requests/s', 0),
      ratio: ratio.median.toFixed(2),
      goal: `≥ ${GOAL}`,
      ok: ratio.median >= GOAL && isAnswered,
      figures: { ours: rates(ours), plain: rates(plain), ratio },
    },
  ];
}
