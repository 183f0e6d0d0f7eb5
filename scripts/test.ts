// `npm test`: every check and suite, the time and the processor time of each file, and as its last line `N passed, N failed`.
//
//   npm test                              everything
//   npm test -- --only unit,integration   some stages (checks, science, unit, replay, integration, faults)
//   npm test -- --grep "refunds"          tests by name, no checks
//   npm test -- test/unit/x.test.ts       files, no checks
//   npm run test:faults                   the faults with the times of production (--faults)
//   npm run test:tools                    programs of others, where they are found: tests of packs with their long ones (--tools)
//   npm run test:science                  whole dockings against Vina alone and the long Python tests (--science)
//   npm run test:faults -- test/faults/x.test.ts   these files of a long run alone
//
// Lanes run side by side. The first takes the suites that wait for leases and time-outs, one after another, and then
// whatever is left. The second takes the suites that time nothing, at a lower priority, the longest first, and the third the shortest
// of them first. Suites mostly wait, so the fourth computes meanwhile: it takes checks and the Python side, at the lowest priority.
// A lane whose own kind is done takes the other: what computes is left for the end, when suites that wait would leave processors idle.
// As the first lane waits most of all, there is another one of each other kind for each two processors more.
// Suites that compare times run after them, with nothing beside them.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import {
  listChecks,
  listFullFaults,
  listLongDockings,
  listSuites,
  listToolSuites,
  stageNames,
  suiteOf,
} from './test-plan.ts';
import type { Check, Company, Suite } from './test-plan.ts';
import { endedChildrenSeconds } from './process-tree.ts';
import { endAll, runCheck, runSuite } from './test-process.ts';
import type { Outcome } from './test-process.ts';
import { listLongScienceRuns, listScienceRuns } from './test-science.ts';
import type { ScienceRun } from './test-science.ts';

const USAGE = `Usage: npm test -- [FILES | --only STAGES] [--grep TEXT]
       npm run test:faults|test:tools|test:science -- [FILES] [--grep TEXT]

Runs the tests and ends with the line "N passed, N failed".

  FILES            these files alone, with their long tests
  --only <stages>  these stages alone, by commas: ${stageNames.join(', ')}
  -g, --grep TEXT  the tests alone whose name has this
  -h, --help       this text`;

interface Selection {
  readonly checks: readonly Check[];
  readonly science: readonly ScienceRun[];
  readonly suites: readonly Suite[];
  readonly grep: string | undefined;
}

function readSelection(): Selection {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      grep: { type: 'string', short: 'g' },
      help: { type: 'boolean', short: 'h', default: false },
      faults: { type: 'boolean', default: false },
      science: { type: 'boolean', default: false },
      tools: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const grep = values.grep;
  if (values.faults) return { checks: [], science: [], suites: named(listFullFaults(), positionals), grep };
  if (values.tools) return { checks: [], science: [], suites: named(listToolSuites(), positionals), grep };
  if (values.science) {
    const science = positionals.length > 0 ? [] : listLongScienceRuns();
    return { checks: [], science, suites: named(listLongDockings(), positionals), grep };
  }
  if (positionals.length > 0) return { checks: [], science: [], suites: [suiteOf(positionals)], grep };
  const only = values.only?.split(',').map((name) => name.trim());
  const unknown = only?.filter((name) => !stageNames.includes(name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`--only takes ${stageNames.join(', ')}; not ${unknown.join(', ')}.`);
  }
  const isWanted = (name: string): boolean => only?.includes(name) ?? true;
  const isWhole = (name: string): boolean => only?.includes(name) ?? grep === undefined;
  return {
    checks: isWhole('checks') ? listChecks() : [],
    science: isWhole('science') ? listScienceRuns() : [],
    suites: listSuites().filter(({ stage }) => isWanted(stage)),
    grep,
  };
}

