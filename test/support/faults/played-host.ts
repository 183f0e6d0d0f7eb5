/** A compute host that starts nothing: the test is every instance that a job launches, and says itself what the instance does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';

import type { LaunchRequest } from '../../../src/contracts/local-host.ts';
import { ComputeHost } from '../../../src/local-host/host.ts';
import type { RunningInstance } from '../../../src/local-host/runner.ts';
import { serveHost } from '../../../src/local-host/server.ts';
import { tuned } from '../tuning.ts';
import { until } from '../until.ts';
import { WITHOUT_SANDBOX } from '../containments.ts';
import { openFaultWorld } from './world.ts';
import type { FaultWorld } from './world.ts';

/** A world whose instances are launched, and are what the test says. */
export interface PlayedWorld extends FaultWorld {
  /** The launch of a job's instance, once the control side has asked for it. */
  launched(jobId: string): Promise<LaunchRequest>;
  /** Says what instances are that are launched from now on, until the answered function is called; else they do nothing by themselves. */
  play(start: (launch: LaunchRequest) => RunningInstance): () => void;
}

const TOKEN = 'token-of-the-host-of-instances-that-are-played-0123';
/** Instances of a test send no heartbeats, and take as long as the machine needs. */
const PATIENT = tuned({ computeHeartbeatSeconds: 300, silenceSeconds: 300, giveUpSeconds: 300 });

let shared: Promise<PlayedWorld> | null = null;
const closing: (() => Promise<unknown>)[] = [];

/** The world that the suites of this process share. */
export function playedWorld(): Promise<PlayedWorld> {
  shared ??= openPlayedWorld();
  return shared;
}

async function openPlayedWorld(): Promise<PlayedWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-played-'));
  const launches: LaunchRequest[] = [];
  let startInstance: (launch: LaunchRequest) => RunningInstance = idleInstance;
  const host = await ComputeHost.open({
    folder,
    containment: WITHOUT_SANDBOX,
    gpus: [],
    spotPlaces: 0,
    log: pino({ level: 'silent' }),
    onChange: () => undefined,
    runner: {
      start({ launch }) {
        launches.push(launch);
        return startInstance(launch);
      },
      cleanUp: () => Promise.resolve(),
    },
  });
  const server = await serveHost(host, {
    ...{ host: '127.0.0.1', port: 0, token: TOKEN, onError: console.error },
    tools: () => Promise.resolve([]),
    containment: WITHOUT_SANDBOX,
    gpus: () => [],
  });
  closing.push(async () => {
    await host.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const world = await openFaultWorld({
    roles: ['gateway', 'control', 'api'],
    settings: {
      ...PATIENT,
      DOCKYARD_COMPUTE_URL: `http://127.0.0.1:${server.port}`,
      DOCKYARD_COMPUTE_TOKEN: TOKEN,
    },
  });
  return {
    ...world,
    async launched(jobId) {
      await until(
        'the instance is launched',
        () => launches.some((launch) => launch.jobId === jobId),
        30_000,
      );
      const launch = launches.findLast((each) => each.jobId === jobId);
      if (launch === undefined) throw new Error('There is no launch.');
      return launch;
    },
    play(start) {
      startInstance = start;
      return () => {
        startInstance = idleInstance;
      };
    },
  };
}

function idleInstance(): RunningInstance {
  const end = Promise.withResolvers<null>();
  return {
    pid: null,
    ended: end.promise.then(() => undefined),
    async stop() {
      end.resolve(null);
      await end.promise;
    },
  };
}

after('closes the host of instances that are played', async () => {
  for (const close of closing) await close();
});
