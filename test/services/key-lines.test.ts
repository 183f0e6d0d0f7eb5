/** The limit of a key's month through rotations, and what owners let the keys of a member cost. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';
import fc from 'fast-check';

import type { SessionActor } from '../../src/domain/access.ts';
import { issueKey, listKeys, revokeOwnKey, rotateKey } from '../../src/services/identity/index.ts';
import { extendHold, readLimits, setLimits } from '../../src/services/ledger/index.ts';
import type { HoldRequest } from '../../src/services/ledger/index.ts';
import { changeBillingSettings } from '../../src/services/settings/index.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { admit, end, newHold, openCustomer, suiteLedger } from '../support/ledger.ts';
import { codeOf, refusalOf } from '../support/refusals.ts';

const ADDRESS = '192.0.2.7';
const LIMIT = 100;
const MEMBER_LIMIT = 300;

/** A step of a walk: what is done, with which of the things that there are, and how much. */
interface Step {
  readonly do: 'rotate' | 'end' | 'hold' | 'extend' | 'settle';
  readonly which: number;
  readonly pence: number;
}

const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('rotate', 'rotate', 'end', 'hold', 'hold', 'hold', 'extend', 'settle'),
    which: fc.nat(),
    pence: fc.integer({ min: 1, max: 70 }),
  }),
  { minLength: 8, maxLength: 24 },
);

