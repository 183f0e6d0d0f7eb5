import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { expect } from 'chai';

import { describeGpus } from '../../src/instance/gpus.ts';
import { markedProcesses } from '../../src/instance/process-table.ts';
import type {
  EndingInstance,
  InstanceDescription,
  InstanceProvider,
} from '../../src/adapters/instances/instances.ts';
import { createLocalProvider } from '../../src/adapters/instances/local.ts';
import { INSTANCE_MARKER, TASK_MARKER } from '../../src/contracts/local-host.ts';
import { cacheHome } from '../../src/packs/cache.ts';
import { containmentHere } from '../support/containments.ts';
import { openComputeWorld } from '../support/compute-world.ts';
import type { ComputeWorld } from '../support/compute-world.ts';
import { specOfLaunch } from '../support/instance-providers.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { freePort } from '../support/ports.ts';
import { keepsProviderContract } from '../support/provider-contract.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';
import { tuned } from '../support/tuning.ts';

const COMPUTE_TOKEN = 'test-token-of-the-compute-host-0123456789';
const ENTRY_POINT = join(import.meta.dirname, '../../src/bin/compute.ts');

type Mode = 'process' | 'inprocess';
type Launch = Awaited<ReturnType<ComputeWorld['seedJob']>>['launch'];

interface Host {
  readonly provider: InstanceProvider;
  readonly folder: string;
  readonly url: string;
  /** The latest list of instances that the supervisor was told. */
  instances(): readonly { id: string; pid: number }[];
  kill(signal: NodeJS.Signals): Promise<void>;
}

const ending = (token: string): EndingInstance => ({ token, providerId: null });

/** Asks for an instance on demand, of which there is always one. */
async function launchedAt(
  { provider }: Pick<Host, 'provider'>,
  launch: Launch,
): Promise<InstanceDescription> {
  const answer = await provider.ensure(specOfLaunch(launch));
  return answer.state === 'launched' ? answer.instance : expect.fail(`answered ${answer.state}`);
}

