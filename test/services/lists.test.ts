/**
 * Lists as a client reads them: by the times of answers, and by cursors, each of which belongs to one list and query.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import type { Actor } from '../../src/domain/access.ts';
import { JOB_STATES } from '../../src/domain/job-state.ts';
import type { JobState, TaskState } from '../../src/domain/job-state.ts';
import { createCredits } from '../../src/services/credits.ts';
import { encodeCursor, scopeOf } from '../../src/services/cursor.ts';
import { admitJob } from '../../src/services/jobs/admission.ts';
import { listJobs, summarizeJobs } from '../../src/services/jobs/list.ts';
import { listOutputs } from '../../src/services/jobs/outputs.ts';
import { listRecoveries } from '../../src/services/jobs/recoveries.ts';
import { listTasks } from '../../src/services/jobs/tasks.ts';
import { grantCredits } from '../../src/services/ledger/index.ts';
import { createDigestReader } from '../../src/services/stored-objects/stored-digests.ts';
import { listUploads } from '../../src/services/uploads/index.ts';
import { ownerOf } from '../support/actors.ts';
import { admissionOf, newAccount } from '../support/admissions.ts';
import type { Owner } from '../support/admissions.ts';
import { heldAfterBegin } from '../support/held-database.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';

/** Three times within one millisecond, as rows have them, and as answers tell them. */
const TIMES = ['2026-03-01 12:00:00.123001Z', '2026-03-01 12:00:00.123002Z', '2026-03-01 12:00:00.123003Z'];
const TOLD = TIMES.map((time) => time.replace(' ', 'T'));

type Query = Readonly<Record<string, string>>;

/** The states of a query, apart by commas. */
const statesIn = <State extends string>(states: string | undefined): { status?: State[] } =>
  states === undefined ? {} : { status: states.split(',') as State[] };

interface Page {
  readonly ids: readonly string[];
  readonly times: readonly string[];
  readonly nextCursor: string | null;
}