describe('the limit of a key', function () {
  this.timeout(60_000);
  const test = suiteLedger();

  const owner = async (): Promise<SessionActor> => {
    const { accountId, userId } = await openCustomer(test.db, 100_000);
    return {
      ...{ accountId, userId, plan: 'free', kind: 'session', sessionId: randomUUID() },
      ...{ role: 'owner', isRecent: true },
    };
  };
  const memberOf = async (of: SessionActor): Promise<SessionActor> => {
    const userId = randomUUID();
    await test.db.query(`insert into users (id, account_id, email, role) values ($1, $2, $3, 'member')`, [
      ...[userId, of.accountId, `${userId}@example.com`],
    ]);
    return { ...of, userId, sessionId: randomUUID(), role: 'member' };
  };
  const command = <Body>(body: Body) => ({ body, fingerprint: 'f', idempotencyKey: null, address: ADDRESS });
  const issue = (who: SessionActor, monthlyLimitCents?: number, environment: 'live' | 'test' = 'live') =>
    issueKey(
      test.db,
      who,
      command({
        ...{ name: 'CI', environment, scopes: ['jobs:write'] as 'jobs:write'[] },
        ...(monthlyLimitCents === undefined ? {} : { monthlyLimitCents }),
      }),
    );
  const rotate = (who: SessionActor, id: string, overlapSeconds: number) =>
    rotateKey(test.db, who, id, command({ overlapSeconds }));
  const hold = async (who: SessionActor, pence: number, keyId: string): Promise<HoldRequest | null> => {
    const request = { ...newHold(who.accountId, pence), keyId };
    return (await inTransaction(test.db, (tx) => admit(tx, who, request))).held ? request : null;
  };
  const settle = ({ jobId, holdId }: HoldRequest, chargePence: number) =>
    inTransaction(test.db, (tx) => end(tx, jobId, { holdId, chargePence }));
  const spent = async ({ accountId }: SessionActor): Promise<number> => {
    const [sum] = await test.db.query<{ pence: number }[]>(
      `select coalesce(sum(case state when 'OPEN' then held_pence else charged_pence end), 0)::int as pence
       from holds where account_id = $1`,
      [accountId],
    );
    return sum?.pence ?? expect.fail('no sum');
  };

  it('is never passed by what is held and charged, whatever is rotated, ended, held, extended and settled', async () => {
    let [taken, refused] = [0, 0];
    await fc.assert(
      fc.asyncProperty(steps, async (walk) => {
        const who = await owner();
        const keys = [(await issue(who, LIMIT)).id];
        const open: { readonly request: HoldRequest; held: number; parts: number }[] = [];
        for (const { do: what, which, pence } of walk) {
          const key = keys[which % keys.length] ?? '';
          const chosen = open[which % Math.max(1, open.length)];
          if (what === 'rotate') {
            const next = await rotate(who, key, which % 2 === 0 ? 0 : 600).catch(() => null);
            if (next !== null) keys.push(next.id);
          } else if (what === 'end') {
            if (keys.length > 1) await revokeOwnKey(test.db, who, key, ADDRESS);
          } else if (what === 'hold') {
            const request = await hold(who, pence, key);
            if (request === null) refused += 1;
            else {
              taken += 1;
              open.push({ request, held: pence, parts: 0 });
            }
          } else if (chosen !== undefined && what === 'extend') {
            const { holdId } = chosen.request;
            const part = chosen.parts + 1;
            const more = await extendHold(test.db, { holdId, part, amountPence: pence });
            if (more.held) Object.assign(chosen, { held: chosen.held + pence, parts: part });
          } else if (chosen !== undefined) {
            await settle(chosen.request, which % (chosen.held + 1));
            open.splice(open.indexOf(chosen), 1);
          }
          expect(await spent(who)).to.be.at.most(LIMIT);
        }
        const { keys: shown } = await listKeys(test.db, who, { limit: 100 });
        expect(new Set(shown.map(({ monthlyLimitCents }) => monthlyLimitCents))).to.deep.equal(
          new Set([LIMIT]),
        );
      }),
      { numRuns: 12, seed: 20_261_128 },
    );
    expect(
      [taken, refused].every((count) => count > 10),
      `${taken} taken, ${refused} refused`,
    ).to.equal(true);
  });

  it('is one for the old and the new key while both work, also when both hold and are rotated at once', async () => {
    const who = await owner();
    const { id } = await issue(who, LIMIT);
    const both = await Promise.all([rotate(who, id, 600), rotate(who, id, 600)]);
    const keys = [id, ...both.map((key) => key.id)];
    const [more, ...holds] = await Promise.all([
      rotate(who, id, 600),
      ...Array.from({ length: 30 }, (_, n) => hold(who, 9, keys[n % keys.length] ?? '')),
    ]);
    expect(holds.filter((request) => request !== null)).to.have.length(11);
    expect(await hold(who, 2, more.id)).to.equal(null);
    expect(await hold(who, 1, more.id)).to.not.equal(null);
    expect(await spent(who)).to.equal(LIMIT);
  });

  it('is set and taken away for all keys that took its place, by any of them, and counts what these used before', async () => {
    const who = await owner();
    const first = await issue(who);
    await settle((await hold(who, 60, first.id)) ?? expect.fail('no hold'), 60);
    const second = await rotate(who, first.id, 600);
    await hold(who, 30, second.id);
    await setLimits(test.db, who.accountId, { key: { keyId: second.id, monthLimitPence: LIMIT } });
    expect(await hold(who, 11, first.id)).to.equal(null);
    expect((await readLimits(test.db, who.accountId)).keys).to.deep.equal([
      { keyId: second.id, monthLimitPence: LIMIT },
    ]);
    const set = async (keyLimits: { keyId: string; monthLimitCents: number }[]) =>
      (await changeBillingSettings(test.db, who, { body: { keyLimits }, address: ADDRESS })).keyLimits;
    expect(await set([{ keyId: first.id, monthLimitCents: 95 }])).to.deep.equal([
      { keyId: second.id, monthLimitCents: 95 },
    ]);
    expect(await hold(who, 6, second.id)).to.equal(null);
    expect(await hold(who, 5, second.id)).to.not.equal(null);
    expect(await set([])).to.deep.equal([]);
    expect(await hold(who, 500, first.id)).to.not.equal(null);
  });

  it('is given by members to their own keys within what owners let these cost together, and rotation and revocation free nothing that was used', async () => {
    const who = await owner();
    const [ann, bob] = [await memberOf(who), await memberOf(who)];
    await setLimits(test.db, who.accountId, { memberKeysLimitPence: MEMBER_LIMIT });
    const refusal = async (asked: Promise<unknown>) => await refusalOf(asked);
    expect(await codeOf(issue(ann))).to.equal('COST_LIMIT_EXCEEDED');
    expect(await codeOf(issue(ann, MEMBER_LIMIT + 1))).to.equal('COST_LIMIT_EXCEEDED');
    const first = await issue(ann, 200);
    expect(String(await refusal(issue(ann, 101)))).to.contain('100 are left');
    await settle((await hold(who, 150, first.id)) ?? expect.fail('no hold'), 120);
    await hold(who, 30, first.id);
    const next = await rotate(ann, first.id, 0);
    expect(String(await refusal(issue(ann, 101)))).to.contain('100 are left');
    await revokeOwnKey(test.db, ann, next.id, ADDRESS);
    expect(String(await refusal(issue(ann, 151)))).to.contain('150 are left');
    await issue(ann, 150);
    expect(String(await refusal(issue(ann, 1)))).to.contain('0 are left');
    await issue(ann, undefined, 'test');
    await issue(bob, MEMBER_LIMIT);
    await issue(who);
  });

  it('of a member is kept when many keys are asked for at once, and a key without a limit leaves room for none', async () => {
    const who = await owner();
    const ann = await memberOf(who);
    const free = await issue(ann);
    await setLimits(test.db, who.accountId, { memberKeysLimitPence: MEMBER_LIMIT });
    expect(await codeOf(issue(ann, 1))).to.equal('COST_LIMIT_EXCEEDED');
    await settle((await hold(who, 50, free.id)) ?? expect.fail('no hold'), 50);
    await revokeOwnKey(test.db, ann, free.id, ADDRESS);
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => issue(ann, 100)));
    expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(2);
  });
});
