/**
 * The demo's story, told while it happens: an account, a structure and a library, a price, a docking job that runs, its
 * ranking and its control, its money and its poses. Everything after the account goes over the public API.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

import type { Client } from '../../client/index.ts';
import type { JobStatusResponse } from '../../client/types.ts';
import { jobWorkflowId } from '../../contracts/names.ts';
import { projectRoot } from '../../stack/tools.ts';
import { ligandInputOf } from '../../tools/autodock-vina/command/inputs.ts';
import type { DockOptions } from '../../tools/autodock-vina/command/options.ts';
import { depositedLigand } from '../../tools/autodock-vina/command/residues.ts';
import { dockEstimateOf, dockRequestOf, sizesOf } from '../../tools/autodock-vina/command/request.ts';
import { controlLine, CONTROL_NOTE, dockingFactsOf } from '../../tools/autodock-vina/status-text.ts';
import { placeReceptor } from '../../tools/receptor-file.ts';
import { createJobDisplay } from '../customer/display.ts';
import { followJob } from '../customer/follow.ts';
import type { Followed } from '../customer/follow.ts';
import { createJobFiles } from '../customer/job-files.ts';
import { notesText } from '../customer/job-text.ts';
import { downloadOutputs, downloadText } from '../customer/outputs.ts';
import { clientFor } from '../customer/service.ts';
import { pounds } from '../table.ts';
import type { Screen } from '../terminal.ts';
import { createDemoAccount } from './account.ts';
import { billLines } from './money.ts';
import type { Bill } from './money.ts';
import type { CreditsSeen, DemoReport } from './report.ts';
import type { DemoStack } from './stack.ts';
import { indented, transactionLine, workflowUrl } from './text.ts';

/** Outputs of the story, and the signal that ends it early. */
export interface DemoStage {
  readonly print: (line: string) => void;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  /** When the demo began, by the monotonic clock. */
  readonly startedAtMs: number;
}

const EXAMPLE = join(projectRoot, 'examples', '1a28');
const CREDITS_PENCE = 1000;
const BAD_LIGAND = 'cisplatin';
const NATIVE = depositedLigand('STR:A:1');
const OPTIONS = {
  receptor: '1a28.pdb',
  ligands: 'library.smi',
  chains: ['A'],
  boxFromLigand: NATIVE,
  validate: NATIVE,
  seed: 42,
} satisfies DockOptions;

/** Tells the story from the account to the poses. */
export async function tellStory(stack: DemoStack, stage: DemoStage): Promise<DemoReport> {
  const { print, signal } = stage;
  heading(print, 'An account');
  const account = await createDemoAccount(stack.settings, CREDITS_PENCE);
  const client = clientFor({ apiUrl: stack.apiUrl, apiKey: account.liveKey }, 'long');
  const before = await creditsOf(client, signal);
  print(`   ${account.email}, account ${account.accountId}, ${pounds(before.availablePence)} of credits`);

  const submitted = await submit(client, stage);
  const { jobId, estimate, ligands } = submitted;

  heading(print, 'The job');
  const page = workflowUrl(stack.temporalUiUrl, namespaceOf(stack), jobWorkflowId(jobId));
  print(`   watch it at ${page}`);
  const { last, followed } = await follow(client, jobId, stage);
  const { ranking } = followed;
  tellScience(last, followed.rankingText(), print);

  heading(print, 'The money, line by line');
  const bill: Bill = {
    estimate,
    ligands,
    docked: last.progress.completed,
    failed: last.failures.flatMap(({ id }) => (id === null ? [] : [id])),
    chargedPence: last.cost.chargedCents,
    releasedPence: last.cost.releasedCents,
  };
  for (const line of billLines(bill)) print(line);
  const { after, movedPence } = await tellLedger(client, stage);

  heading(print, 'The poses');
  const folder = join(stack.home, 'demo', jobId);
  const files = await download(client, jobId, folder, stage);
  const seconds = Number(((performance.now() - stage.startedAtMs) / 1000).toFixed(1));
  return {
    jobId,
    apiKey: account.liveKey,
    workflowUrl: page,
    last,
    ranking,
    badLigand: BAD_LIGAND,
    bill,
    before,
    after,
    movedPence,
    folder,
    files,
    seconds,
  };
}

function heading(print: (line: string) => void, text: string): void {
  print('');
  print(text);
}

