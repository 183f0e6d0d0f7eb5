/**
 * Why a job is where it is, and what to do: from the words of the codes where a code says it, and from what rows and workflow
 * show together where no code does. Pure: the same page gives the same sentences.
 */
import { isTerminal, RESUMABLE_STATES } from '../../domain/job-state.ts';
import type { JobState, PauseReason } from '../../domain/job-state.ts';
import type {
  CapacityLack,
  InstanceView,
  JobChange,
  JobExplanation,
  JobPage,
  TakenUp,
  WorkflowRun,
  WorkflowView,
} from '../../domain/job-view.ts';
import { STORE_FULL } from '../full-store.ts';
import type { CodeKind, CodeWords } from '../../domain/codes/code.ts';
import { CATALOGUE } from '../../tools/catalogue.ts';

/** Sentences, each once, in the order in which they were found. */
class Sentences {
  readonly why = new Set<string>();
  readonly next = new Set<string>();
  /** Advice that is right only where nothing else is to be done. */
  private readonly otherwise = new Set<string>();

  /** Adds what a code says; a code that no table has is only named. */
  code(kinds: readonly CodeKind[], code: string, before = ''): void {
    const words = this.meaning(kinds, code, before);
    if (words !== null) this.next.add(words.advice);
  }

  /** Adds what a code says whose advice is to wait. */
  state(kinds: readonly CodeKind[], code: string, before: string): void {
    const words = this.meaning(kinds, code, before);
    if (words !== null) this.otherwise.add(words.advice);
  }

  /** Gives the advice that is right where there is no other. */
  close(): void {
    if (this.next.size === 0) for (const advice of this.otherwise) this.next.add(advice);
  }

  private meaning(kinds: readonly CodeKind[], code: string, before: string): CodeWords | null {
    const words = wordsOf(kinds, code);
    this.why.add(words === null ? `${before}${code}.` : `${before}${code}: ${words.meaning}`);
    return words;
  }
}

/** More pending activities that fail than these are not told of one by one. */
const TOLD_ACTIVITIES = 3;
/** An instance that is silent for longer is told of. */
const SILENT_SECONDS = 30;
const HOUR_SECONDS = 3600;
const NO_ROOM = 'NO_CAPACITY';
const LAUNCH_REFUSED = 'LAUNCH_REFUSED';
const TOLD_MESSAGES: Readonly<Record<TakenUp['by'], string>> = {
  cancel: 'a cancel',
  capacity: 'the look after jobs without a workflow',
  endPause: 'the end of a long pause',
  pause: 'a pause',
  resume: 'a resume',
};

/** Explains a job. */
export function explainJob(page: JobPage, workflow: WorkflowView): JobExplanation {
  const said = new Sentences();
  said.state(['state'], page.status, `For ${lengthText(secondsIn(page))} `);
  sayReason(said, page);
  if (!isAtRest(page.status)) sayWorkflow(said, page, workflow);
  else if (workflow.kind === 'unreachable') said.why.add(unreachableText(workflow));
  if (!isAtRest(page.status)) sayInstances(said, page);
  if (isTerminal(page.status))
    for (const { cause } of page.failures.slice(0, 3)) sayFailure(said, page, cause);
  said.close();
  sayResume(said, page);
  return { why: [...said.why], next: [...said.next] };
}

/** A length of time for people. */
export function lengthText(seconds: number): string {
  if (seconds < 90) return `${String(Math.max(0, Math.round(seconds)))} s`;
  if (seconds < 1.5 * HOUR_SECONDS) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 48 * HOUR_SECONDS) return `${(seconds / HOUR_SECONDS).toFixed(1)} h`;
  return `${String(Math.round(seconds / (24 * HOUR_SECONDS)))} days`;
}

/** For how long the job has been in its state. */
export function secondsIn({ now, statusAt }: Pick<JobPage, 'now' | 'statusAt'>): number {
  return (now.getTime() - statusAt.getTime()) / 1000;
}

function isAtRest(status: JobState): boolean {
  return isTerminal(status) || status === 'PAUSED';
}

