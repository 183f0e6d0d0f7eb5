// The supervisor as people run it: a process over a data folder, interrupted and killed. The tests run one after the
// other on one folder, as a user's steps would.
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect } from 'chai';

import { createDatabase } from '../../src/adapters/database.ts';
import { loadConfig } from '../../src/config.ts';
import { createAccount } from '../../src/services/identity/index.ts';
import { endpointsFile, type Endpoints } from '../../src/stack/endpoints.ts';
import { homeOwner } from '../../src/stack/home-lock.ts';
import { answersHealth, answersSql, hasNamespace } from '../../src/stack/probes.ts';
import { isAlive, processIdentity } from '../../src/stack/processes.ts';
import { readStackEnvironment } from '../../src/stack/state.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { inLongRuns } from '../support/long.ts';
import { waitForPort } from '../support/port-thief.ts';
import { removeHome, Supervisor } from '../support/supervisor.ts';
import { until } from '../support/until.ts';

const UP = 'Dockyard is up.';
const NAMES = ['postgres', 'temporal', 'storage', 'api', 'gateway', 'control', 'compute'];
const ROLES = ['api', 'gateway', 'control', 'compute'];

/** A process and those between it and one of its ancestors. */
function ancestorsOf(pid: number, last: number): number[] {
  const found: number[] = [];
  for (let at = pid; at > 1 && at !== last;) {
    found.push(at);
    at = Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(at)], { encoding: 'utf8' }));
  }
  return found;
}

const longIt = inLongRuns(it);

