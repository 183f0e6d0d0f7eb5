// `npm run demo`: nine drugs and one bad ligand docked to the progesterone receptor, from an account to ranked poses.
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { expectationsOf, summaryOf, type DemoReport } from '../cli/demo/report.ts';
import { DemoProblem, openStack, type DemoStack } from '../cli/demo/stack.ts';
import { tellStory } from '../cli/demo/story.ts';
import { createTerminal } from '../cli/terminal.ts';
import { CommandProblem } from '../cli/problems.ts';
import { ClientError } from '../client/index.ts';
import { HomeInUseError } from '../stack/home-lock.ts';
import { onParentGone } from '../stack/parent-watch.ts';
import { projectRoot, ToolMissingError } from '../stack/tools.ts';

interface Options {
  readonly keep?: true;
  readonly json?: string;
}

const about =
  'Starts everything on this machine (or uses the stack that runs in DOCKYARD_HOME, default: .dockyard in the ' +
  'checkout), creates an account, docks the ligands of examples/1a28 to the progesterone receptor and shows the ' +
  'price, the ranking, the control, the money and the poses. Ends with 0 when all went as planned, else with 1.';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

function readOptions(): Options {
  const command = new Command('npm run demo --')
    .description(about)
    .option('--keep', 'leave the stack up until Ctrl-C')
    .option('--json <file>', 'write the outcome to a file')
    .exitOverride()
    .parse();
  return command.opts<Options>();
}

function conclude(stack: DemoStack, report: DemoReport): boolean {
  const expectations = expectationsOf(report);
  print('');
  print('Where to look next');
  print(`   API document   ${stack.apiUrl}/api/v1/openapi.json`);
  print(`   Temporal UI    ${stack.temporalUiUrl}`);
  print(`   this job       ${report.workflowUrl}`);
  print(`   its poses      ${report.folder}`);
  print(`   data and logs  ${stack.home}`);
  print('');
  const missed = expectations.filter(({ met }) => !met);
  for (const { what } of missed) print(`NOT AS PLANNED: ${what}`);
  if (missed.length === 0) print(`All ${expectations.length} checks hold; ${report.seconds} s.`);
  return missed.length === 0;
}

async function main(options: Options): Promise<number> {
  const home = resolve(process.env['DOCKYARD_HOME'] ?? join(projectRoot, '.dockyard'));
  const interruption = new AbortController();
  let stack: DemoStack | null = null;
  const onSignal = (): void => {
    // The first signal asks for a clean end; a second signal ends the stack at once.
    if (interruption.signal.aborted) void stack?.stop({ force: true });
    else
      interruption.abort(
        new DemoProblem('Interrupted; what was submitted goes on when the stack runs again.'),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  onParentGone(onSignal);

  const startedAtMs = performance.now();
  print(`Dockyard demo, data in ${home}`);
  try {
    stack = await openStack(home, process.env, (line) => print(`   ${line}`), interruption.signal);
    if (!stack.isOwn) print(`   using the stack that runs at ${stack.apiUrl}`);
    const { screen } = createTerminal(process);
    const report = await tellStory(stack, { print, screen, signal: interruption.signal, startedAtMs });
    const ok = conclude(stack, report);
    if (options.json !== undefined) {
      await writeFile(options.json, `${JSON.stringify(summaryOf(report), null, 2)}\n`);
    }
    if (options.keep === true) {
      print(`Look around with: export DOCKYARD_API_URL=${stack.apiUrl} DOCKYARD_API_KEY=${report.apiKey}`);
      print(`then, for example: ./dockyard outputs ${report.jobId}`);
      if (stack.isOwn) await untilInterrupted(interruption.signal);
    }
    return ok ? 0 : 1;
  } finally {
    await stack?.stop();
  }
}

async function untilInterrupted(signal: AbortSignal): Promise<void> {
  print('The stack stays up; Ctrl-C stops it.');
  if (signal.aborted) return;
  // The processes of the stack keep this process alive.
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }));
}

function describe(error: unknown): string {
  if (error instanceof ClientError) {
    const request = error.requestId === null ? '' : `, request ${error.requestId}`;
    return `${error.message} (${error.code}${request})`;
  }
  if (error instanceof DemoProblem || error instanceof HomeInUseError || error instanceof ToolMissingError)
    return error.message;
  if (error instanceof CommandProblem) return error.message;
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