async function submit(
  client: Client,
  { print, signal }: DemoStage,
): Promise<{
  readonly jobId: string;
  readonly estimate: Awaited<ReturnType<Client['estimate']>>;
  readonly ligands: number;
}> {
  heading(print, 'A receptor and a library');
  const key = randomUUID();
  const path = join(EXAMPLE, OPTIONS.receptor);
  const files = createJobFiles(client, key, print);
  const receptor = await placeReceptor(files, { kind: 'file', path, format: 'pdb' });
  const { ligands: library } = await ligandInputOf(OPTIONS.ligands, EXAMPLE);
  const stored = receptor.kind === 'artifact' ? receptor.artifact : null;
  print('   1A28, the progesterone receptor with progesterone bound, chain A');
  print(
    `   ${stored?.byteSize ?? 0} bytes, SHA-256 ${stored?.sha256.slice(0, 16) ?? ''}…, checked by the store`,
  );
  print(`   ${library.length} ligands: ${library.map(({ label }) => label).join(', ')}`);
  print(`   ${BAD_LIGAND} is there to fail: Vina has no parameters for platinum`);

  heading(print, 'A price, then the job');
  const estimate = await client.estimate(dockEstimateOf(OPTIONS, sizesOf(library)), { signal });
  print(
    `   estimate   ${estimate.currency} ${estimate.estimatedCost.toFixed(4)}; ${pounds(estimate.heldCents)} would be held`,
  );
  const ligands = library.map((ligand) => ({ ligand, artifact: null }));
  const request = { ...dockRequestOf(OPTIONS, receptor, ligands), jobName: 'demo: drugs on 1A28' };
  const submitted = await client.submit(request, { signal, idempotencyKey: key });
  print(`   submitted  job ${submitted.jobId}`);
  print(`   ${submitted.message}`);
  return { jobId: submitted.jobId, estimate, ligands: library.length };
}

async function follow(
  client: Client,
  jobId: string,
  { screen, signal }: DemoStage,
): Promise<{ readonly last: JobStatusResponse; readonly followed: Followed }> {
  const display = createJobDisplay(screen, { indent: '   ' });
  // Ctrl-C belongs to the demo as a whole, which ends everything.
  const terminal = { onInterrupt: () => () => undefined };
  const followed = await followJob(client, jobId, { display, terminal, signal });
  const { status } = followed;
  if (status === null) throw new Error(`The service gave no status of job ${jobId}.`);
  return { last: status, followed };
}

function tellScience(last: JobStatusResponse, ranking: string, print: (line: string) => void): void {
  heading(print, 'The ranking');
  print(indented(ranking));
  const notes = indented(notesText(last));
  if (notes !== '') print(notes);
  heading(print, 'The control: the native ligand docked again');
  const control = dockingFactsOf(last.docking)?.control ?? null;
  print(control === null ? '   The job tells of no control.' : `   ${controlLine(control)}.`);
  print(`   ${CONTROL_NOTE}`);
}

async function tellLedger(
  client: Client,
  { print, signal }: DemoStage,
): Promise<{ readonly after: CreditsSeen; readonly movedPence: number }> {
  const transactions = [];
  for await (const transaction of client.transactions({}, { signal })) transactions.unshift(transaction);
  print('');
  for (const transaction of transactions) print(transactionLine(transaction));
  const after = await creditsOf(client, signal);
  const movedPence = transactions
    .filter(({ type }) => type === 'hold' || type === 'hold_release')
    .reduce((sum, { amount_cents: pence }) => sum + pence, 0);
  return { after, movedPence };
}

/** Downloads everything; bytes that are not the announced ones are refused. */
async function download(
  client: Client,
  jobId: string,
  folder: string,
  { print, screen }: DemoStage,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const report = await downloadOutputs(client, jobId, folder, { screen });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  print(indented(downloadText(report)));
  const notable = ['ranking.csv', 'view.pml', 'receptor/prepared.pdb', 'control/poses.sdf'];
  for (const name of notable.filter((one) => files.includes(one))) print(`   ${join(folder, name)}`);
  print(`   ${join(folder, 'ligands', '{ligand}', 'poses.sdf')}`);
  return files;
}

async function creditsOf(client: Client, signal: AbortSignal): Promise<CreditsSeen> {
  const balance = await client.balance({ signal });
  return { availablePence: balance.available_cents, heldPence: balance.held_cents };
}

function namespaceOf(stack: DemoStack): string {
  return stack.settings['DOCKYARD_TEMPORAL_NAMESPACE'] ?? 'default';
}
