/**
 * `npm start -- --provider ec2-sim` as people run it: a job on a machine of the simulated cloud, what operators see of it, and the end
 * of moto, without which the cloud has no networks. `simulated-ec2.test.ts` and `test/faults/ec2.test.ts` have the cloud itself.
 */
import { mkdtempSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { Client } from '../../src/client/index.ts';
import { isAlive } from '../../src/stack/processes.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import { runCommand } from '../support/command-line.ts';
import type { CommandEnding } from '../support/command-line.ts';
import { removeHome, Supervisor } from '../support/supervisor.ts';
import { until } from '../support/until.ts';

const UP = 'Dockyard is up.';
/** Leases are those of production, so an instance that is gone is replaced after minutes. */
const RECOVERY_MS = 400_000;
const JOB_MS = 120_000;
const TASKS = 3;

describe('npm start -- --provider ec2-sim', function () {
  this.timeout(RECOVERY_MS + JOB_MS);
  let home = '';
  let client: Client;
  let key = '';
  const supervisors: Supervisor[] = [];
  before(() => (home = mkdtempSync(join(tmpdir(), 'dockyard-ec2-sim-'))));
  after(async function () {
    this.timeout(120_000);
    await removeHome(home, supervisors);
  });

  const start = async (): Promise<Supervisor> => {
    const supervisor = new Supervisor(home, 'ec2-sim');
    supervisors.push(supervisor);
    await supervisor.says(UP);
    return supervisor;
  };
  const current = (): Supervisor => supervisors.at(-1) ?? expect.fail('nothing was started');
  const dockyard = (...args: string[]): Promise<CommandEnding> =>
    runCommand([...args, '--json'], { DOCKYARD_HOME: home }, projectRoot);
  const submit = async (taskCount: number, noop: Record<string, unknown>): Promise<string> => {
    const tool = { jobType: 'simulation', simulator: 'noop' } as const;
    return (await client.submit({ ...tool, taskCount, metadata: { noop } })).jobId;
  };
  const has = (jobId: string, completed: number, withinMs: number): Promise<void> =>
    until(
      `${String(completed)} tasks are verified`,
      async () => ((await client.status(jobId)).progress.completed ?? 0) >= completed,
      withinMs,
    );
  const instancesOf = async (jobId: string): Promise<Record<string, unknown>[]> =>
    (await dockyard('admin', 'instances')).data.instances.filter(
      (instance: { jobId: string }) => instance.jobId === jobId,
    );
  const works = (jobId: string): Promise<void> =>
    until(
      'a machine works',
      async () => typeof (await instancesOf(jobId))[0]?.['lastContactAt'] === 'string',
      JOB_MS,
    );
  const succeeds = (jobId: string, withinMs: number): Promise<void> =>
    until('the job has succeeded', async () => (await client.status(jobId)).status === 'SUCCEEDED', withinMs);
  /** Everything that the supervisor has started, and what these have. */
  const family = (): number[] => {
    const found = [current().pid];
    for (const pid of found) found.push(...childrenOf(pid));
    return found.slice(1);
  };

  it('runs a job on a machine with a GPU, which operators see and a sweep leaves alone', async () => {
    await start();
    const { data, err } = await dockyard(
      ...['admin', 'account', 'create', '--email', 'ada@example.org', '--credits-pence', '1000'],
      ...['--credits-key', 'first', '--credits-reason', 'To try it'],
    );
    expect(err).to.equal('');
    key = data.liveKey;
    client = createClient({ apiUrl: current().endpoints().apiUrl, apiKey: key });
    // The job is at work for as long as the operator looks, on a busy machine too.
    const jobId = await submit(TASKS, { seconds: 20, instance: { gpus: 1, vcpus: 4 } });
    await works(jobId);
    // A task has a GPU for itself, and a machine of this type has one.
    const instances = await instancesOf(jobId);
    expect(instances).to.have.lengthOf.within(1, TASKS);
    for (const instance of instances)
      expect(instance).to.include({ provider: 'ec2', instanceType: 'g4dn.xlarge', gpus: 1 });
    expect(instances.map(({ state }) => state)).to.include('RUNNING');
    const swept = await dockyard('admin', 'sweep', '--dry-run');
    expect(swept).to.include({ code: 0, err: '' });
    expect(swept.data.leaked).to.deep.equal([]);
    await succeeds(jobId, JOB_MS);
    await until('its machine has ended', async () => (await instancesOf(jobId)).length === 0, JOB_MS);
    expect(current().output)
      .to.include('ec2: RunInstances')
      .and.match(/ec2: i-[0-9a-f]+ has ended: Client.UserInitiatedShutdown/);
  });

  it('says so and stops when moto was killed, leaves nothing, and its open jobs go on once it is started again', async () => {
    const jobId = await submit(8, { seconds: 6 });
    await has(jobId, 2, JOB_MS);
    const [, machines = ''] = /Its machines +(\S+)/.exec(current().output) ?? [];
    expect(existsSync(machines)).to.equal(true);
    const started = family();
    const moto = started.find((pid) => commandOf(pid).includes('moto.server'));
    process.kill(moto ?? expect.fail('no moto'), 'SIGKILL');
    expect(await current().end(), current().output).to.equal(1);
    expect(current().output).to.include('The simulated EC2 has ended: moto');
    expect(started.filter(isAlive), 'processes').to.deep.equal([]);
    expect(existsSync(machines), 'disks of the machines').to.equal(false);
    await start();
    client = createClient({ apiUrl: current().endpoints().apiUrl, apiKey: key });
    await succeeds(jobId, RECOVERY_MS);
  });

  it('ends all on Ctrl-C, machines that boot and work too', async () => {
    const jobId = await submit(8, { seconds: 60 });
    await works(jobId);
    const started = family();
    current().signal('SIGINT');
    expect(await current().end(), current().output).to.equal(0);
    expect(started.filter(isAlive), 'processes').to.deep.equal([]);
  });
});

function childrenOf(pid: number): number[] {
  try {
    const told = readFileSync(`/proc/${String(pid)}/task/${String(pid)}/children`, 'utf8');
    return told.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
