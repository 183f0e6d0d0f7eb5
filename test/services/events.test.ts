/** Events: written with the change that they tell of, followed without a miss, kept for a stated time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';
import { MoreThan } from 'typeorm';
import type { DataSource } from 'typeorm';
import { version as versionOf } from 'uuid';

import { EventEntity } from '../../entities/events.ts';
import type { AccountEvent } from '../../entities/events.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { statusChange, writeJobStatus } from '../../src/services/events/job-status.ts';
import { numberEvents } from '../../src/services/events/number-events.ts';
import { EVENT_DAYS, sweepEvents } from '../../src/services/events/sweep.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import type { Tx } from '../../src/services/transaction.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import { eventsOf as eventsOfAccount } from '../support/events-of.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { suiteHome } from '../support/home.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { refusalOf } from '../support/refusals.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { reportOf, runningJob, stage } from '../support/running-job.ts';

type NumberedEvent = AccountEvent & { readonly id: number };

/** Numbers what was committed, and reads the log after a number. */
async function readEvents(
  db: DataSource,
  query: { readonly after: number; readonly limit: number; readonly accountId?: string },
): Promise<NumberedEvent[]> {
  await numberEvents(db);
  const { after, limit: take, ...where } = query;
  const rows = await db
    .getRepository(EventEntity)
    .find({ where: { ...where, id: MoreThan(after) }, order: { id: 'ASC' }, take });
  return rows.flatMap((row) => (row.id === null ? [] : [{ ...row, id: row.id }]));
}

describe('the events of a job', () => {
  const home = suiteHome();

  const eventsOf = async (jobId: string): Promise<unknown[]> => {
    const events = await readEvents(home.db, { after: 0, limit: 10_000 });
    return events.filter(({ subject }) => subject === jobId).map(({ payload }) => payload);
  };
  const STARTED = ['SUBMITTED', 'QUEUED', 'PROVISIONING', 'RUNNING'].map((status) => ({
    status,
    reason: null,
  }));

  it('tell of every status, from the admission to the settlement, once each', async () => {
    const { jobId, accountId } = await runningJob(home);
    await recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: null });
    const ending = { jobId, execution: 1, transition: 5, reason: 'WHY', pauseReason: null } as const;
    await settleJob(home.db, { ...ending, to: 'FAILED' });
    await settleJob(home.db, { ...ending, to: 'FAILED' });

    expect(await eventsOf(jobId)).to.deep.equal([
      ...STARTED,
      { status: 'FINALIZING', reason: null },
      { status: 'FAILED', reason: 'WHY' },
    ]);
    const [first] = await readEvents(home.db, { after: 0, limit: 1, accountId });
    expect(first).to.deep.include({ accountId, kind: 'job.status', subject: jobId });
    expect(first?.at).to.be.instanceOf(Date);
  });

  it('tell a pause once, however often it is settled', async () => {
    const { jobId } = await runningJob(home);
    const pause = {
      jobId,
      execution: 1,
      transition: 4,
      to: 'PAUSED',
      reason: null,
      pauseReason: 'OPERATOR',
    } as const;
    await settleJob(home.db, pause);
    await settleJob(home.db, pause);
    expect(await eventsOf(jobId)).to.deep.equal([...STARTED, { status: 'PAUSED', reason: null }]);
  });

  it('tell another reason of the same status, and neither a repeat nor a late attempt', async () => {
    const { jobId } = await runningJob(home);
    const running = { jobId, to: 'RUNNING' } as const;
    await recordState(home.db, { ...running, transition: 4, reason: 'CAPACITY' });
    await recordState(home.db, { ...running, transition: 4, reason: 'CAPACITY' });
    await recordState(home.db, { ...running, transition: 5, reason: 'CAPACITY' });
    await recordState(home.db, { ...running, transition: 3, reason: 'late' });
    expect(await eventsOf(jobId)).to.deep.equal([...STARTED, { status: 'RUNNING', reason: 'CAPACITY' }]);
  });

  it('tell what a change found that had waited for another one', async () => {
    const { jobId } = await runningJob(home);
    const gate = Promise.withResolvers<undefined>();
    const written = Promise.withResolvers<undefined>();
    const change = `update jobs j set status = 'RECOVERING', transition = 4 from before where j.id = before.job_id`;
    const first = inTransaction(home.db, async (tx) => {
      await writeJobStatus(tx, statusChange(change), [jobId]);
      written.resolve(undefined);
      await gate.promise;
    });
    await written.promise;
    const second = recordState(home.db, { jobId, transition: 5, to: 'RUNNING', reason: null });
    await waitsForLock(home.db, 'for no key update');
    gate.resolve(undefined);
    await Promise.all([first, second]);
    expect(await eventsOf(jobId)).to.deep.equal([
      ...STARTED,
      { status: 'RECOVERING', reason: null },
      { status: 'RUNNING', reason: null },
    ]);
  });

  it('tell each tenth of the tasks once, with the commit that reaches it', async () => {
    const tools = createToolRegistry({ testTools: TEST_TOOLS });
    /** Commits the first of forty tasks, twice, where so many have been verified and one has failed. */
    const progressAfter = async (verified: number): Promise<unknown[]> => {
      const { jobId, accountId } = await runningJob(home);
      await home.db.query('update jobs set tasks_verified = $2, tasks_failed = 1 where id = $1', [
        jobId,
        verified,
      ]);
      await stage(home, jobId, 'bytes');
      const task = { jobId, execution: 1, slot: 0, generation: 1, kind: 'task' } as const;
      const request = { ...task, reports: [reportOf('result.bin', 'bytes')] };
      for (const _attempt of [1, 2])
        await commitTasks({ ...home, db: home.db, store: home.store, tools }, request);
      return (await eventsOfAccount(home.db, accountId, 'job.progress')).map(({ payload }) => payload);
    };
    expect(await progressAfter(13), 'the fifteenth').to.deep.equal([]);
    const [told, ...others] = await progressAfter(14);
    expect(told).to.include({ percent: 40, completed: 15, failed: 1, total: 40 });
    expect(others).to.deep.equal([]);
    expect(await progressAfter(38), 'the last one is told by the state').to.deep.equal([]);
  });

  it('exist only when their change was committed', async () => {
    const { jobId } = await runningJob(home);
    const undone = inTransaction(home.db, async (tx) => {
      const change = `update jobs j set status = 'FINALIZING' from before where j.id = before.job_id`;
      expect(await writeJobStatus(tx, statusChange(change), [jobId])).to.equal(true);
      throw new Error('undone');
    });
    expect(await refusalOf(undone)).to.be.instanceOf(Error);
    expect(await eventsOf(jobId)).to.deep.equal(STARTED);
  });

  it('are none for a job that the service made for itself, nor for a refused one', async () => {
    const owner = await newAccount(home.db, 100);
    const internal = admissionOf(owner, { internal: true });
    await admitJob(home.db, internal, 'run');
    const late = admissionOf(owner, { admitBy: new Date(Date.now() - 1_000).toISOString() });
    await admitJob(home.db, late, 'run');
    const { accountId } = owner;
    expect(await readEvents(home.db, { after: 0, limit: 10, accountId })).to.deep.equal([]);
  });
});

