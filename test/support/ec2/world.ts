/**
 * A stack whose new jobs run on the simulated EC2, and whose local host is there for jobs of the local provider: seen as a customer
 * and as an auditor, and as the owner of the cloud.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { expect } from 'chai';

import { projectRoot } from '../../../src/stack/tools.ts';
import { answersOk } from '../../../src/stack/probes.ts';
import type { FaultJob, Start } from '../faults/jobs.ts';
import { timed } from '../faults/times.ts';
import { openFaultWorld, type FaultWorld } from '../faults/world.ts';
import { freePort } from '../ports.ts';
import { endTestStack, type TestStackOptions } from '../stack.ts';
import { until } from '../until.ts';
import { openStackCloud } from './cloud.ts';
import type { CloudInstance, SimulatedEc2 } from './simulated-ec2.ts';
import { settingsOf, tuned } from '../tuning.ts';

/** The stack and its cloud. */
export interface CloudWorld extends FaultWorld {
  readonly cloud: SimulatedEc2;
  /** The instances of a job, in the order of their launches. */
  machinesOf(job: Pick<FaultJob, 'jobId'>): Promise<CloudInstance[]>;
  /** Waits until no instance of the job runs, and answers how many milliseconds that took. */
  untilGone(job: Pick<FaultJob, 'jobId'>, withinMs: number): Promise<number>;
  /** Starts a further API whose new jobs begin on the local provider; it ends with the world. */
  localApi(): Promise<string>;
  close(): Promise<void>;
}

/**
 * Times of the cloud. A machine boots, and looks at EC2 are five seconds apart in every mode, so what an instance is judged by
 * takes longer than on this machine.
 */
const SCALED = timed({
  scaled: tuned({
    launchSeconds: 90,
    goneMinAgeSeconds: 10,
    goneConfirmSeconds: 5,
    noRoomSeconds: 1,
    sweepSeconds: 2,
    sweepMinAgeSeconds: 10,
  }),
  full: {},
});
const START_MS = 60_000;
/** File in which a machine notes each start of a task. */
const STARTS = join('var', 'lib', 'dockyard', 'work', 'starts.log');

/** Opens the world; a machine boots for a moment where `bootSeconds` of the cloud says nothing else. */
export async function openCloudWorld(
  { settings = {}, ...options }: Omit<TestStackOptions, 'environment'> = {},
  cloudOptions: Parameters<typeof openStackCloud>[0] = {},
): Promise<CloudWorld> {
  const { cloud, settings: ofCloud, environment, close } = await openStackCloud(cloudOptions);
  const world = await openFaultWorld({
    ...options,
    environment,
    settings: settingsOf(
      {
        ...ofCloud,
        DOCKYARD_FURTHER_PROVIDERS: 'local',
        DOCKYARD_ACCOUNT_CAPACITY_VCPUS: '64',
        // One instance a job, so that a test knows which one it loses.
        DOCKYARD_MAX_INSTANCES_PER_JOB: '1',
      },
      SCALED,
      settings,
    ),
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const endings: (() => Promise<void>)[] = [];
  const machinesOf: CloudWorld['machinesOf'] = async ({ jobId }) => {
    const tag = (call: { readonly form: Readonly<Record<string, string>> }): boolean =>
      Object.values(call.form).includes(jobId);
    const tokens = new Set(cloud.calls.filter(tag).map(({ form }) => form['ClientToken']));
    return [...cloud.instances.values()].filter(({ token }) => tokens.has(token));
  };
  return {
    ...world,
    cloud,
    machinesOf,
    async untilGone(job, withinMs) {
      const startedAt = performance.now();
      await until(
        `no instance of job ${job.jobId} is left`,
        async () => (await machinesOf(job)).every(({ endedMs }) => endedMs !== null),
        withinMs,
      );
      return performance.now() - startedAt;
    },
    async localApi() {
      const [port, health] = [await freePort(), await freePort()];
      const child = spawn(process.execPath, [join(projectRoot, 'src', 'bin', 'api.ts')], {
        cwd: projectRoot,
        stdio: 'ignore',
        env: {
          ...process.env,
          ...world.stack.env,
          DOCKYARD_PROVIDER: 'local',
          DOCKYARD_API_PORT: String(port),
          DOCKYARD_HEALTH_PORT: String(health),
        },
      });
      const ended = once(child, 'exit');
      const end = (): void => void child.kill('SIGKILL');
      process.once('exit', end);
      endings.push(async () => {
        process.off('exit', end);
        end();
        await ended;
      });
      const url = `http://127.0.0.1:${String(port)}`;
      await until('the further API serves', () => answersOk(`${url}/readyz`).catch(() => false), START_MS);
      return url;
    },
    async close() {
      for (const end of endings) await end();
      await endTestStack(world.stack);
      await close();
    },
  };
}

/** The calls by which instances of a job were asked for. */
export function launchesOf(world: CloudWorld, { jobId }: Pick<FaultJob, 'jobId'>) {
  return world.cloud.calls.filter(
    ({ action, form }) => action === 'RunInstances' && Object.values(form).includes(jobId),
  );
}

/** Each token has started one instance at most, and none of the job's instances is left. */
export async function onePerToken(world: CloudWorld, job: Pick<FaultJob, 'jobId'>): Promise<void> {
  const tokens = (await world.machinesOf(job)).map(({ token }) => token);
  expect(new Set(tokens).size, 'instances of one token').to.equal(tokens.length);
}

/** How often each task was started on these machines, by index. */
export function startsOn({ cloud }: CloudWorld, machines: readonly CloudInstance[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { id } of machines)
    for (const line of cloud.machines.fileOf(id, STARTS).split('\n').filter(Boolean)) {
      const { start, ordinal }: Start = JSON.parse(line);
      if (start === 'task' && ordinal !== undefined) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
    }
  return counts;
}
