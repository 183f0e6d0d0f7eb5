/**
 * The demo's story, told while it happens: an account, an upload, a price, a job that runs, its money and its outputs.
 * Everything after the account goes over the public API, as a customer would.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createClient } from '../../client/index.ts';
import type { Client } from '../../client/index.ts';
import { jobWorkflowId } from '../../contracts/names.ts';
import type { SubmitJobRequest } from '../../domain/requests.ts';
import type { JobStatusResponse } from '../../domain/responses.ts';
import { createDemoAccount } from './account.ts';
import { createProgressDisplay } from './progress.ts';
import { expectationsOf } from './report.ts';
import type { CreditsSeen, DemoReport, Expectation } from './report.ts';
import type { DemoStack } from './stack.ts';
import { pounds, stateLine, transactionLine, workflowUrl } from './text.ts';

/** What the demo runs. */
export interface DemoPlan {
  readonly tasks: number;
  readonly secondsPerTask: number;
  readonly creditsPence: number;
}

/** Where the story is told, and what ends it early. */
export interface DemoStage {
  readonly print: (line: string) => void;
  readonly screen: NodeJS.WriteStream;
  readonly signal: AbortSignal;
}

const DOWNLOADS = 3;
const OUTPUT_BYTES = 2000;
/** Short, so that short states are seen; ten a second are allowed. */
const POLL_MS = 120;

/** What came of it. */
export interface DemoResult {
  readonly report: DemoReport;
  readonly expectations: readonly Expectation[];
}

/** Tells the story from the account to the downloads. */
export async function tellStory(stack: DemoStack, plan: DemoPlan, stage: DemoStage): Promise<DemoResult> {
  const { print, signal } = stage;
  const startedAt = performance.now();
  const folder = join(stack.home, 'demo');
  await mkdir(folder, { recursive: true });

  heading(print, 'An account');
  const account = await createDemoAccount(stack.settings, plan.creditsPence);
  const client = createClient({ apiUrl: stack.apiUrl, apiKey: account.liveKey, userAgent: 'dockyard-demo' });
  const before = await creditsOf(client, signal);
  print(`   ${account.email}, account ${account.accountId}, ${pounds(before.availablePence)} of credits`);

  heading(print, 'An upload, straight into the object store');
  const uploadedKey = await uploadNote(client, folder, stage);

  heading(print, 'A price, then the job');
  const request = jobOf(plan, uploadedKey);
  const estimate = await client.estimate(
    { jobType: 'simulation', simulator: 'noop', taskCount: plan.tasks },
    { signal },
  );
  print(
    `   estimate   ${estimate.currency} ${estimate.estimatedCost.toFixed(2)}, of which ${pounds(estimate.heldCents)} would be held`,
  );
  const submitted = await client.submit(request, { signal });
  const whileHeld = await creditsOf(client, signal);
  print(`   submitted  job ${submitted.jobId}`);
  print(`   ${submitted.message}`);
  print(`   credits    ${pounds(whileHeld.availablePence)} available, ${pounds(whileHeld.heldPence)} held`);

  heading(print, 'The job');
  const page = workflowUrl(stack.temporalUiUrl, namespaceOf(stack), jobWorkflowId(submitted.jobId));
  print(`   watch it at ${page}`);
  const { last, states } = await follow(client, submitted.jobId, stage);

  heading(print, 'The money');
  const money = await tellMoney(client, last, before, stage);

  heading(print, 'The outputs');
  const outputs = await fetchSome(client, submitted.jobId, folder, stage);

  const report: DemoReport = {
    accountId: account.accountId,
    jobId: submitted.jobId,
    apiUrl: `${stack.apiUrl}/api/v1`,
    documentUrl: `${stack.apiUrl}/api/v1/openapi.json`,
    temporalUiUrl: stack.temporalUiUrl,
    workflowUrl: page,
    uploadedKey,
    states,
    credits: {
      before,
      whileHeld,
      ...money,
      estimatedPence: estimate.heldCents,
      heldPence: submitted.heldCents,
    },
    tasks: { total: last.progress.total, completed: last.progress.completed, failed: last.progress.failed },
    outputs,
    elapsedSeconds: Number(((performance.now() - startedAt) / 1000).toFixed(1)),
  };
  return { report, expectations: expectationsOf(report, last) };
}

function heading(print: (line: string) => void, text: string): void {
  print('');
  print(text);
}

