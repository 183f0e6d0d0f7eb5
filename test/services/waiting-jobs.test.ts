/** The look after waiting jobs: one for all of them and all processes, which finds every job that nobody would do anything for. */
import { expect } from 'chai';

import { requestCapacity } from '../../src/services/execution/capacity/capacity.ts';
import { lookAfterWaiting } from '../../src/services/execution/sweep/waiting-jobs.ts';
import type { LookDependencies } from '../../src/services/execution/sweep/waiting-jobs.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';

const TIMES = { everySeconds: 600, againSeconds: 60 };
const LIMITS = { totalVcpus: 4, accountVcpus: 4 };
const LONG = "interval '20 minutes'";

describe('the look after waiting jobs', () => {
  const home = suiteHome();
  /** What the look has asked of Temporal, and what Temporal knows. */
  const temporal = { listed: new Set<string>(), running: new Set<string>(), asked: [] as string[] };
  const told: string[][] = [];
  const takenUp: string[] = [];
  let statements = 0;

  beforeEach(async () => {
    for (const list of [told, takenUp, temporal.asked]) list.splice(0);
    temporal.listed.clear();
    temporal.running.clear();
    statements = 0;
    await home.database.tamper('delete from capacity_requests');
    await home.db.query(
      `update jobs set status = 'CANCELLED', finished_at = now() where finished_at is null`,
    );
    await home.db.query(`update sweep_passes set begun_at = now() - ${LONG}`);
  });

  const deps = (more: Partial<LookDependencies['workflows']> = {}): LookDependencies => ({
    db: new Proxy(home.db, {
      get(from, name): unknown {
        const value: unknown = Reflect.get(from, name);
        if (name === 'query') statements += 1;
        return typeof value === 'function' ? value.bind(from) : value;
      },
    }),
    workflows: {
      openJobs: () => Promise.resolve(temporal.listed),
      endOf: (jobId) => {
        temporal.asked.push(jobId);
        return Promise.resolve(temporal.running.has(jobId) ? null : 'gone');
      },
      capacity: (jobIds) => Promise.resolve(void told.push([...jobIds])),
      ...more,
    },
    takeUp: (jobId) => Promise.resolve(takenUp.push(jobId) > 0),
  });
  const look = (more: Partial<LookDependencies['workflows']> = {}) => lookAfterWaiting(deps(more), TIMES);
  /** A job that has been QUEUED for long, and asks for so many vCPUs; its workflow runs. */
  const queued = async (vcpus: number | null, reason: string | null = null): Promise<string> => {
    const { jobId, accountId } = await runningJob(home);
    if (vcpus !== null)
      await requestCapacity(home.db, { jobId, execution: 1, accountId, vcpus, priority: 0 }, LIMITS);
    await home.db.query(`update jobs set status = 'QUEUED', status_reason = $2 where id = $1`, [
      jobId,
      reason,
    ]);
    await home.db.query(
      `update jobs set status_at = now() - ${LONG}, submitted_at = now() - ${LONG}, updated_at = now() - ${LONG} where id = $1`,
      [jobId],
    );
    temporal.listed.add(jobId);
    return jobId;
  };

  it('tells a job whose request is lost, or that does not go on with its grant, and no other, to ask again', async () => {
    const noticed = await queued(4);
    await home.db.query(`update capacity_requests set granted_at = now() - ${LONG} where job_id = $1`, [
      noticed,
    ]);
    await queued(4);
    const lost = await queued(null);
    await queued(null, 'NO_CAPACITY');
    expect(await look()).to.deep.equal({ told: [noticed, lost].sort(), takenUp: [], left: [] });
    expect(told).to.deep.equal([[noticed, lost].sort()]);
    await home.db.query('update capacity_requests set granted_at = now() where job_id = $1', [noticed]);
    await home.db.query(`update sweep_passes set begun_at = now() - ${LONG}`);
    expect((await look())?.told, 'a fresh grant').to.deep.equal([lost]);
  });

  it('takes up a job whose workflow is gone, and asks Temporal by id for those alone that the list lacks', async () => {
    const jobs = [await queued(4), await queued(4), await queued(4)] as const;
    const [, late, gone] = jobs;
    for (const jobId of [late, gone]) temporal.listed.delete(jobId);
    temporal.running.add(late);
    const found = await look();
    expect(found?.takenUp.map(({ subject }) => subject)).to.deep.equal([gone]);
    expect(takenUp).to.deep.equal([gone]);
    expect([...temporal.asked].sort()).to.deep.equal([late, gone].sort());
  });

  it('is made once in its time by all processes together, and again soon after one that has failed', async () => {
    const jobId = await queued(null);
    const looks = await Promise.all([look(), look(), look()]);
    expect(looks.filter((one) => one !== null)).to.have.length(1);
    expect(told).to.deep.equal([[jobId]]);
    const wait = (seconds: number): Promise<unknown> =>
      home.db.query('update sweep_passes set begun_at = begun_at - make_interval(secs => $1)', [seconds]);
    await wait(590);
    expect(await look(), 'before its time').to.equal(null);
    await wait(11);
    const away = new Error('Temporal is away');
    expect(await look({ openJobs: () => Promise.reject(away) }).catch((error: unknown) => error)).to.equal(
      away,
    );
    expect(await look(), 'at once').to.equal(null);
    await wait(61);
    expect((await look())?.told).to.deep.equal([jobId]);
  });

  it('costs a few statements and asks nobody, however many jobs wait', async () => {
    const jobId = await queued(4);
    const many = await home.db.query<{ id: string }[]>(
      `with made as (
         insert into jobs select (jsonb_populate_record(j, jsonb_build_object('id', gen_random_uuid()))).*
         from jobs j, generate_series(1, 3000) where j.id = $1 returning id, account_id),
       asked as (
         insert into capacity_requests (job_id, execution, account_id, vcpus, priority)
         select id, 1, account_id, 2, 0 from made)
       select id from made`,
      [jobId],
    );
    for (const { id } of many) temporal.listed.add(id);
    expect(await look()).to.deep.equal({ told: [], takenUp: [], left: [] });
    expect(statements).to.be.at.most(8);
    expect([temporal.asked, told]).to.deep.equal([[], []]);
    await home.database
      .tamper(`delete from capacity_requests; delete from jobs j where status = 'QUEUED' and not exists
      (select from job_executions e where e.job_id = j.id)`);
  });
});
