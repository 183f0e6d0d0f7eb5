/** Waiting for news of jobs: every change that a status shows wakes who waits, and waiting itself costs no statement. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import pg from 'pg';

import type { Database } from '../../src/adapters/database.ts';
import { announceJob, JOBS_CHANNEL } from '../../src/services/events/announce.ts';
import { createJobWatch } from '../../src/services/events/job-watch.ts';
import type { JobWatch } from '../../src/services/events/job-watch.ts';
import { claimTasks } from '../../src/services/execution/claim/claim.ts';
import { failByToolFault } from '../../src/services/execution/claim/tool-fault.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import { createContact } from '../../src/services/execution/instances/contact.ts';
import { replaceInstance } from '../../src/services/execution/instances/replace.ts';
import { failTasks } from '../../src/services/execution/plan/plan.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { checkCompleteness } from '../../src/services/execution/settle/completeness.ts';
import { settleJob } from '../../src/services/execution/settle/settle.ts';
import { cancelJob } from '../../src/services/jobs/cancel.ts';
import { jobStatus } from '../../src/services/jobs/status.ts';
import type { VersionedStatus } from '../../src/services/jobs/status.ts';
import { NOTHING_TO_FINISH } from '../../src/services/jobs/to-finish.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import { ownerOf } from '../support/actors.ts';
import { suiteHome } from '../support/home.ts';
import { objectsOf, reportOf, runningJob, stage } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';
import { until } from '../support/until.ts';

const toFinish = async () => NOTHING_TO_FINISH;
const QUEUE = { placeOf: () => Promise.resolve(null) };
const LONG_SECONDS = 20;
/** Far less than the longest wait, and more than a busy machine takes. */
const SOON_MS = 10_000;

const TOOLS = createToolRegistry({ testTools: TEST_TOOLS });

