/** A compute host that starts nothing: the test is every instance that a job launches, and says itself what the instance does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pino } from 'pino';

import type { LaunchRequest } from '../../../src/contracts/local-host.ts';
import { ComputeHost } from '../../../src/local-host/host.ts';
import { serveHost } from '../../../src/local-host/server.ts';
import { until } from '../until.ts';
import { WITHOUT_SANDBOX } from '../containments.ts';
import { openFaultWorld } from './world.ts';
import type { FaultWorld } from './world.ts';

/** A world whose instances are launched, and do nothing by themselves. */
export interface PlayedWorld extends FaultWorld {
  /** The launch of a job's instance, once the control side has asked for it. */
  launched(jobId: string): Promise<LaunchRequest>;
  close(): Promise<void>;
}

const TOKEN = 'token-of-the-host-of-instances-that-are-played-0123';

/** Opens the world. */
export async function openPlayedWorld(settings: Readonly<Record<string, string>> = {}): Promise<PlayedWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-played-'));
  const launches: LaunchRequest[] = [];
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
        const end = Promise.withResolvers<null>();
        return {
          pid: null,
          ended: end.promise.then(() => undefined),
          async stop() {
            end.resolve(null);
            await end.promise;
          },
        };
      },
      cleanUp: () => Promise.resolve(),
    },
  });
  const server = await serveHost(host, {
    ...{ host: '127.0.0.1', port: 0, token: TOKEN, onError: console.error },
    tools: () => Promise.resolve([]),
    containment: WITHOUT_SANDBOX,
  });
  const world = await openFaultWorld({
    roles: ['gateway', 'control', 'api'],
    settings: {
      ...settings,
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
    async close() {
      await host.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
