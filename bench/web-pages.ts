/** Pages of the web app as a customer sees them: how soon a list is there, a change is on the screen, and how a job of 10,000 tasks scrolls. */
import type { Row } from './report.ts';
import { noopJob } from './jobs.ts';
import type { BenchAccount, BenchStack } from './stack.ts';
import { describeSpread, spreadOf } from './statistics.ts';
import { SLOWER } from './web-browser.ts';
import type { BenchBrowser, Link, Visit } from './web-browser.ts';

/** How much of the pages is measured. */
export interface WebPagesSize {
  readonly loads: number;
  /** Rounds of twenty jobs that run at once. */
  readonly rounds: number;
  readonly tasks: number;
}

const LIST = 25;
const LINKS: readonly (Link & { readonly name: string; readonly goalMs: number })[] = [
  { name: '10 Mbit/s and 40 ms', bitsPerSecond: 10e6, latencyMs: 40, goalMs: 1_000 },
  { name: '1.6 Mbit/s and 150 ms', bitsPerSecond: 1.6e6, latencyMs: 150, goalMs: 2_500 },
];
const RUNNING = 20;
const TASKS = 6;
const GOALS = { changeMs: 1_000, rows: 100, heapBytes: 150e6, longestMs: 200 } as const;
/** The time that a page is waited for. */
const MOST_MS = 180_000;
const SCROLLED_PX = 720;

/** The time of the largest paint, or of the answer with the list where the paint was before it: such a paint shows no jobs. */
const PAINTED = `new Promise((resolve) => {
  const [list] = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/v1/jobs?'));
  new PerformanceObserver((seen) =>
    resolve({ paintMs: seen.getEntries().at(-1).startTime, answerMs: list.responseEnd }),
  ).observe({ type: 'largest-contentful-paint', buffered: true });
})`;

/** Notes when each job of the list is drawn in another state. */
const NOTE_STATES = `(() => {
  const known = new Map();
  globalThis.seen = [];
  const look = () => {
    for (const row of document.querySelectorAll('tbody tr')) {
      const jobId = row.querySelector('a').getAttribute('href').split('/').at(-1);
      const state = row.cells[1].textContent;
      if (known.get(jobId) === state) continue;
      known.set(jobId, state);
      globalThis.seen.push({ jobId, state, atMs: Date.now() });
    }
  };
  look();
  new MutationObserver(() => requestAnimationFrame(look)).observe(document.body, {
    ...{ subtree: true, childList: true, characterData: true },
  });
})()`;

/** Scrolls the tasks of a job to the last one. */
const SCROLL = (tasks: number): string => `new Promise((resolve) => {
  let [rows, longestMs] = [0, 0];
  new PerformanceObserver((seen) => {
    for (const { duration } of seen.getEntries()) longestMs = Math.max(longestMs, duration);
  }).observe({ type: 'longtask' });
  const box = document.querySelector('main [role=table]').parentElement;
  const step = () => {
    rows = Math.max(rows, document.querySelectorAll('[role=row]').length);
    const count = Number(box.firstElementChild.getAttribute('aria-rowcount'));
    const isDown = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    // The heads are a row, too.
    if (count === ${tasks + 1} && isDown) setTimeout(() => resolve({ rows, longestMs }), 100);
    else {
      box.scrollTop += ${SCROLLED_PX};
      requestAnimationFrame(step);
    }
  };
  step();
})`;

/** How soon a list of 25 jobs is painted, over each link. */
export async function measurePaints(
  browser: BenchBrowser,
  account: BenchAccount,
  { loads }: WebPagesSize,
): Promise<Row[]> {
  const jobIds: string[] = [];
  for (let n = 0; n < LIST; n += 1) {
    const job = { ...noopJob({ tasks: 1 }), jobName: `Ligands of series ${n}` };
    jobIds.push((await account.client.submit(job)).jobId);
  }
  for (const jobId of jobIds) await account.client.waitForEnd(jobId);
  const rows: Row[] = [];
  for (const link of LINKS) {
    const [paints, answers]: [number[], number[]] = [[], []];
    // A first load is not counted: what the service answers is compiled and cached by then.
    for (let load = -1; load < loads; load += 1) {
      const visit = await browser.visit(account, link);
      await visit.page.goto('/jobs');
      await visit.page
        .locator('tbody tr')
        .nth(LIST - 1)
        .waitFor({ timeout: MOST_MS });
      const { paintMs, answerMs } = await visit.page.evaluate<{ paintMs: number; answerMs: number }>(PAINTED);
      await visit.close();
      if (load < 0) continue;
      paints.push(Math.max(paintMs, answerMs));
      answers.push(answerMs);
    }
    const spread = spreadOf(paints);
    rows.push({
      item: `list of ${LIST} jobs, largest paint at ${link.name}`,
      measured: `${describeSpread(spread, 'ms', 0)}, the jobs answered at ${spreadOf(answers).median.toFixed(0)}`,
      ...{ baseline: '', ratio: '', goal: `≤ ${link.goalMs} ms`, ok: spread.median <= link.goalMs },
      figures: { paints, answers, slower: SLOWER },
    });
  }
  return rows;
}