describe('waiting for news of a job', () => {
  const home = suiteHome();
  const watches: JobWatch[] = [];
  afterEach(async () => {
    for (const watch of watches.splice(0)) watch.close();
    await until('no connection listens', async () => (await listeners()).length === 0);
  });

  const listeners = async (): Promise<number[]> => {
    const rows = await home.db.query<{ pid: number }[]>(
      `select pid from pg_stat_activity where application_name = 'dockyard-jobs' and datname = current_database()
         and query ilike 'listen%' and state = 'idle'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const listening = async (): Promise<JobWatch> => {
    const watch = createJobWatch(home.db);
    watches.push(watch);
    await until('it listens', async () => (await listeners()).length === 1);
    return watch;
  };
  /** Resolves once the watch has heard all that was announced before: one connection hears announcements in their order. */
  const heardSoFar = async (watch: JobWatch): Promise<void> => {
    const nobody = randomUUID();
    const witness = watch.join(nobody);
    await announceJob(home.db, nobody);
    await witness.next(SOON_MS);
    witness.leave();
  };
  /** The database with other properties or methods. */
  const database = (more: Partial<Database>): Database =>
    Object.assign(Object.create(home.db) as Database, more);
  const read = (
    watch: JobWatch,
    { jobId, accountId }: RunningJob,
    wait: object = {},
    db = home.db,
  ): Promise<VersionedStatus> =>
    jobStatus({ db, queue: QUEUE, watch, tools: TOOLS, toFinish }, ownerOf(accountId), jobId, wait);
  /** Waits for another version than the present one; resolves once the wait has begun, with the answer to come. */
  const poll = async (watch: JobWatch, job: RunningJob): Promise<{ answer: Promise<VersionedStatus> }> => {
    const { version } = await read(watch, job);
    const looked = Promise.withResolvers<undefined>();
    const query: Database['query'] = async (...given) => {
      const rows = await home.db.query(...given);
      looked.resolve(undefined);
      return rows;
    };
    const answer = read(
      watch,
      job,
      { knownVersion: version, waitSeconds: LONG_SECONDS },
      database({ query }),
    );
    await looked.promise;
    return { answer };
  };
  const claimsOf = ({ jobId }: RunningJob) => ({ jobId, slot: 0, generation: 1, expiresAt: 0 });
  const commit = async ({ jobId }: RunningJob): Promise<unknown> => {
    await stage(home, jobId, 'bytes');
    const task = { jobId, execution: 1, slot: 0, generation: 1, kind: 'task' } as const;
    return commitTasks(
      { ...home, db: home.db, store: home.store, tools: TOOLS },
      { ...task, reports: [reportOf('result.bin', 'bytes')] },
    );
  };
  const loseOutputs = async (job: RunningJob): Promise<void> => {
    await commit(job);
    await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [job.jobId]);
    await home.store.remove(await objectsOf(home, job));
  };

  const CHANGES: Readonly<
    Record<string, { before?: (job: RunningJob) => Promise<unknown>; change: (job: RunningJob) => unknown }>
  > = {
    'another state': {
      change: ({ jobId }) => recordState(home.db, { jobId, transition: 4, to: 'RECOVERING', reason: null }),
    },
    'the settlement': {
      before: ({ jobId }) => recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: null }),
      change: ({ jobId }) =>
        settleJob(home.db, {
          jobId,
          execution: 1,
          transition: 5,
          to: 'FAILED',
          reason: null,
          pauseReason: null,
        }),
    },
    'the request to cancel': {
      change: ({ jobId, accountId }) => {
        const workflows = { cancel: () => Promise.resolve(true) };
        const takeUp = (): Promise<boolean> => Promise.resolve(false);
        const deps = { db: home.db, workflows, takeUp, log: { warn: () => undefined } };
        return cancelJob(deps, ownerOf(accountId), jobId, {});
      },
    },
    'a task that starts': {
      change: (job) => {
        const factsOf = () => Promise.reject(new Error('no facts are needed for the row'));
        const request = { execution: 1, kind: 'task', ordinals: [1] } as const;
        return claimTasks({ db: home.db, factsOf }, claimsOf(job), request).catch(() => undefined);
      },
    },
    'the progress of a task': {
      change: (job) =>
        createContact(home.db)(claimsOf(job), { running: [{ kind: 'task', ordinal: 0, percent: 40 }] }),
    },
    'a commit': { change: commit },
    'a lost instance': {
      change: (job) => replaceInstance(home.db, { ...claimsOf(job), execution: 1, cause: 'INSTANCE_GONE' }),
    },
    'a tool that throws': { change: (job) => failByToolFault(home.db, claimsOf(job), null) },
    'a job that fails whole': {
      change: ({ jobId }) => failTasks(home.db, { jobId, code: 'RECEPTOR_EMPTY', message: 'why' }),
    },
    'an output that the store has lost': {
      before: loseOutputs,
      change: ({ jobId }) => checkCompleteness(home, jobId),
    },
  };
  for (const [name, { before: prepare, change }] of Object.entries(CHANGES)) {
    it(`ends with ${name}`, async () => {
      const watch = await listening();
      const job = await runningJob(home);
      await prepare?.(job);
      const { answer } = await poll(watch, job);
      const startedAt = performance.now();
      await change(job);
      await answer;
      expect(performance.now() - startedAt).to.be.below(SOON_MS);
    });
  }

  it('asks the database nothing while nothing happens, however many wait', async () => {
    const watch = await listening();
    const job = await runningJob(home);
    await heardSoFar(watch);
    const { version } = await read(watch, job);
    let statements = 0;
    const query: Database['query'] = (...given) => {
      statements += 1;
      return home.db.query(...given);
    };
    const wait = { knownVersion: version, waitSeconds: 2 };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => read(watch, job, wait, database({ query }))),
    );
    expect(new Set(answers.map((answer) => answer.version))).to.deep.equal(new Set([version]));
    expect(statements, 'a look before and the answer after').to.equal(400);
  });

  it('is not woken by another job', async () => {
    const watch = await listening();
    const [mine, other] = [randomUUID(), randomUUID()];
    const watcher = watch.join(mine);
    let isWoken = false;
    const woken = watcher.next(SOON_MS).then(() => (isWoken = true));
    await announceJob(home.db, other);
    const witness = watch.join(other);
    await announceJob(home.db, other);
    await witness.next(SOON_MS);
    expect(isWoken).to.equal(false);
    await announceJob(home.db, mine);
    await woken;
    watcher.leave();
    witness.leave();
  });

  it('remembers what came between two waits', async () => {
    const watch = await listening();
    const jobId = randomUUID();
    const [watcher, witness] = [watch.join(jobId), watch.join(jobId)];
    await announceJob(home.db, jobId);
    await witness.next(SOON_MS);
    const startedAt = performance.now();
    await watcher.next(SOON_MS * 10);
    expect(performance.now() - startedAt).to.be.below(SOON_MS);
  });

  it('does not hang on an announcement that was lost with the connection', async () => {
    const watch = await listening();
    const job = await runningJob(home);
    const { answer } = await poll(watch, job);
    const [pid] = await listeners();
    const startedAt = performance.now();
    await home.db.query(
      `with killed as (select pg_terminate_backend($2)) update jobs set version = version + 1 where id = $1 and exists (select from killed)`,
      [job.jobId, pid],
    );
    await answer;
    expect(performance.now() - startedAt).to.be.below(SOON_MS);
    await until('it listens again', async () => (await listeners()).some((now) => now !== pid));
    const next = await poll(watch, job);
    await recordState(home.db, { jobId: job.jobId, transition: 4, to: 'RECOVERING', reason: null });
    expect((await next.answer).status.status).to.equal('RECOVERING');
  });

  it('looks by itself while nothing can be heard', async () => {
    // Without a URL there is nothing to listen on.
    const watch = createJobWatch(database({ options: { type: 'postgres' } }));
    watches.push(watch);
    const job = await runningJob(home);
    const { answer } = await poll(watch, job);
    const startedAt = performance.now();
    await home.db.query('update jobs set version = version + 1 where id = $1', [job.jobId]);
    await answer;
    expect(performance.now() - startedAt).to.be.below(SOON_MS);
  });

  it('looks at the end of its time, should an announcement never have been sent', async () => {
    const watch = await listening();
    const job = await runningJob(home);
    const { version } = await read(watch, job);
    const answer = read(watch, job, { knownVersion: version, waitSeconds: 1 });
    await home.db.query('update jobs set version = version + 1 where id = $1', [job.jobId]);
    expect((await answer).version).to.not.equal(version);
  });

  it('ends with the watch, and its connection with it', async () => {
    const watch = await listening();
    watch.close();
    await until('its connection is gone', async () => (await listeners()).length === 0);
  });
});

describe('announcing jobs', () => {
  const home = suiteHome();

  it('takes two statements for any number that come up at once, and tells every job', async () => {
    const heard = new Set<string | undefined>();
    const client = new pg.Client({ connectionString: home.database.url });
    await client.connect();
    client.on('notification', ({ payload }) => heard.add(payload));
    await client.query(`listen ${JOBS_CHANNEL}`);
    let statements = 0;
    const db = Object.assign(Object.create(home.db) as Database, {
      query: (...given: Parameters<Database['query']>) => {
        statements += 1;
        return home.db.query(...given);
      },
    });
    try {
      const jobIds = Array.from({ length: 1_000 }, () => randomUUID());
      const first = announceJob(db, jobIds[0] ?? '');
      await Promise.resolve();
      await Promise.all([first, ...jobIds.slice(1).map((jobId) => announceJob(db, jobId))]);
      await until('all are heard', () => heard.size === jobIds.length);
      expect(heard).to.deep.equal(new Set(jobIds));
      expect(statements).to.equal(2);
      const [setting] = await home.db.query<unknown[]>('show synchronous_commit');
      expect(setting, 'of other transactions').to.deep.equal({ synchronous_commit: 'on' });
    } finally {
      await client.end();
    }
  });

  it('names the account of the job', async () => {
    const { jobId, accountId } = await runningJob(home);
    const watch = createJobWatch(home.db);
    const heard = new Set<string | null>();
    watch.hear((account) => heard.add(account));
    try {
      await until('it is heard', async () => {
        await announceJob(home.db, jobId);
        return heard.has(accountId);
      });
    } finally {
      watch.close();
    }
  });

  it('fails nothing when it cannot be sent: the change is committed', async () => {
    const query = () => Promise.reject(new Error('the connection was lost'));
    await announceJob(Object.assign(Object.create(home.db) as Database, { query }), randomUUID());
  });
});
