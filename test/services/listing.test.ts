/** The comparison of a job's artifacts with the store's listing, which is read page by page. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { ObjectStore } from '../../src/adapters/storage/storage.ts';
import { jobPrefix } from '../../src/contracts/names.ts';
import { clearStrays, missingObjects } from '../../src/services/execution/settle/listing.ts';
import { suiteHome } from '../support/home.ts';
import { objectsOf, runningJob } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';

const ORDINALS = [0, 1, 999, 1000, 1001, 2400];

describe('the listing of a job’s objects', () => {
  const home = suiteHome();

  const keyOf = ({ accountId, jobId }: RunningJob, name: string): string =>
    `${jobPrefix(accountId, jobId)}${name}`;
  /** A job with two outputs of each of these tasks and one of a step. */
  const jobWithOutputs = async (): Promise<RunningJob> => {
    const job = await runningJob(home, ['control']);
    const outputs = ORDINALS.flatMap((ordinal) => [`${ordinal}/a`, `${ordinal}/b`]);
    for (const name of [...outputs, 'control/a']) {
      await home.store.put(keyOf(job, name), Buffer.from(name), 'text/plain');
      const [place = '', file = ''] = name.split('/');
      const kind = place === 'control' ? place : 'task';
      await home.db.query(
        `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
         values ($1, $2, $3, $4, $5, $6, $7, 'result', 'text/plain', $8, repeat('a', 64))`,
        [
          ...[randomUUID(), job.accountId, job.jobId, kind, kind === 'task' ? Number(place) : 0],
          ...[keyOf(job, name), file, name.length],
        ],
      );
    }
    return job;
  };
  /** The store with a listing in pages of two, in no order, which leaves out some objects that are there. */
  const listedOddly = (hidden: readonly string[] = []): ObjectStore => ({
    ...home.store,
    async *list(prefix) {
      const all = [];
      for await (const page of home.store.list(prefix)) all.push(...page);
      const shown = all.filter(({ key }) => !hidden.includes(key)).reverse();
      for (let from = 0; from < shown.length; from += 2) yield shown.slice(from, from + 2);
      yield [];
    },
  });

  it('lacks nothing when every artifact is there, in whatever order and pages the store lists them', async () => {
    const job = await jobWithOutputs();
    for (const store of [home.store, listedOddly()])
      expect(await missingObjects({ db: home.db, store }, job.jobId)).to.deep.equal([]);
  });

  it('tells which objects are missing or of another size, of whichever task', async () => {
    const job = await jobWithOutputs();
    const lost = ['1/b', '1000/a', '2400/a', '2400/b', 'control/a'].map((name) => keyOf(job, name));
    await home.store.remove(lost);
    const resized = keyOf(job, '999/a');
    await home.store.put(resized, Buffer.from('longer than it was'), 'text/plain');
    for (const store of [home.store, listedOddly()])
      expect(await missingObjects({ db: home.db, store }, job.jobId)).to.have.members([...lost, resized]);
  });

  it('is not believed when it leaves out an object that is there', async () => {
    const job = await jobWithOutputs();
    const store = listedOddly([keyOf(job, '0/a'), keyOf(job, '2400/b'), keyOf(job, 'control/a')]);
    expect(await missingObjects({ db: home.db, store }, job.jobId)).to.deep.equal([]);
  });

  it('loses what no artifact names, and nothing else', async () => {
    for (const clear of [missingObjects, clearStrays]) {
      const job = await jobWithOutputs();
      const before = await objectsOf(home, job);
      for (const name of ['0/stray', '3000/stray', 'stray'])
        await home.store.put(keyOf(job, name), Buffer.from('x'), 'text/plain');
      await clear({ db: home.db, store: listedOddly() }, job.jobId);
      expect(await objectsOf(home, job)).to.have.members(before);
    }
  });
});