interface Seen {
  readonly jobId: string;
  readonly state: string;
  readonly atMs: number;
}

/** The states that are looked for on the screen, by their words. A job is in the others too shortly. */
const WORDS = new Map([
  ['RUNNING', 'Running'],
  ['SUCCEEDED', 'Done'],
]);

/** How long after its event a change is drawn, while twenty jobs run. */
export async function measureChanges(
  browser: BenchBrowser,
  bench: BenchStack,
  { rounds }: WebPagesSize,
): Promise<Row> {
  const late: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const account = await bench.account('patient');
    // Events are heard from before the first job.
    const visit = await browser.visit(account);
    await visit.page.goto('/jobs');
    const jobIds: string[] = [];
    for (let n = 0; n < RUNNING; n += 1) {
      const seconds = 1 + (n % 5) / 2;
      jobIds.push((await account.client.submit(noopJob({ tasks: TASKS, seconds }))).jobId);
    }
    await visit.page.reload();
    await visit.page
      .locator('tbody tr')
      .nth(RUNNING - 1)
      .waitFor({ timeout: MOST_MS });
    await visit.page.evaluate(NOTE_STATES);
    const fromMs = Date.now();
    for (const jobId of jobIds) await account.client.waitForEnd(jobId);
    await visit.page
      .locator('tbody tr', { hasText: 'Done' })
      .nth(RUNNING - 1)
      .waitFor({ timeout: MOST_MS });
    const seen = await visit.page.evaluate<Seen[]>('globalThis.seen');
    late.push(...(await lateness(account, seen, fromMs)));
    await visit.close();
  }
  const spread = spreadOf(late);
  const p95 = late.toSorted((one, other) => one - other)[Math.ceil(late.length * 0.95) - 1] ?? NaN;
  return {
    item: `change to screen, ${RUNNING} jobs, p95`,
    measured: `${p95.toFixed(0)} ms (median ${spread.median.toFixed(0)}, ${spread.count} changes)`,
    ...{ baseline: '', ratio: '', goal: `< ${GOALS.changeMs} ms`, ok: p95 < GOALS.changeMs },
    figures: { milliseconds: spread, p95 },
  };
}

/** The time from each change after a moment until it was drawn. */
async function lateness({ client }: BenchAccount, seen: readonly Seen[], fromMs: number): Promise<number[]> {
  const late: number[] = [];
  for await (const { data, timestamp } of client.events({ from: 'oldest', follow: false })) {
    const { jobId, status } = { jobId: '', status: '', ...data };
    const word = WORDS.get(status);
    const changedMs = Date.parse(timestamp);
    if (word === undefined || changedMs <= fromMs) continue;
    const drawn = seen.find((each) => each.jobId === jobId && each.state.includes(word));
    if (drawn === undefined) throw new Error(`${jobId} was never drawn as ${word}.`);
    late.push(drawn.atMs - changedMs);
  }
  return late;
}

/** The tasks of a large job, scrolled from the first to the last. */
export async function measureTasks(
  browser: BenchBrowser,
  account: BenchAccount,
  { tasks }: WebPagesSize,
): Promise<Row[]> {
  const { jobId } = await account.client.submit(noopJob({ tasks, shardSize: 10 }));
  await account.client.waitForEnd(jobId);
  const visit = await browser.visit(account);
  await visit.page.goto(`/jobs/${jobId}`);
  await visit.page.locator('main [role=table]').waitFor({ timeout: MOST_MS });
  const scrolled = await visit.page.evaluate<{ rows: number; longestMs: number }>(SCROLL(tasks));
  const heapBytes = await heapOf(visit);
  await visit.close();
  const row = (item: string, measured: string, goal: string, ok: boolean): Row => ({
    ...{ item: `${tasks} tasks scrolled: ${item}`, measured, baseline: '', ratio: '', goal, ok },
    figures: { ...scrolled, heapBytes, slower: SLOWER },
  });
  const { rows, longestMs } = scrolled;
  return [
    row('rows in the page', `${rows} at most`, `≤ ${GOALS.rows}`, rows <= GOALS.rows),
    row(
      'heap',
      `${(heapBytes / 1e6).toFixed(0)} MB`,
      `< ${GOALS.heapBytes / 1e6} MB`,
      heapBytes < GOALS.heapBytes,
    ),
    row(
      'longest task',
      `${longestMs.toFixed(0)} ms`,
      `≤ ${GOALS.longestMs} ms`,
      longestMs <= GOALS.longestMs,
    ),
  ];
}

/** The heap as it is, with what the collector has not taken yet. */
async function heapOf({ devtools }: Visit): Promise<number> {
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}
