// One embedded stack for all test files of a mocha process, in a folder that is removed at the end. A suite that needs
// other settings (short leases, several APIs) starts a stack with `startTestStack`.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from '../../src/files.ts';
import { describeEvent } from '../../src/stack/events.ts';
import { homeOwner } from '../../src/stack/home-lock.ts';
import { stopLeftovers } from '../../src/stack/leftovers.ts';
import type { StackOptions } from '../../src/stack/options.ts';
import { placePostgres, removePostgres } from '../../src/stack/postgres.ts';
import { startStack, type Stack } from '../../src/stack/stack.ts';
import { stateFile } from '../../src/stack/state.ts';
import { CLUSTER_PASSWORD, copyCluster } from './cluster.ts';
import { TEST_TOOLS } from './test-tools.ts';

const prefix = 'dockyard-test-stack-';
/** A signal waits no longer for the ends of stacks. */
const endingMs = 10_000;
const startingMs = 60_000;

const running = new Set<Stack>();
let shared: Promise<Stack> | undefined;
let swept: Promise<void> | undefined;

/** The options of its stack that a test may choose. */
export interface TestStackOptions extends Pick<StackOptions, 'settings' | 'counts' | 'roles'> {
  /** Variables that the caller's environment does not have. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets the stack before its processes serve. */
  readonly onStarting?: (stack: Stack) => void;
}

/** The stack that the suites of this process share; the first call starts it. */
export function sharedStack(): Promise<Stack> {
  shared ??= startTestStack();
  return shared;
}

/** Starts a stack and waits until it serves. The stack ends with the process unless the test ends it before. */
export async function startTestStack(options: TestStackOptions = {}): Promise<Stack> {
  endWithSignals();
  swept ??= sweepAbandoned();
  await swept;
  const home = mkdtempSync(join(tmpdir(), prefix));
  await copyCluster(home);
  // The stack keeps the secrets that it finds, and makes those that are missing.
  writeFileAtomically(
    stateFile(home),
    JSON.stringify({ secrets: { databasePassword: CLUSTER_PASSWORD } }),
    0o600,
    false,
  );
  const lines: string[] = [];
  const stack = await startStack({
    home,
    randomPorts: true,
    durable: false,
    ...options,
    environment: { ...process.env, ...options.environment },
    settings: { DOCKYARD_TEST_TOOLS: TEST_TOOLS, ...options.settings },
    onEvent: (event) => {
      const line = describeEvent(event);
      if (line !== undefined) lines.push(line);
    },
  });
  running.add(stack);
  options.onStarting?.(stack);
  try {
    await stack.ready;
    return stack;
  } catch (error) {
    await endTestStack(stack);
    throw new Error(`The test stack did not come up.\n${lines.join('\n')}`, { cause: error });
  }
}

/** Ends a stack at once and deletes everything that it left. A test of the clean end calls `stack.stop()` first. */
export async function endTestStack(stack: Stack): Promise<void> {
  running.delete(stack);
  await stack.stop({ force: true });
  if (process.env['DOCKYARD_TEST_KEEP'] === '1') process.stderr.write(`kept: ${stack.home}\n`);
  else stack.remove();
}

let endsWithSignals = false;

/** Ctrl-C ends the stacks of this process, too: their processes are in sessions of their own, which no signal to a suite reaches. */
function endWithSignals(): void {
  // A script that imports this file decides by itself what a signal does.
  if (endsWithSignals || typeof after !== 'function') return;
  endsWithSignals = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      const ended = Promise.allSettled([...running].map(endTestStack));
      void Promise.race([ended, sleep(endingMs)]).then(() => process.exit(130));
    });
}

/** Removes what a killed test run left: its supervisor is gone, but its servers and its folder may still be there. */
async function sweepAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const home = join(tmpdir(), name);
    // A new folder may belong to a run that has not locked it yet.
    if (homeOwner(home) !== undefined || ageMs(home) < startingMs) continue;
    const place = placePostgres(home);
    await stopLeftovers(home, place, () => undefined);
    removePostgres(place);
    rmSync(home, { recursive: true, force: true });
  }
}

function ageMs(folder: string): number {
  try {
    return Date.now() - statSync(folder).mtimeMs;
  } catch {
    return 0;
  }
}

// In a test the hook belongs to mocha's root suite; a script that imports this file ends its stacks itself.
if (typeof after === 'function') {
  after('ends the stacks of this process', async function () {
    this.timeout(240_000);
    await shared?.catch(() => undefined);
    await Promise.all([...running].map(endTestStack));
  });
}
