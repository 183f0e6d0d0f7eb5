import { mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { endpointsFile, readProcesses, writeEndpoints } from '../../../src/stack/endpoints.ts';
import { roleEnvironment, stackEnvironment } from '../../../src/stack/environment.ts';
import { HomeInUseError, homeOwner, lockHome } from '../../../src/stack/home-lock.ts';
import { DEFAULT_PORTS } from '../../../src/stack/ports.ts';
import { namesFolder } from '../../../src/stack/processes.ts';
import { loadState, readStackEnvironment, saveState, stateFile } from '../../../src/stack/state.ts';
import { TEST_TOOLS } from '../../support/test-tools.ts';

describe('data folder of the stack', () => {
  let home = '';
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'dockyard-unit-stack-'));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it('writes endpoints.json with addresses and processes, and reads the processes back', () => {
    const processes = [
      { name: 'postgres', pid: 123 },
      { name: 'instance/0b', pid: 124 },
    ];
    const addresses = {
      apiUrl: 'a',
      temporalAddress: 'b',
      temporalUiUrl: 'c',
      storageUrl: 'd',
      gatewayUrl: 'e',
      metricsUrls: { api: 'f' },
    };
    writeEndpoints(home, { ...addresses, processes });
    expect(JSON.parse(readFileSync(endpointsFile(home), 'utf8'))).to.deep.equal({ ...addresses, processes });
    expect(readProcesses(home)).to.deep.equal(processes);
  });

  it('gives a data folder a namespace of Temporal of its own, and keeps it', () => {
    const fresh = loadState(home);
    expect(fresh.temporalNamespace).to.match(/^dockyard-[0-9a-f]{12}$/);
    const environment = stackEnvironment(home, { ...fresh, environment: {}, ports: DEFAULT_PORTS });
    expect(environment['DOCKYARD_TEMPORAL_NAMESPACE']).to.equal(fresh.temporalNamespace);
    saveState(home, fresh);
    expect(loadState(home).temporalNamespace).to.equal(fresh.temporalNamespace);
  });

  it('takes no process from a damaged endpoints.json, and never process 0 or 1', () => {
    writeFileSync(endpointsFile(home), '{"processes": [{"name": "x"');
    expect(readProcesses(home)).to.deep.equal([]);
    const wrong = [
      { name: 'api', pid: 1 },
      { name: 'api', pid: 0 },
      { name: 'api', pid: -5 },
      { pid: 9 },
      null,
    ];
    writeFileSync(endpointsFile(home), JSON.stringify({ processes: wrong }));
    expect(readProcesses(home)).to.deep.equal([]);
  });

  it('keeps secrets from one start to the next, readable by their owner only', () => {
    const state = loadState(home);
    saveState(home, { ...state, environment: { DOCKYARD_SECRET: state.secrets.secret } });
    expect(loadState(home).secrets).to.deep.equal(state.secrets);
    expect(statSync(stateFile(home)).mode & 0o777).to.equal(0o600);
    expect(readStackEnvironment(home)).to.deep.equal({ DOCKYARD_SECRET: state.secrets.secret });
    expect(state.secrets.secret).to.match(/^[0-9a-f]{64}$/);
  });

  it('gives the compute host no database, object store, signing or payment setting', () => {
    const settings = stackEnvironment(home, { ...loadState(home), ports: DEFAULT_PORTS });
    const caller = {
      PATH: '/bin',
      STRIPE_SECRET_KEY: 's',
      AWS_SECRET_ACCESS_KEY: 's',
      DOCKYARD_TEST_TOOLS: TEST_TOOLS,
    };
    const guest = roleEnvironment('compute', { health: 9_999 }, settings, caller);
    const secret = /DATABASE|STORAGE|STRIPE|AWS|^DOCKYARD_SECRET$|^DOCKYARD_HOME$/;
    expect(Object.keys(guest).filter((name) => secret.test(name))).to.deep.equal([]);
    expect(guest).to.include({
      DOCKYARD_TEST_TOOLS: TEST_TOOLS,
      DOCKYARD_HEALTH_PORT: '9999',
      DOCKYARD_PARENT_PIPE: '1',
    });
    expect(guest).to.include.keys('DOCKYARD_COMPUTE_TOKEN', 'DOCKYARD_COMPUTE_DIR', 'DOCKYARD_GATEWAY_URL');
    const trusted = roleEnvironment('control', { health: 9_998 }, settings, caller);
    expect(trusted).to.include.keys('DOCKYARD_DATABASE_URL', 'STRIPE_SECRET_KEY');
  });

  it('is used by one supervisor at a time; a lock whose owner is gone is taken over', () => {
    const lock = lockHome(home);
    expect(homeOwner(home)).to.equal(process.pid);
    expect(() => lockHome(home)).to.throw(HomeInUseError, String(process.pid));
    lock.release();
    expect(homeOwner(home)).to.equal(undefined);
    // The same process id with another identity, as a process id that the system has given to a new process.
    writeFileSync(
      join(home, 'supervisor.lock'),
      JSON.stringify({ pid: process.pid, identity: 'another life' }),
    );
    lockHome(home).release();
    expect(homeOwner(home)).to.equal(undefined);
    expect(readdirSync(home)).to.deep.equal([]);
  });

  it('is taken from a dead supervisor by one at a time', () => {
    const dead = JSON.stringify({ pid: process.pid, identity: 'another life' });
    const holder = lockHome(home);
    const turn = join(home, 'supervisor.lock.turn');
    renameSync(join(home, 'supervisor.lock'), turn);
    writeFileSync(join(home, 'supervisor.lock'), dead);
    // Another process is about to replace the stale lock; a process that comes now waits for the outcome.
    expect(() => lockHome(home))
      .to.throw(HomeInUseError)
      .with.property('isStopping', true);
    expect(readFileSync(join(home, 'supervisor.lock'), 'utf8')).to.equal(dead);
    holder.release();
    // That process was killed while it replaced the lock.
    writeFileSync(turn, dead);
    lockHome(home).release();
    expect(readdirSync(home)).to.deep.equal([]);
  });

  it('is said to be given back soon by a supervisor that stops', () => {
    const lock = lockHome(home);
    const refusal = (): unknown => {
      try {
        return lockHome(home);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).to.include({ isStopping: false });
    lock.announceRelease();
    expect(refusal()).to.be.instanceOf(HomeInUseError).and.to.include({ isStopping: true });
    lock.release();
    expect(readdirSync(home)).to.deep.equal([]);
  });

  it('takes no process for its own that does not name the folder', () => {
    expect(namesFolder(process.pid, home)).to.equal(false);
    expect(namesFolder(999_999_999, home)).to.equal(false);
  });
});