describe('npm start', function () {
  this.timeout(200_000);
  let home = '';
  let first: Endpoints;
  let key = '';
  const supervisors: Supervisor[] = [];

  function start(how?: 'npm'): Supervisor {
    const supervisor = new Supervisor(home, how);
    supervisors.push(supervisor);
    return supervisor;
  }

  function current(): Supervisor {
    const supervisor = supervisors.at(-1);
    if (!supervisor) throw new Error('The step before this one did not start a supervisor.');
    return supervisor;
  }

  const statusOf = async (url: string): Promise<number> => {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    return answer.status;
  };
  const answers = (url: string): Promise<boolean> =>
    statusOf(url).then(
      () => true,
      () => false,
    );

  before(() => (home = mkdtempSync(join(tmpdir(), 'dockyard-supervisor-'))));
  after(async function () {
    this.timeout(120_000);
    await removeHome(home, supervisors);
  });

  it('says how it is used, and refuses a provider that there is not', async () => {
    const run = promisify(execFile);
    const entry = join(projectRoot, 'src', 'bin', 'start.ts');
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...KEPT_MODULES };
    const { stdout } = await run(process.execPath, [entry, '--help'], { env });
    expect(stdout).to.include('--provider ec2-sim');
    const refused: unknown = await run(process.execPath, [entry, '--provider', 'ec3'], { env }).catch(
      (error: unknown) => error,
    );
    expect(refused).to.include({ code: 2 });
  });

  it('brings everything up in a new folder, and endpoints.json says where and which processes', async () => {
    chmodSync(home, 0o755);
    await start().says(UP);
    expect(statSync(home).mode & 0o777, 'for its owner alone').to.equal(0o700);
    first = current().endpoints();
    const { apiUrl, temporalAddress, temporalUiUrl, processes } = first;
    expect(processes.map(({ name }) => name)).to.have.members(NAMES);
    expect(new Set(processes.map(({ pid }) => pid).filter(isAlive)).size).to.equal(NAMES.length);
    expect(temporalAddress).to.match(/^127\.0\.0\.1:\d+$/);
    expect(await statusOf(`${apiUrl}/readyz`)).to.equal(200);
    expect(await statusOf(temporalUiUrl)).to.equal(200);
  });

  it('knows its own servers from others of their kind', async () => {
    const { temporalAddress, storageUrl } = first;
    const env = readStackEnvironment(home);
    expect(await hasNamespace(temporalAddress, env['DOCKYARD_TEMPORAL_NAMESPACE'] ?? '')).to.equal(true);
    expect(await hasNamespace(temporalAddress, 'dockyard-of-another')).to.equal(false);
    expect(await answersSql(env['DOCKYARD_DATABASE_URL'] ?? '', 'dockyard-of-another')).to.equal(false);
    expect(await answersHealth(`${storageUrl}/healthz/dockyard-of-another`)).to.equal(false);
  });

  it('serves the metrics of each process of ours apart from the API, which counts its requests', async () => {
    const { apiUrl, gatewayUrl, metricsUrls } = first;
    expect(Object.keys(metricsUrls)).to.have.members(ROLES);
    const read = async (role: string): Promise<string> => (await fetch(metricsUrls[role] ?? '')).text();
    for (const role of ROLES) expect(await read(role), role).to.include('process_cpu_seconds_total');
    expect(await statusOf(`${apiUrl}/metrics`)).to.equal(404);
    expect(await statusOf(`${gatewayUrl}/metrics`)).to.not.equal(200);
    expect(await statusOf(`${apiUrl}/api/v1/credits/balance`)).to.equal(401);
    expect(await statusOf(`${gatewayUrl}/readyz`)).to.equal(200);
    const counted = (operation: string, status: number): string =>
      `_count{operation="${operation}",status="${status}"}`;
    await until('the API counts', async () => (await read('api')).includes(counted('getCreditBalance', 401)));
    await until('the gateway counts', async () => (await read('gateway')).includes(counted('readyz', 200)));
  });

  it('starts a killed process again, says so, and names its successor', async () => {
    const supervisor = current();
    const killed = supervisor.pidOf('gateway') ?? 0;
    process.kill(killed, 'SIGKILL');
    await supervisor.says('gateway ended (SIGKILL); it is started again in 0.2 s');
    await until('endpoints.json names another process', () => {
      const pid = supervisor.pidOf('gateway');
      return pid !== undefined && pid !== killed;
    });
    await until('the gateway serves', () => answers(`${first.gatewayUrl}/healthz`));
    expect(supervisor.pids().filter(isAlive)).to.have.length(NAMES.length);
  });

  it('gives a process another port when its own is taken, tells so, and those who knew the address', async () => {
    const supervisor = current();
    const thief = waitForPort(Number(new URL(first.apiUrl).port));
    try {
      process.kill(supervisor.pidOf('api') ?? 0, 'SIGKILL');
      await thief.taken;
      await supervisor.says(`port ${new URL(first.apiUrl).port} is taken by another program; api has port `);
      expect(supervisor.endpoints(), 'told once it is proved').to.not.have.property('apiUrl');
      await until('the new address is told', () => 'apiUrl' in supervisor.endpoints());
      const { apiUrl } = supervisor.endpoints();
      expect(apiUrl).to.not.equal(first.apiUrl);
      expect(readStackEnvironment(home)['DOCKYARD_PUBLIC_URL']).to.equal(apiUrl);
      expect(await statusOf(`${apiUrl}/api/v1/credits/balance`)).to.equal(401);
      await supervisor.says('control is started again with the new addresses');
      first = supervisor.endpoints();
      const readyz = String(first.metricsUrls['control']).replace('/metrics', '/readyz');
      await until('control serves again', () => answers(readyz));
    } finally {
      thief.close();
    }
  });

  it('refuses a second supervisor on the same folder, and the first one goes on', async () => {
    const second = new Supervisor(home);
    expect(await second.end()).to.equal(1);
    expect(second.output).to.contain(`A Dockyard stack already runs in ${home}`);
    expect(await statusOf(`${first.apiUrl}/readyz`)).to.equal(200);
  });

  it('goes on after kill -9 of the supervisor: same addresses, same data, nothing left of the old run', async () => {
    const database = await createDatabase(loadConfig('cli', readStackEnvironment(home)).databaseUrl, {
      poolSize: 1,
    });
    key = (await createAccount(database, { email: 'ada@example.org', creditsPence: 500 })).liveKey;
    await database.destroy();
    const old = current().pids();
    current().signal('SIGKILL');
    expect(await current().end()).to.equal('SIGKILL');
    await start().says(UP);
    expect(old.filter(isAlive)).to.deep.equal([]);
    const { processes, ...addresses } = current().endpoints();
    expect({ ...addresses, processes: [] }).to.deep.equal({ ...first, processes: [] });
    expect(processes.map(({ name }) => name)).to.have.members(NAMES);
    const balance = await fetch(`${addresses.apiUrl}/api/v1/credits/balance`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(await balance.json()).to.include({ wallet_cents: 500 });
  });

  it('ends all on Ctrl-C, and leaves no process, no open port and no endpoints', async () => {
    const pids = current().pids();
    current().signal('SIGINT');
    expect(await current().end(), current().output).to.equal(0);
    expect(current().output).to.match(/stopping …\nall stopped\n$/);
    expect(pids.filter(isAlive)).to.deep.equal([]);
    expect(existsSync(endpointsFile(home))).to.equal(false);
    const urls = [first.apiUrl, first.gatewayUrl, first.storageUrl, first.temporalUiUrl];
    for (const url of [...urls, ...Object.values(first.metricsUrls)])
      expect(await answers(url), url).to.equal(false);
    expect(readdirSync(home).filter((name) => name.includes('lock'))).to.deep.equal([]);
  });

  it('waits for a supervisor that is on its way out, and ends on Ctrl-C before it is up', async () => {
    const leaving = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], {
      stdio: 'ignore',
    });
    const pid = leaving.pid ?? 0;
    const owner = { pid, identity: processIdentity(pid), isStopping: true };
    writeFileSync(join(home, 'supervisor.lock'), JSON.stringify(owner));
    await start().says(`waiting for the stack that is being stopped (process ${pid})`);
    leaving.kill('SIGKILL');
    await current().says('postgres is up');
    const pids = current().pids();
    current().signal('SIGINT');
    expect(await current().end(), current().output).to.equal(0);
    expect(pids.filter(isAlive)).to.deep.equal([]);
    expect(homeOwner(home)).to.equal(undefined);
  });

  longIt('ends with the npm that ran it, also when that is killed', async () => {
    await start('npm').says(UP);
    const pids = current().pids();
    const chain = ancestorsOf(homeOwner(home) ?? 0, current().pid);
    current().signal('SIGKILL');
    // What npm leaves behind is gone once the system has taken note of its end, too: until then it counts as left running.
    const isThere = (pid: number): boolean => existsSync(`/proc/${pid}`) || isAlive(pid);
    await until('the supervisor is gone, and what npm ran it by', () => !chain.some(isThere), 20_000);
    expect(homeOwner(home)).to.equal(undefined);
    expect(pids.filter(isAlive)).to.deep.equal([]);
    expect(existsSync(endpointsFile(home))).to.equal(false);
  });
});
