// Mocha's reporter for this repository: one line a file with its time and the processor time of all processes that ran
// meanwhile below this one, failures in full at the end and, when DOCKYARD_TEST_SUMMARY names a file, the counts in that
// file for scripts/test.ts. A process that does not end after its tests prints which resources hold it, because a leak that
// a test hides is a leak in production.
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { relative } from 'node:path';
import Mocha from 'mocha';
import type { MochaOptions, Runnable, Runner } from 'mocha';
import { processTreeSeconds } from '../../scripts/process-tree.ts';

const LEAK_REPORT_SECONDS = 5;

/** The counts of one mocha process, as scripts/test.ts reads them. */
export interface SuiteSummary {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface FileTally {
  readonly startedAt: number;
  /** The processor time that all processes of this run had taken when the file began. */
  readonly startedAtProcessor: number | undefined;
  passed: number;
  failed: number;
  skipped: number;
}

/** Prints a line for each test file and the failures last. */
class FileReporter {
  readonly #tallies = new Map<string, FileTally>();
  readonly #failures: { test: Runnable; error: unknown }[] = [];
  readonly #isVerbose: boolean;
  /** The processor time of this run when the test before had ended: a hook counts with the test after it. */
  #lastSeconds = processTreeSeconds();
  #currentFile: string | undefined;

  constructor(runner: Runner, options: MochaOptions) {
    // A developer who picks tests by name wants to see their names.
    // The suites beside this one take what it has compiled to load its files.
    flushCompileCache();
    this.#isVerbose = options.grep !== undefined || process.env['DOCKYARD_TEST_VERBOSE'] === '1';
    const events = Mocha.Runner.constants;
    runner.on(events.EVENT_SUITE_BEGIN, (suite) => {
      if (suite.file !== undefined) this.#enter(suite.file);
    });
    runner.on(events.EVENT_TEST_PASS, (test) => {
      this.#count(test, 'passed');
      if (this.#isVerbose) console.log(`    ok    ${test.fullTitle()} (${this.#times(test)})`);
    });
    runner.on(events.EVENT_TEST_PENDING, (test) => {
      this.#count(test, 'skipped');
    });
    runner.on(events.EVENT_TEST_FAIL, (test, error) => {
      this.#count(test, 'failed');
      this.#failures.push({ test, error });
      console.log(`    FAIL  ${test.fullTitle()}`);
    });
    runner.on(events.EVENT_RUN_END, () => {
      this.#end();
    });
  }

  /** The time of a test and its processor time, with those of all processes that ran meanwhile below this one. */
  #times(test: Runnable): string {
    const before = this.#lastSeconds;
    this.#lastSeconds = processTreeSeconds();
    const time = `${String(test.duration ?? 0)} ms`;
    if (before === undefined || this.#lastSeconds === undefined) return time;
    return `${time}, ${(this.#lastSeconds - before).toFixed(1)} s of processor`;
  }

  #enter(file: string): void {
    if (file === this.#currentFile) return;
    this.#leave();
    this.#currentFile = file;
    if (!this.#tallies.has(file)) this.#tallies.set(file, newTally());
  }

  #leave(): void {
    const file = this.#currentFile;
    const tally = file === undefined ? undefined : this.#tallies.get(file);
    if (file === undefined || tally === undefined) return;
    const seconds = inSeconds((performance.now() - tally.startedAt) / 1000);
    const taken = (processTreeSeconds() ?? NaN) - (tally.startedAtProcessor ?? NaN);
    // Less than nothing where a browser was killed, which takes the time of its children along.
    const processor = taken >= 0 ? inSeconds(taken) : '-'.padStart(10);
    const skipped = tally.skipped > 0 ? `, ${String(tally.skipped)} skipped` : '';
    const counts = `${String(tally.passed)} passed, ${String(tally.failed)} failed${skipped}`;
    console.log(`  ${seconds}${processor}  ${relative(process.cwd(), file)}  ${counts}`);
    this.#currentFile = undefined;
  }

  #count(test: Runnable, outcome: 'passed' | 'failed' | 'skipped'): void {
    const file = fileOf(test);
    // A failing root hook belongs to no file; `#end` counts it.
    if (file !== undefined) this.#enter(file);
    const tally = this.#tallies.get(file ?? '') ?? newTally();
    tally[outcome] += 1;
    this.#tallies.set(file ?? '', tally);
  }

  #end(): void {
    this.#leave();
    this.#failures.forEach(({ test, error }, index) => {
      const file = fileOf(test);
      console.log(`\n  ${String(index + 1)}) ${test.fullTitle()}`);
      if (file !== undefined) console.log(`     ${relative(process.cwd(), file)}`);
      console.log(describeError(error).replace(/^/gm, '     '));
    });
    const tallies = [...this.#tallies.values()];
    const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
      tallies.reduce((total, tally) => total + tally[key], 0);
    const summary: SuiteSummary = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
    const summaryPath = process.env['DOCKYARD_TEST_SUMMARY'];
    if (summaryPath === undefined) {
      console.log(`\n${String(summary.passed)} passed, ${String(summary.failed)} failed`);
    } else {
      writeFileSync(summaryPath, JSON.stringify(summary));
    }
    setTimeout(() => {
      console.log(`  still open after the last test: ${process.getActiveResourcesInfo().join(', ')}`);
    }, LEAK_REPORT_SECONDS * 1000).unref();
  }
}

function newTally(): FileTally {
  const startedAtProcessor = processTreeSeconds();
  return { startedAt: performance.now(), startedAtProcessor, passed: 0, failed: 0, skipped: 0 };
}

function inSeconds(seconds: number): string {
  return `${seconds.toFixed(2).padStart(8)} s`;
}

function fileOf(test: Runnable): string | undefined {
  const own = 'file' in test && typeof test.file === 'string' ? test.file : undefined;
  return own ?? test.parent?.file;
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? `${error.name}: ${error.message}`;
  const { actual, expected } = error as { actual?: unknown; expected?: unknown };
  const isComparison = 'actual' in error && 'expected' in error && typeof expected === 'object';
  const cause = error.cause === undefined ? '' : `\ncaused by ${describeError(error.cause)}`;
  if (!isComparison) return text + cause;
  return `${text}\nexpected ${toText(expected)}\nactual   ${toText(actual)}${cause}`;
}

function toText(value: unknown): string {
  try {
    return JSON.stringify(value, null, 2);
  } catch {
    return String(value);
  }
}

export default FileReporter;
