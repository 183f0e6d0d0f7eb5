/**
 * A tool that is one folder and one line (test/fixtures/toy-tool) runs from submit to settlement on a real stack, and is
 * priced, refused, explained, shown and offered in its own words, without a line of other code.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING, noopJob, openTestApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { KEPT_MODULES } from '../support/kept-modules.ts';
import { endTestStack } from '../support/stack.ts';
import { until } from '../support/until.ts';

const REGISTER = new URL('../fixtures/toy-tool/register.ts', import.meta.url).href;
const WITH_TOY = `${process.env['NODE_OPTIONS'] ?? ''} --import=${REGISTER}`.trim();

describe('a tool of one folder and one line, on a stack', function () {
  this.timeout(120_000);
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(240_000);
    api = await openTestApi(
      {
        ...{ DOCKYARD_PROVIDER: 'inprocess', DOCKYARD_COMPUTE_MODE: 'inprocess' },
        DOCKYARD_CAPACITY_SEATS: '{"noop":1}',
      },
      { NODE_OPTIONS: WITH_TOY },
    );
    owner = await api.account(100);
  });
  after(() => endTestStack(api.stack));

  const job = (taskCount: number, toy: Readonly<Record<string, readonly number[]>> = {}): object => ({
    ...{ jobType: 'simulation', simulator: 'Plaything', taskCount },
    metadata: { toy },
  });
  const ran = async (body: object): Promise<{ readonly jobId: string; readonly ended: Answer }> => {
    const submitted = await api.submit(owner.liveKey, body);
    expect(submitted.status, JSON.stringify(submitted.body)).to.equal(200);
    const { jobId } = submitted.body;
    return { jobId, ended: await api.ends(owner.liveKey, jobId, 60) };
  };
  const outputsOf = async (jobId: string): Promise<Map<string, string>> => {
    const { body } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/outputs`);
    const texts = body.outputs.map(async (output: { name: string; kind: string; url: string }) => [
      `${output.kind} ${output.name}`,
      await (await fetch(output.url)).text(),
    ]);
    return new Map(await Promise.all(texts));
  };
  const dockyard = async (
    ...args: string[]
  ): Promise<{ readonly code: number | null; readonly out: string }> => {
    const child = spawn(process.execPath, [join(repositoryRoot, 'src', 'bin', 'dockyard.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        ...{ PATH: process.env['PATH'], HOME: api.stack.home, NODE_OPTIONS: WITH_TOY },
        ...{ DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.liveKey },
        ...KEPT_MODULES,
      },
    });
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, code] = await Promise.all([text(child.stdout), closed]);
    return { code, out };
  };

  it('is offered, priced by its own figures, and refuses in its own words without a trace', async () => {
    const { body } = await api.call(owner.liveKey, 'GET', 'simulators');
    const offered = body.simulators.find(({ id }: { id: string }) => id === 'toy');
    expect(offered).to.deep.include({
      aliases: ['plaything'],
      available: true,
      unit: 'task',
      parameters: [],
    });
    const estimate = await api.call(owner.liveKey, 'POST', 'jobs/estimate', { ...job(3), metadata: {} });
    expect([estimate.status, estimate.body.heldCents], JSON.stringify(estimate.body)).to.deep.equal([
      200, 15,
    ]);
    const refused = await api.submit(owner.liveKey, job(4));
    expect([refused.status, refused.body.code]).to.deep.equal([422, 'TOY_TOO_MANY']);
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
  });

  it('runs to its settlement: what breaks or lies is not charged, and the merge has the rest', async () => {
    const [{ jobId, ended }, whole] = await Promise.all([
      ran(job(3, { broken: [0], lying: [2] })),
      ran(job(2)),
    ]);
    expect(ended.body).to.deep.include({ status: 'PARTIALLY_SUCCEEDED', toy: null });
    const failures = ended.body.failures.map(({ id, code }: Record<string, string>) => `${id} ${code}`);
    expect(failures.sort()).to.deep.equal(['0 TOY_BROKEN', '2 OUTPUT_UNVERIFIED']);
    expect(ended.body.cost).to.include({ heldCents: 15, chargedCents: 5, releasedCents: 10 });
    const outputs = await outputsOf(jobId);
    expect([...outputs].filter(([name]) => name.startsWith('toy'))).to.have.deep.members([
      ['toy toy.txt', 'toy 1\n'],
      ['toybox box.txt', 'toy 1\n'],
    ]);

    expect(whole.ended.body.status).to.equal('SUCCEEDED');
    expect(whole.ended.body.cost).to.include({ heldCents: 10, chargedCents: 10, releasedCents: 0 });
    expect((await outputsOf(whole.jobId)).get('toybox box.txt')).to.equal('toy 0\ntoy 1\n');
    const balance = await api.call(owner.liveKey, 'GET', 'credits/balance');
    expect(balance.body).to.include({ available_cents: 85, held_cents: 0 });

    const watched = await dockyard('watch', whole.jobId);
    expect(watched.code).to.equal(0);
    expect(watched.out).to.contain('TOY  GRAMS\n1       20\n0       10\nHeavy toys come first.\n');
  });

  it('goes on beside jobs that wait for a seat of their software, which are told so and get the next one', async () => {
    const submit = async (body: object): Promise<string> => {
      const { status, body: answer } = await api.submit(owner.liveKey, body);
      expect(status, JSON.stringify(answer)).to.equal(200);
      return answer.jobId;
    };
    const holder = await submit(noopJob(1, { seconds: 300 }));
    await api.reaches(owner.liveKey, holder, 'RUNNING');
    const waiting = await submit(noopJob());
    let queue: unknown;
    await until('the job is told what it waits for', async () => {
      ({ queue } = (await api.call(owner.liveKey, 'GET', `jobs/${waiting}/status`)).body);
      return JSON.stringify(queue)?.includes('seats') ?? false;
    });
    const license = { software: 'noop', seats: 1, used: 1 };
    expect(queue).to.deep.equal({ position: 1, reason: 'LICENSE_SEATS', license });
    expect((await ran(job(1))).ended.body.status, 'a job without seats').to.equal('SUCCEEDED');
    const shown = await dockyard('status', waiting);
    expect(shown.out).to.contain('QUEUED: 1 of 1 seats of noop are taken, place 1');
    await api.call(owner.liveKey, 'POST', `jobs/${holder}/cancel`);
    const ended = await api.ends(owner.liveKey, waiting, 60);
    expect(ended.body).to.deep.include({ status: 'SUCCEEDED', queue: null });
  });

  it('is explained on the command line: its codes, and its defaults of parameters', async () => {
    const [broken, modes] = await Promise.all([
      dockyard('explain', 'TOY_BROKEN'),
      dockyard('explain', 'simulationParams.numModes'),
    ]);
    expect(broken.out).to.contain('The toy is broken in two.').and.contain('Mend the toy with glue.');
    expect(modes.out).to.match(/Default +9 with autodock-vina, 3 with toy\n/);
  });
});
