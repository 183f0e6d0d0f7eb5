/** Control workers of several builds beside each other, over the stack of a fault test that has no control worker of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
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

/** The builds of one world. */
export interface Builds {
  readonly deployments: Deployments;
  /** Starts a control worker of a build; without a name a worker that names no build. */
  start(buildId: string): void;
  /** Waits until new work can go to the build. */
  untilReady(buildId: string): Promise<void>;
  /** Waits until the build is current. */
  untilCurrent(buildId: string): Promise<void>;
  /** Sends new work to the build. */
  setCurrent(buildId: string): Promise<void>;
  /** Ends every worker of a build with a signal, and waits until they are gone. */
  end(buildId: string, signal: NodeJS.Signals): Promise<void>;
  /** Builds whose workers completed steps of any run of a workflow or of workflows below it, with the number of its own runs. */
  workedOn(workflowId: string): Promise<{ readonly builds: readonly string[]; readonly runs: number }>;
  close(): Promise<void>;
}

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
    start(buildId) {
      workers.set(buildId, [...(workers.get(buildId) ?? []), startControl(world, buildId)]);
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
    async setCurrent(buildId) {
      const known = await deployments.read();
      if (known === null || !(await deployments.setCurrent(buildId, known.token)))
        throw new Error(`Build ${buildId} did not become current.`);
    },
    end,
    workedOn: (workflowId) => workedOn(world, workflowId),
    async close() {
      await Promise.all([...workers.keys()].map((buildId) => end(buildId, 'SIGKILL')));
      await deployments.close();
    },
  };
  return builds;
}

function startControl({ stack }: FaultWorld, buildId: string): ChildProcess {
  const log = openSync(join(stack.home, 'logs', `control-${buildId}.log`), 'a');
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

async function workedOn(
  world: FaultWorld,
  workflowId: string,
): Promise<{ readonly builds: readonly string[]; readonly runs: number }> {
  const { workflow } = await world.temporal();
  const builds = new Set<string>();
  let runs = 0;
  // Prefixes of ids are whole: each job has an id of its own.
  for await (const found of workflow.list({ query: `WorkflowId STARTS_WITH "${workflowId}"` })) {
    if (found.workflowId === workflowId) runs += 1;
    const { events } = await workflow.getHandle(found.workflowId, found.runId).fetchHistory();
    for (const { workflowTaskCompletedEventAttributes: step } of events ?? [])
      if (step != null) builds.add(step.deploymentVersion?.buildId ?? '');
  }
  return { builds: [...builds].toSorted(), runs };
}
