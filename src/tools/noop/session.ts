/**
 * The session process of the noop tool: sleeps, writes bytes that depend on the item alone, merges these, and fails in the ways in
 * which tools fail. The process runs under Node's permission model, so the runtime refuses its escape where the model
 * is supported, and the worker finds the escape in any case. No other file imports this file.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SessionMessage, SessionRequest } from '../session-protocol.ts';

type Task = Extract<SessionRequest, { type: 'task' }>;
type Summary = Readonly<Record<string, unknown>> | null;
type FailureKind = 'error' | 'exit' | 'hang' | 'flood' | 'escape' | 'fork' | 'killself' | 'killinstance';

interface NoopTask {
  readonly seconds: number;
  readonly outputBytes: number;
  readonly failure: FailureKind | null;
  /** After how many seconds of this attempt the failure comes; null for its end. */
  readonly failureAfter: number | null;
  /** Seconds of work between two checkpoints; 0 for none. */
  readonly checkpointSeconds: number;
  /** Whether the task is a ligand with a score, which its bytes decide with the seed of the session. */
  readonly scores: boolean;
}

/** Checkpoint of a task: the seconds of work that are done, and with which second each of its attempts began. */
interface Kept {
  readonly done: number;
  readonly starts: readonly number[];
}

const REQUESTS_FD = 3;
const MESSAGES_FD = 4;
/** The variable with the traceparent; this program may read no file but its own, so the name is not imported. */
const TRACE = 'TRACEPARENT';
const OUTPUT = 'result.bin';
const MERGED = 'merged.bin';
const PREPARED = 'prepared.bin';
const PREPARED_BYTES = 100;
const CHECKPOINT = 'checkpoint.json';
const NOTHING: Kept = { done: 0, starts: [] };
const CHECKPOINT_STEP_SECONDS = 0.05;
const PROGRESS_STEPS = 20;
const FASTEST_PROGRESS_SECONDS = 0.25;
const BLOCK_BYTES = 1024 * 1024;
const FORKED_CHILDREN = 3;
const EXIT_CODE = 7;

const messages = new Socket({ fd: MESSAGES_FD, readable: false, writable: true });
// A session whose worker is gone has nothing left to do.
messages.on('error', () => process.exit(0));

function say(message: SessionMessage): void {
  messages.write(`${JSON.stringify(message)}\n`);
}

function parseRequest(line: string): SessionRequest {
  const value: unknown = JSON.parse(line);
  if (!isRequest(value)) throw new Error('The worker sent something else than the session protocol says.');
  return value;
}

function isRequest(value: unknown): value is SessionRequest {
  return typeof value === 'object' && value !== null && 'type' in value;
}

async function runTask(task: Task): Promise<void> {
  const noop = readSpec(task);
  if (task.traceparent !== undefined) {
    // oxlint-disable-next-line dockyard/no-environment -- a tool is told its trace there
    const ofSession = process.env[TRACE] ?? 'none';
    process.stdout.write(`trace of the task ${task.traceparent}, of the session ${ofSession}\n`);
  }
  const fault = task.spec['fault'];
  if (typeof fault === 'string') {
    const message = `Line ${String(task.spec['line'])} of the library: ${fault}`;
    say({ type: 'failed', id: task.id, code: 'LIGAND_PARSE_FAILED', message });
    return;
  }
  if (noop.seconds >= 1)
    process.stdout.write(`task ${task.itemId}: attempt ${task.attempt}, ${noop.seconds} s\n`);
  if (noop.failure !== null) process.stdout.write(`task ${task.itemId}: fails by ${noop.failure}\n`);
  const before = noop.checkpointSeconds > 0 ? readKept(task.inputs[`checkpoint/${CHECKPOINT}`]) : NOTHING;
  const kept = { ...before, starts: [...before.starts, before.done] };
  if (noop.checkpointSeconds > 0) await workWithCheckpoints(task, noop, kept);
  else await waitWithProgress(task.id, noop.seconds);
  if (noop.failure !== null && (await fail(task, noop.failure))) return;
  if (task.kind === 'merge') {
    await mergeInputs(join(task.folder, 'out', MERGED), task.inputs);
    reportOutput(task.id, MERGED, 'merged');
    return;
  }
  if (task.kind === 'prepare') {
    await writeOutput(join(task.folder, 'out', PREPARED), task.itemId, PREPARED_BYTES);
    reportOutput(task.id, PREPARED, 'prepared', { cpuClass: 'noop' });
    return;
  }
  const seeded = noop.scores && seed !== null ? `${task.itemId}/${seed}` : task.itemId;
  await writeOutput(join(task.folder, 'out', OUTPUT), seeded, noop.outputBytes);
  const summary = noop.checkpointSeconds > 0 ? { starts: kept.starts } : null;
  reportOutput(task.id, OUTPUT, noop.scores ? 'scored' : 'result', summary);
}