describe('instances on this machine', function () {
  this.timeout(120_000);
  let world: ComputeWorld;
  const hosts: Host[] = [];
  let strays: ChildProcess[] = [];
  before(async () => (world = await openComputeWorld()));
  afterEach(() => {
    for (const stray of strays) stray.kill('SIGKILL');
    strays = [];
  });
  after(async () => {
    await Promise.all(hosts.map((host) => host.kill('SIGTERM')));
    await world.close();
  });

  /** The hosts that the tests share, because a host takes a second to start: each test ends the instances that it starts. */
  const shared = new Map<Mode, Promise<Host>>();
  const hostOf = (mode: Mode): Promise<Host> => {
    const host = shared.get(mode) ?? startHost(mode);
    shared.set(mode, host);
    return host;
  };

  const contacted = async (jobId: string): Promise<boolean> => {
    const [row] = await world.database.db.query('select last_contact_at from instances where job_id = $1', [
      jobId,
    ]);
    return row.last_contact_at !== null;
  };

  /** The process of an instance, once the supervisor was told of the instance. */
  const pidOf = async (host: Host, providerId: string): Promise<number> => {
    const entry = () => host.instances().find(({ id }) => id === providerId);
    await until('the supervisor is told', () => entry() !== undefined);
    return entry()?.pid ?? expect.fail('the instance is gone');
  };

  it('tell which tools they can run, and how they contain them', async () => {
    const { provider } = await hostOf('process');
    const reports = await provider.tools();
    const noop = reports.find(({ toolId }) => toolId === 'noop');
    expect(noop).to.include({ available: true, reason: null });
    expect(await provider.containment()).to.deep.equal(await containmentHere());
    expect(await provider.gpus()).to.deep.equal(await describeGpus());
  });

  keepsProviderContract(async () => {
    const { provider } = await hostOf('inprocess');
    return { provider, newSpec: async () => specOfLaunch((await world.seedJob()).launch) };
  });

  for (const mode of ['process', 'inprocess'] as const) {
    it(`one token is one instance, for ever (${mode})`, async () => {
      const { launch, jobId } = await world.seedJob();
      const { provider, folder } = await hostOf(mode);
      expect(await provider.describe(launch.token)).to.include({ state: 'gone' });
      const [first, second] = await Promise.all([
        launchedAt({ provider }, launch),
        launchedAt({ provider }, launch),
      ]);
      expect(first).to.deep.equal(second).and.include({ token: launch.token, state: 'running' });
      expect(await provider.describe(launch.token)).to.deep.equal(first);
      expect(await provider.list()).to.deep.equal([first]);
      await until('the instance has contacted the gateway', () => contacted(jobId));
      await Promise.all([provider.terminate(ending(launch.token)), provider.terminate(ending(launch.token))]);
      expect(await provider.describe(launch.token)).to.deep.equal({ ...first, state: 'gone' });
      expect(await provider.list()).to.deep.equal([]);
      expect(await provider.ensure(specOfLaunch(launch))).to.deep.equal({ state: 'ended' });
      expect(markedProcesses(INSTANCE_MARKER, first.providerId)).to.deep.equal([]);
      await until('its folder is removed', () => !existsSync(join(folder, 'instances', first.providerId)));
    });

    it(`a token that was terminated before it was launched is never launched (${mode})`, async () => {
      const { launch } = await world.seedJob();
      const { provider } = await hostOf(mode);
      await provider.terminate(ending(launch.token));
      expect(await provider.ensure(specOfLaunch(launch))).to.deep.equal({ state: 'ended' });
      expect(await provider.list()).to.deep.equal([]);
    });

    it(`a fenced instance ends by itself (${mode})`, async () => {
      const job = await world.seedJob();
      const { provider } = await hostOf(mode);
      const { providerId } = await launchedAt({ provider }, job.launch);
      await until('it has contacted the gateway', () => contacted(job.jobId));
      await world.fence(job);
      await until('it is gone', async () => (await provider.describe(job.launch.token))?.state === 'gone');
      expect(markedProcesses(INSTANCE_MARKER, providerId)).to.deep.equal([]);
    });
  }

  it('spot instances get no more places than the host has; a place that is free again is taken', async () => {
    const jobs = await Promise.all([world.seedJob(), world.seedJob(), world.seedJob()]);
    const [first, second, third] = jobs.map(({ launch }) => launch) as [Launch, Launch, Launch];
    const host = await startHost('process', { spotPlaces: 1 });
    const { provider } = host;
    expect(provider.offersSpot).to.equal(true);
    const spot = { market: 'SPOT' } as const;
    const states = await Promise.all(
      [first, second].map(
        async (launch) => (await provider.ensure(specOfLaunch({ ...launch, ...spot }))).state,
      ),
    );
    expect(states).to.deep.equal(['launched', 'capacity']);
    expect(await provider.ensure(specOfLaunch({ ...first, ...spot })), 'a repeat').to.include({
      state: 'launched',
    });
    expect(await provider.describe(second.token)).to.include({ state: 'gone' });
    expect(await provider.ensure(specOfLaunch(third)), 'on demand').to.include({ state: 'launched' });
    await provider.terminate(ending(first.token));
    expect(await provider.ensure(specOfLaunch({ ...second, ...spot }))).to.include({ state: 'launched' });
    const plain = await hostOf('process');
    expect(plain.provider.offersSpot).to.equal(false);
    expect(await plain.provider.ensure(specOfLaunch({ ...first, ...spot }))).to.include({
      state: 'capacity',
    });
    for (const { token } of [second, third]) await provider.terminate(ending(token));
  });

  it('an instance that needs more GPUs than are free is not started', async () => {
    const { launch } = await world.seedJob();
    const { provider } = await hostOf('process');
    const gpus = (await describeGpus()).length + 1;
    expect(await provider.ensure(specOfLaunch({ ...launch, gpus }))).to.include({ state: 'capacity' });
    expect(await provider.ensure(specOfLaunch(launch))).to.include({ state: 'launched' });
    await provider.terminate(ending(launch.token));
  });

  it('no answer is told as none, and a wrong token gets nothing', async () => {
    const { launch } = await world.seedJob();
    const { url } = await hostOf('process');
    const stranger = createLocalProvider({ name: 'local', url, token: 'x'.repeat(32) });
    expect(await stranger.describe(launch.token)).to.equal(null);
    expect(await stranger.ensure(specOfLaunch(launch)).catch((error: unknown) => String(error))).to.contain(
      '401',
    );
    const nowhere = createLocalProvider({
      name: 'local',
      url: `http://127.0.0.1:${await freePort()}`,
      token: COMPUTE_TOKEN,
    });
    expect(await nowhere.describe(launch.token)).to.equal(null);
  });

  it('tells its supervisor which instances run, and gives them nothing of the control side', async () => {
    const { launch } = await world.seedJob();
    const host = await hostOf('process');
    const { providerId } = await launchedAt(host, launch);
    const pid = await pidOf(host, providerId);
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      .split('\0')
      .map((pair) => pair.split('=')[0]);
    expect(environment).to.include('DOCKYARD_GATEWAY_URL').and.include(INSTANCE_MARKER);
    // XDG_CACHE_HOME tells where the packs are; nothing else of the user's home is told.
    const others = environment.filter((name) => name !== 'XDG_CACHE_HOME');
    expect(others.join(' ')).not.to.match(/DATABASE|STORAGE|SECRET|COMPUTE_TOKEN|AWS|HOME/);
    await host.provider.terminate(ending(launch.token));
    await until('the supervisor is told that it is gone', () => host.instances().length === 0);
  });

  it('after kill -9 of an instance it is gone, and so is every process that it started', async () => {
    const { launch } = await world.seedJob();
    const host = await hostOf('process');
    const { providerId } = await launchedAt(host, launch);
    const pid = await pidOf(host, providerId);
    leaveTool(providerId);
    process.kill(pid, 'SIGKILL');
    await until('it is gone', async () => (await host.provider.describe(launch.token))?.state === 'gone');
    expect(markedProcesses(TASK_MARKER, providerId)).to.deep.equal([]);
    await until('its folder is removed', () => !existsSync(join(host.folder, 'instances', providerId)));
  });

  it('ends an instance that is stopped and hears no signal', async () => {
    const { launch } = await world.seedJob();
    const host = await hostOf('process');
    const { providerId } = await launchedAt(host, launch);
    process.kill(await pidOf(host, providerId), 'SIGSTOP');
    await host.provider.terminate(ending(launch.token));
    expect(markedProcesses(INSTANCE_MARKER, providerId)).to.deep.equal([]);
  });

  it('after kill -9 of the host its instances end, and its successor knows them as gone', async () => {
    const { launch, jobId } = await world.seedJob();
    const host = await startHost('process');
    const { providerId } = await launchedAt(host, launch);
    await until('it has contacted the gateway', () => contacted(jobId));
    leaveTool(providerId);
    await host.kill('SIGKILL');
    await until('the instance has ended', () => markedProcesses(INSTANCE_MARKER, providerId).length === 0);
    const successor = await startHost('process', { folder: host.folder });
    expect(await successor.provider.describe(launch.token)).to.include({ providerId, state: 'gone' });
    expect(await successor.provider.ensure(specOfLaunch(launch))).to.deep.equal({ state: 'ended' });
    expect(markedProcesses(TASK_MARKER, providerId)).to.deep.equal([]);
    expect(existsSync(join(host.folder, 'instances', providerId))).to.equal(false);
  });

  /** Leaves a child process of a tool outside the tool's group, as a tool may do. */
  function leaveTool(providerId: string): void {
    const env = { ...process.env, [TASK_MARKER]: `${providerId}/stray` };
    strays.push(spawn('sleep', ['600'], { detached: true, stdio: 'ignore', env }));
  }

  async function startHost(
    mode: Mode,
    { folder, spotPlaces = 0 }: { readonly folder?: string; readonly spotPlaces?: number } = {},
  ): Promise<Host> {
    const home = folder ?? (await mkdtemp(join(world.folder, 'host-')));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    let told: readonly { id: string; pid: number }[] = [];
    const child = spawn(process.execPath, [ENTRY_POINT], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        HOME: '/nonexistent',
        // Where bubblewrap is, where the system has none.
        XDG_CACHE_HOME: cacheHome(process.env),
        DOCKYARD_LOG_LEVEL: 'warn',
        // No server answers at this address: an instance without Temporal still keeps contact with the gateway.
        DOCKYARD_TEMPORAL_ADDRESS: '127.0.0.1:1',
        DOCKYARD_GATEWAY_URL: world.gatewayUrl,
        DOCKYARD_COMPUTE_DIR: home,
        DOCKYARD_COMPUTE_PORT: String(port),
        DOCKYARD_COMPUTE_TOKEN: COMPUTE_TOKEN,
        DOCKYARD_COMPUTE_MODE: mode,
        DOCKYARD_COMPUTE_SPOT_PLACES: String(spotPlaces),
        ...tuned({ contactSeconds: 0.2 }),
        DOCKYARD_TEST_TOOLS: TEST_TOOLS,
        ...KEPT_MODULES,
      },
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.on('message', (message: { type: string; instances: typeof told }) => (told = message.instances));
    const host: Host = {
      folder: home,
      url,
      provider: createLocalProvider({
        name: mode === 'process' ? 'local' : 'inprocess',
        url,
        token: COMPUTE_TOKEN,
        spotPlaces,
      }),
      instances: () => told,
      async kill(signal) {
        child.kill(signal);
        await exited;
      },
    };
    hosts.push(host);
    await until('the host listens', () =>
      fetch(`${url}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      ),
    );
    return host;
  }
});
