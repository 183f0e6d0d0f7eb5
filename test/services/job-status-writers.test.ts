/**
 * Nothing but `statusChange` writes `jobs.status`: not another statement, not a function of the database, not a call of the
 * ORM. A status that is written in another way would change without an event. Whoever writes a status announces the job, else
 * those who wait for the job would wait on.
 */
import { expect } from 'chai';
import pg from 'pg';

import { statusChange } from '../../src/services/events/job-status.ts';
import { createTestDatabase } from '../support/database.ts';
import { findNames, findUses } from '../support/orm-calls.ts';
import { findSql } from '../support/sql-texts.ts';

const PRODUCT = ['src', 'activities', 'api', 'workflows'];

/** The admission, the recorder of states and the settlement: the three that hand a text of `statusChange` to the database. */
const WRITERS = [
  'src/services/execution/record-state.ts',
  'src/services/execution/settle/settle.ts',
  'src/services/jobs/admission.ts',
  'src/services/jobs/resume.ts',
];

/** The calls of a repository that write nothing. */
const READS = ['find', 'findOne', 'findOneBy', 'findBy', 'existsBy', 'exists', 'count', 'countBy'];

/** Statements that write the status of a job, each once. */
const STATUS_WRITES = [
  `update jobs set status = 'PAUSED' where id = $1`,
  'UPDATE jobs AS j SET version = version + 1, "status" = $2 FROM before',
  'update only public.jobs j set note = (select max(n) from marks where id = 1), status = $1',
  'update jobs set (version, status) = (version + 1, $1)',
  'with one as (update jobs set updated_at = now(), status=$1 where id = $2 returning id) select id from one',
  'insert into jobs (id, account_id) select $1, $2',
  'merge into jobs using other on true when matched then update set status = $1',
];

/** Statements that write other columns, or another table. */
const OTHER_WRITES = [
  'update jobs set version = version + 1, pause_reason = null, status_reason = $2 where status = $1',
  'update jobs j set version = 1 from before where before.status = j.status',
  'update jobs_seen set status = $1',
  'insert into job_executions (job_id) select id from jobs where status = $1',
  'update jobs set note = (select max(note) from jobs where status = $1) where id = $2',
];

const MARK = '/* the change */';
const [HEAD = ''] = statusChange(MARK).split(MARK);

/** How often a statement writes the status of a job. A row that is inserted always gets a status. */
function statusWritesOf(text: string): number {
  const table = String.raw`(?:only\s+)?(?:public\.)?"?jobs"?(?![\w"])`;
  const made = [...text.matchAll(new RegExp(String.raw`\b(?:insert|merge)\s+into\s+${table}`, 'gi'))];
  const changes = text.matchAll(
    new RegExp(String.raw`\bupdate\s+${table}(?:\s+(?:as\s+)?\w+)?\s+set\b`, 'gi'),
  );
  const changed = [...changes].filter(({ index, 0: { length } }) => setsStatus(text.slice(index + length)));
  return made.length + changed.length;
}

/** Whether the assignments at the start of a text name the column `status` on their left. */
function setsStatus(text: string): boolean {
  const lists = text.replace(/\(([^()]*)\)(?=\s*=)/g, '[$1]');
  const [assignments = ''] = withoutParentheses(lists).split(/\b(?:from|where|returning)\b|\)/i);
  const names = [...assignments.matchAll(/(?:\[([^\]]*)\]|"?(\w+)"?)\s*=/g)].flatMap(([, list, name]) =>
    (list ?? name ?? '').split(/[\s,"]+/),
  );
  return names.some((name) => name.toLowerCase() === 'status');
}

/** A text without what stands in parentheses; an end of parentheses that began before the text stays. */
function withoutParentheses(text: string): string {
  const less = text.replace(/\([^()]*\)/g, ' ');
  return less === text ? text : withoutParentheses(less);
}

/** Whether a text is one of `statusChange` that writes a status only where the change stands. */
function isStatusChange(text: string): boolean {
  return (
    text.startsWith(HEAD) &&
    /^\s*(?:insert|update)\b/.test(text.slice(HEAD.length)) &&
    statusWritesOf(text) === 1
  );
}

describe('the status of a job', () => {
  it('is written by texts of statusChange alone', async () => {
    const { texts } = await findSql(PRODUCT);
    const writing = texts.filter(({ text }) => statusWritesOf(text) > 0);
    expect(writing.filter(({ text }) => !isStatusChange(text))).to.deep.equal([]);
    const places = writing.map(({ where }) => where.replace(/:.*/s, ''));
    expect([...new Set(places)].sort()).to.deep.equal(WRITERS);
  });

  it('is announced by whoever writes the status, so that nobody who waits for the job waits on', async () => {
    const places = await findNames(PRODUCT, ['announceJob', 'writeJobStatus']);
    const filesOf = (name: string): readonly string[] =>
      [...Map.groupBy(places, (place) => place.replace(/: .*/s, ''))]
        // The import is one place, the call another one.
        .filter(([, found]) => found.filter((place) => place.endsWith(`: ${name}`)).length > 1)
        .map(([file]) => file)
        .sort();
    expect(filesOf('writeJobStatus')).to.deep.equal(WRITERS);
    expect(filesOf('announceJob')).to.include.members(WRITERS);
  });

  it('is written by no function of the database', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string; source: string }>(
        `select proname as name, prosrc as source from pg_proc where pronamespace = 'public'::regnamespace`,
      );
      expect(rows.length).to.be.greaterThan(3);
      expect(rows.filter(({ source }) => statusWritesOf(source) > 0)).to.deep.equal([]);
    } finally {
      await client.end();
    }
  });

  it('is written by no call of the ORM', async () => {
    const uses = await findUses(PRODUCT, 'JobEntity');
    expect(uses.length).to.be.greaterThan(5);
    const reads = new RegExp(String.raw`: getRepository\.(?:${READS.join('|')})(?:\.|$)`);
    expect(uses.filter((use) => !reads.test(use))).to.deep.equal([]);
  });

  it('is found in every form of a statement', () => {
    for (const text of STATUS_WRITES) expect(statusWritesOf(text), text).to.equal(1);
    for (const text of OTHER_WRITES) expect(statusWritesOf(text), text).to.equal(0);
    const change = 'insert into jobs (id, status) select $1, $2';
    expect(isStatusChange(statusChange(change))).to.equal(true);
    expect(isStatusChange(change)).to.equal(false);
    expect(isStatusChange(statusChange(change, ', more as (update jobs set status = $3)'))).to.equal(false);
  });
});