describe('lists', () => {
  const home = suiteHome();
  let owner: Owner;
  let other: Owner;
  /** The newest job first. */
  let jobIds: readonly string[];

  const admit = async (who: Owner, db = home.db): Promise<string> => {
    const admission = admissionOf(who, { inputs: [] });
    expect(await admitJob(db, admission, randomUUID())).to.include({ kind: 'admitted' });
    return admission.jobId;
  };
  const seed = async (who: Owner): Promise<string[]> => {
    const ids = [await admit(who), await admit(who), await admit(who)];
    for (const [index, time] of TIMES.entries())
      await home.database.tamper('update jobs set submitted_at = $2 where id = $1', [ids[index], time]);
    for (const time of TIMES) {
      const key = randomUUID();
      await grantCredits(home.db, { accountId: who.accountId, amountPence: 1, key, description: time });
      await home.database.tamper(
        'update ledger_transfers set created_at = description::timestamptz where account_id = $1 and description = $2',
        [who.accountId, time],
      );
      await home.db.query(
        `insert into stored_objects (storage_key, account_id, upload_id, filename, content_type, byte_size, state, sha256,
           created_at, verified_at)
         values ($1, $2, gen_random_uuid(), 'a', 'text/plain', 1, 'VERIFIED', repeat('a', 64), $3, $3)`,
        [key, who.accountId, time],
      );
    }
    for (const jobId of ids) {
      await home.db.query(
        `insert into tasks (job_id, kind, ordinal, item_id) select $1, 'task', n, n::text from generate_series(0, 2) n`,
        [jobId],
      );
      for (const [index, time] of TIMES.entries())
        await home.db.query(
          `insert into recoveries (id, job_id, execution, slot, generation, cause, tasks_kept, tasks_requeued, seconds_lost, created_at)
           values (gen_random_uuid(), $1, 1, 0, $2, 'INSTANCE_GONE', 0, 0, 0, $3)`,
          [jobId, index, time],
        );
      for (const [index, time] of TIMES.entries())
        await home.db.query(
          `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type,
             byte_size, sha256, created_at)
           values (gen_random_uuid(), $1, $2, 'task', $3, gen_random_uuid()::text, 'a', 'result', 'text/plain', 1, 'x', $4)`,
          [who.accountId, jobId, index, time],
        );
    }
    return ids.reverse();
  };
  before(async () => {
    owner = await newAccount(home.db, 1_000);
    other = await newAccount(home.db, 1_000);
    jobIds = await seed(owner);
    await seed(other);
  });

  const actorOf = (who: Owner): Actor => ownerOf(who.accountId, who.userId);
  const work = () => ({ db: home.db, store: home.store, digests: createDigestReader(home.store) });

  const jobs = async ({ states, ...query }: Query, limit = 100, who = owner): Promise<Page> => {
    const deps = { db: home.db, canonicalSimulator: (name: string) => name };
    const { jobs: rows, nextCursor } = await listJobs(deps, actorOf(who), {
      ...{ ...query, ...statesIn<JobState>(states), limit },
    });
    return { ids: rows.map((row) => row.jobId), times: rows.map((row) => row.createdAt), nextCursor };
  };
  const transactions = async (query: Query, limit = 100, who = owner): Promise<Page> => {
    const answer = await createCredits(home.db).transactions(actorOf(who), { ...query, limit });
    const { transactions: rows, nextCursor } = answer;
    return { ids: rows.map((row) => row.id), times: rows.map((row) => row.created_at), nextCursor };
  };
  const uploads = async (query: Query, limit = 100, who = owner): Promise<Page> => {
    const asked = { state: 'completed' as const, ...query, limit };
    const { uploads: rows, nextCursor } = await listUploads(work(), actorOf(who), asked);
    return { ids: rows.map((row) => row.key), times: rows.map((row) => row.createdAt), nextCursor };
  };
  const tasks = async ({ jobId = '', states, ...query }: Query, limit = 100, who = owner): Promise<Page> => {
    const { status: state } = statesIn<TaskState>(states);
    const { tasks: rows, nextCursor } = await listTasks(home.db, actorOf(who), jobId, {
      ...{ ...query, ...(state === undefined ? {} : { state }), limit },
    });
    return { ids: rows.map((row) => row.id), times: [], nextCursor };
  };
  const recoveries = async ({ jobId = '', ...query }: Query, limit = 100, who = owner): Promise<Page> => {
    const answer = await listRecoveries(home.db, actorOf(who), jobId, { ...query, limit });
    const { recoveries: rows, nextCursor } = answer;
    return {
      ids: rows.map(({ instance }) => String(instance?.generation)),
      times: rows.map(({ at }) => at),
      nextCursor,
    };
  };
  const outputs = async ({ jobId = '', ...query }: Query, limit = 100, who = owner): Promise<Page> => {
    const answer = await listOutputs(work(), actorOf(who), jobId, { ...query, limit });
    const { outputs: rows, nextCursor } = answer;
    return { ids: rows.map((row) => row.artifactId), times: rows.map((row) => row.createdAt), nextCursor };
  };

  describe('by the times of answers', () => {
    it('tell times as exactly as they are compared', async () => {
      const [jobId = ''] = jobIds;
      const newestFirst = TOLD.toReversed();
      expect((await jobs({})).times).to.deep.equal(newestFirst);
      expect((await transactions({ from: TOLD[0] ?? '', to: '2026-03-02T00:00:00Z' })).times).to.deep.equal(
        newestFirst,
      );
      expect((await uploads({})).times).to.deep.equal(newestFirst);
      expect((await outputs({ jobId })).times).to.deep.equal(TOLD);
      expect((await recoveries({ jobId })).times).to.deep.equal(TOLD);
    });

    it('jobs: after and before a time leave out the job of that time and nothing else of its millisecond', async () => {
      const { ids, times } = await jobs({});
      expect(ids).to.deep.equal(jobIds);
      for (const [index, time] of times.entries()) {
        expect((await jobs({ createdAfter: time })).ids, time).to.deep.equal(jobIds.slice(0, index));
        expect((await jobs({ createdBefore: time })).ids, time).to.deep.equal(jobIds.slice(index + 1));
      }
    });

    it('transactions: from a time on and before it are the two halves of the list', async () => {
      const all = await transactions({});
      for (const [index, time] of all.times.entries()) {
        expect((await transactions({ from: time })).ids, time).to.deep.equal(all.ids.slice(0, index + 1));
        expect((await transactions({ to: time })).ids, time).to.deep.equal(all.ids.slice(index + 1));
      }
    });

    it('outputs: since a time are those after it, in the order of their times', async () => {
      const [jobId = ''] = jobIds;
      const all = await outputs({ jobId, since: '2026-01-01T00:00:00.000000Z' });
      expect(all.times).to.deep.equal(TOLD);
      for (const [index, time] of TOLD.entries())
        expect((await outputs({ jobId, since: time })).ids, time).to.deep.equal(all.ids.slice(index + 1));
    });

    it('jobs that are admitted later are newer, also when their admission began first', async () => {
      const who = await newAccount(home.db, 1_000);
      const held = heldAfterBegin(home.db);
      const early = admit(who, held.db);
      await held.begun;
      const late = await admit(who);
      const seen = await jobs({}, 100, who);
      expect(seen.ids).to.deep.equal([late]);

      held.go();
      const first = await early;
      expect((await jobs({ createdAfter: seen.times[0] ?? '' }, 100, who)).ids).to.deep.equal([first]);
    });
  });

  describe('by states', () => {
    it('are the jobs and the tasks in any of them, and tasks by the code of their failure', async () => {
      const who = await newAccount(home.db, 1_000);
      const [first, second, third] = [await admit(who), await admit(who), await admit(who)];
      await home.database.tamper(`update jobs set status = 'FAILED' where id = $1`, [first]);
      await home.database.tamper(`update jobs set status = 'PAUSED' where id = $1`, [second]);
      const found = async (states: string): Promise<readonly string[]> =>
        (await jobs({ states }, 100, who)).ids.toSorted();
      expect(await found('FAILED,PAUSED')).to.deep.equal([first, second].toSorted());
      expect(await found('SUBMITTED')).to.deep.equal([third]);
      await home.db.query(
        `insert into tasks (job_id, kind, ordinal, item_id, state, failure_code)
         select $1, 'task', n, n::text, case when n % 5 = 0 then 'FAILED' when n < 50 then 'SUCCEEDED' else 'PENDING' end,
           case when n % 10 = 0 then 'TOOL_FAILED' when n % 5 = 0 then 'OUTPUT_INVALID' end
         from generate_series(0, 99) n`,
        [first],
      );
      const count = async (query: Query): Promise<number> =>
        (await tasks({ jobId: first, ...query }, 100, who)).ids.length;
      expect(await count({ states: 'FAILED' })).to.equal(20);
      expect(await count({ states: 'FAILED,PENDING' })).to.equal(60);
      expect(await count({ code: 'TOOL_FAILED' })).to.equal(10);
      expect(await count({ states: 'SUCCEEDED', code: 'TOOL_FAILED' })).to.equal(0);
      const page = await tasks({ jobId: first, code: 'OUTPUT_INVALID' }, 3, who);
      expect(page.ids).to.deep.equal(['5', '15', '25']);
    });
  });

  describe('by cursors', () => {
    /** Each list in several queries; a cursor belongs to one of them. */
    const asked = (): readonly (readonly [
      string,
      (query: Query, limit: number, who?: Owner) => Promise<Page>,
    ])[] => {
      const [jobId = '', second = ''] = jobIds;
      const since = '2026-01-01T00:00:00.000000Z';
      const ask =
        (list: typeof jobs, own: Query) =>
        (query: Query, limit: number, who = owner): Promise<Page> =>
          list({ ...own, ...query }, limit, who);
      return [
        ['jobs', ask(jobs, {})],
        ['jobs of a state', ask(jobs, { states: 'SUBMITTED' })],
        ['jobs of two states', ask(jobs, { states: 'SUBMITTED,FAILED' })],
        ['jobs after a time', ask(jobs, { createdAfter: since })],
        ['jobs before a time', ask(jobs, { createdBefore: '2100-01-01T00:00:00.000000Z' })],
        ['jobs of a simulator', ask(jobs, { simulator: 'noop' })],
        ['transactions', ask(transactions, {})],
        ['transactions of a type', ask(transactions, { type: 'promo' })],
        ['transactions from a time', ask(transactions, { from: since })],
        ['uploads', ask(uploads, {})],
        ['uploads of a digest', ask(uploads, { sha256: 'A'.repeat(64) })],
        ['tasks', ask(tasks, { jobId })],
        ['tasks of another job', ask(tasks, { jobId: second })],
        ['tasks of a state', ask(tasks, { jobId, states: 'PENDING' })],
        ['recoveries', ask(recoveries, { jobId })],
        ['recoveries of another job', ask(recoveries, { jobId: second })],
        ['outputs', ask(outputs, { jobId })],
        ['outputs of another job', ask(outputs, { jobId: second })],
        ['outputs of a kind', ask(outputs, { jobId, kind: 'result' })],
        ['outputs since a time', ask(outputs, { jobId, since })],
      ];
    };

    it('belong to their states, in whatever order these are sent', async () => {
      const { nextCursor } = await jobs({ states: 'SUBMITTED,FAILED' }, 1);
      const cursor = nextCursor ?? '';
      expect((await jobs({ states: 'FAILED,SUBMITTED,FAILED', cursor })).ids).to.have.lengthOf(2);
      expect(await codeOf(jobs({ states: 'SUBMITTED', cursor }))).to.equal('VALIDATION_ERROR');
    });

    it('go on where the page before ended, also with another size of the page', async () => {
      for (const [name, list] of asked()) {
        const all = await list({}, 100);
        const first = await list({}, 1);
        const rest = await list({ cursor: first.nextCursor ?? '' }, 99);
        expect([...first.ids, ...rest.ids], name).to.deep.equal(all.ids);
        expect(rest.nextCursor, name).to.equal(null);
      }
    });

    it('are refused in every other list, account and query, instead of reading as the end', async () => {
      const lists = asked();
      for (const [from, list] of lists) {
        const cursor = (await list({}, 1)).nextCursor ?? expect.fail(`${from} has one page`);
        for (const [to, otherList] of lists) {
          const code = await codeOf(otherList({ cursor }, 1));
          expect(code, `of ${from} in ${to}`).to.equal(from === to ? 'accepted' : 'VALIDATION_ERROR');
        }
        if (/^(jobs|transactions|uploads)/.test(from))
          expect(await codeOf(list({ cursor }, 1, other)), `of ${from}`).to.equal('VALIDATION_ERROR');
      }
    });

    it('are refused when they were cut off or never answered, with words on what to do', async () => {
      for (const [name, list] of asked()) {
        const cursor = (await list({}, 1)).nextCursor ?? '';
        for (const wrong of ['nonsense', cursor.slice(0, -1), `${cursor}A`, cursor.toUpperCase()]) {
          const refused: unknown = await list({ cursor: wrong }, 1).catch((error: unknown) => error);
          expect(refused, `${name}: ${wrong}`).to.include({ code: 'VALIDATION_ERROR' });
          expect(refused).to.have.property('message').that.contains('Send nextCursor unchanged');
        }
      }
    });

    it('of jobs are refused when they name a place that no row can have', async () => {
      const scope = scopeOf('jobs', actorOf(owner), {});
      for (const place of [
        ['2026-02-30T00:00:00.000000Z', randomUUID()],
        ['2026-02-03T00:00:00.000000Z', 'x'],
      ])
        expect(await codeOf(jobs({ cursor: encodeCursor(scope, place) })), place[0]).to.equal(
          'VALIDATION_ERROR',
        );
    });
  });

  describe('the summary of jobs', () => {
    const counted = (query: { finishedAfter?: string } = {}): Promise<unknown> =>
      summarizeJobs(home.db, actorOf(owner), query);
    const none = Object.fromEntries(JOB_STATES.map((state) => [state, 0]));
    const end = (index: number, state: string): Promise<unknown> =>
      home.database.tamper('update jobs set status = $2, finished_at = $3 where id = $1', [
        ...[jobIds[index], state, TIMES[index]],
      ]);

    it('counts the jobs of the account alone, by state, those of the service left out', async () => {
      expect(await counted()).to.deep.equal({ open: 3, byStatus: { ...none, SUBMITTED: 3 } });
      await Promise.all([end(0, 'SUCCEEDED'), end(1, 'FAILED')]);
      const ended = { ...none, SUBMITTED: 1, SUCCEEDED: 1, FAILED: 1 };
      expect(await counted()).to.deep.equal({ open: 1, byStatus: ended });
      await home.database.tamper('update jobs set internal = true where id = $1', [jobIds[1]]);
      expect(await counted()).to.deep.equal({ open: 1, byStatus: { ...ended, FAILED: 0 } });
    });

    it('leaves out jobs that had ended by a time, to the microsecond', async () => {
      const [first = ''] = TOLD;
      expect(await counted({ finishedAfter: first.replace('001Z', '000Z') })).to.deep.equal({
        ...{ open: 1, byStatus: { ...none, SUBMITTED: 1, SUCCEEDED: 1 } },
      });
      expect(await counted({ finishedAfter: first })).to.deep.equal({
        ...{ open: 1, byStatus: { ...none, SUBMITTED: 1 } },
      });
    });
  });
});
