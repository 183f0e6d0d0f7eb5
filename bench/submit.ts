/**
 * Submit. The measured stack has room for one job, and that job sleeps, so that admitted jobs wait and only the submit
 * is measured. Submits of Dockyard and bare submits take turns on the same servers.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import type { JobAdmission, JobInput } from '../src/contracts/job.ts';
import { jobWorkflowId } from '../src/contracts/names.ts';
import { openBaseline } from './baseline.ts';
import type { Baseline } from './baseline.ts';
import { libraryJob, noopJob } from './jobs.ts';
import type { Row } from './report.ts';
import { openBenchStack } from './stack.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, ratiosOf, spreadOf } from './statistics.ts';
import { tuned } from '../test/support/tuning.ts';

/** How much is measured. */
export interface SubmitSize {
  readonly rounds: number;
  readonly libraries: number;
}

const WARM_UP = 8;
/** After this time an admitted job does no more work. */
const SETTLE_MS = 200;
const LIGANDS = 10_000;
const GOALS = { ratio: 1.5, replayMs: 10, libraryMs: 3_000, balanceP99Ms: 100 } as const;

const ONE_JOB = {
  DOCKYARD_CAPACITY_VCPUS: '2',
  DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '2',
  ...tuned({ capacityPollSeconds: 3600 }),
};

/** Measures everything about submitting. */
export async function measureSubmit(size: SubmitSize): Promise<Row[]> {
  const bench = await openBenchStack(ONE_JOB);
  try {
    const baseline = await openBaseline(bench);
    try {
      const account = await bench.account();
      await account.client.submit(noopJob({ tasks: 1, seconds: 3600 }));
      return [
        await measureLatency(bench, baseline, account, size.rounds),
        await measureReplay(account, size.rounds),
        ...(await measureLibrary(bench, account, size.libraries)),
      ];
    } finally {
      await baseline.close();
    }
  } finally {
    await bench.close();
  }
}

async function measureLatency(
  bench: BenchStack,
  baseline: Baseline,
  account: BenchAccount,
  rounds: number,
): Promise<Row> {
  const template = await admissionOf(baseline, account);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const turns = [
      async () => ours.push(await timed(() => account.client.submit(noopJob({ tasks: 1 })))),
      async () => bare.push(await timed(() => bareSubmit(baseline, template))),
    ];
    // The first of a round changes, so that neither way always finds warmer servers.
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) {
      await turn();
      await sleep(SETTLE_MS);
    }
    if (round < 0) ours.length = bare.length = 0;
  }
  const [measured, base] = [spreadOf(ours), spreadOf(bare)];
  const ratio = measured.median / base.median;
  return {
    item: 'submit latency, against a bare Update-with-Start',
    measured: describeSpread(measured, 'ms'),
    baseline: describeSpread(base, 'ms'),
    ratio: ratio.toFixed(2),
    goal: `≤ ${GOALS.ratio}`,
    ok: ratio <= GOALS.ratio,
    figures: {
      measured,
      baseline: base,
      ratio,
      pairedRatio: spreadOf(ratiosOf(ours, bare)),
      apiPid: bench.stack.pid('api'),
    },
  };
}

/** The admission of a real submit, to be used again under other ids. */
async function admissionOf({ temporal }: Baseline, { client }: BenchAccount): Promise<JobAdmission> {
  const { jobId } = await client.submit(noopJob({ tasks: 1 }));
  const handle = temporal.workflow.getHandle(jobWorkflowId(jobId));
  const { events } = await handle.fetchHistory();
  const payload = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0];
  const input: unknown = JSON.parse(Buffer.from(payload?.data ?? []).toString('utf8'));
  if (!isJobInput(input) || input.start.kind !== 'admit')
    throw new Error('The job started without an admission.');
  return input.start.admission;
}

function isJobInput(value: unknown): value is JobInput {
  return typeof value === 'object' && value !== null && 'jobId' in value && 'start' in value;
}

async function bareSubmit(baseline: Baseline, template: JobAdmission): Promise<void> {
  const jobId = randomUUID();
  const admitBy = new Date(Date.now() + 60_000).toISOString();
  const decision = await baseline.submit({
    ...template,
    jobId,
    admitBy,
    response: { ...template.response, jobId },
  });
  if (decision.kind !== 'admitted') throw new Error(`The bare submit was ${decision.kind}.`);
}

async function measureReplay({ client }: BenchAccount, rounds: number): Promise<Row> {
  const idempotencyKey = randomUUID();
  await client.submit(noopJob({ tasks: 1 }), { idempotencyKey });
  const values: number[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const ms = await timed(async () => {
      const answer = await client.submit(noopJob({ tasks: 1 }), { idempotencyKey });
      if (answer.idempotentReplay !== true) throw new Error('The repeat was no replay.');
    });
    if (round >= 0) values.push(ms);
    await sleep(5);
  }
  const measured = spreadOf(values);
  return {
    item: 'replay with the same key',
    measured: describeSpread(measured, 'ms'),
    baseline: '',
    ratio: '',
    goal: `< ${GOALS.replayMs} ms`,
    ok: measured.median < GOALS.replayMs,
    figures: { measured },
  };
}

/** Sends a large request while another thread asks for the balance all the time. */
async function measureLibrary({ stack }: BenchStack, account: BenchAccount, rounds: number): Promise<Row[]> {
  const job = libraryJob(LIGANDS);
  const accepted: number[] = [];
  const probe = new Worker(new URL('balance-probe.ts', import.meta.url), {
    workerData: { apiUrl: stack.apiUrl, apiKey: account.liveKey },
  });
  const during: number[] = [];
  let keep = false;
  probe.on('message', (ms: number) => {
    if (keep) during.push(ms);
  });
  try {
    await sleep(1_000);
    for (let round = 0; round < rounds; round += 1) {
      keep = true;
      accepted.push(await timed(() => account.client.submit(job)));
      keep = false;
      await sleep(1_500);
    }
  } finally {
    await probe.terminate();
  }
  const [measured, balance] = [spreadOf(accepted), spreadOf(during)];
  return [
    {
      item: `${LIGANDS} ligands in one request`,
      measured: describeSpread(measured, 'ms', 0),
      baseline: '',
      ratio: '',
      goal: `< ${GOALS.libraryMs} ms`,
      ok: measured.most < GOALS.libraryMs,
      figures: { measured },
    },
    {
      item: 'balance meanwhile, p99',
      measured: `${balance.p99.toFixed(1)} ms (median ${balance.median.toFixed(1)}, n ${balance.count})`,
      baseline: '',
      ratio: '',
      goal: `< ${GOALS.balanceP99Ms} ms`,
      ok: balance.p99 < GOALS.balanceP99Ms,
      figures: { balance },
    },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