describe('following events', () => {
  let test: TestDatabase;
  before(async () => {
    test = await openTestDatabase({ poolSize: 40 });
  });
  after(() => test.close());
  beforeEach(() => test.tamper('truncate events'));

  const write = (tx: Tx, accountId: string, subject: string): Promise<unknown> =>
    tx.query(`insert into events (account_id, kind, subject, payload) values ($1, 'test', $2, '{}')`, [
      accountId,
      subject,
    ]);
  const writeMany = (accountId: string, count: number, age: string): Promise<unknown> =>
    test.db.query(
      `insert into events (account_id, kind, subject, payload, at)
       select $1, 'test', n, '{}', now() - $3::interval from generate_series(1, $2::int) n`,
      [accountId, count, age],
    );
  const namesOf = (events: readonly NumberedEvent[]): string[] => events.map(({ subject }) => subject);

  /** Follows by small pages until told that all is written, then to the end. */
  const follow = async (isWritten: () => boolean, accountId?: string): Promise<NumberedEvent[]> => {
    const seen: NumberedEvent[] = [];
    for (;;) {
      const wasWritten = isWritten();
      const query = { after: seen.at(-1)?.id ?? 0, limit: 7 };
      const page = await readEvents(test.db, accountId === undefined ? query : { ...query, accountId });
      seen.push(...page);
      if (page.length === 0 && wasWritten) return seen;
    }
  };

  it('sees each event exactly once and in order, whenever the transactions of many writers commit', async () => {
    const accounts = [randomUUID(), randomUUID()] as const;
    const written: { readonly subject: string; readonly accountId: string }[] = [];
    const [WRITERS, TRANSACTIONS] = [24, 12];
    const writer = async (name: number): Promise<void> => {
      for (let turn = 0; turn < TRANSACTIONS; turn += 1) {
        const subjects = Array.from({ length: 1 + (turn % 3) }, (_, part) => `${name}/${turn * 3 + part}`);
        const accountId = accounts[turn % 2 === 0 ? 0 : 1];
        const isUndone = Math.random() < 0.15;
        const transaction = test.db.transaction(async (tx) => {
          for (const subject of subjects) await write(tx, accountId, subject);
          await sleep(Math.random() * 25);
          if (isUndone) throw new Error('undone');
        });
        if (isUndone) await refusalOf(transaction);
        else {
          await transaction;
          written.push(...subjects.map((subject) => ({ subject, accountId })));
        }
      }
    };
    // One more that stays open until all others have been seen.
    const gate = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const long = test.db.transaction(async (tx) => {
      await write(tx, accounts[0], 'long');
      begun.resolve(undefined);
      await gate.promise;
    });
    await begun.promise;
    let isWritten = false;
    const readers = [follow(() => isWritten), follow(() => isWritten), follow(() => isWritten, accounts[1])];
    await Promise.all(Array.from({ length: WRITERS }, (_, name) => writer(name)));
    isWritten = true;
    const [one = [], two = [], ofAccount = []] = await Promise.all(readers);
    gate.resolve(undefined);
    await long;

    expect(namesOf(one)).to.have.members(written.map(({ subject }) => subject));
    expect(one).to.have.length(written.length);
    expect(two).to.deep.equal(one);
    expect(ofAccount).to.deep.equal(one.filter(({ accountId }) => accountId === accounts[1]));
    const ids = one.map(({ id }) => id);
    expect(ids).to.deep.equal([...ids].sort((a, b) => a - b));
    expect(new Set(ids).size).to.equal(ids.length);
    for (let name = 0; name < WRITERS; name += 1) {
      const own = namesOf(one).flatMap((subject) => {
        const [writerOf, place] = subject.split('/');
        return writerOf === String(name) ? [Number(place)] : [];
      });
      expect(own, `writer ${name}`).to.deep.equal([...own].sort((a, b) => a - b));
    }
    const last = await readEvents(test.db, { after: ids.at(-1) ?? 0, limit: 10 });
    expect(namesOf(last), 'the transaction that stayed open').to.deep.equal(['long']);
  });

  it('gives no id twice when many number at once, and goes on after what was swept', async () => {
    const accountId = randomUUID();
    await writeMany(accountId, 2_500, '1 hour');
    await Promise.all(Array.from({ length: 8 }, () => numberEvents(test.db)));
    const events = await readEvents(test.db, { after: 0, limit: 10_000 });
    expect(new Set(events.map(({ id }) => id)).size).to.equal(2_500);
    expect(namesOf(events)).to.deep.equal(Array.from({ length: 2_500 }, (_, index) => String(index + 1)));

    const newest = events.at(-1)?.id ?? 0;
    await test.tamper('delete from events');
    await writeMany(accountId, 1, '0 s');
    const [next] = await readEvents(test.db, { after: newest, limit: 1 });
    expect(next?.id).to.be.above(newest);
  });

  it('reads the columns of the entity: an entry is drawn, and there is no id before the numbering', async () => {
    const events = test.db.getRepository(EventEntity);
    const written = { accountId: randomUUID(), kind: 'test', subject: 's', payload: { list: [1, null] } };
    const [at, id] = [new Date('2026-02-03T04:05:06.789Z'), Number.MAX_SAFE_INTEGER];
    await events.insert({ ...written });
    await events.insert({ ...written, id, at });
    const [first, second] = await events.find({ order: { entry: 'ASC' } });
    expect(first).to.deep.include({ ...written, id: null });
    expect(first?.at).to.be.instanceOf(Date);
    const { publicId, ...others } = { publicId: '', ...second };
    expect(others).to.deep.equal({ ...written, entry: (first?.entry ?? 0) + 1, id, at, type: 'test' });
    expect(versionOf(publicId)).to.equal(7);
    expect(publicId).to.not.equal(first?.publicId);
  });

  it('reads at most as many as asked for, and none of another account', async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    await writeMany(mine, 3, '0 s');
    await writeMany(other, 3, '0 s');
    expect(await readEvents(test.db, { after: 0, limit: 2 })).to.have.length(2);
    const own = await readEvents(test.db, { after: 0, limit: 100, accountId: other });
    expect(own.map(({ accountId }) => accountId)).to.deep.equal([other, other, other]);
  });

  it('is possible for the stated time, after which the sweep removes events, a bounded number in a round', async () => {
    const accountId = randomUUID();
    await writeMany(accountId, 3_000, `${EVENT_DAYS} days 1 minute`);
    await writeMany(accountId, 2, `${EVENT_DAYS - 1} days`);
    const counts = async (): Promise<unknown> => {
      const [row] = await test.db.query<unknown[]>(
        'select count(*)::int as kept, count(*) filter (where id is null)::int as unnumbered from events',
      );
      return row;
    };
    await sweepEvents(test.db, 2);
    expect(await counts(), 'one round').to.deep.equal({ kept: 1_003, unnumbered: 1_002 });
    await sweepEvents(test.db);
    expect(await counts(), 'another').to.deep.equal({ kept: 2, unnumbered: 0 });
    await sweepEvents(test.db);
    expect(await counts(), 'a third').to.deep.equal({ kept: 2, unnumbered: 0 });
    await test.tamper(`update events set at = at - interval '60 days'`);
    await sweepEvents(test.db);
    expect(await counts(), 'the newest stays').to.deep.equal({ kept: 1, unnumbered: 0 });
  });
});
