/**
 * Turns at files: an account has a few over all processes, a process has a few, and no attempt waits in a slot for a
 * turn.
 */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import {
  againInMs,
  countFileTurns,
  createFileTurns,
  NoTurnError,
  sweepFileTurns,
} from '../../src/services/file-turns.ts';
import type { FileTurns } from '../../src/services/file-turns.ts';
import { newAccount } from '../support/admissions.ts';
import { openTestDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('turns at files', () => {
  let database: TestDatabase;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());
  beforeEach(() => database.db.query('delete from file_turns'));

  const accountOf = async (): Promise<string> => (await newAccount(database.db, 0)).accountId;
  const turnsOf = (limits: Partial<Parameters<typeof createFileTurns>[1]> = {}): FileTurns =>
    createFileTurns(database.db, { ofAccount: 2, inProcess: 8, ...limits });

  /** Holds a turn until the test ends it. */
  const hold = async (turns: FileTurns, accountId: string, id: string = randomUUID()) => {
    let end = (): void => undefined;
    let begun = false;
    const work = new Promise<void>((resolve) => (end = resolve));
    const ended = turns.during({ id, accountId }, () => {
      begun = true;
      return work;
    });
    await Promise.race([ended, until('the turn is taken', () => begun)]);
    return { id, end: () => (end(), ended) };
  };
  const refusalOf = (turns: FileTurns, accountId: string, id: string = randomUUID()): Promise<NoTurnError> =>
    turns
      .during({ id, accountId }, () => Promise.reject(new Error('There was a turn.')))
      .catch((error: unknown) => {
        if (error instanceof NoTurnError) return error;
        throw error;
      });

  it('are as many of an account as it may have, whatever process it asks', async () => {
    const [accountId, other] = [await accountOf(), await accountOf()];
    const [one, two] = [turnsOf(), turnsOf()];
    const held = [await hold(one, accountId), await hold(two, accountId)];
    for (const turns of [one, two]) await refusalOf(turns, accountId);
    const others = await hold(one, other);
    expect(await countFileTurns(database.db)).to.deep.equal({ held: 3, waiting: 2 });
    await held[0]?.end();
    const next = await hold(two, accountId);
    await refusalOf(one, accountId);
    for (const { end } of [...held.slice(1), others, next]) await end();
    expect((await countFileTurns(database.db)).held).to.equal(0);
  });

  it('are no more than an account may have when many ask for the last one at once', async () => {
    const accountId = await accountOf();
    const processes = Array.from({ length: 6 }, () => turnsOf());
    let begun = 0;
    let refused = 0;
    const ask = (turns: FileTurns): Promise<unknown> =>
      turns
        .during({ id: randomUUID(), accountId }, () => {
          begun += 1;
          return until('all have their answer', () => begun + refused === 24);
        })
        .catch((error: unknown) => {
          expect(error).to.be.instanceOf(NoTurnError);
          refused += 1;
        });
    await Promise.all(processes.flatMap((turns) => [1, 2, 3, 4].map(() => ask(turns))));
    expect(begun).to.equal(2);
  });

  it('are as many in one process as it may work on; another one has its own', async () => {
    const small = turnsOf({ inProcess: 1 });
    const [accountId, other] = [await accountOf(), await accountOf()];
    const held = await hold(small, accountId);
    expect((await refusalOf(small, other)).againInMs).to.be.within(1, 1000);
    const elsewhere = await hold(turnsOf(), other);
    await held.end();
    await elsewhere.end();
    await (await hold(small, other)).end();
  });

  it('of a process that died are free when their lease is over, and at once for the same work', async () => {
    const accountId = await accountOf();
    const dead = [randomUUID(), randomUUID()];
    for (const id of dead) {
      await database.db.query(
        `insert into file_turns (id, account_id, holder, until) values ($1, $2, $3, clock_timestamp() + interval '1 second')`,
        [id, accountId, randomUUID()],
      );
    }
    const turns = turnsOf();
    await refusalOf(turns, accountId);
    const again = await hold(turns, accountId, dead[0]);
    await refusalOf(turns, accountId);
    await until('the other lease is over', () =>
      turns.during({ id: randomUUID(), accountId }, () => Promise.resolve(true)).catch(() => false),
    );
    await again.end();
  });

  it('stay with a holder that lives, however long its work takes', async () => {
    const accountId = await accountOf();
    const turns = turnsOf({ ofAccount: 1, leaseSeconds: 0.6 });
    const held = await hold(turns, accountId);
    const untilOf = async (): Promise<number> => {
      const [row] = await database.db.query<{ until: Date }[]>('select until from file_turns where id = $1', [
        held.id,
      ]);
      return row?.until.getTime() ?? 0;
    };
    const first = await untilOf();
    await until('it was renewed twice', async () => (await untilOf()) > first + 390);
    await refusalOf(turns, accountId);
    await held.end();
  });

  it('are given back by work that fails', async () => {
    const accountId = await accountOf();
    const turns = turnsOf({ ofAccount: 1, inProcess: 1 });
    const failed = await turns
      .during({ id: randomUUID(), accountId }, () => Promise.reject(new Error('broken')))
      .catch((error: unknown) => error);
    expect(failed).to.include({ message: 'broken' });
    await (await hold(turns, accountId)).end();
  });

  it('are asked for most often by those that have waited longest', async () => {
    const accountId = await accountOf();
    const turns = turnsOf({ ofAccount: 1 });
    const held = await hold(turns, accountId);
    const waiting = Array.from({ length: 5 }, () => randomUUID());
    const waits: number[] = [];
    for (const id of waiting) waits.push((await refusalOf(turns, accountId, id)).againInMs);
    expect(waits).to.deep.equal([500, 1000, 1500, 2000, 2500]);
    // An attempt that asks again keeps its place.
    expect((await refusalOf(turns, accountId, waiting[1])).againInMs).to.equal(1000);
    await held.end();
  });

  it('load the servers little, however many wait', () => {
    const asksASecond = (accounts: number, each: number): number =>
      accounts *
      Array.from({ length: each }, (_, ahead) => 1000 / againInMs(ahead, accounts)).reduce(
        (a, b) => a + b,
        0,
      );
    expect(asksASecond(1, 24)).to.be.lessThan(10);
    expect(asksASecond(1, 10_000)).to.be.lessThan(40);
    expect(asksASecond(10_000, 1)).to.be.lessThan(50);
    expect(againInMs(1_000_000, 1_000_000)).to.equal(600_000);
  });

  it('that count for nothing any more are swept, others stay', async () => {
    const accountId = await accountOf();
    const held = await hold(turnsOf(), accountId);
    await database.db.query(
      `insert into file_turns (id, account_id, until) values ($1, $2, clock_timestamp() - interval '1 second')`,
      [randomUUID(), accountId],
    );
    await sweepFileTurns(database.db);
    expect(await database.db.query('select id from file_turns')).to.deep.equal([{ id: held.id }]);
    await held.end();
  });
});