/** Puts the outputs of all verified tasks into one file, in the order of the tasks. */
async function mergeInputs(path: string, inputs: Task['inputs']): Promise<void> {
  const ordinalOf = (name: string): number => Number(name.split('/')[1]);
  const sources = Object.entries(inputs).sort(([a], [b]) => ordinalOf(a) - ordinalOf(b));
  const file = await open(path, 'w');
  try {
    for (const [, source] of sources)
      for await (const chunk of createReadStream(source)) await file.write(chunk);
  } finally {
    await file.close();
  }
}

function reportOutput(id: string, path: string, kind = 'result', summary: Summary = null): void {
  const output = { path, kind, mediaType: 'application/octet-stream', format: null };
  say({ type: 'done', id, outputs: [output], summary });
}

function readSpec({ spec, attempt }: Task): NoopTask {
  const fail = spec['fail'];
  let failure: FailureKind | null = null;
  let failureAfter: number | null = null;
  if (typeof fail === 'object' && fail !== null && 'kind' in fail && isFailure(fail.kind)) {
    const times = 'times' in fail && typeof fail.times === 'number' ? fail.times : Infinity;
    if (attempt <= times) failure = fail.kind;
    if ('after' in fail && typeof fail.after === 'number') failureAfter = fail.after;
  }
  const [seconds, outputBytes, checkpointSeconds] = ['seconds', 'outputBytes', 'checkpoint'].map((name) =>
    Number(spec[name] ?? 0),
  );
  return {
    seconds: seconds ?? 0,
    outputBytes: outputBytes ?? 0,
    checkpointSeconds: checkpointSeconds ?? 0,
    failure,
    failureAfter,
    scores: spec['scores'] === true,
  };
}

function isFailure(value: unknown): value is FailureKind {
  return ['error', 'exit', 'hang', 'flood', 'escape', 'fork', 'killself', 'killinstance'].some(
    (kind) => kind === value,
  );
}

/** Reads the checkpoint of an earlier attempt; an empty one where the file is not there, or says something else. */
function readKept(path: string | undefined): Kept {
  if (path === undefined) return NOTHING;
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof value !== 'object' || value === null || !('done' in value) || !('starts' in value))
    return NOTHING;
  const { done, starts } = value;
  return typeof done === 'number' && Array.isArray(starts) ? { done, starts: starts.map(Number) } : NOTHING;
}

/**
 * Works from where an earlier attempt was, and keeps a checkpoint after each interval. A failure that comes in the middle waits
 * for the checkpoint that is due, so that less than an interval of work is lost.
 */
async function workWithCheckpoints(task: Task, noop: NoopTask, { done: from, starts }: Kept): Promise<void> {
  const { id, folder } = task;
  const beganAt = performance.now();
  const worked = (): number => (performance.now() - beganAt) / 1000;
  let keptAt = 0;
  const keep = async (): Promise<void> => {
    const now = worked();
    writeFileSync(join(folder, 'out', CHECKPOINT), JSON.stringify({ done: from + now, starts }));
    const answer = new Promise<boolean>((resolve) => (onKept = resolve));
    say({ type: 'checkpoint', id, files: [CHECKPOINT] });
    if (await answer) keptAt = now;
  };
  while (from + worked() < noop.seconds) {
    await sleep(Math.min(CHECKPOINT_STEP_SECONDS, noop.seconds - from - worked()) * 1000);
    if (worked() - keptAt >= noop.checkpointSeconds) await keep();
    else if (noop.failure !== null && noop.failureAfter !== null && worked() >= noop.failureAfter) return;
    say({
      type: 'progress',
      id,
      percent: Math.min(100, Math.round((100 * (from + worked())) / noop.seconds)),
    });
  }
}