function sayReason(said: Sentences, page: JobPage): void {
  const { status, pauseReason, statusReason, capacity } = page;
  if (status === 'PAUSED' && pauseReason !== null) {
    said.code(['pause reason'], pauseReason, 'Paused by ');
    const [by] = page.changes.filter(({ action }) => action === 'job.pause-requested');
    if (pauseReason === 'OPERATOR' && statusReason === null && by !== undefined) sayWhoPaused(said, by);
  }
  if (pauseReason !== null && !isAtRest(status)) sayPendingPause(said, page, pauseReason);
  if (status === 'QUEUED') sayQueued(said, page);
  const isTold = statusReason === capacity?.reason || (status === 'QUEUED' && statusReason === NO_ROOM);
  if (statusReason === LAUNCH_REFUSED) sayLaunchRefusal(said, page);
  if (statusReason === STORE_FULL)
    said.next.add(
      'Make room in the object store, or give it more: what the job has made is sent again until there is room.',
    );
  if (statusReason !== null && !isTold) said.state(['reason'], statusReason, 'Reason: ');
  if (page.cancelRequestedAt !== null && !isTerminal(status))
    said.why.add(`A cancel was asked for at ${page.cancelRequestedAt.toISOString()}.`);
}

/** A pause is carried out when what runs has ended. */
function sayPendingPause(said: Sentences, page: JobPage, reason: PauseReason): void {
  const { running } = page.tasks;
  said.code(['pause reason'], reason, 'About to pause by ');
  const [by] = page.changes.filter(({ action }) => action === 'job.pause-requested');
  if (reason === 'OPERATOR' && by !== undefined) sayWhoPaused(said, by);
  if (running > 0) said.why.add(`It pauses when the ${String(running)} tasks that run have ended.`);
  sayLaunchRefusal(said, page);
}

function sayWhoPaused(said: Sentences, { by, at }: JobChange): void {
  said.why.add(`${by} asked for the pause at ${at.toISOString()}.`);
}

/** Tells the words with which the provider refused an instance for good; they are for operators. */
function sayLaunchRefusal(said: Sentences, { instances }: JobPage): void {
  const refused = instances.find(({ fenceCause }) => fenceCause === LAUNCH_REFUSED);
  if (refused?.refusal != null) said.why.add(`The provider has said: ${refused.refusal}`);
}

/** A job waits for the provider, for a limit that others use up, or for its turn alone; only of a limit is there one to raise. */
function sayQueued(said: Sentences, { statusReason, capacity }: JobPage): void {
  if (statusReason === NO_ROOM && capacity?.state !== 'WAITING') {
    said.code(['reason'], NO_ROOM, 'Waits: ');
    said.next.add(
      'What the provider has said: admin instances --all (REFUSAL). More types in the class, or subnets in other zones, find room sooner; no limit of this service is in the way.',
    );
    return;
  }
  if (capacity?.state !== 'WAITING') return;
  if (capacity.reason !== null) said.code(['reason'], capacity.reason, 'Waits: ');
  said.why.add(`It asks for ${String(capacity.vcpus)} vCPUs.`);
  for (const lack of capacity.lacks) said.why.add(lackText(lack));
  const settings = [...new Set(capacity.lacks.map(({ setting }) => setting))];
  if (settings.length > 0)
    said.next.add(
      `An operator can raise ${settings.join(' and ')}; jobs with vCPUs: admin jobs list --status RUNNING.`,
    );
  else said.why.add('No limit is in its way: others come first.');
}

function lackText({ pool, name, resource, need, used, limit }: CapacityLack): string {
  const [of, what] = [
    { account: 'its account', all: 'the whole service' },
    { vcpus: 'vCPUs', gpus: 'GPUs', seats: 'seats' },
  ];
  const whose = pool === 'account' || pool === 'all' ? of[pool] : `the ${pool} ${name ?? ''}`;
  return `Its next instance takes ${String(need)} ${what[resource]}; ${whose} uses ${String(used)} of ${String(limit)}.`;
}

/** Tells the state of the workflow of a job that should go on. */
function sayWorkflow(said: Sentences, page: JobPage, workflow: WorkflowView): void {
  switch (workflow.kind) {
    case 'unreachable':
      said.why.add(unreachableText(workflow));
      said.next.add('Start Temporal again; until then nothing can be told of the workflow, and tools go on.');
      return;
    case 'gone':
      said.why.add('No workflow works on the job, and Temporal has no history of one any more.');
      sayLost(said, page);
      return;
    case 'run':
      if (workflow.status === 'RUNNING') sayRun(said, page, workflow);
      else if (workflow.status === 'FAILED') {
        said.why.add(`The workflow of the job failed: ${workflow.failure ?? 'no message'}.`);
        said.next.add(
          `It would fail again, so nothing takes the job up by itself. Mend the cause, then start it again from the job's rows: ${resumeCommand(page)}. Or end the job: ${endCommand(page)}.`,
        );
      } else {
        said.why.add(`No workflow works on the job: its last run is ${workflow.status}.`);
        sayLost(said, page);
      }
  }
}

