/** The sweep of the store looks where rows say that something is due; what no row knows is found once a day. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { REQUEST_ROOT, requestKey, STAGING_ROOT, stagedKey } from '../../src/contracts/names.ts';
import { sweepRequests, sweepStaging } from '../../src/services/execution/sweep/sweep.ts';
import { announceRequest } from '../../src/services/stored-objects/announce.ts';
import { suiteHome } from '../support/home.ts';
import { runningJob } from '../support/running-job.ts';
import { refusalOf } from '../support/refusals.ts';

const URL_SECONDS = 900;
/** A time after the end of the last URL, and of everything that was still on its way. */
const OVER = '31 minutes';

describe('the sweep of the store', () => {
  const home = suiteHome();
  const asked: string[] = [];
  beforeEach(async () => {
    asked.splice(0);
    await home.db.query(
      `insert into sweep_passes (name) values ($1), ($2) on conflict (name) do update set begun_at = now()`,
      [STAGING_ROOT, REQUEST_ROOT],
    );
    await home.db.query('update instances set staging_due_at = null where fenced_at is not null');
    await home.db.query('delete from stored_requests');
  });

  /** The store, with a record of what is listed. */
  const watched = (more: Partial<ObjectStore> = {}): ObjectStore => {
    const list: ObjectStore['list'] = (prefix) => {
      asked.push(prefix);
      return more.list === undefined ? home.store.list(prefix) : more.list(prefix);
    };
    return Object.assign(Object.create(home.store), { ...more, list }) as ObjectStore;
  };
  const sweep = (more: Partial<ObjectStore> = {}): Promise<void> =>
    sweepStaging({ db: home.db, store: watched(more), stagingUrlSeconds: URL_SECONDS });
  const stageFor = async (jobId: string, generation = 1): Promise<string> => {
    const key = stagedKey(jobId, 0, generation, 'task', 0, `${randomUUID()}.bin`);
    await home.store.put(key, Buffer.from('x'), 'application/octet-stream');
    return key;
  };
  const isThere = async (key: string): Promise<boolean> => (await home.store.head(key)) !== null;
  const fence = (jobId: string, ago: string): Promise<unknown> =>
    home.db.query(
      `update instances set fenced_at = now() - $2::interval, staging_due_at = now() where job_id = $1`,
      [jobId, ago],
    );

  it('does not list what running jobs have staged, however much that is', async () => {
    const { jobId } = await runningJob(home);
    const other = await runningJob(home);
    const staged = await stageFor(other.jobId);
    await fence(other.jobId, '1 minute');
    const many: ObjectStore['list'] = async function* (prefix) {
      if (!`${STAGING_ROOT}${jobId}/0.1/`.startsWith(prefix)) return yield* home.store.list(prefix);
      for (let page = 0; page < 10; page += 1)
        yield Array.from({ length: 1000 }, (_, index) => ({
          key: stagedKey(jobId, 0, 1, 'task', page * 1000 + index, 'a.bin'),
          byteSize: 1,
          modifiedAt: new Date(),
        }));
    };
    await sweep({ list: many });
    await sweep({ list: many });
    expect(asked).to.deep.equal([`${STAGING_ROOT}${other.jobId}/0.1/`]);
    expect(await isThere(staged)).to.equal(false);
  });

  it('looks again at a fenced generation until its last URL has ended, then never more', async () => {
    const { jobId } = await runningJob(home);
    await fence(jobId, '1 minute');
    const prefix = `${STAGING_ROOT}${jobId}/0.1/`;
    await sweep();
    const late = await stageFor(jobId);
    await sweep();
    expect(asked, 'not at once').to.deep.equal([prefix]);
    const [due] = await home.db.query<{ seconds: number }[]>(
      `select extract(epoch from staging_due_at - now())::float8 as seconds from instances where job_id = $1`,
      [jobId],
    );
    expect(due?.seconds, 'at twice its age').to.be.within(50, 61);
    await fence(jobId, '2 minutes');
    await sweep();
    expect(await isThere(late)).to.equal(false);
    await fence(jobId, OVER);
    await sweep();
    await home.db.query(`update instances set fenced_at = now() - interval '1 day' where job_id = $1`, [
      jobId,
    ]);
    asked.splice(0);
    await sweep();
    expect(asked).to.deep.equal([]);
  });

  it('comes to every generation that is due, beside one whose files cannot be removed', async () => {
    const [stuck, good] = [await runningJob(home), await runningJob(home)];
    const keys = [await stageFor(stuck.jobId), await stageFor(good.jobId)];
    for (const { jobId } of [stuck, good]) await fence(jobId, OVER);
    const remove: ObjectStore['remove'] = async (removed) => {
      if (removed.some((key) => key.includes(stuck.jobId))) throw new Error('It stays.');
      await home.store.remove(removed);
    };
    const failure = await refusalOf(sweep({ remove }));
    expect(failure).to.include({ name: 'AttemptsError' });
    expect(await Promise.all(keys.map(isThere))).to.deep.equal([true, false]);
    await sweep();
    expect(await Promise.all(keys.map(isThere)), 'it stays due').to.deep.equal([false, false]);
  });

  it('is due by itself for a generation that is fenced from now on', async () => {
    const { jobId } = await runningJob(home);
    const key = await stageFor(jobId);
    await home.db.query('update instances set fenced_at = clock_timestamp() where job_id = $1', [jobId]);
    await sweep();
    expect(await isThere(key)).to.equal(false);
  });

  it('finds once a day what no row knows, and leaves what may still be committed', async () => {
    const { jobId } = await runningJob(home);
    const live = await stageFor(jobId);
    const [unknown, odd] = [await stageFor(randomUUID()), `${STAGING_ROOT}odd/file`];
    const orphan = `${REQUEST_ROOT}${randomUUID()}/${randomUUID()}/f.json`;
    for (const key of [odd, orphan]) await home.store.put(key, Buffer.from('x'), 'text/plain');
    const aged: ObjectStore['list'] = async function* (prefix) {
      for await (const page of home.store.list(prefix))
        yield page.map((object) => ({ ...object, modifiedAt: new Date(0) }));
    };
    await sweep();
    await sweepRequests({ db: home.db, store: watched({ list: aged }) });
    expect(await Promise.all([unknown, odd, orphan].map(isThere))).to.deep.equal([true, true, true]);

    await home.db.query(`update sweep_passes set begun_at = now() - interval '1 day'`);
    await refusalOf(sweep({ remove: () => Promise.reject(new Error('away')) }));
    await home.db.query(`update sweep_passes set begun_at = begun_at - interval '1 hour'`);
    await sweep();
    await sweepRequests({ db: home.db, store: watched({ list: aged }) });
    expect(await Promise.all([unknown, odd, orphan, live].map(isThere))).to.deep.equal([
      ...[false, false, false],
      true,
    ]);
    expect(asked.filter((prefix) => prefix === STAGING_ROOT)).to.have.length(2);
  });

  it('removes the requests of which no job came by what was noted of them, without listing any', async () => {
    const { jobId, accountId } = await runningJob(home);
    const [used, unused, young] = [jobId, randomUUID(), randomUUID()].map((id) => ({
      id,
      key: requestKey(accountId, id, 'f'),
    }));
    if (used === undefined || unused === undefined || young === undefined) throw new Error('no keys');
    for (const { id, key } of [used, unused, young]) {
      await announceRequest(home.db, key, id);
      await home.store.put(key, Buffer.from('{}'), 'application/json');
    }
    await home.database.tamper('update jobs set request = null, request_key = $2 where id = $1', [
      jobId,
      used.key,
    ]);
    await home.db.query(
      `update stored_requests set stored_at = now() - interval '61 minutes' where request_key <> $1`,
      [young.key],
    );
    const remove = (): Promise<void> => Promise.reject(new Error('The store is away.'));
    await refusalOf(sweepRequests({ db: home.db, store: watched({ remove }) }));
    expect(await isThere(unused.key)).to.equal(true);
    await sweepRequests({ db: home.db, store: watched() });
    expect(asked).to.deep.equal([]);
    expect(await Promise.all([used, unused, young].map(({ key }) => isThere(key)))).to.deep.equal([
      ...[true, false, true],
    ]);
    const left = await home.db.query<unknown[]>('select request_key from stored_requests');
    expect(left).to.deep.equal([{ request_key: young.key }]);
  });
});