async function waitWithProgress(id: string, seconds: number): Promise<void> {
  if (seconds <= 0) return;
  const endsAt = performance.now() + seconds * 1000;
  const stepMs = Math.max(seconds / PROGRESS_STEPS, FASTEST_PROGRESS_SECONDS) * 1000;
  for (let leftMs = seconds * 1000; leftMs > 0; leftMs = endsAt - performance.now()) {
    await sleep(Math.min(stepMs, leftMs));
    const percent = 100 * (1 - Math.max(endsAt - performance.now(), 0) / (seconds * 1000));
    if (seconds >= FASTEST_PROGRESS_SECONDS) say({ type: 'progress', id, percent: Math.round(percent) });
  }
}

/** Writes bytes that depend on the item and the length alone, so that a task that runs again has the same digest. */
async function writeOutput(path: string, itemId: string, byteCount: number): Promise<void> {
  const seed = createHash('sha512').update(`noop/${itemId}`).digest();
  if (byteCount <= BLOCK_BYTES) {
    writeFileSync(path, repeatTo(seed, byteCount));
    return;
  }
  const block = repeatTo(seed, BLOCK_BYTES);
  const file = await open(path, 'w');
  try {
    for (let left = byteCount; left > 0; left -= BLOCK_BYTES) {
      await file.write(left >= BLOCK_BYTES ? block : block.subarray(0, left));
    }
  } finally {
    await file.close();
  }
}

function repeatTo(seed: Buffer, byteCount: number): Buffer {
  return Buffer.alloc(byteCount, seed);
}

/** Fails in the requested way. @returns whether the failure has ended the task. */
async function fail(task: Task, failure: FailureKind): Promise<boolean> {
  switch (failure) {
    case 'error':
      say({ type: 'failed', id: task.id, code: 'NOOP_ERROR', message: 'The task was told to fail.' });
      return true;
    case 'exit':
      process.exit(EXIT_CODE);
      return true;
    case 'hang':
      process.on('SIGTERM', () => undefined);
      return new Promise<boolean>(() => undefined);
    case 'flood':
      flood();
      return true;
    case 'escape':
      escape(task);
      return true;
    case 'fork':
      forkAndLeave();
      return true;
    case 'killself':
      process.kill(process.pid, 'SIGKILL');
      return true;
    case 'killinstance':
      process.kill(process.ppid, 'SIGKILL');
      return new Promise<boolean>(() => undefined);
  }
}

/** Prints until it is killed. */
function flood(): void {
  const line = Buffer.alloc(BLOCK_BYTES, 'all work and no play makes a long log\n');
  for (;;) {
    try {
      writeSync(1, line);
    } catch (error) {
      // A full pipe answers EAGAIN; any other error means that the reader is gone.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return;
    }
  }
}

/** Writes outside its folder, and names a foreign file as its output. */
function escape(task: Task): void {
  const tries = [
    () => writeFileSync(join(task.folder, '..', '..', '..', 'escaped.txt'), 'outside'),
    () => symlinkSync('/etc/hostname', join(task.folder, 'out', OUTPUT)),
  ];
  for (const attempt of tries) {
    try {
      attempt();
    } catch (error) {
      process.stdout.write(`refused: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  reportOutput(task.id, '../../../escaped.txt');
}

/** Leaves child processes behind that have groups and sessions of their own, then dies. */
function forkAndLeave(): void {
  for (let count = 0; count < FORKED_CHILDREN; count += 1) {
    spawn('sleep', ['3600'], { detached: true, stdio: 'inherit' }).unref();
  }
  setTimeout(() => process.exit(EXIT_CODE), 50);
}

// A socket, not a file stream: a pending read of a file stream would keep the process from ending.
const requests = createInterface({ input: new Socket({ fd: REQUESTS_FD, readable: true, writable: false }) });
let work: Promise<void> = Promise.resolve();
/** The seed of the ligands of the job. */
let seed: number | null = null;
let onKept: ((isKept: boolean) => void) | null = null;
requests.on('line', (line) => {
  const request = parseRequest(line);
  if (request.type === 'open') {
    seed = typeof request.spec['seed'] === 'number' ? request.spec['seed'] : null;
    say({ type: 'ready' });
  } else if (request.type === 'kept') onKept?.(request.isKept);
  else work = work.then(() => runTask(request));
});
requests.on('close', () => process.exit(0));