function sayLost(said: Sentences, page: JobPage): void {
  said.next.add(
    `Start it again from the job's rows: ${resumeCommand(page)}. A resume or a cancel by the customer does the same; by itself a control worker does so within ten minutes (capacityLookSeconds). When nothing helps: ${endCommand(page)}.`,
  );
}

function sayRun(said: Sentences, page: JobPage, run: WorkflowRun): void {
  if (run.takenUp !== null)
    said.why.add(
      `No workflow worked on the job, so ${TOLD_MESSAGES[run.takenUp.by]} started it again from the job's rows at ${run.takenUp.at}.`,
    );
  for (const { workflowId, attempts, since } of run.failingTasks) {
    const from = since === null ? '' : ` since ${since.toISOString()}`;
    said.why.add(
      `The workflow task of ${workflowId} is at attempt ${String(attempts)}${from}: the run stands still.`,
    );
    said.next.add(
      `Read the failed workflow task in the Temporal UI. A fault of a release: go back to the build before (admin deployment). A run that cannot go on with any build: ${endCommand(page)}.`,
    );
  }
  const failing = run.pending.filter(({ attempt, lastFailure }) => attempt > 1 && lastFailure !== null);
  for (const { name, attempt, lastFailure } of failing.slice(0, TOLD_ACTIVITIES)) {
    said.why.add(
      `${name} is at attempt ${String(attempt)}; the last one ended with: ${String(lastFailure)}.`,
    );
    said.next.add('Mend what the last attempt ended with; the activity is repeated by itself.');
  }
  const waiting = run.pending.filter(({ state, attempt }) => state === 'SCHEDULED' && attempt <= 1);
  const names = [...new Set(waiting.map(({ name }) => name))].join(', ');
  if (waiting.length > 0 && failing.length === 0) said.why.add(`Waits for a worker that takes: ${names}.`);
}

function sayInstances(said: Sentences, page: JobPage): void {
  const live = page.instances.filter(({ state, fencedAt }) => state !== 'TERMINATED' && fencedAt === null);
  const isWaiting = ({ state, market }: InstanceView): boolean => state === 'LAUNCHING' && market === 'SPOT';
  const waiting = live.filter(isWaiting).length;
  if (waiting > 0)
    said.why.add(
      `${String(waiting)} of ${String(live.length)} instances wait for the spot market; after a while each is launched on demand instead.`,
    );
  const silent = live
    .filter((one) => !isWaiting(one))
    .filter(({ silentSeconds }) => (silentSeconds ?? 0) > SILENT_SECONDS);
  const unheard = silent.filter(({ lastContactAt }) => lastContactAt === null);
  const longest = Math.max(0, ...silent.map(({ silentSeconds }) => silentSeconds ?? 0));
  if (unheard.length > 0)
    said.why.add(
      `${String(unheard.length)} of ${String(live.length)} instances were launched and have never been heard of.`,
    );
  if (silent.length > unheard.length)
    said.why.add(
      `${String(silent.length - unheard.length)} of ${String(live.length)} instances are silent, for up to ${lengthText(longest)}.`,
    );
  if (silent.length > 0)
    said.next.add(
      'Look at the gateway, at the provider and at the log of compute; silent instances are replaced by themselves.',
    );
  const [loss] = page.losses;
  if (loss !== undefined)
    said.state(['reason'], loss.cause, `Most of its ${String(page.recoveries)} recoveries: `);
}

function sayFailure(said: Sentences, page: JobPage, cause: string): void {
  const count = page.failures.find((one) => one.cause === cause)?.count ?? 0;
  said.code(['failure', 'error'], cause, `${String(count)} tasks or steps failed with `);
}

function sayResume(said: Sentences, { status, jobId, tasks }: JobPage): void {
  if (!RESUMABLE_STATES.some((state: JobState) => state === status)) return;
  const missing = tasks.total - tasks.verified;
  said.next.add(
    `To go on with the ${String(missing)} tasks that are missing: admin jobs resume ${jobId} --reason TEXT, at today's price and at the cost of the customer's credits.`,
  );
}

function unreachableText({ address, cause }: Extract<WorkflowView, { kind: 'unreachable' }>): string {
  return `Temporal at ${address} does not answer (${cause}), so the workflow is not known.`;
}

function resumeCommand({ jobId }: JobPage): string {
  return `admin jobs resume ${jobId} --reason TEXT`;
}

function endCommand({ jobId }: JobPage): string {
  return `admin jobs end ${jobId} --reason TEXT --yes`;
}

function wordsOf(kinds: readonly CodeKind[], code: string): CodeWords | null {
  const group = CATALOGUE.groups.find((one) => kinds.includes(one.kind) && Object.hasOwn(one.codes, code));
  return group?.codes[code] ?? null;
}
