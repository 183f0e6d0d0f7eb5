/** Streams of events: nothing is lost or told twice, whoever writes, and however slowly a reader takes it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readable } from 'node:stream';

import { expect } from 'chai';

import type { Actor, KeyActor } from '../../src/domain/access.ts';
import { PartParser } from '../../src/client/stream.ts';
import type { HearJob } from '../../src/services/events/job-watch.ts';
import { createEvents } from '../../src/services/events/index.ts';
import type { EventServices, ReadJob } from '../../src/services/events/index.ts';
import { cursorOf } from '../../src/services/events/position.ts';
import { newAccount } from '../support/admissions.ts';
import { idsOf, lastIdOf, readPartsOf } from '../support/event-parts.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

const MIB = 1024 * 1024;

describe('streams of events', function () {
  this.timeout(60_000);
  const home = suiteHome();
  const open: { close(): void }[] = [];
  const streams: Readable[] = [];
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.destroy();
    for (const one of open.splice(0)) one.close();
  });

  const noJob: ReadJob = () => Promise.reject(new Error('no job is followed'));
  const servicesOf = (
    readJob: ReadJob = noJob,
    heartbeatMs = 15_000,
    watch: { hear(onNews: HearJob): void } = { hear: () => undefined },
  ): EventServices => {
    const events = createEvents(home.db, watch, readJob, heartbeatMs);
    open.push(events);
    return events;
  };
  const kept = async (opening: Promise<Readable>): Promise<Readable> => {
    const stream = await opening;
    streams.push(stream);
    return stream;
  };
  /** A key that is there, so that its streams last. */
  const keyOf = async ({ accountId }: { readonly accountId: string }): Promise<KeyActor> => {
    const keyId = randomUUID();
    const [user] = await home.db.query<{ id: string }[]>('select id from users where account_id = $1', [
      accountId,
    ]);
    const userId = user?.id ?? '';
    await home.db.query(
      `insert into api_keys (id, account_id, user_id, name, environment, scopes, prefix, last4, secret_sha256)
       values ($1, $2, $3, 'k', 'live', '{jobs:read,projects:read}', 'p', 'last', gen_random_uuid())`,
      [keyId, accountId, userId],
    );
    return {
      ...{ kind: 'key', accountId, userId, plan: 'free', keyId, environment: 'live' },
      scopes: ['jobs:read', 'projects:read'],
    };
  };
  const write = (
    accountId: string,
    db: { query(text: string, parameters: unknown[]): Promise<unknown> } = home.db,
    version = 1,
  ): Promise<unknown> =>
    db.query(`insert into events (account_id, kind, subject, payload) values ($1, 'project.saved', $2, $3)`, [
      accountId,
      randomUUID(),
      JSON.stringify({ version }),
    ]);
  const stored = async (accountId: string): Promise<string[]> => {
    const rows = await home.db.query<{ public_id: string }[]>(
      'select public_id from events where account_id = $1 order by id',
      [accountId],
    );
    return rows.map((row) => row.public_id);
  };

  it('tell what fifty writers write, each event once and in order, beside a transaction that hangs, and nothing of others', async () => {
    const [mine, other] = [await newAccount(home.db, 1), await newAccount(home.db, 1)];
    const events = servicesOf();
    const reader = readPartsOf(await kept(events.stream(await keyOf(mine), {})));
    await reader.sees('the opening', ({ id }) => id !== null);
    const hanging = home.db.createQueryRunner();
    await hanging.startTransaction();
    await write(mine.accountId, hanging, 777);
    await Promise.all(
      Array.from({ length: 50 }, (_, writer) =>
        home.db.transaction(async (tx) => {
          for (let turn = 0; turn < 3; turn += 1) {
            await write(writer % 5 === 0 ? other.accountId : mine.accountId, tx);
            await sleep(Math.random() * 20);
          }
        }),
      ),
    );
    await until('all but the hanging one', () => reader.ids().length === 120);
    await hanging.commitTransaction();
    await hanging.release();
    await reader.sees('the hanging one', ({ data }) => data.includes('"version":777'));
    expect(reader.ids()).to.deep.equal(await stored(mine.accountId));
  });

  it('go on behind the last id that was taken, wherever a stream of three events is cut', async () => {
    const owner = await newAccount(home.db, 1);
    const actor = await keyOf(owner);
    const [events, elsewhere] = [servicesOf(), servicesOf()];
    const first = readPartsOf(await kept(events.stream(actor, {})));
    await first.sees('the opening', ({ id }) => id !== null);
    const start = first.last() ?? '';
    for (let n = 0; n < 3; n += 1) await write(owner.accountId);
    const taken: Buffer[] = [];
    const stream = await kept(events.stream(actor, { after: start }));
    stream.on('data', (chunk: Buffer) => taken.push(chunk));
    const partsOf = (bytes: Buffer) => [...new PartParser().parts(bytes)];
    await until('three events', () => idsOf(partsOf(Buffer.concat(taken))).length === 3);
    const whole = Buffer.concat(taken);
    const all = idsOf(partsOf(whole));
    let marker = 100;
    /** What another process tells behind an id, up to what was written after it was asked. */
    const restBehind = new Map<string, Promise<string[]>>();
    const rest = async (after: string): Promise<string[]> => {
      const more = readPartsOf(await kept(elsewhere.stream(actor, { after })));
      marker += 1;
      await write(owner.accountId, home.db, marker);
      await more.sees('what comes next', ({ data }) => data.includes(`"version":${marker}`));
      return more.ids();
    };
    for (let cut = 0; cut <= whole.length; cut += 1) {
      const parts = partsOf(whole.subarray(0, cut));
      const after = lastIdOf(parts) ?? start;
      const behind = restBehind.get(after) ?? rest(after);
      restBehind.set(after, behind);
      const seen = [...idsOf(parts), ...(await behind)];
      expect(seen.slice(0, 3), `cut at byte ${cut}`).to.deep.equal(all);
      expect(new Set(seen).size, `cut at byte ${cut}`).to.equal(seen.length);
    }
    expect(restBehind.size).to.equal(4);
  });

  it('give a reader that takes nothing the whole log later and the last status once, and keep little meanwhile', async () => {
    const { jobId, accountId } = await runningJob(home);
    let version = 0;
    let hear: HearJob = () => undefined;
    const watch = { hear: (onNews: HearJob) => void (hear = bothOf(hear, onNews)) };
    const events = servicesOf(async () => ({ version: String(version), status: { version } }), 15_000, watch);
    const actor = await keyOf({ accountId });
    const stream = await kept(events.streamJob(actor, jobId, undefined));
    const all = await kept(events.stream(actor, {}));
    for (let n = 0; n < 40; n += 1) {
      version += 1;
      await home.db.query(
        `insert into events (account_id, kind, subject, payload)
         select $1, 'job.progress', $2::text, '{"percent":10,"completed":1,"failed":0,"total":10}' from generate_series(1, 50)`,
        [accountId, jobId],
      );
      hear(accountId, jobId);
      await sleep(5);
      for (const one of [stream, all]) expect(one.readableLength).to.be.below(MIB / 10);
    }
    // A page of one event is the second that the reader of one byte a second had: the status is told once, as it is at the end.
    await home.db.query(
      `insert into events (account_id, kind, subject, payload) values ($1, 'job.status', $2, '{"status":"SUCCEEDED"}')`,
      [accountId, jobId],
    );
    for (const one of [stream, all]) {
      const reader = readPartsOf(one);
      await reader.sees('the end', ({ data }) => data.includes('job.succeeded'));
      expect(new Set(reader.ids()).size).to.equal(2_001);
      expect(reader.ids()).to.have.length(2_001);
      if (one === stream) await reader.sees('the status', ({ name }) => name === 'status');
      const statuses = reader.parts.filter(({ name }) => name === 'status');
      expect(statuses.map(({ data }) => JSON.parse(data))).to.deep.equal(
        one === stream ? [{ version: '40', status: { version: 40 } }] : [],
      );
    }
  });

  it('say where results were added, at most once a second, to those who read jobs and did not choose types', async () => {
    const { jobId, accountId } = await runningJob(home);
    let hear: HearJob = () => undefined;
    const watch = { hear: (onNews: HearJob) => void (hear = bothOf(hear, onNews)) };
    const events = servicesOf(noJob, 15_000, watch);
    const actor = await keyOf({ accountId });
    const [whole, chosen] = [
      readPartsOf(await kept(events.stream(actor, {}))),
      readPartsOf(await kept(events.stream(actor, { types: ['job.progress'] }))),
    ];
    await whole.sees('the opening', ({ id }) => id !== null);
    const startedAt = performance.now();
    await home.db.query('update jobs set task_total = 100 where id = $1', [jobId]);
    for (let n = 1; n <= 30; n += 1) {
      await home.db.query('update jobs set tasks_verified = $2 where id = $1', [jobId, n]);
      hear(accountId, jobId);
      await sleep(50);
    }
    await whole.sees('the last figure', ({ data }) => data.includes('"completed":30'));
    const told = whole.parts.filter(({ name }) => name === 'results.changed');
    expect(told.length).to.be.below((performance.now() - startedAt) / 1_000 + 2);
    expect(JSON.parse(told.at(-1)?.data ?? '')).to.deep.equal({
      jobId,
      completed: 30,
      failed: 0,
      total: 100,
    });
    expect(chosen.parts.filter(({ name }) => name !== '')).to.deep.equal([]);
  });

  it('show that they live, and move on behind what happens to others', async () => {
    const [mine, other] = [await newAccount(home.db, 1), await newAccount(home.db, 1)];
    const reader = readPartsOf(await kept(servicesOf(noJob, 100).stream(await keyOf(mine), {})));
    await reader.sees('the opening', ({ id }) => id !== null);
    const start = reader.last();
    await write(other.accountId);
    await reader.sees(
      'a sign of life with another id',
      ({ id, data }) => data === '' && id !== null && id !== start,
    );
    expect(reader.ids()).to.deep.equal([]);
    await write(mine.accountId);
    await until('the event', () => reader.ids().length === 1);
  });

  it('end by themselves: with their key, their session and their account, and with the service, which spreads the return', async () => {
    const owner = await newAccount(home.db, 1);
    const [revoked, kept1, kept2] = [await keyOf(owner), await keyOf(owner), await keyOf(owner)];
    const [events, stopping] = [servicesOf(), servicesOf()];
    const reads = async (of: EventServices, actor: Actor) => readPartsOf(await kept(of.stream(actor, {})));
    const readers = [await reads(events, revoked), await reads(events, kept1)];
    const startedAt = performance.now();
    await home.db.query('update api_keys set revoked_at = now() where id = $1', [revoked.keyId]);
    await until('the stream of the revoked key has ended', () => readers[0]?.hasEnded() === true);
    expect(performance.now() - startedAt).to.be.below(3_000);
    expect(readers[1]?.hasEnded()).to.equal(false);
    await home.db.query(`update accounts set state = 'SUSPENDED' where id = $1`, [owner.accountId]);
    await until('the others, too', () => readers[1]?.hasEnded() === true);
    await home.db.query(`update accounts set state = 'ACTIVE' where id = $1`, [owner.accountId]);
    expect(events.openStreams).to.equal(0);
    const last = await Promise.all(Array.from({ length: 20 }, () => reads(stopping, kept2)));
    await until('all have begun', () => last.every((reader) => reader.last() !== null));
    stopping.endStreams();
    await until('all have ended', () => last.every((reader) => reader.hasEnded()));
    const pauses = last.map((reader) => reader.retryMs() ?? 0);
    expect(Math.min(...pauses)).to.be.at.least(1_000);
    expect(Math.max(...pauses)).to.be.at.most(5_000);
    expect(new Set(pauses).size).to.be.above(10);
  });

  it('are twenty of an account at most, and give their places back', async () => {
    const owner = await newAccount(home.db, 1);
    const actor = await keyOf(owner);
    const events = servicesOf();
    const twenty = await Promise.all(Array.from({ length: 20 }, () => kept(events.stream(actor, {}))));
    expect(await codeOf(events.stream(actor, {}))).to.equal('STREAM_LIMIT');
    await kept(events.stream(await keyOf(await newAccount(home.db, 1)), {}));
    twenty[0]?.destroy();
    await until('a place is free', () => events.openStreams === 20);
    await kept(events.stream(actor, {}));
    expect(await codeOf(events.stream(actor, {}))).to.equal('STREAM_LIMIT');
    expect(await codeOf(events.stream({ ...actor, scopes: ['convert'] }, {}))).to.equal('INSUFFICIENT_SCOPE');
  });

  it('begin with a reset where a cursor is refused, whatever it is, and refuse such a cursor in the list', async () => {
    const [mine, other] = [await newAccount(home.db, 1), await newAccount(home.db, 1)];
    const [actor, stranger] = [await keyOf(mine), await keyOf(other)];
    const events = servicesOf();
    await write(mine.accountId);
    const { nextCursor } = await events.list(actor, { limit: 50 }, 0);
    const foreign = (await events.list(stranger, { limit: 50, latest: true }, 0)).nextCursor;
    const beyond = cursorOf(mine.accountId, { id: 999_999_999, publicId: randomUUID() });
    const mutated = Array.from({ length: 60 }, () => mutationOf(nextCursor));
    for (const after of [foreign, beyond, 'garbage', '', '\u2028', 'x'.repeat(5_000), ...mutated]) {
      const listed = await codeOf(events.list(actor, { limit: 1, cursor: after }, 0));
      expect(listed, after).to.be.oneOf(['VALIDATION_ERROR', 'CURSOR_EXPIRED']);
      const stream = await events.stream(actor, { after });
      const reader = readPartsOf(stream);
      const reset = await reader.sees('the reset', ({ id }) => id !== null);
      stream.destroy();
      expect([reset.name, JSON.parse(reset.data).code], after).to.deep.equal(['reset', listed]);
    }
    const reader = readPartsOf(await kept(events.stream(actor, { after: beyond })));
    await reader.sees('the reset', ({ name }) => name === 'reset');
    await write(mine.accountId);
    await until('it goes on from now', () => reader.ids().length === 1);
  });
});

function bothOf(one: HearJob, other: HearJob): HearJob {
  return (accountId, jobId) => {
    one(accountId, jobId);
    other(accountId, jobId);
  };
}

/** The text with one character changed, left out or doubled. */
function mutationOf(text: string): string {
  const at = Math.floor(Math.random() * text.length);
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  const kind = Math.floor(Math.random() * 3);
  const changed = `${before}${text[at] === 'A' ? 'B' : 'A'}${after}`;
  return [changed, before + after, `${before}${text[at]}${text[at]}${after}`][kind] ?? '';
}
