import { expect } from 'chai';

import type { EnsureAnswer, InstanceProvider, InstanceSpec } from '../../src/adapters/instances/instances.ts';
import { launchInstance } from '../../src/services/execution/instances/launch.ts';
import type { InstanceLaunch, LaunchAnswer } from '../../src/services/execution/instances/launch.ts';
import { launchTokenOf } from '../../src/services/execution/instances/launch-token.ts';
import { suiteHome } from '../support/home.ts';
import { launched, providerOf } from '../support/instance-providers.ts';
import { runningJob } from '../support/running-job.ts';

const TYPES = [
  { type: 'c7i.xlarge', cpuClass: 'intel' },
  { type: 'm7i.xlarge', cpuClass: 'intel' },
  { type: 'c7a.xlarge', cpuClass: 'amd' },
] as const;
const SECRET = '0'.repeat(64);

/** A cloud of three candidates that starts one instance a token; `answer` may answer otherwise. */
class Cloud {
  readonly asked: InstanceSpec[] = [];
  readonly instances = new Map<string, string>();
  readonly ended: string[] = [];
  settled = 0;
  build = 'one build';
  answer: (spec: InstanceSpec) => EnsureAnswer | null | Promise<EnsureAnswer | null> = () => null;
  afterwards: (spec: InstanceSpec) => void | Promise<void> = () => undefined;

  readonly provider: InstanceProvider = providerOf({
    ...{ name: 'cloud', answersExactly: false },
    candidates: ({ market }) => TYPES.map(({ type, cpuClass }) => ({ type, cpuClass, market, subnet: 's' })),
    prepare: async (_order, candidate) => {
      this.settled += 1;
      const image = `ami-${this.settled}`;
      return { ...candidate, image, sent: {}, frame: `a text of ${this.build}` };
    },
    ensure: async (spec) => {
      this.asked.push(spec);
      const own = await this.answer(spec);
      if (own !== null) return own;
      const id = this.instances.get(spec.token) ?? `i-${this.instances.size + 1}`;
      this.instances.set(spec.token, id);
      await this.afterwards(spec);
      return launched(spec.token, id);
    },
    terminate: async ({ token }) => {
      this.ended.push(token);
      return true;
    },
  });
}

const NO_ROOM: EnsureAnswer = { state: 'capacity', cause: 'InsufficientInstanceCapacity: none' };

