// Runs one command of the test plan in a process group of its own, so that a hanging one can be ended whole, and
// reads what it found. A suite that passes its tests but never ends, or leaves processes behind, has failed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { letOthersGoFirst } from './priority.ts';
import type { Standing } from './priority.ts';
import { endedChildrenSeconds } from './process-tree.ts';
import { repositoryRoot } from './test-plan.ts';
import type { Check, Suite } from './test-plan.ts';

/** How long a suite may take to end by itself after its last test. */
const LEAK_GRACE_SECONDS = 15;
const CHECK_LIMIT_SECONDS = 1200;
/** How long a suite may take to end after Ctrl-C; longer than its stacks take. */
const END_GRACE_SECONDS = 15;
const POLL_MILLISECONDS = 500;
const PIPE_GRACE_MILLISECONDS = 2000;
/**
 * Part of a failed check or suite that is told again: enough for a failure with the top of its stack, short enough to stay in
 * sight.
 */
const FAILURE_LINES = 25;
const FAILURE_LINE_CHARACTERS = 240;

/** Result of one check or suite. */
export interface Outcome {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
  /** The processor time of all its processes; undefined where the system does not count that time. */
  readonly processorSeconds: number | undefined;
  /** Printed output, empty when that went to the terminal at once. */
  readonly output: string;
  /** The part of what it printed that tells its failures; empty where nothing failed. */
  readonly failures: string;
}

interface Ended {
  readonly exitCode: number;
  readonly processorSeconds: number | undefined;
  readonly output: string;
  /** Why it was ended from outside or is held against it, if so. */
  readonly complaint: string | undefined;
}

const running = new Set<ChildProcess>();

/** Ends every process group that still runs; for Ctrl-C. A suite has some seconds to end the stacks that it has started. */
export async function endAll(): Promise<void> {
  for (const child of running) signalGroup(child, 'SIGTERM');
  const startedAt = performance.now();
  while (running.size > 0 && secondsSince(startedAt) < END_GRACE_SECONDS) await sleep(POLL_MILLISECONDS / 5);
  for (const child of running) signalGroup(child, 'SIGKILL');
}

/** Runs a check; it counts as one. */
export async function runCheck(check: Check): Promise<Outcome> {
  const startedAt = performance.now();
  const options = { ...COMPUTING, environment: check.environment ?? {}, limitSeconds: CHECK_LIMIT_SECONDS };
  const ended = await run(check.program ?? process.execPath, check.arguments, options);
  const isGood = ended.exitCode === 0 && ended.complaint === undefined;
  return {
    name: check.name,
    passed: isGood ? 1 : 0,
    failed: isGood ? 0 : 1,
    skipped: 0,
    seconds: secondsSince(startedAt),
    processorSeconds: ended.processorSeconds,
    output: withComplaint(isGood ? '' : ended.output, ended.complaint),
    failures: isGood ? '' : failuresIn(withComplaint(ended.output, ended.complaint)),
  };
}

/** Runs a check that counts its own cases in a JUnit file at `reportPath`. */
export async function runCounted(check: Check, reportPath: string, limitSeconds: number): Promise<Outcome> {
  const startedAt = performance.now();
  rmSync(reportPath, { force: true });
  const options = { ...COMPUTING, environment: check.environment ?? {}, limitSeconds };
  const ended = await run(check.program ?? process.execPath, check.arguments, options);
  const counts = existsSync(reportPath) ? countsOfJunit(readFileSync(reportPath, 'utf8')) : undefined;
  rmSync(reportPath, { force: true });
  const complaint = ended.complaint ?? complaintOf(counts, ended.exitCode);
  const failed = (counts?.failed ?? 0) + (complaint === undefined ? 0 : 1);
  return {
    name: check.name,
    passed: counts?.passed ?? 0,
    failed,
    skipped: counts?.skipped ?? 0,
    seconds: secondsSince(startedAt),
    processorSeconds: ended.processorSeconds,
    output: withComplaint(failed === 0 ? '' : ended.output, complaint),
    failures: failed === 0 ? '' : failuresIn(withComplaint(ended.output, complaint)),
  };
}

/** Runs a suite; `isLive` sends its lines to the terminal as they come. */
export async function runSuite(suite: Suite, grep: string | undefined, isLive: boolean): Promise<Outcome> {
  const startedAt = performance.now();
  const summaryPath = join(repositoryRoot, '.cache', `test-${suite.name}-${String(process.pid)}.json`);
  mkdirSync(join(repositoryRoot, '.cache'), { recursive: true });
  rmSync(summaryPath, { force: true });
  const ended = await run(
    process.execPath,
    ['node_modules/mocha/bin/mocha.js', ...(grep === undefined ? [] : ['--grep', grep]), ...suite.files],
    {
      environment: { ...suite.environment, NODE_ENV: 'test', DOCKYARD_TEST_SUMMARY: summaryPath },
      isLive,
      ...(suite.company === 'any' ? { standing: 'behind' as const } : {}),
      limitSeconds: suite.limitSeconds,
      summaryPath,
    },
  );
  const counts = readCounts(summaryPath);
  rmSync(summaryPath, { force: true });
  const complaint = ended.complaint ?? complaintOf(counts, ended.exitCode);
  if (isLive && complaint !== undefined) console.log(`  FAIL  ${complaint}`);
  const failed = (counts?.failed ?? 0) + (complaint === undefined ? 0 : 1);
  return {
    name: suite.name,
    passed: counts?.passed ?? 0,
    failed,
    skipped: counts?.skipped ?? 0,
    seconds: secondsSince(startedAt),
    processorSeconds: ended.processorSeconds,
    output: isLive ? '' : withComplaint(ended.output, complaint),
    failures: failed === 0 ? '' : failuresIn(withComplaint(ended.output, complaint)),
  };
}