/** Reads the arguments; ends the command with the usage where they are wrong. */
function selectOrEnd(): Selection {
  try {
    return readSelection();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

/** The suites of these files alone, with their own surroundings; all where none is named. */
function named(suites: readonly Suite[], files: readonly string[]): readonly Suite[] {
  if (files.length === 0) return suites;
  const known = new Set(suites.flatMap((suite) => suite.files));
  const unknown = files.filter((file) => !known.has(file));
  if (unknown.length > 0) throw new Error(`This command has no test ${unknown.join(', ')}.`);
  return suites
    .map((suite) => ({ ...suite, files: suite.files.filter((file) => files.includes(file)) }))
    .filter((suite) => suite.files.length > 0);
}

function printOutcome(outcome: Outcome): void {
  const verdict = outcome.failed === 0 ? 'ok  ' : 'FAIL';
  console.log(`${verdict}  ${outcome.name}  ${outcome.seconds.toFixed(1)} s`);
  if (outcome.output !== '') console.log(outcome.output.trimEnd());
}

/** Lanes of each other kind. With more of them than one for two processors, timed suites wait beyond their time-outs. */
const LANES_OF_A_KIND = Math.max(1, Math.min(Math.floor(availableParallelism() / 2), 3));

/** Takes the next run of a lane; undefined when nothing is left for this lane. */
type Next = () => (() => Promise<Outcome>) | undefined;

/**
 * Timed suites one after another, and beside them the untimed suites, and beside both the checks and the Python side. A lane
 * that has come to its end takes what is left. Suites that compare times come last, alone.
 */
async function runAll({ checks, science, suites, grep }: Selection): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const having = (company: Company): Suite[] => suites.filter((suite) => suite.company === company);
  const timed = having('steady').map((suite) => liveSuite(suite, grep));
  const alone = having('none').map((suite) => liveSuite(suite, grep));
  const isBusy = checks.length + science.length + suites.length > 1;
  const untimed = having('any').map((suite) =>
    isBusy ? () => runSuite(suite, grep, false) : liveSuite(suite, grep),
  );
  const computing = [...checks.map((check) => () => runCheck(check)), ...science];
  const lane = async (next: Next): Promise<void> => {
    for (let run = next(); run !== undefined; run = next()) {
      const outcome = await run();
      outcomes.push(outcome);
      printOutcome(outcome);
    }
  };
  const others = Array.from({ length: LANES_OF_A_KIND }, () => [
    lane(() => untimed.shift() ?? computing.shift()),
    lane(() => untimed.pop() ?? computing.shift()),
    lane(() => computing.shift() ?? untimed.pop()),
  ]);
  await Promise.all([lane(() => timed.shift() ?? untimed.shift() ?? computing.shift()), ...others.flat()]);
  await lane(() => alone.shift());
  return outcomes;
}

/** A suite whose lines go to the terminal as they come. */
function liveSuite(suite: Suite, grep: string | undefined): () => Promise<Outcome> {
  return async () => {
    console.log(`\n${suite.name}`);
    return runSuite(suite, grep, true);
  };
}

/** A time as a cell of a table; a dash where the time is not known. */
function inSeconds(seconds: number | undefined): string {
  return seconds === undefined ? '-'.padStart(12) : `${seconds.toFixed(1).padStart(10)} s`;
}

function report(outcomes: readonly Outcome[], totalSeconds: number): boolean {
  const sum = (key: 'passed' | 'failed' | 'skipped'): number =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const width = Math.max(...outcomes.map(({ name }) => name.length), 5);
  const times = (name: string, wall: number, processor: number | undefined): string =>
    `${name.padEnd(width)}${inSeconds(wall)}${inSeconds(processor)}`;
  console.log(`\n${'stage'.padEnd(width)}      time    processor   passed  failed  skipped`);
  for (const { name, seconds, processorSeconds, passed, failed, skipped } of outcomes) {
    const cells = [passed, failed, skipped].map((count) => String(count).padStart(8)).join('');
    console.log(`${times(name, seconds, processorSeconds)}${cells}`);
  }
  console.log(times('total', totalSeconds, endedChildrenSeconds()));
  // A build machine shows the end of a long output, so the failures are told once more beside the counts.
  for (const { name, failures } of outcomes.filter(({ failed }) => failed > 0)) {
    console.log(`\nfailed in ${name}:\n${failures}`);
  }
  const didNothing = sum('passed') + sum('failed') === 0;
  if (didNothing) console.log('Nothing ran: no test matches.');
  console.log(`\n${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
  return sum('failed') === 0 && !didNothing;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(130)));
}

const startedAt = performance.now();
const outcomes = await runAll(selectOrEnd());
process.exitCode = report(outcomes, (performance.now() - startedAt) / 1000) ? 0 : 1;