describe('candidates of a launch', () => {
  const home = suiteHome();

  const fence = ({ jobId }: { readonly jobId: string }): Promise<unknown> =>
    home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
  const newJob = async (): Promise<InstanceLaunch> => {
    const { jobId } = await runningJob(home);
    await fence({ jobId });
    return {
      jobId,
      slot: 0,
      generation: 2,
      provider: 'cloud',
      vcpus: 4,
      toolSlots: 4,
      gpus: 1,
      instanceClass: 'gpu',
    };
  };
  const launch = (cloud: Cloud, request: InstanceLaunch): Promise<LaunchAnswer> =>
    launchInstance({ db: home.db, secret: SECRET }, cloud.provider, request);
  const rowOf = async ({ jobId, generation }: InstanceLaunch): Promise<Record<string, unknown>> => {
    const [row] = await home.db.query<Record<string, unknown>[]>(
      'select * from instances where job_id = $1 and generation = $2',
      [jobId, generation],
    );
    return row ?? expect.fail('no row');
  };

  it('are asked one after the other, each under its own token, and the row names the one that has room', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = ({ terms }) => (terms.type === 'c7i.xlarge' ? NO_ROOM : null);
    expect(await launch(cloud, request)).to.deep.equal({ state: 'asked' });
    expect(cloud.asked.map(({ terms, token }) => [terms.type, token])).to.deep.equal([
      ['c7i.xlarge', launchTokenOf(request, { candidate: 0, round: 0 })],
      ['m7i.xlarge', launchTokenOf(request, { candidate: 1, round: 0 })],
    ]);
    expect(await rowOf(request)).to.deep.include({
      ...{
        candidate: 1,
        round: 0,
        instance_type: 'm7i.xlarge',
        cpu_class: 'intel',
        state: 'RUNNING',
        gpus: 1,
      },
      ...{ instance_class: 'gpu', refusal: NO_ROOM.state === 'capacity' ? NO_ROOM.cause : '' },
    });
  });

  it('are frozen before the first call: an attempt after a crash sends the same, and there is one instance', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    let calls = 0;
    cloud.answer = () => {
      // The worker dies before the call has an effect.
      if ((calls += 1) === 1) throw new Error('killed before the call');
      return null;
    };
    cloud.afterwards = () => {
      // And after the effect, before the answer.
      if (calls === 2) throw new Error('killed before the answer');
    };
    for (const attempt of [1, 2]) expect(await launch(cloud, request).catch(() => attempt)).to.equal(attempt);
    expect(await launch(cloud, request)).to.deep.equal({ state: 'asked' });
    expect(cloud.asked.map(({ isRepeat }) => isRepeat)).to.deep.equal([false, true, true]);
    const [first] = cloud.asked;
    for (const spec of cloud.asked) expect({ ...spec, isRepeat: false }).to.deep.equal(first);
    expect([cloud.settled, cloud.instances.size]).to.deep.equal([1, 1]);
  });

  it('are told the same by a process of another build: text and terms are those of the row, and each text is kept once', async () => {
    const cloud = new Cloud();
    const [request, other] = [await newJob(), await newJob()];
    cloud.afterwards = () => {
      cloud.build = 'the next build';
      if (cloud.asked.length < 3) throw new Error('the answer was lost');
    };
    for (const _ of [1, 2]) expect(await launch(cloud, request).catch(() => 'lost')).to.equal('lost');
    expect(await launch(cloud, request)).to.deep.equal({ state: 'asked' });
    expect(cloud.asked.map(({ terms }) => terms.frame)).to.deep.equal(Array(3).fill('a text of one build'));
    expect([cloud.settled, cloud.instances.size]).to.deep.equal([1, 1]);
    await fence(request);
    for (const one of [other, { ...request, generation: 3 }]) await launch(cloud, one);
    expect(cloud.asked.slice(3).map(({ terms }) => terms.frame)).to.deep.equal(
      Array(2).fill('a text of the next build'),
    );
    const kept = await home.db.query<unknown[]>(
      `select count(i.*)::int as rows from instance_frames f join instances i on i.frame_digest = f.digest
       where i.job_id = any($1) group by f.digest order by 1`,
      [[request.jobId, other.jobId]],
    );
    expect(kept).to.deep.equal([{ rows: 1 }, { rows: 2 }]);
  });

  it('are signed by the secret of the first call, also after the secret was changed', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    const next = 'f'.repeat(64);
    cloud.afterwards = () => {
      if (cloud.asked.length < 3) throw new Error('the answer was lost');
    };
    const ask = (secret: string, furtherSecrets: readonly string[]): Promise<unknown> =>
      launchInstance({ db: home.db, secret, furtherSecrets }, cloud.provider, request).catch(() => 'lost');
    expect(await ask(SECRET, [])).to.equal('lost');
    expect(await ask(SECRET, [next]), 'the next one is made known').to.equal('lost');
    expect(await ask(next, ['a'.repeat(64), SECRET]), 'it signs').to.deep.equal({ state: 'asked' });
    expect(new Set(cloud.asked.map(({ credential }) => credential)).size, 'credentials').to.equal(1);
    await fence(request);
    await launchInstance({ db: home.db, secret: next }, cloud.provider, { ...request, generation: 3 });
    const credentials = cloud.asked.map(({ credential }) => credential.split('.').at(-1));
    expect(new Set(credentials).size).to.equal(2);
    const names = await home.db.query<{ credential_key: string }[]>(
      'select distinct credential_key from instances where job_id = $1 and generation > 1',
      [request.jobId],
    );
    expect(names).to.have.length(2);
    for (const { credential_key: name } of names) expect(name).to.match(/^[0-9a-f]{16}$/);
  });

  it('whose row was written before texts were kept have none, and one that moves on has that of its own candidate', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = () => {
      throw new Error('no answer');
    };
    expect(await launch(cloud, request).catch(() => 'lost')).to.equal('lost');
    await home.db.query('update instances set frame_digest = null where job_id = $1', [request.jobId]);
    cloud.answer = ({ terms }) => (terms.type === 'c7i.xlarge' ? NO_ROOM : null);
    cloud.build = 'the next build';
    await launch(cloud, request);
    expect(cloud.asked.map(({ terms }) => terms.frame)).to.deep.equal([
      ...['a text of one build', null, 'a text of the next build'],
    ]);
  });

  it('that are asked for by two attempts at once are one instance', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    await Promise.all([launch(cloud, request), launch(cloud, request), launch(cloud, request)]);
    expect(cloud.instances.size).to.equal(1);
    expect(new Set(cloud.asked.map(({ terms }) => JSON.stringify(terms))).size).to.equal(1);
  });

  it('without room anywhere end the generation, and every repeat answers the same', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = () => NO_ROOM;
    for (const _ of [1, 2]) expect(await launch(cloud, request)).to.deep.equal({ state: 'exhausted' });
    expect(cloud.asked).to.have.length(3);
    expect(await rowOf(request)).to.deep.include({ state: 'TERMINATED', fence_cause: 'NO_CAPACITY' });
    cloud.answer = () => null;
    expect(await launch(cloud, { ...request, generation: 3 })).to.deep.equal({ state: 'asked' });
  });

  it('are not asked further when the provider refuses for good, and the row has its words', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = () => ({ state: 'never', cause: 'InvalidAMIID.NotFound: no such image' });
    for (const _ of [1, 2]) expect(await launch(cloud, request)).to.deep.equal({ state: 'never' });
    expect(cloud.asked).to.have.length(1);
    expect(await rowOf(request)).to.deep.include({
      ...{
        state: 'TERMINATED',
        fence_cause: 'LAUNCH_REFUSED',
        refusal: 'InvalidAMIID.NotFound: no such image',
      },
    });
    const [job] = await home.db.query<unknown[]>('select pause_reason from jobs where id = $1', [
      request.jobId,
    ]);
    expect(job, 'a pause that is pending').to.deep.equal({ pause_reason: 'OPERATOR' });
  });

  it('whose instance has ended are asked under the token of a new round', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = ({ isRepeat: _, token }) =>
      token === launchTokenOf(request, { candidate: 0, round: 0 }) ? { state: 'ended' } : null;
    await launch(cloud, request);
    expect([...cloud.instances.keys()]).to.deep.equal([launchTokenOf(request, { candidate: 0, round: 1 })]);
    expect(await rowOf(request)).to.deep.include({ round: 1, state: 'RUNNING' });
  });

  it('are of the kind of processor on which a task of the job has run', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.answer = ({ terms }) => (terms.cpuClass === 'intel' ? NO_ROOM : null);
    await launch(cloud, request);
    expect(await rowOf(request)).to.deep.include({ cpu_class: 'amd' });
    await home.db.query(
      `update tasks set state = 'RUNNING', slot = 0, generation = 2, started_at = now() where job_id = $1 and ordinal = 0`,
      [request.jobId],
    );
    await fence(request);
    cloud.answer = () => null;
    await launch(cloud, { ...request, generation: 3 });
    expect(cloud.asked.at(-1)?.terms.type).to.equal('c7a.xlarge');
  });

  it('that are launched for a generation which was fenced meanwhile are ended at once', async () => {
    const cloud = new Cloud();
    const request = await newJob();
    cloud.afterwards = async () => {
      await fence(request);
    };
    await launch(cloud, request);
    expect(cloud.ended).to.deep.equal([...cloud.instances.keys()]);
  });
});