interface RunOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly isLive: boolean;
  /** Priority of the process and its children: behind suites that wait for time-outs, or behind every suite. Absent: as usual. */
  readonly standing?: Standing;
  readonly limitSeconds: number;
  /** Appears when the last test has ended; from then on the grace runs. */
  readonly summaryPath?: string;
}

/** A run that only computes: it waits for nothing, so nothing depends on its duration. */
const COMPUTING = { isLive: false, standing: 'last' } as const;

function run(program: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const child = spawn(program, args, {
    cwd: repositoryRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_COMPILE_CACHE: join(repositoryRoot, '.cache', 'node-compile'),
      ...process.env,
      ...options.environment,
      PATH: [join(repositoryRoot, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
    },
  });
  running.add(child);
  const { standing } = options;
  const endYielding =
    standing !== undefined && child.pid !== undefined ? letOthersGoFirst(child.pid, standing) : undefined;
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
    if (options.isLive) process.stdout.write(chunk);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  return new Promise((resolve, reject) => {
    const watch = watchOver(child, options);
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      running.delete(child);
      clearInterval(watch.timer);
      endYielding?.();
      const processorSeconds = secondsOfEnded();
      const hasSurvivors = signalGroup(child, 'SIGKILL');
      const survivors = hasSurvivors ? 'it left processes running, which were ended' : undefined;
      const death = signal === null ? undefined : `it was ended by ${signal}`;
      const answer = (): void => {
        const complaint = watch.complaint() ?? death ?? survivors;
        resolve({ exitCode: code ?? 1, processorSeconds, output, complaint });
      };
      // The pipes may still hold the last lines; somebody outside the group may hold the pipes.
      child.once('close', answer);
      setTimeout(answer, PIPE_GRACE_MILLISECONDS).unref();
    });
  });
}

let countedSeconds = endedChildrenSeconds();

/** The processor time of the child that has just ended: what the ended children have taken since the end of the one before. */
function secondsOfEnded(): number | undefined {
  const before = countedSeconds;
  countedSeconds = endedChildrenSeconds();
  return before === undefined || countedSeconds === undefined ? undefined : countedSeconds - before;
}

/** Ends the child when it is over its limit, or when it does not end after its last test. */
function watchOver(
  child: ChildProcess,
  options: RunOptions,
): { timer: NodeJS.Timeout; complaint: () => string | undefined } {
  const startedAt = performance.now();
  let finishedAt: number | undefined;
  let complaint: string | undefined;
  const timer = setInterval(() => {
    if (options.summaryPath !== undefined && existsSync(options.summaryPath))
      finishedAt ??= performance.now();
    if (finishedAt !== undefined && secondsSince(finishedAt) > LEAK_GRACE_SECONDS) {
      complaint = `it did not end within ${String(LEAK_GRACE_SECONDS)} s of its last test: something was left open`;
    } else if (secondsSince(startedAt) > options.limitSeconds) {
      complaint = `it ran over its limit of ${String(options.limitSeconds)} s`;
    }
    if (complaint !== undefined) signalGroup(child, 'SIGKILL');
  }, POLL_MILLISECONDS);
  return { timer, complaint: () => complaint };
}

/** Signals the whole group of a child; false when nobody of it is left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

function readCounts(path: string): Counts | undefined {
  if (!existsSync(path)) return undefined;
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
  return isCounts(value) ? value : undefined;
}

/** The counts in the first `testsuite` of a JUnit file. */
function countsOfJunit(xml: string): Counts | undefined {
  const head = /<testsuite\b[^>]*>/.exec(xml)?.[0];
  if (head === undefined) return undefined;
  const read = (name: string): number => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(head)?.[1] ?? 'NaN');
  const [tests, failed, skipped] = [read('tests'), read('failures') + read('errors'), read('skipped')];
  const counts = { passed: tests - failed - skipped, failed, skipped };
  return isCounts(counts) ? counts : undefined;
}

function isCounts(value: unknown): value is Counts {
  if (typeof value !== 'object' || value === null) return false;
  return ['passed', 'failed', 'skipped'].every((key) => Number.isInteger(Reflect.get(value, key)));
}

function complaintOf(counts: Counts | undefined, exitCode: number): string | undefined {
  if (counts === undefined) return `it ended with code ${String(exitCode)} before its tests did`;
  if (counts.failed === 0 && exitCode !== 0)
    return `all tests passed, yet it ended with code ${String(exitCode)}`;
  return undefined;
}

function withComplaint(output: string, complaint: string | undefined): string {
  return complaint === undefined ? output : `${output}\n  FAIL  ${complaint}\n`;
}

/** The first failures that mocha wrote in full; the last lines of a program that writes none so. */
function failuresIn(output: string): string {
  const lines = output.trimEnd().split('\n');
  const first = lines.findLastIndex((line) => line.startsWith('  1) '));
  const chosen = first === -1 ? lines.slice(-FAILURE_LINES) : lines.slice(first, first + FAILURE_LINES);
  return chosen.map((line) => line.slice(0, FAILURE_LINE_CHARACTERS)).join('\n');
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}
