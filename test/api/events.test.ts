/** Events over HTTP: a program follows its jobs and misses none, by the client and by the command line. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { expect } from 'chai';

import { EVENT_SCHEMAS } from '../../api/events/schemas.ts';
import { createClient } from '../../src/client/index.ts';
import type { AccountEvent } from '../../src/client/types.ts';
import { cursorOf } from '../../src/services/events/position.ts';
import { projectRoot } from '../../src/stack/tools.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { until } from '../support/until.ts';

const LIFE = [
  'job.submitted',
  'job.queued',
  'job.provisioning',
  'job.running',
  'job.finalizing',
  'job.succeeded',
];

describe('events over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  before(async () => {
    api = await testApi();
  });

  it('reach a program that waits: each event of five jobs once, in order per job, and again from a cursor', async () => {
    const owner = await api.account();
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey });
    const seen: AccountEvent[] = [];
    const cursors: string[] = [];
    const leaving = new AbortController();
    const started = Promise.withResolvers<undefined>();
    const onCursor = (cursor: string): void => {
      cursors.push(cursor);
      started.resolve(undefined);
    };
    const following = (async () => {
      for await (const event of client.events({ onCursor, signal: leaving.signal })) {
        seen.push(event);
        if (seen.filter(({ type }) => type === 'job.succeeded').length === 5) break;
      }
    })();
    await started.promise;
    const jobs = await Promise.all([1, 2, 3, 4, 5].map(() => client.submit(noopJob())));
    await following;
    leaving.abort();
    expect(new Set(seen.map(({ id }) => id)).size).to.equal(seen.length);
    for (const { jobId } of jobs) {
      const types = seen.flatMap(({ type, data }) => (data['jobId'] === jobId ? [type] : []));
      // A job that waits for another reason tells its state again.
      expect(types.filter((type, at) => type !== types[at - 1])).to.deep.equal(LIFE);
    }
    const again: AccountEvent[] = [];
    const from = cursors[0] ?? expect.fail('no cursor');
    for await (const event of client.events({ from, follow: false })) again.push(event);
    expect(again).to.deep.equal(seen);
    const [{ jobId } = { jobId: '' }] = jobs;
    const [only] = [
      await api.call(owner.liveKey, 'GET', `events?subject=${jobId}&types=job.failed&types=job.succeeded`),
    ];
    expect(only.body.events.map(({ type }: AccountEvent) => type)).to.deep.equal(['job.succeeded']);
  });

  it('are refused with words that say what to do', async () => {
    const [owner, other] = [await api.account(), await api.account()];
    const ask = async (query: string, key = owner.liveKey): Promise<string> => {
      const { status, body } = await api.call(key, 'GET', `events?${query}`);
      return `${String(status)} ${String(body.code)}`;
    };
    const { nextCursor } = (await api.call(other.liveKey, 'GET', 'events?latest=true')).body;
    expect(await ask(`cursor=${String(nextCursor)}`)).to.equal('400 VALIDATION_ERROR');
    expect(await ask(`cursor=${'x'.repeat(1_025)}`)).to.equal('400 VALIDATION_ERROR');
    expect(await ask('types=job.unknown')).to.equal('400 VALIDATION_ERROR');
    expect(await ask('types=key.created')).to.equal('403 SESSION_REQUIRED');
    expect(await ask('limit=201')).to.equal('400 VALIDATION_ERROR');
    const [{ id, public_id } = { id: 0, public_id: '' }] = await api.db.query<
      { id: number; public_id: string }[]
    >('select coalesce(max(id), 0)::float8 + 1000000 as id, gen_random_uuid() as public_id from events');
    const beyond = cursorOf(owner.accountId, { id, publicId: public_id });
    const expired = await api.call(owner.liveKey, 'GET', `events?cursor=${beyond}`);
    expect([expired.status, expired.body.code]).to.deep.equal([410, 'CURSOR_EXPIRED']);
    expect(expired.body.error).to.contain('GET /events?latest=true');
  });

  it('are read by each block of docs/events.md, as it stands', async () => {
    const text = await readFile(join(projectRoot, 'docs/events.md'), 'utf8');
    const owner = await api.account();
    const folder = await mkdtemp(join(tmpdir(), 'events-'));
    await symlink(join(projectRoot, 'dockyard'), join(folder, 'dockyard'));
    const env = {
      ...process.env,
      ...{ PATH: `${folder}:${String(process.env['PATH'])}`, HOME: folder },
      ...{ DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.liveKey },
      CURSOR: String((await api.call(owner.liveKey, 'GET', 'events?latest=true')).body.nextCursor),
    };
    const jobId = randomUUID();
    const happen = (): Promise<unknown> =>
      api.db.query(
        `insert into events (account_id, kind, subject, payload) values ($1, 'job.status', $2, '{"status":"SUCCEEDED"}')`,
        [owner.accountId, jobId],
      );
    const blocks = [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, language = '', code = '']) => ({
      language,
      code,
    }));
    expect(blocks.map(({ language }) => language)).to.deep.equal(['sh', 'ts', 'sh', 'json', 'sh']);
    for (const { language, code } of blocks) {
      if (language === 'json') {
        const event = JSON.parse(code);
        expect(EVENT_SCHEMAS[event.type]?.validate(event).error, code).to.equal(undefined);
        continue;
      }
      const file = join(folder, `block.${language}`);
      const client = pathToFileURL(join(projectRoot, 'src/client/index.ts')).href;
      await writeFile(file, code.replace("'dockyard-client'", `'${client}'`));
      const child = spawn(language === 'ts' ? process.execPath : 'bash', [file], { env, detached: true });
      let told = '';
      for (const out of [child.stdout, child.stderr]) out.on('data', (bytes) => (told += String(bytes)));
      const ended = once(child, 'close');
      try {
        await until(`a block has told an event:\n${code}`, async () => {
          await happen();
          return told.includes('job.succeeded') && told.includes(jobId);
        });
      } finally {
        process.kill(-(child.pid ?? 0), 'SIGINT');
      }
      await ended;
    }
    await rm(folder, { recursive: true });
  });

  it('tell of no thing of another account, whatever this suite has done so far', async () => {
    const [looked] = await api.db.query<{ known: number; foreign: number }[]>(
      `with told as (
         select account_id, found[1]::uuid as id from events,
           regexp_matches(subject || ' ' || payload::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g') as found),
       things as (
         select id, account_id from jobs union all select id, account_id from uploads union all select id, account_id from api_keys
         union all select id, account_id from users union all select id, account_id from webhooks
         union all select id, account_id from topups union all select id, id from accounts)
       select count(*)::int as known, (count(*) filter (where things.account_id <> told.account_id))::int as foreign
       from told join things using (id)`,
    );
    expect(looked?.known).to.be.above(10);
    expect(looked?.foreign).to.equal(0);
  });

  it('are listed by the command line, which says where to go on', async () => {
    const owner = await api.account();
    const env = { DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.liveKey };
    const submitted = await api.submit(owner.liveKey, noopJob());
    await api.reaches(owner.liveKey, submitted.body.jobId, 'SUCCEEDED');
    const first = await runCommand(
      ['events', '--types', 'job.queued', 'job.succeeded', '--json'],
      env,
      tmpdir(),
    );
    expect(first.data.events.map(({ type }: AccountEvent) => type)).to.deep.equal([
      'job.queued',
      'job.succeeded',
    ]);
    const rest = await runCommand(['events', '--since', first.data.cursor], env, tmpdir());
    expect([rest.code, rest.out]).to.deep.equal([0, `Go on later: --since ${String(first.data.cursor)}\n`]);
    const all = await runCommand(['events', '--job', submitted.body.jobId], env, tmpdir());
    expect(all.out).to.contain(`job.succeeded  jobId=${String(submitted.body.jobId)} status=SUCCEEDED`);
  });
});