async function uploadNote(client: Client, folder: string, { print, signal }: DemoStage): Promise<string> {
  const path = join(folder, 'note.txt');
  const lines = Array.from({ length: 1000 }, (_, line) => `line ${line + 1} of a file that the demo uploads`);
  await writeFile(path, `${lines.join('\n')}\n`);
  const uploaded = await client.upload({ path, contentType: 'text/plain' }, { signal });
  print(`   ${uploaded.byteSize} bytes, SHA-256 ${uploaded.sha256.slice(0, 16)}…, checked by the store`);
  print(`   stored as ${uploaded.storageKey}`);
  return uploaded.storageKey;
}

function jobOf(plan: DemoPlan, sceneFile: string): SubmitJobRequest {
  return {
    jobType: 'simulation',
    simulator: 'noop',
    jobName: 'demo',
    sceneFile,
    taskCount: plan.tasks,
    metadata: { noop: { seconds: plan.secondsPerTask, outputBytes: OUTPUT_BYTES } },
  };
}

async function follow(
  client: Client,
  jobId: string,
  { print, screen, signal }: DemoStage,
): Promise<{ readonly last: JobStatusResponse; readonly states: readonly string[] }> {
  const startedAt = performance.now();
  const display = createProgressDisplay(screen, print);
  const states: string[] = [];
  let last: JobStatusResponse | null = null;
  try {
    for await (const status of client.watch(jobId, { signal, minIntervalMs: POLL_MS })) {
      if (states.at(-1) !== status.status) {
        states.push(status.status);
        display.line(stateLine(status, startedAt));
      }
      display.show(status);
      last = status;
    }
  } finally {
    display.end();
  }
  if (last === null) throw new Error(`The service gave no status of job ${jobId}.`);
  for (const failure of last.failures)
    print(`   failed: task ${failure.id ?? '-'}, ${failure.code}: ${failure.message}`);
  return { last, states };
}

async function tellMoney(
  client: Client,
  last: JobStatusResponse,
  before: CreditsSeen,
  { print, signal }: DemoStage,
): Promise<Pick<DemoReport['credits'], 'after' | 'chargedPence' | 'releasedPence' | 'transactions'>> {
  const { chargedCents, releasedCents } = last.cost;
  const transactions = [];
  for await (const transaction of client.transactions({}, { signal })) transactions.unshift(transaction);
  for (const transaction of transactions) print(transactionLine(transaction));
  const after = await creditsOf(client, signal);
  print(
    `   charged ${pounds(chargedCents)} for ${last.progress.completed} verified tasks, released ${pounds(releasedCents)}`,
  );
  print(
    `   available before ${pounds(before.availablePence)}, after ${pounds(after.availablePence)}; held ${pounds(after.heldPence)}`,
  );
  return {
    after,
    chargedPence: chargedCents,
    releasedPence: releasedCents,
    transactions: transactions.map(({ type, amount_cents: amountPence }) => ({ type, amountPence })),
  };
}

/** Downloads the first outputs; the client refuses bytes that are not the announced ones. */
async function fetchSome(
  client: Client,
  jobId: string,
  folder: string,
  { print, signal }: DemoStage,
): Promise<DemoReport['outputs']> {
  const downloaded: string[] = [];
  const list = await client.listOutputs(jobId, { limit: DOWNLOADS }, { signal });
  await mkdir(join(folder, jobId), { recursive: true });
  for (const output of list.outputs) {
    const place = output.taskIndex === null ? output.name : `${output.taskIndex}-${output.name}`;
    const path = join(folder, jobId, place.replaceAll('/', '-'));
    await client.download(output, path, { signal });
    downloaded.push(path);
    print(`   ${path}  ${output.byteSize} bytes, SHA-256 verified`);
  }
  print(
    `   ${list.present} of ${list.expected} are in the store; GET /api/v1/jobs/${jobId}/outputs lists all`,
  );
  return { present: list.present, downloaded, folder: join(folder, jobId) };
}

async function creditsOf(client: Client, signal: AbortSignal): Promise<CreditsSeen> {
  const balance = await client.balance({ signal });
  return { availablePence: balance.available_cents, heldPence: balance.held_cents };
}

function namespaceOf(stack: DemoStack): string {
  return stack.settings['DOCKYARD_TEMPORAL_NAMESPACE'] ?? 'default';
}
