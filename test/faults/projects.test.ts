/**
 * The api may be killed at any moment of a change of a project: whoever repeats the request with its key gets the answer, and the
 * change is made once. Between the commit and the answer the api stands still, so that no answer can have left it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import { closeGate } from '../support/faults/gate.ts';
import type { Gate, GatePoint } from '../support/faults/gate.ts';
import { measured, RECOVERY_MS } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { waitsForLock } from '../support/lock-waits.ts';
import { until } from '../support/until.ts';

const BASE = 'molecular/projects';
const KILLS = 4;
/** The kills of the walk come from a quarter of the time of a save to twice that time after it was sent. */
const MOMENTS = 8;
const LATEST = 2;

/** A change under a key of its own. */
interface Change {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: object;
  readonly idempotencyKey: string;
}

interface Answered {
  readonly status: number;
  readonly replayed: boolean;
  readonly text: string;
}

describe('kill -9 of the api while projects are changed', function () {
  this.timeout(RECOVERY_MS * 6);
  let world: FaultWorld;
  let customer: Customer;
  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });
  beforeEach(async () => {
    customer = await world.customer();
  });

  const change = (method: Change['method'], path: string, body: object): Change => ({
    ...{ method, path: `${BASE}${path}`, body, idempotencyKey: randomUUID() },
  });
  const save = (id: string, expectedVersion: number): Change =>
    change('PUT', `/${id}`, { expectedVersion, content: { notes: `after ${expectedVersion}` } });
  const send = async ({ method, path, body, idempotencyKey }: Change): Promise<Answered> => {
    const answer = await fetch(`${world.stack.apiUrl}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${customer.key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(body),
    });
    const replayed = answer.headers.get('idempotency-replayed') === 'true';
    return { status: answer.status, replayed, text: await answer.text() };
  };
  const newProject = async (): Promise<string> =>
    (await customer.client.projects.create({ name: 'killed', content: { notes: 'first' } })).id;
  const gate = (moment: GatePoint['moment']): Promise<Gate> =>
    closeGate(world, {
      ...{ table: 'molecular_revisions', event: 'insert', moment },
      when: `new.account_id = '${customer.accountId}'`,
    });
  const revisions = (): Promise<{ readonly project_id: string; readonly version: number }[]> =>
    world.rows(
      'select project_id, version from molecular_revisions where account_id = $1 order by project_id, version',
      [customer.accountId],
    );
  const events = (): Promise<unknown[]> =>
    world.rows(`select 1 from events where account_id = $1 and kind like 'project.%'`, [customer.accountId]);
  const shares = (id: string): Promise<unknown[]> =>
    world.rows('select 1 from molecular_shares where project_id = $1', [id]);
  /** The changes meet the gate, all at once, and none of them gets an answer. */
  const held = async (changes: readonly Change[], closed: Gate): Promise<Promise<string>[]> => {
    const ends = changes.map((each) =>
      send(each).then(
        () => 'answered',
        () => 'cut off',
      ),
    );
    await closed.reached(changes.length);
    return ends;
  };

  it('after the commit and before the answer: the repeat gets the answer, and the change is made once', async () => {
    const ids = [await newProject(), await newProject(), await newProject()];
    const [saved = '', shared = '', restored = ''] = ids;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = { revisions: await revisions(), events: await events() };
      const changes = [
        change('POST', '', { name: 'created', content: {} }),
        save(saved, kill),
        change('POST', `/${shared}/shares`, { expectedVersion: kill, content: { notes: `${kill}` } }),
        change('POST', `/${restored}/revisions/1/restore`, { expectedVersion: kill }),
      ];
      const closed = await gate('commit');
      try {
        const ends = await held(changes, closed);
        world.stack.pause('api');
        await closed.open();
        await until('the database has committed', async () => {
          return (await revisions()).length === before.revisions.length + changes.length;
        });
        await world.killAndRestart('api');
        expect(await Promise.all(ends)).to.deep.equal(changes.map(() => 'cut off'));
      } finally {
        await closed.open();
      }
      const repeated = await Promise.all(changes.map(send));
      expect(repeated.map(({ status }) => status)).to.deep.equal([201, 200, 201, 200]);
      expect(repeated.map(({ replayed }) => replayed)).to.deep.equal(changes.map(() => true));
      expect(await Promise.all(changes.map(send)), 'every further time, too').to.deep.equal(repeated);
      const made = repeated.map(({ text }): unknown => JSON.parse(text));
      for (const record of made) {
        const { content, ...head } = await customer.client.projects.get(
          String(Reflect.get(Object(record), 'id')),
        );
        expect(record, `as ${JSON.stringify(content)} is`).to.deep.equal(head);
      }
      expect(await revisions()).to.have.length(before.revisions.length + changes.length);
      // A save that shares tells both.
      expect(await events()).to.have.length(before.events.length + changes.length + 1);
      expect(await shares(shared)).to.have.length(kill);
    }
    for (const id of ids) expect(await versionsOf(id)).to.deep.equal(upTo(KILLS + 1));
  });

  it('before the commit: nothing is written, or the repeat waits for what the database still decides', async () => {
    const [gone, late] = [await newProject(), await newProject()];
    const refused = save(gone, 1);
    const early = await gate('row');
    try {
      const ends = await held([refused], early);
      await world.killAndRestart('api');
      await early.refuse();
      expect(await Promise.all(ends)).to.deep.equal(['cut off']);
      expect(await versionsOf(gone)).to.deep.equal([1]);
    } finally {
      await early.open();
    }
    expect(await send(refused)).to.include({ status: 200, replayed: false });
    const decided = save(late, 1);
    const closed = await gate('commit');
    try {
      const ends = await held([decided], closed);
      await world.killAndRestart('api');
      expect(await Promise.all(ends)).to.deep.equal(['cut off']);
      const repeat = send(decided);
      await waitsForLock(world.db, 'into idempotency_keys');
      await closed.open();
      expect(await repeat).to.include({ status: 200, replayed: true });
    } finally {
      await closed.open();
    }
    for (const id of [gone, late]) expect(await versionsOf(id)).to.deep.equal([1, 2]);
  });

  it('at one moment after the other of a save: each save is one revision, whatever the kill cut off', async () => {
    const id = await newProject();
    const ends = { answered: 0, 'made, not answered': 0, 'not made': 0 };
    let version = 1;
    const saveOnce = async (): Promise<number> => {
      const startedAt = performance.now();
      expect((await send(save(id, version))).status).to.equal(200);
      version += 1;
      return performance.now() - startedAt;
    };
    for (let moment = 1; moment <= MOMENTS; moment += 1) {
      await saveOnce();
      const tookMs = await saveOnce();
      const saving = save(id, version);
      const first = send(saving).catch(() => undefined);
      await sleep((tookMs * moment * LATEST) / MOMENTS);
      await world.killAndRestart('api');
      const answer = await first;
      const repeat = await send(saving);
      version += 1;
      if (answer !== undefined) expect(repeat).to.deep.equal({ ...answer, replayed: true });
      expect(repeat.status).to.equal(200);
      ends[answer !== undefined ? 'answered' : repeat.replayed ? 'made, not answered' : 'not made'] += 1;
    }
    measured(`${MOMENTS} kills of the api within a save`, ends);
    expect(await versionsOf(id)).to.deep.equal(upTo(version));
  });

  const versionsOf = async (id: string): Promise<number[]> =>
    (await revisions()).filter(({ project_id: of }) => of === id).map(({ version }) => version);
});

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
