/** Control workers of several builds beside each other, over the stack of a fault test that has no control worker of its own. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from '../../../scripts/test-plan.ts';
import { openDeployments } from '../../../src/adapters/temporal/deployments.ts';
import type { Deployments } from '../../../src/adapters/temporal/deployments.ts';
import { loadConfig } from '../../../src/config.ts';
import { refusalOf } from '../../../src/domain/deployment.ts';
import { KEPT_MODULES } from '../kept-modules.ts';
import { until } from '../until.ts';
import { RECOVERY_MS } from './times.ts';
import type { FaultWorld } from './world.ts';

/** A run of a workflow, and the builds whose workers completed its steps; workers without a build have an empty name. */
export interface BuildRun {
  readonly workflowId: string;
  readonly builds: readonly string[];
}

/** End of an operator's command. */
export interface CommandEnd {
  readonly code: number;
  /** The code of the refusal, where the command was asked for JSON. */
  readonly error: string | null;
  // Tests look into answers of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** The builds of one world. */
export interface Builds {
  readonly deployments: Deployments;
  /** Starts a control worker of a build, and waits until the worker asks for work; without a name it names no build. */
  start(buildId: string): Promise<void>;
  /** Waits until new work can go to the build. */
  untilReady(buildId: string): Promise<void>;
  /** Waits until the build is current. */
  untilCurrent(buildId: string): Promise<void>;
  /** Runs `dockyard admin deployment` with arguments, of which --json is one. */
  command(...args: string[]): Promise<CommandEnd>;
  /** Sends new work to the build. */
  setCurrent(buildId: string): Promise<void>;
  /** Ends every worker of a build with a signal, and waits until they are gone. */
  end(buildId: string, signal: NodeJS.Signals): Promise<void>;
  /** Every run of the workflow and of the workflows below it, with the builds whose workers completed its steps. */
  runsOf(workflowId: string): Promise<readonly BuildRun[]>;
  close(): Promise<void>;
}

/** Line that a control worker logs once it is up. */
const STARTED = 'control worker started';

/** Opens the builds of a world; none runs yet. */
export async function openBuilds(world: FaultWorld): Promise<Builds> {
  const deployments = await openDeployments(loadConfig('cli', world.stack.env));
  const workers = new Map<string, ChildProcess[]>();
  const read = async () => (await deployments.read())?.deployment;
  const end: Builds['end'] = async (buildId, signal) => {
    const running = (workers.get(buildId) ?? []).filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    workers.delete(buildId);
    await Promise.all(
      running.map(async (worker) => {
        const gone = once(worker, 'exit');
        worker.kill(signal);
        await gone;
      }),
    );
  };
  const builds: Builds = {
    deployments,
    async start(buildId) {
      const log = join(world.stack.home, 'logs', `control-${buildId}.log`);
      const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').split(STARTED).length : 1);
      const before = starts();
      workers.set(buildId, [...(workers.get(buildId) ?? []), startControl(world, buildId, log)]);
      await until(`a control worker of build ${buildId} is up`, () => starts() > before, RECOVERY_MS);
    },
    untilReady: (buildId) =>
      until(
        `workers of build ${buildId} are there`,
        async () => {
          const build = (await read())?.builds.find((each) => each.buildId === buildId);
          return refusalOf(build, new Date()) === null;
        },
        RECOVERY_MS,
      ),
    untilCurrent: (buildId) =>
      until(`build ${buildId} is current`, async () => (await read())?.currentBuild === buildId, RECOVERY_MS),
    command: (...args) => command(world, args),
    async setCurrent(buildId) {
      const known = await deployments.read();
      if (known === null || !(await deployments.setCurrent(buildId, known.token)))
        throw new Error(`Build ${buildId} did not become current.`);
    },
    end,
    runsOf: (workflowId) => runsOf(world, workflowId),
    async close() {
      await Promise.all([...workers.keys()].map((buildId) => end(buildId, 'SIGKILL')));
      await deployments.close();
    },
  };
  return builds;
}

function startControl({ stack }: FaultWorld, buildId: string, path: string): ChildProcess {
  const log = openSync(path, 'a');
  const worker = spawn(
    process.execPath,
    ['--max-semi-space-size=4', join(repositoryRoot, 'src/bin/control.ts'), `--stack=${stack.home}`],
    {
      cwd: repositoryRoot,
      env: {
        ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
        ...KEPT_MODULES,
        ...stack.env,
        ...{ DOCKYARD_BUILD_ID: buildId, DOCKYARD_HEALTH_PORT: '0', DOCKYARD_PARENT_PIPE: '1' },
      },
      // The worker ends when the channel closes, so that nothing is left of a test process that is killed.
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  closeSync(log);
  return worker;
}

function command({ stack }: FaultWorld, args: readonly string[]): Promise<CommandEnd> {
  const entry = join(repositoryRoot, 'src', 'bin', 'dockyard.ts');
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...KEPT_MODULES,
    DOCKYARD_HOME: stack.home,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, 'admin', 'deployment', ...args], { env }, (failure, out, err) => {
      const code = failure === null ? 0 : Number(failure.code);
      const data = code === 0 ? JSON.parse(out) : null;
      resolve({ code, data, error: code === 0 ? null : String(JSON.parse(err).code) });
    });
  });
}

async function runsOf(world: FaultWorld, workflowId: string): Promise<BuildRun[]> {
  const { workflow } = await world.temporal();
  const runs: BuildRun[] = [];
  for await (const found of workflow.list({ query: `WorkflowId STARTS_WITH "${workflowId}"` })) {
    const { events } = await workflow.getHandle(found.workflowId, found.runId).fetchHistory();
    const builds = new Set<string>();
    for (const { workflowTaskCompletedEventAttributes: step } of events ?? [])
      if (step != null) builds.add(step.deploymentVersion?.buildId ?? '');
    runs.push({ workflowId: found.workflowId, builds: [...builds].toSorted() });
  }
  return runs;
}
