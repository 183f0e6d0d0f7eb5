/** The tail of the log: one reader in a process for everybody, who have each event once and in order, and cost nothing while idle. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import type { Database } from '../../src/adapters/database.ts';
import { announceJob } from '../../src/services/events/announce.ts';
import { createJobWatch } from '../../src/services/events/job-watch.ts';
import { readEvents } from '../../src/services/events/read-events.ts';
import type { EventRow } from '../../src/services/events/read-events.ts';
import { createEventTail } from '../../src/services/events/tail.ts';
import type { EventTail } from '../../src/services/events/tail.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { suiteHome } from '../support/home.ts';
import { refusalOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

/** A watch that hears nothing, as one whose connection is lost. */
const DEAF = { hear: () => undefined };
const ALL = { limit: 1_000, types: null, subject: null };

describe('the tail of the log', () => {
  const home = suiteHome();
  const open: { close(): void }[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  const tailOf = (db: Database = home.db, watch: Parameters<typeof createEventTail>[1] = DEAF): EventTail => {
    const tail = createEventTail(db, watch);
    open.push(tail);
    return tail;
  };
  const write = (
    accountId: string,
    subject: string,
    db: Pick<Database, 'query'> = home.db,
  ): Promise<unknown> =>
    db.query(`insert into events (account_id, kind, subject, payload) values ($1, 'test', $2, '{}')`, [
      accountId,
      subject,
    ]);
  const counted = (): { db: Database; statements: string[] } => {
    const statements: string[] = [];
    const query: Database['query'] = (...given) => {
      statements.push(given[0]);
      return home.db.query(...given);
    };
    return { db: Object.assign(Object.create(home.db) as Database, { query }), statements };
  };
  const subjectsOf = (events: readonly EventRow[]): string[] => events.map(({ subject }) => subject);

  it('hands each event on once and in order to whoever joins at any time, while many write', async () => {
    const tail = tailOf();
    const [mine, other] = [randomUUID(), randomUUID()];
    let isWritten = false;
    const writing = Promise.all(
      Array.from({ length: 12 }, async (_, writer) => {
        for (let turn = 0; turn < 15; turn += 1)
          await home.db.transaction(async (tx) => {
            await write(turn % 3 === 0 ? other : mine, `${writer}/${turn}`, tx);
            await sleep(Math.random() * 15);
          });
      }),
    ).then(() => (isWritten = true));
    /** Reads the table to the end, then what the tail hands on. */
    const follower = async (): Promise<EventRow[]> => {
      const seen: EventRow[] = [];
      const heard: EventRow[] = [];
      const leave = tail.follow(mine, { hear: (events) => heard.push(...events) });
      await tail.settle();
      for (let isEnd = false; !isEnd;) {
        const page = await readEvents(home.db, {
          ...ALL,
          limit: 7,
          accountId: mine,
          after: seen.at(-1)?.id ?? 0,
        });
        seen.push(...page.events);
        isEnd = page.events.length < 7;
      }
      const last = seen.at(-1)?.id ?? 0;
      await until('all is written', () => isWritten);
      await tail.settle();
      leave();
      return [...seen, ...heard.filter(({ id }) => id > last)];
    };
    const followers = await Promise.all(
      [0, 20, 60, 120].map(async (pauseMs) => {
        await sleep(pauseMs);
        return follower();
      }),
    );
    await writing;
    const { events } = await readEvents(home.db, { ...ALL, accountId: mine, after: 0 });
    expect(events).to.have.length(12 * 10);
    for (const seen of followers) expect(seen).to.deep.equal(events);
  });

  it('hands a change of a job on as soon as it is announced, and reads nothing for accounts that nobody follows', async () => {
    const { db, statements } = counted();
    const watch = createJobWatch(home.db);
    open.push(watch);
    const tail = tailOf(db, watch);
    const [mine, other] = [await runningJob(home), await runningJob(home)];
    const heard: EventRow[] = [];
    await tail.settle();
    tail.follow(mine.accountId, { hear: (events) => heard.push(...events) });
    await tail.settle();
    const witness = watch.join(mine.jobId);
    await until('it listens', async () => {
      await announceJob(home.db, mine.jobId);
      await witness.next(100);
      return statements.length > 1;
    });
    await recordState(home.db, { jobId: mine.jobId, transition: 4, to: 'RECOVERING', reason: null });
    await until('it is heard', () => heard.length > 0);
    expect(heard.map(({ type, subject }) => ({ type, subject }))).to.deep.equal([
      { type: 'job.recovering', subject: mine.jobId },
    ]);
    await recordState(home.db, { jobId: other.jobId, transition: 4, to: 'RECOVERING', reason: null });
    await tail.settle();
    expect(heard).to.have.length(1);
  });

  it('finds what nobody announced by itself, with one statement a second however many follow', async () => {
    const { db, statements } = counted();
    const tail = tailOf(db);
    const accounts = Array.from({ length: 300 }, () => randomUUID());
    const heard: string[] = [];
    for (const accountId of accounts)
      tail.follow(accountId, { hear: (events) => heard.push(...subjectsOf(events)) });
    await tail.settle();
    statements.length = 0;
    const startedAt = performance.now();
    await until('three rounds', () => statements.length >= 3);
    expect(performance.now() - startedAt).to.be.above(1_900);
    expect(new Set(statements)).to.have.length(1);
    await write(accounts[7] ?? '', 'unannounced');
    await until('it is found', () => heard.length > 0);
    expect(heard).to.deep.equal(['unannounced']);
  });

  it('rests while nobody follows, and shares a round between those who ask at once', async () => {
    const { db, statements } = counted();
    const tail = tailOf(db);
    const leave = tail.follow(randomUUID(), { hear: () => undefined });
    await tail.settle();
    leave();
    statements.length = 0;
    const witness = counted();
    tailOf(witness.db).follow(randomUUID(), { hear: () => undefined });
    await until('another tail has looked by itself', () => witness.statements.length > 1);
    expect(statements).to.deep.equal([]);
    await Promise.all(Array.from({ length: 50 }, () => tail.settle()));
    expect(statements).to.have.length(1);
  });

  it('goes on after a round that failed, without a miss', async () => {
    let isLost = false;
    const query: Database['query'] = (...given) =>
      isLost ? Promise.reject(new Error('the connection was lost')) : home.db.query(...given);
    const tail = tailOf(Object.assign(Object.create(home.db) as Database, { query }));
    const accountId = randomUUID();
    const heard: string[] = [];
    tail.follow(accountId, { hear: (events) => heard.push(...subjectsOf(events)) });
    await tail.settle();
    isLost = true;
    await write(accountId, 'meanwhile');
    expect(await refusalOf(tail.settle())).to.be.instanceOf(Error);
    isLost = false;
    await tail.settle();
    expect(heard).to.deep.equal(['meanwhile']);
  });
});

describe('reading events', () => {
  const home = suiteHome();
  const accountId = randomUUID();
  const other = randomUUID();
  before(async () => {
    await home.db.query(
      `insert into events (account_id, kind, subject, payload)
       select case when n % 7 = 0 then $2::uuid else $1::uuid end, 'kind.' || n % 5, 's' || n % 11, '{}' from generate_series(1, 500) n`,
      [accountId, other],
    );
    await createEventTail(home.db, DEAF).settle();
  });

  it('answers what was chosen by type and subject, in order, at any depth', async () => {
    const whole = await readEvents(home.db, { ...ALL, accountId, after: 0 });
    expect(whole.events).to.have.length(429);
    const chosen = [
      { types: null, subject: null },
      { types: ['kind.1'], subject: null },
      { types: ['kind.1', 'kind.4', 'kind.none'], subject: null },
      { types: null, subject: 's3' },
      { types: ['kind.2', 'kind.3'], subject: 's3' },
      { types: ['kind.none'], subject: null },
    ];
    for (const { types, subject } of chosen) {
      const expected = whole.events.filter(
        (event) => (types?.includes(event.type) ?? true) && (subject === null || event.subject === subject),
      );
      const read: EventRow[] = [];
      for (let isEnd = false; !isEnd;) {
        const query = { accountId, types, subject, limit: 9, after: read.at(-1)?.id ?? 0 };
        const { events, newest } = await readEvents(home.db, query);
        expect(newest?.publicId).to.equal(whole.newest?.publicId);
        read.push(...events);
        isEnd = events.length < 9;
      }
      expect(read, JSON.stringify({ types, subject })).to.deep.equal(expected);
    }
  });
});
