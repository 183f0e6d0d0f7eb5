/**
 * A tool whose programs are installed and removed while the service runs: the list of simulators, estimate and submit
 * follow within a minute and without a restart, and a job that has lost its programs ends with a code and costs nothing.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import { findPack } from '../../src/packs/find.ts';
import { installPack, removePack } from '../../src/packs/install.ts';
import { packVariableOf } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING, noopJob, openTestApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { inLongRuns } from '../support/long.ts';
import { endTestStack } from '../support/stack.ts';
import { makeToyPack } from '../support/toy-pack.ts';
import type { ToyPack } from '../support/toy-pack.ts';
import { until } from '../support/until.ts';
import type { SimulatorListResponse } from '../../src/domain/answers.ts';

type SimulatorItem = SimulatorListResponse['simulators'][number];

const ROOT = join(import.meta.dirname, '..', '..');
const ADD_LINE = pathToFileURL(join(ROOT, 'test', 'fixtures', 'packed-tool', 'add-line.mjs')).href;
const WITHIN_MS = 60_000;
const STARTING_MS = 120_000;

const longIt = inLongRuns(it);

describe('simulators, over HTTP', function () {
  this.timeout(STARTING_MS);
  let api: TestApi;
  let owner: NewAccount;
  let toy: ToyPack;
  let folder: string;
  before(async () => {
    toy = await makeToyPack();
    folder = join(toy.places.folder, 'toy', '1.0-debian');
    api = await openTestApi(
      {
        ...{ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' },
        ...{ DOCKYARD_INSTANCE_SLOTS: '1' },
      },
      { NODE_OPTIONS: `--import=${ADD_LINE}`, [packVariableOf('toy')]: folder },
    );
    owner = await api.account();
  });
  after(async () => {
    await endTestStack(api.stack);
    await toy.remove();
  });

  const job = (taskCount: number, noop: Readonly<Record<string, unknown>> = { seconds: 0 }) => ({
    ...noopJob(taskCount, noop),
    simulator: 'Boxed',
  });
  /** An estimate knows no keys of metadata besides the contract's. */
  const question = { jobType: 'simulation', simulator: 'boxed', taskCount: 1 };
  const install = () => installPack(toy.pack, { ...toy.places, from: toy.files, progress: toy.progress });
  const remove = () => removePack(toy.pack, toy.places, toy.progress);
  const list = async (): Promise<SimulatorItem[]> =>
    (await api.call(owner.testKey, 'GET', 'simulators')).body.simulators;
  const packed = async (): Promise<SimulatorItem> => {
    const found = (await list()).find(({ id }) => id === 'packed');
    return found ?? expect.fail('the tool is not in the list');
  };
  const becomes = (available: boolean): Promise<void> =>
    until(
      `it is ${available ? '' : 'not '}offered`,
      async () => {
        // What changes some seconds later is not asked for fifty times a second.
        await sleep(500);
        return (await packed()).available === available;
      },
      WITHIN_MS,
    );
  const submit = (taskCount: number, noop?: Readonly<Record<string, unknown>>): Promise<Answer> =>
    api.submit(owner.liveKey, job(taskCount, noop));
  const isRefused = async (): Promise<void> => {
    const poor = await api.account();
    for (const [key, path, asked] of [
      [poor.testKey, 'jobs/estimate', question],
      [poor.liveKey, 'jobs/submit', job(1)],
    ] as const) {
      const { status, body } = await api.call(key, 'POST', path, asked);
      expect({ status, code: body.code }, path).to.deep.equal({ status: 422, code: 'UNSUPPORTED_SIMULATOR' });
      expect(body.error).to.match(/packed cannot be run here now.*programs are not installed/);
      expect(body.error).to.contain('PACK_NOT_INSTALLED');
    }
    expect(await api.leftovers(poor.accountId)).to.deep.equal(NOTHING);
  };
  const dockyard = (...args: string[]) => {
    const env = { HOME: toy.root, DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.testKey };
    return runCommand(args, env, toy.root);
  };

  it('are listed for any key and for nobody without one, by API, client and command line', async () => {
    await until('the host has told its tools', async () => (await packed()).reason !== 'MACHINES_NOT_READY');
    for (const key of [owner.testKey, owner.liveKey]) {
      const { status, body } = await api.call(key, 'GET', 'simulators');
      expect(status).to.equal(200);
      expect(body.simulators.map(({ id }: SimulatorItem) => id)).to.include.members([
        'autodock-vina',
        'packed',
      ]);
    }
    const { status, body } = await api.call(null, 'GET', 'simulators');
    expect({ status, code: body.code }).to.deep.equal({ status: 401, code: 'UNAUTHORIZED' });

    const simulators = await list();
    const docking = simulators.find(({ id }) => id === 'autodock-vina');
    expect(docking).to.deep.include({ available: true, reason: null, version: null, unit: 'ligand' });
    expect(docking?.parameters).to.include.members(['exhaustiveness', 'receptorPdbId']);
    expect(docking?.aliases).to.include('vina');
    expect(await packed()).to.deep.include({
      ...{ aliases: ['boxed'], jobType: 'simulation', available: false, reason: 'PACK_NOT_INSTALLED' },
      ...{ version: null, packDigest: null, unit: 'task', priceModel: 'fixed' },
    });
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.testKey });
    expect((await client.simulators()).simulators).to.deep.equal(simulators);
    const shown = await dockyard('simulators');
    expect(shown.out).to.match(/^autodock-vina +vina\b.* yes /m);
    expect(shown.out).to.match(/^packed +boxed +no: PACK_NOT_INSTALLED /m);
    expect((await dockyard('simulators', '--json')).data.simulators).to.deep.equal(simulators);
  });

  it('are refused in words while their programs are missing, and offered within a minute of the install', async () => {
    await isRefused();
    await install();
    await becomes(true);
    const here = await findPack(toy.pack, {
      ...toy.places,
      environment: { [packVariableOf('toy')]: folder },
    });
    expect(await packed()).to.include({ reason: null, version: '1.0', packDigest: here.pack?.digest });
    expect((await api.call(owner.testKey, 'POST', 'jobs/estimate', question)).status).to.equal(200);
    const { body } = await submit(2);
    const { body: ended } = await api.ends(owner.liveKey, body.jobId, 30);
    expect(ended).to.include({ status: 'SUCCEEDED' });
  });

  it('lose their programs while jobs run: what runs is verified and charged, the rest fails with a code', async () => {
    // One slot: the first task is verified by the session that runs; the second ends this session, so the third needs one. The
    // programs must be gone by then, also on a machine where their removal takes some seconds.
    const { body: running } = await submit(3, { seconds: 6, fail: [{ index: 1, kind: 'exit' }] });
    await until('the first task is in its session', async () => {
      const starts = await readFile(join(api.stack.home, 'compute', 'starts.log'), 'utf8');
      return starts.split('\n').some((line) => line.includes(running.jobId) && line.includes('"ordinal":0'));
    });
    await remove();
    // The service does not know it yet, so a job is still taken.
    const { body: queued } = await submit(2);
    const codesOf = (body: Answer['body']): string[] =>
      body.failures.map(({ code }: { readonly code: string }) => code);

    const first = (await api.ends(owner.liveKey, running.jobId, 60)).body;
    expect(first.status, JSON.stringify(first.failures)).to.equal('PARTIALLY_SUCCEEDED');
    expect(first.progress).to.include({ completed: 1, failed: 2, total: 3 });
    expect(codesOf(first)).to.deep.equal(['ENGINE_CRASHED', 'PACK_NOT_INSTALLED']);
    expect(first.failures[1].message).to.equal(
      'The programs of Toy 1.0 are not installed on the machine any more.',
    );
    const second = (await api.ends(owner.liveKey, queued.jobId, 60)).body;
    expect(second.status).to.equal('FAILED');
    expect(codesOf(second)).to.deep.equal(['PACK_NOT_INSTALLED', 'PACK_NOT_INSTALLED']);
    expect(second.failures.map(({ attempts }: { readonly attempts: number }) => attempts)).to.deep.equal([
      1, 1,
    ]);
    expect(second.recovery.recoveries, 'no instance is replaced for it').to.equal(0);
    expect(second.cost.chargedCents).to.equal(0);
    expect(first.cost.chargedCents).to.be.greaterThan(0).and.lessThan(running.heldCents);
    expect((await api.leftovers(owner.accountId)).heldPence).to.equal(0);
  });

  longIt(
    'are withdrawn within a minute, and offered again after another install, without a restart',
    async () => {
      const pid = api.stack.pid('compute');
      await becomes(false);
      expect(await packed()).to.include({ reason: 'PACK_NOT_INSTALLED', version: null, packDigest: null });
      await isRefused();
      await install();
      await becomes(true);
      const { body } = await submit(1);
      expect((await api.ends(owner.liveKey, body.jobId, 30)).body.status).to.equal('SUCCEEDED');
      expect(api.stack.pid('compute')).to.equal(pid);
    },
  );
});
