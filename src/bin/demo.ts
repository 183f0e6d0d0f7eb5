// `npm run demo`: the whole line from an account to downloaded outputs, on this machine.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { DemoProblem, openStack, type DemoStack } from '../cli/demo/stack.ts';
import { tellStory, type DemoPlan, type DemoResult } from '../cli/demo/story.ts';
import { ClientError } from '../client/index.ts';
import { HomeInUseError } from '../stack/home-lock.ts';
import { projectRoot, ToolMissingError } from '../stack/tools.ts';

interface Options {
  readonly keep?: true;
  readonly json?: string;
  readonly tasks: number;
  readonly seconds: number;
}

const about =
  'Starts everything on this machine (or uses the stack that runs in DOCKYARD_HOME, default: .dockyard in the ' +
  'checkout), creates an account, uploads a file, submits a job and shows its states, its money and its outputs.';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function numberBetween(least: number, most: number, whole: boolean): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most) || (whole && !Number.isInteger(value)))
      throw new InvalidArgumentError(`It is a${whole ? ' whole' : ''} number from ${least} to ${most}.`);
    return value;
  };
}

function readOptions(): Options {
  const command = new Command('npm run demo --')
    .description(about)
    .option('--keep', 'leave the stack up until Ctrl-C')
    .option('--json <file>', 'write what was seen to a file')
    .option('--tasks <n>', 'tasks of the job', numberBetween(1, 1000, true), 40)
    .option('--seconds <n>', 'seconds that each task takes', numberBetween(0, 60, false), 0.3)
    .exitOverride()
    .parse();
  return command.opts<Options>();
}

function conclude(stack: DemoStack, { report, expectations }: DemoResult): boolean {
  print('');
  print('Where to look next');
  print(`   API document   ${report.documentUrl}`);
  print(`   Temporal UI    ${report.temporalUiUrl}`);
  print(`   this job       ${report.workflowUrl}`);
  print(`   data and logs  ${stack.home}`);
  print('');
  const missed = expectations.filter(({ met }) => !met);
  for (const { what } of missed) print(`NOT AS PLANNED: ${what}`);
  if (missed.length === 0)
    print(`All ${expectations.length} checks hold; ${report.elapsedSeconds} s from account to outputs.`);
  return missed.length === 0;
}

async function main(options: Options): Promise<number> {
  const home = resolve(process.env['DOCKYARD_HOME'] ?? join(projectRoot, '.dockyard'));
  const interruption = new AbortController();
  let stack: DemoStack | null = null;
  const onSignal = (): void => {
    // The first asks for a clean end; a second one is impatience.
    if (interruption.signal.aborted) void stack?.stop({ force: true });
    else
      interruption.abort(
        new DemoProblem('Interrupted; what was submitted goes on when the stack runs again.'),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);

  print(`Dockyard demo, data in ${home}`);
  const plan: DemoPlan = {
    tasks: options.tasks,
    secondsPerTask: options.seconds,
    creditsPence: options.tasks + 500,
  };
  try {
    stack = await openStack(home, process.env, (line) => print(`   ${line}`), interruption.signal);
    if (!stack.isOwn) print(`   using the stack that runs at ${stack.apiUrl}`);
    const result = await tellStory(stack, plan, {
      print,
      screen: process.stderr,
      signal: interruption.signal,
    });
    const ok = conclude(stack, result);
    if (options.json !== undefined) {
      await writeFile(
        options.json,
        `${JSON.stringify({ ok, ...result.report, checks: result.expectations }, null, 2)}\n`,
      );
    }
    if (options.keep === true && stack.isOwn) await untilInterrupted(interruption.signal);
    return ok ? 0 : 1;
  } finally {
    await stack?.stop();
  }
}

async function untilInterrupted(signal: AbortSignal): Promise<void> {
  print('The stack stays up; Ctrl-C stops it.');
  if (signal.aborted) return;
  // The stack's processes keep this one alive.
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
}

function describe(error: unknown): string {
  if (error instanceof ClientError) {
    const request = error.requestId === null ? '' : `, request ${error.requestId}`;
    return `${error.message} (${error.code}${request})`;
  }
  if (error instanceof DemoProblem || error instanceof HomeInUseError || error instanceof ToolMissingError)
    return error.message;
  return String(error instanceof Error ? error.stack : error);
}

try {
  process.exitCode = await main(readOptions());
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else {
    process.stderr.write(`\n${describe(error)}\n`);
    process.exitCode = error instanceof ToolMissingError ? 3 : 1;
  }
}
