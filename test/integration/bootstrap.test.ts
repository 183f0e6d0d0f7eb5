/** The first call of an instance, and the life of its bearers, at a real gateway over a real database. */
import { expect } from 'chai';

import type { BootstrapEnd } from '../../src/metrics/bootstraps.ts';
import { signCredential } from '../../src/services/execution/instances/bootstrap.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { ComputeWorld, SeededJob } from '../support/compute-world.ts';
import { bootstrap } from '../support/faults/guest.ts';

const LIFE_SECONDS = 600;
const [FIRST, SECOND] = ['first-nonce-of-the-test', 'second-nonce-of-the-test'];

describe('the bearer of an instance', () => {
  let world: ComputeWorld;
  const ends: BootstrapEnd[] = [];
  before(async () => {
    world = await openComputeWorld({ tokenSeconds: LIFE_SECONDS, onEnd: (end) => ends.push(end) });
  });
  after(() => world.close());
  beforeEach(() => void ends.splice(0));

  const begin = (job: SeededJob, nonce = FIRST) => bootstrap(world.gatewayUrl, job.launch.credential, nonce);
  const contact = (token: string) => world.call('/v1/contact', token, { running: [] });
  const bearerOf = (job: SeededJob, leftSeconds: number): string => {
    const expiresAt = Math.floor(Date.now() / 1000) + leftSeconds;
    return signInstanceToken(TEST_SECRET, { ...job.claims, expiresAt });
  };

  it('is given for the credential of the launch, again when the answer was lost, and serves', async () => {
    const job = await world.seedJob();
    const [given, again] = [await begin(job), await begin(job)];
    expect([given.status, again.status]).to.deep.equal([200, 200]);
    const { jobId, launch } = job;
    const { token, ...rest } = given.body as { token: string };
    const { taskQueue, vcpus, toolSlots } = launch;
    expect(rest).to.deep.equal({ jobId, slot: 0, generation: 1, taskQueue, vcpus, toolSlots });
    expect((await contact(token)).body).to.deep.equal({ stop: false });
    expect(ends).to.deep.equal(['given', 'given']);
  });

  it('is given to one caller: a second one fences the generation, and its tasks are set back', async () => {
    const job = await world.seedJob({}, 1);
    const { token } = (await begin(job)).body as { token: string };
    await world.call('/v1/tasks/claim', token, { execution: 1, kind: 'task', ordinals: [0] });
    expect((await world.tasks(job.jobId))[0]?.state).to.equal('RUNNING');
    const second = await begin(job, SECOND);
    expect([second.status, second.code]).to.deep.equal([409, 'FENCED']);
    expect(ends).to.deep.equal(['given', 'twice', 'fenced']);
    expect((await contact(token)).status).to.equal(409);
    expect((await begin(job)).status).to.equal(409);
    expect((await world.tasks(job.jobId))[0]?.state).to.equal('PENDING');
    const recoveries = await world.database.db.query('select cause from recoveries where job_id = $1', [
      job.jobId,
    ]);
    expect(recoveries).to.deep.equal([{ cause: 'CREDENTIAL_USED_TWICE' }]);
  });

  it('is refused to whoever has no credential of a launch that is wanted', async () => {
    const job = await world.seedJob();
    const claims = { launchToken: job.launch.token, toolSlots: 2 };
    const forged = signCredential('cd'.repeat(32), claims);
    for (const credential of [forged, job.token, job.launch.token, `${job.launch.credential}x`])
      expect((await bootstrap(world.gatewayUrl, credential, FIRST)).status).to.equal(401);
    expect(ends).to.deep.equal(['forged', 'forged', 'forged', 'forged']);
    const unknown = signCredential(TEST_SECRET, { ...claims, launchToken: 'none' });
    expect((await bootstrap(world.gatewayUrl, unknown, FIRST)).status).to.equal(409);
    await world.fence(job);
    expect((await begin(job)).status).to.equal(409);
    const ended = await world.seedJob();
    await world.database.db.query(`update jobs set status = 'FAILED', finished_at = now() where id = $1`, [
      ended.jobId,
    ]);
    expect((await begin(ended)).status).to.equal(409);
    expect((await bootstrap(world.gatewayUrl, ended.launch.credential, 'short')).status).to.equal(400);
    // A credential opens nothing else.
    expect((await contact(job.launch.credential)).status).to.equal(401);
  });

  it('is not given without end to one who asks in a loop, and others are not concerned', async () => {
    const [job, other] = [await world.seedJob(), await world.seedJob()];
    const statuses: number[] = [];
    for (let call = 0; call < 40; call += 1) statuses.push((await begin(job)).status);
    expect(statuses.at(0)).to.equal(200);
    expect(statuses.at(-1)).to.equal(429);
    expect(ends).to.include('limited');
    expect((await begin(other)).status).to.equal(200);
  });

  it('is renewed by a contact once half of its life is over, and serves to its end', async () => {
    const job = await world.seedJob();
    expect((await contact(bearerOf(job, LIFE_SECONDS * 0.6))).body).to.deep.equal({ stop: false });
    const old = bearerOf(job, LIFE_SECONDS * 0.4);
    const { body } = await contact(old);
    expect(body.token).to.be.a('string').and.not.equal(old);
    expect((await contact(body.token)).body).to.deep.equal({ stop: false });
    expect((await contact(old)).status).to.equal(200);
    await world.fence(job);
    for (const bearer of [old, body.token]) expect((await contact(bearer)).status).to.equal(409);
  });

  it('expires by the clock of the database, whatever the clock of the gateway says', async () => {
    const job = await world.seedJob();
    const [old, young] = [bearerOf(job, -1), bearerOf(job, LIFE_SECONDS)];
    const real = Date.now;
    try {
      for (const hours of [-24, 0, 24]) {
        Date.now = () => real() + hours * 3_600_000;
        expect((await contact(old)).status, `${String(hours)} h`).to.equal(401);
        expect((await contact(young)).status, `${String(hours)} h`).to.equal(200);
      }
    } finally {
      Date.now = real;
    }
  });
});
