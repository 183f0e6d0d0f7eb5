import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import type { InstanceClaims } from '../../src/contracts/instance.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createContact } from '../../src/services/execution/instances/contact.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { suiteHome } from '../support/home.ts';
import { oneInstanceJobs } from '../support/one-instance-jobs.ts';
import { runningJob } from '../support/running-job.ts';
import { until } from '../support/until.ts';

const INSTANCES = 2_000;
const NOTHING = { running: [] };

describe('the contacts of many instances', () => {
  const home = suiteHome();
  let jobId: string;
  beforeEach(async () => {
    ({ jobId } = await runningJob(home));
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus)
       select $1, slot, 1, 'local', $2 || slot, 'RUNNING', 2 from generate_series(1, $3::int - 1) slot`,
      [jobId, randomUUID(), INSTANCES],
    );
    await home.db.query(
      `update instances set last_contact_at = now() - interval '1 hour' where job_id = $1`,
      [jobId],
    );
  });

  const claimsOf = (slot: number): InstanceClaims => ({
    ...{ jobId, slot },
    ...{ generation: 1, expiresAt: 0 },
  });
  /**
   * A gateway of its own, and how many statements its contacts have cost, without those that wake who waits for a job, and how
   * many of them had progress alone; each statement takes so much longer than the database needs.
   */
  const gateway = (slowMs = 0) => {
    let [statements, withProgressAlone] = [0, 0];
    const db = new Proxy(home.db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'query') return value.bind(target);
        return (sql: string, parameters: readonly unknown[] = []): unknown => {
          if (!sql.includes('pg_notify')) statements += 1;
          const [signs] = parameters;
          if (Array.isArray(signs) && signs.length === 0) withProgressAlone += 1;
          const ask = (): unknown => Reflect.apply(value, target, [sql, parameters]);
          return slowMs === 0 ? ask() : sleep(slowMs).then(ask);
        };
      },
    });
    return {
      ...{ contact: createContact(db), statements: () => statements },
      withProgressAlone: () => withProgressAlone,
    };
  };
  const silent = async (): Promise<readonly number[]> => {
    const rows = await home.db.query<{ slot: number }[]>(
      `select slot from instances where job_id = $1 and last_contact_at < now() - interval '1 minute' order by slot`,
      [jobId],
    );
    return rows.map(({ slot }) => slot);
  };
  const stopsOf = async (contact: ReturnType<typeof createContact>, slots: readonly number[]) =>
    Promise.all(
      slots.map(async (slot) =>
        contact(claimsOf(slot), NOTHING).then(
          ({ stop }) => stop,
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      ),
    );
  const all = Array.from({ length: INSTANCES }, (_, slot) => slot);

  it('are written together, about one statement a second', async () => {
    const { contact, statements } = gateway();
    const startedAt = performance.now();
    for (let round = 0; round < 3; round += 1)
      expect(new Set(await stopsOf(contact, all))).to.deep.equal(new Set([false]));
    expect(await silent()).to.deep.equal([]);
    expect(statements()).to.be.at.most(2 + (performance.now() - startedAt) / 1000);
  });

  it('of as many jobs, each with progress of its own, are written by the same statements', async () => {
    const jobIds = await oneInstanceJobs(home.db, jobId, INSTANCES);
    const { contact, statements } = gateway();
    const tell = async (percent: number): Promise<void> => {
      const answers = await Promise.all(
        jobIds.map(async (id) =>
          contact({ ...claimsOf(0), jobId: id }, { running: [{ kind: 'task', ordinal: 0, percent }] }),
        ),
      );
      expect(answers.every(({ stop }) => !stop)).to.equal(true);
    };
    const standing = async (): Promise<unknown> => {
      const [row] = await home.db.query<{ percents: number[]; versions: string; silent: number }[]>(
        `select array_agg(distinct t.progress_percent) as percents, sum(j.version)::text as versions,
           (count(*) filter (where i.last_contact_at is null))::int as silent
         from jobs j join tasks t on t.job_id = j.id join instances i on i.job_id = j.id where j.id = any($1)`,
        [jobIds],
      );
      return row;
    };
    const startedAt = performance.now();
    for (const percent of [10, 20, 30]) await tell(percent);
    await until('all have the last percent', async () => {
      const [{ left } = { left: -1 }] = await home.db.query<{ left: number }[]>(
        'select count(*)::int as left from tasks where job_id = any($1) and progress_percent <> 30',
        [jobIds],
      );
      return left === 0;
    });
    const before = await standing();
    expect(before).to.deep.include({ percents: [30], silent: 0 });
    // Nothing has changed, so nothing is written, and nobody who waits for a job is woken.
    await tell(30);
    expect(await standing()).to.deep.equal(before);
    expect(statements()).to.be.at.most(3 + (performance.now() - startedAt) / 1000);
  });

  it('that come one after another take along what is told while the others are written', async () => {
    const jobIds = await oneInstanceJobs(home.db, jobId, 400);
    const { contact, withProgressAlone } = gateway(100);
    const lives = jobIds.map(async (id, n) => {
      await sleep((2_000 * n) / jobIds.length);
      for (const percent of [10, 20]) {
        const at = performance.now();
        await contact({ ...claimsOf(0), jobId: id }, { running: [{ kind: 'task', ordinal: 0, percent }] });
        await sleep(Math.max(0, 2_000 - (performance.now() - at)));
      }
    });
    await Promise.all(lives);
    expect(withProgressAlone()).to.equal(0);
  });

  it('of one alone wait for nobody', async () => {
    const { contact } = gateway();
    const startedAt = performance.now();
    for (let round = 0; round < 20; round += 1) await contact(claimsOf(1), NOTHING);
    // Each of them would wait for a second if it waited for others.
    expect(performance.now() - startedAt).to.be.below(15_000);
  });

  it('are told apart: who is fenced, who is to stop, and who goes on', async () => {
    const { contact } = gateway();
    await home.db.query('update instances set fenced_at = now() where job_id = $1 and slot in (3, 5)', [
      jobId,
    ]);
    const before = await silent();
    const answers = await stopsOf(contact, [2, 3, 4, 5, 6]);
    expect(answers).to.deep.equal([false, 'FENCED', false, 'FENCED', false]);
    expect(before.filter((slot) => slot < 7)).to.deep.equal([0, 1, 2, 3, 4, 5, 6]);
    expect((await silent()).filter((slot) => slot < 7)).to.deep.equal([0, 1, 3, 5]);
    await home.db.query('update jobs set cancel_requested_at = now() where id = $1', [jobId]);
    expect(await stopsOf(contact, [2, 3, 4])).to.deep.equal([true, 'FENCED', true]);
  });

  it('are not held up by the row of another instance that is being fenced', async () => {
    const { contact } = gateway();
    const order: string[] = [];
    const fencing = Promise.withResolvers<undefined>();
    const isHeld = Promise.withResolvers<undefined>();
    const held = inTransaction(home.db, async (tx) => {
      await tx.query('update instances set fenced_at = now() where job_id = $1 and slot = 2', [jobId]);
      isHeld.resolve(undefined);
      await fencing.promise;
    });
    await isHeld.promise;
    const late = stopsOf(contact, [2]).then((answer) => void order.push(`2 ${String(answer)}`));
    const others = stopsOf(contact, [1, 3, 4]).then((answer) => void order.push(`others ${String(answer)}`));
    await others;
    fencing.resolve(undefined);
    await Promise.all([held, late]);
    expect(order).to.deep.equal(['others false,false,false', '2 FENCED']);
  });
});
