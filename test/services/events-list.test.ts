/** Events as customers read them: each once and in order, behind a cursor that is refused where something may be missing. */
import { randomUUID } from 'node:crypto';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';

import { buildOpenApi } from '../../api/openapi.ts';
import { endpoints } from '../../api/endpoints.ts';
import type { Actor, Scope } from '../../src/domain/access.ts';
import { AppError } from '../../src/domain/errors.ts';
import { EVENT_TYPE_NAMES } from '../../src/domain/events.ts';
import type { EventListQuery, EventListResponse } from '../../src/domain/events.ts';
import { createEvents } from '../../src/services/events/index.ts';
import type { EventServices } from '../../src/services/events/index.ts';
import { cursorOf } from '../../src/services/events/position.ts';
import { recordChange, SOME_OPERATOR } from '../../src/services/audit/index.ts';
import { recordState } from '../../src/services/execution/record-state.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import { suiteHome } from '../support/home.ts';
import { runsOf } from '../support/long.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';
import { runningJob } from '../support/running-job.ts';

type Loose = ReturnType<typeof JSON.parse>;

describe('events as customers read them', () => {
  const home = suiteHome();
  let events: EventServices & { close(): void };
  before(() => {
    events = createEvents(home.db, { hear: () => undefined }, () =>
      Promise.reject(new Error('no job is followed')),
    );
  });
  after(() => events.close());

  const list = (actor: Actor, query: Partial<EventListQuery> = {}, wait = 0): Promise<EventListResponse> =>
    events.list(actor, { limit: 50, ...query }, wait);
  const keyOf = (accountId: string, ...scopes: Scope[]): Actor => ({
    ...{ kind: 'key', accountId, userId: randomUUID(), plan: 'free' },
    ...{ keyId: randomUUID(), environment: 'live', scopes },
  });
  const sessionOf = (accountId: string): Actor => ({
    ...{ kind: 'session', accountId, userId: randomUUID(), plan: 'free' },
    ...{ sessionId: randomUUID(), role: 'owner', isRecent: true },
  });
  const write = (accountId: string, kind: string, subject: string, payload: object = {}): Promise<unknown> =>
    home.db.query('insert into events (account_id, kind, subject, payload) values ($1, $2, $3, $4)', [
      ...[accountId, kind, subject, JSON.stringify(payload)],
    ]);
  const typesOf = ({ events: told }: EventListResponse): string[] => told.map(({ type }) => type);

  it('tells the life of a job by small pages, goes on from any cursor, and ends where the log ends', async () => {
    const { jobId, accountId } = await runningJob(home);
    const actor = sessionOf(accountId);
    const states = ['job.submitted', 'job.queued', 'job.provisioning', 'job.running'];
    const [first, whole] = [await list(actor, { limit: 3 }), await list(actor)];
    expect(typesOf(first)).to.deep.equal(states.slice(0, 3));
    expect(typesOf(whole)).to.deep.equal(states);
    expect(whole.events[3]?.data).to.deep.equal({ jobId, status: 'RUNNING' });
    const rest = await list(actor, { cursor: first.nextCursor });
    expect([...first.events, ...rest.events]).to.deep.equal(whole.events);
    const { nextCursor } = rest;
    expect(await list(actor, { cursor: nextCursor, limit: 1 })).to.deep.equal({ events: [], nextCursor });
    expect((await list(actor, { latest: true })).nextCursor).to.equal(nextCursor);
    await recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: 'a reason in words' });
    const [told] = (await list(actor, { cursor: nextCursor })).events;
    expect(told).to.deep.include({ type: 'job.finalizing', data: { jobId, status: 'FINALIZING' } });
    expect(typesOf(await list(actor, { cursor: nextCursor, types: ['job.failed'] }))).to.deep.equal([]);
    expect(typesOf(await list(actor, { subject: jobId, types: ['job.running'] }))).to.deep.equal([states[3]]);
    expect(typesOf(await list(actor, { subject: randomUUID() }))).to.deep.equal([]);
  });

  it('looks back by small pages, of everything, of a type and of one thing, and ends where the log begins', async () => {
    const { jobId, accountId } = await runningJob(home);
    const actor = sessionOf(accountId);
    await write(accountId, 'project.saved', randomUUID(), { version: 1 });
    const newestFirst = true;
    const { events: forwards } = await list(actor);
    for (const filter of [{}, { types: ['job.running', 'job.queued'] }, { subject: jobId }]) {
      const { events: expected } = await list(actor, filter);
      const back: unknown[] = [];
      let page = await list(actor, { ...filter, newestFirst, limit: 2 });
      for (
        ;
        page.events.length > 0;
        page = await list(actor, { ...filter, newestFirst, limit: 2, cursor: page.nextCursor })
      )
        back.push(...page.events);
      expect(back, JSON.stringify(filter)).to.deep.equal(expected.toReversed());
    }
    const { nextCursor: cursor } = await list(actor, { newestFirst, limit: 2 });
    expect(typesOf(await list(actor, { cursor }))).to.deep.equal(forwards.slice(-1).map(({ type }) => type));
  });

  it('answers with the first event that comes while it waits, and with none of another type or account', async () => {
    const { jobId, accountId } = await runningJob(home);
    const { nextCursor: cursor } = await list(sessionOf(accountId), { latest: true });
    const startedAt = performance.now();
    const waiting = list(sessionOf(accountId), { cursor, types: ['job.recovering'] }, 20);
    await write(randomUUID(), 'job.status', jobId, { status: 'RECOVERING' });
    await recordState(home.db, { jobId, transition: 4, to: 'FINALIZING', reason: null });
    await recordState(home.db, { jobId, transition: 5, to: 'RECOVERING', reason: null });
    expect(typesOf(await waiting)).to.deep.equal(['job.recovering']);
    expect(performance.now() - startedAt).to.be.below(15_000);
    const { nextCursor } = await list(sessionOf(accountId), { latest: true });
    expect(await list(sessionOf(accountId), { cursor: nextCursor }, 0.2)).to.deep.equal({
      events: [],
      nextCursor,
    });
  });

  it('refuses a cursor that was changed, or that another account or list answered', async () => {
    const [mine, other] = [await newAccount(home.db, 1), await newAccount(home.db, 1)];
    await write(mine.accountId, 'project.saved', randomUUID(), { version: 1 });
    const { nextCursor } = await list(sessionOf(mine.accountId));
    for (const cursor of [`${nextCursor}x`, 'x', nextCursor.slice(1), 'x'.repeat(1_024)])
      expect(await codeOf(list(sessionOf(mine.accountId), { cursor })), cursor).to.equal('VALIDATION_ERROR');
    expect(await codeOf(list(sessionOf(other.accountId), { cursor: nextCursor }))).to.equal(
      'VALIDATION_ERROR',
    );
  });

  it('refuses a cursor whose event is gone, is another one since a restore, or lies beyond the end', async () => {
    const { accountId } = await newAccount(home.db, 1);
    const actor = sessionOf(accountId);
    await write(accountId, 'project.saved', randomUUID(), { version: 1 });
    const before = await list(actor);
    await write(accountId, 'project.saved', randomUUID(), { version: 2 });
    const { nextCursor: cursor } = await list(actor);
    const expired = async (): Promise<string> => codeOf(list(actor, { cursor }));
    const newest = 'id = (select max(id) from events)';
    const [row] = await home.db.query<{ entry: number }[]>(`select entry from events where ${newest}`);
    await home.database.tamper(`update events set public_id = uuidv7() where ${newest}`);
    expect(await expired(), 'another one has its number').to.equal('CURSOR_EXPIRED');
    await home.database.tamper(`delete from events where entry = ${row?.entry}`);
    expect(await expired(), 'beyond the end').to.equal('CURSOR_EXPIRED');
    await write(accountId, 'project.saved', randomUUID(), { version: 3 });
    expect(await expired(), 'gone').to.equal('CURSOR_EXPIRED');
    expect(String(await refusalOf(list(actor, { cursor })))).to.contain('GET /events?latest=true');
    expect(typesOf(await list(actor, { cursor: before.nextCursor }))).to.deep.equal(['project.saved']);
  });

  it('refuses every cursor beyond a dump that another server was given, also once its numbers are given again', async () => {
    const { accountId } = await newAccount(home.db, 1);
    const actor = sessionOf(accountId);
    const restored = await openTestDatabase();
    const elsewhere = createEvents(restored.db, { hear: () => undefined }, () => Promise.reject(new Error()));
    try {
      const read = async (cursor: string): Promise<string[] | string> =>
        elsewhere
          .list(actor, { limit: 50, cursor }, 0)
          .then(typesOf, (error: unknown) => (error instanceof AppError ? error.code : String(error)));
      for (let n = 0; n < 3; n += 1) await write(accountId, 'project.saved', randomUUID(), { version: n });
      const cursors = [(await list(actor, { limit: 2 })).nextCursor, (await list(actor)).nextCursor];
      const columns = 'id, account_id, kind, public_id, subject, payload, at';
      const [dump] = await home.db.query<{ rows: string }[]>(
        'select json_agg(e order by id)::text as rows from events e',
      );
      for (let n = 3; n < 6; n += 1) {
        await write(accountId, 'project.shared', randomUUID(), { version: n });
        cursors.push((await list(actor)).nextCursor);
      }
      await restored.tamper(
        `insert into events (${columns}) select ${columns} from json_populate_recordset(null::events, '${dump?.rows ?? ''}')`,
      );
      await restored.tamper(`select setval('events_ids', (select max(id) from events))`);
      const [before, last, ...beyond] = cursors;
      expect(await read(before ?? '')).to.deep.equal(['project.saved']);
      expect(await read(last ?? '')).to.deep.equal([]);
      for (const cursor of beyond) expect(await read(cursor)).to.equal('CURSOR_EXPIRED');
      await restored.tamper(
        `insert into events (account_id, kind, subject, payload)
         select '${accountId}', 'project.saved', 'x', '{"version":1}' from generate_series(1, 5)`,
      );
      expect(await read(last ?? '')).to.have.length(5);
      for (const cursor of beyond) expect(await read(cursor)).to.equal('CURSOR_EXPIRED');
    } finally {
      elsewhere.close();
      await restored.close();
    }
  });

  it('answers, whatever cursor and filters are sent, what was chosen of the own account or a refusal', async () => {
    const [mine, other] = [await newAccount(home.db, 1), await newAccount(home.db, 1)];
    const subjects = [randomUUID(), randomUUID()];
    const kinds = ['project.saved', 'project.shared', 'topup.paid'];
    const actor = sessionOf(mine.accountId);
    const { nextCursor: start } = await list(actor, { latest: true });
    for (let n = 0; n < 60; n += 1) {
      const owner = n % 4 === 0 ? other : mine;
      await write(owner.accountId, kinds[n % 3] ?? '', subjects[n % 2] ?? '');
    }
    const all = await home.db.query<{ public_id: string; type: string; subject: string }[]>(
      'select public_id, type, subject from events where account_id = $1 and subject = any($2) order by entry',
      [mine.accountId, subjects],
    );
    expect(all).to.have.length(45);
    const chosen = fc.record({
      types: fc.option(fc.subarray(kinds, { minLength: 1 }), { nil: undefined }),
      subject: fc.option(fc.constantFrom(...subjects, randomUUID()), { nil: undefined }),
      limits: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 60, maxLength: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(chosen, async ({ types, subject, limits }) => {
        const told: string[] = [];
        const query = { ...(types && { types }), ...(subject !== undefined && { subject }) };
        let cursor = start;
        for (const limit of limits) {
          const page = await list(actor, { ...query, limit, cursor });
          told.push(...page.events.map(({ id }) => id));
          cursor = page.nextCursor;
          if (page.events.length < limit) break;
        }
        const wanted = all.filter(
          (row) =>
            (types === undefined || types.includes(row.type)) &&
            (subject === undefined || row.subject === subject),
        );
        expect(told).to.deep.equal(wanted.map((row) => row.public_id));
      }),
      { numRuns: runsOf(60) },
    );
    const at = fc.nat(start.length);
    const cursors = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1_024 }),
      fc.base64String({ maxLength: 1_024 }),
      fc
        .tuple(at, at, fc.string({ maxLength: 4 }))
        .map(([from, to, text]) => `${start.slice(0, from)}${text}${start.slice(to)}`),
      fc
        .tuple(fc.maxSafeNat(), fc.uuid())
        .map(([id, publicId]) => cursorOf(mine.accountId, { id, publicId })),
    );
    await fc.assert(
      fc.asyncProperty(cursors, async (cursor) => {
        fc.pre(cursor !== start);
        expect(await codeOf(list(actor, { cursor })), cursor).to.be.oneOf([
          'VALIDATION_ERROR',
          'CURSOR_EXPIRED',
        ]);
      }),
      { numRuns: runsOf(300) },
    );
  });

  it('begins a log in which nothing has happened at its start, so that nothing is missed', async () => {
    await home.database.tamper('truncate events');
    const { accountId } = await newAccount(home.db, 1);
    await home.database.tamper('truncate events');
    const { nextCursor: cursor } = await list(sessionOf(accountId), { latest: true });
    await write(accountId, 'project.saved', randomUUID(), { version: 1 });
    expect(typesOf(await list(sessionOf(accountId), { cursor }))).to.deep.equal(['project.saved']);
  });

  it('shows a key what its scopes read and no more, and a person everything', async () => {
    const { accountId } = await newAccount(home.db, 1);
    await write(accountId, 'job.status', randomUUID(), { status: 'RUNNING' });
    await write(accountId, 'project.saved', randomUUID(), { version: 1 });
    await write(accountId, 'account.state', accountId, {
      state: 'SUSPENDED',
      former: 'ACTIVE',
      reason: 'words',
    });
    await write(accountId, 'kind.of.a.later.release', 'x');
    const all = ['job.running', 'project.saved', 'account.suspended'];
    expect(typesOf(await list(sessionOf(accountId)))).to.deep.equal(all);
    expect(typesOf(await list(keyOf(accountId, 'jobs:read')))).to.deep.equal(['job.running']);
    expect(typesOf(await list(keyOf(accountId, 'projects:read', 'convert')))).to.deep.equal([
      'project.saved',
    ]);
    const asking = (actor: Actor, type: string): Promise<string> => codeOf(list(actor, { types: [type] }));
    expect(await asking(keyOf(accountId, 'jobs:read'), 'project.saved')).to.equal('INSUFFICIENT_SCOPE');
    expect(await asking(keyOf(accountId, 'jobs:read'), 'key.created')).to.equal('SESSION_REQUIRED');
    expect(await codeOf(list(keyOf(accountId, 'convert')))).to.equal('INSUFFICIENT_SCOPE');
  });

  it('tells changes of keys and members from the transaction of their entry in the audit log, without names', async () => {
    const { accountId } = await newAccount(home.db, 1);
    const mark = 'a-name-that-nobody-is-told';
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    const { nextCursor: cursor } = await list(sessionOf(accountId), { latest: true });
    await inTransaction(home.db, async (tx) => {
      const change = { accountId, before: { name: mark } };
      await recordChange(tx, SOME_OPERATOR, {
        ...{ ...change, action: 'key.created', subject: ids[0] },
        after: { name: mark, environment: 'test', scopes: [mark] },
      });
      await recordChange(tx, SOME_OPERATOR, { ...change, action: 'key.revoked', subject: ids[0] });
      const after = { email: mark, role: 'member' };
      await recordChange(tx, SOME_OPERATOR, { ...change, action: 'member.invited', subject: ids[1], after });
      await recordChange(tx, SOME_OPERATOR, { ...change, action: 'session.started', subject: ids[2] });
    });
    const told = await list(sessionOf(accountId), { cursor });
    expect(told.events.map(({ type, data }) => [type, data])).to.deep.equal([
      ['key.created', { keyId: ids[0], environment: 'test' }],
      ['key.revoked', { keyId: ids[0] }],
      ['member.invited', { invitationId: ids[1], role: 'member' }],
    ]);
    const stored = await home.db.query<unknown[]>('select payload from events where account_id = $1', [
      accountId,
    ]);
    expect(JSON.stringify(stored)).to.not.contain(mark);
  });

  it('answers each type as the section of webhooks says, in less than 4 kB, and nothing else of its row', async () => {
    const { accountId } = await newAccount(home.db, 1);
    const { webhooks, components }: Loose = buildOpenApi(endpoints, 'closed');
    const ajv = new Ajv2020({ strict: false });
    (addFormats as Loose).default(ajv);
    ajv.addSchema({ $id: 'doc', webhooks, components });
    const secret = 'x'.repeat(5_000);
    const bodyOf = (type: string): Loose => webhooks[type].post.requestBody.content['application/json'];
    const { nextCursor: cursor } = await list(sessionOf(accountId), { latest: true });
    for (const type of EVENT_TYPE_NAMES) {
      const [noun = '', state = ''] = type.split('.');
      const { data } = bodyOf(type).example;
      const { [noun]: member = '' } = { job: 'status', account: 'state' } as Readonly<Record<string, string>>;
      const isState = member in data;
      const entered = isState ? { [member]: state.toUpperCase() } : {};
      const hidden = { reason: secret, name: secret, smiles: secret };
      const payload = { ...hidden, ...data, ...entered };
      await write(accountId, isState ? `${noun}.${member}` : type, randomUUID(), payload);
    }
    const told = await list(sessionOf(accountId), { cursor, limit: 200 });
    expect(typesOf(told)).to.deep.equal(EVENT_TYPE_NAMES);
    expect(Object.keys(webhooks)).to.deep.equal(EVENT_TYPE_NAMES);
    for (const event of told.events) {
      const place = `webhooks/${event.type}/post/requestBody/content/application~1json/schema`;
      const valid = ajv.compile({ $ref: `doc#/${place}` });
      expect(valid(event), JSON.stringify([event, valid.errors])).to.equal(true);
      const { example } = bodyOf(event.type);
      expect(valid(example), JSON.stringify([example, valid.errors])).to.equal(true);
      expect(JSON.stringify(event).length).to.be.below(4_096);
    }
  });
});
