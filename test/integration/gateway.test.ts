import { createHash } from 'node:crypto';

import { expect } from 'chai';

import { createGatewayClient } from '../../src/instance/gateway-client.ts';
import { TooLargeError } from '../../src/instance/repeat.ts';
import { CALL_ITEMS, COMPUTE_PROTOCOL, PROTOCOL_HEADER } from '../../src/contracts/instance.ts';
import { stagedKey } from '../../src/contracts/names.ts';
import { signInstanceToken } from '../../src/services/execution/instances/token.ts';
import { openComputeWorld, TEST_SECRET } from '../support/compute-world.ts';
import type { ComputeWorld } from '../support/compute-world.ts';
import { refusalOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const CLAIM = '/v1/tasks/claim';
const URLS = '/v1/tasks/upload-urls';
const INPUTS = '/v1/tasks/inputs';
const claimOf = (...ordinals: number[]) => ({ execution: 1, kind: 'task', ordinals });
const bytes = Buffer.from('result');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const filesOf = (ordinal: number, name = 'result.bin') => ({
  kind: 'task',
  files: [{ ordinal, name, byteSize: bytes.byteLength, sha256 }],
});

/** A version that there is not yet. */
const YOUNGER = String(COMPUTE_PROTOCOL + 1);

describe('the compute gateway', () => {
  let world: ComputeWorld;
  before(async () => (world = await openComputeWorld()));
  after(() => world.close());
  const query = (sql: string, ...values: unknown[]) => world.database.db.query(sql, values);

  it('hands tasks to one instance once: a repeated claim answers the same attempt', async () => {
    const { jobId, token } = await world.seedJob({ outputBytes: 7 }, 3);
    const first = await world.call(CLAIM, token, claimOf(0, 1));
    expect(first.status).to.equal(200);
    expect(first.body.toolId).to.equal('noop');
    // A task that keeps checkpoints has a leg, no longer than its time limit.
    const claimed = { attempt: 1, spec: { seconds: 0, outputBytes: 7, fail: null }, inputs: [] };
    const { wallSeconds: legSeconds } = first.body.limits;
    expect(first.body.tasks).to.deep.equal([
      { ...claimed, ordinal: 0, itemId: '0', legSeconds },
      { ...claimed, ordinal: 1, itemId: '1', legSeconds },
    ]);
    expect((await world.call(CLAIM, token, claimOf(0, 1))).body).to.deep.equal(first.body);
    expect((await world.tasks(jobId)).map(({ state }) => state)).to.deep.equal([
      'RUNNING',
      'RUNNING',
      'PENDING',
    ]);
  });

  it('leaves out tasks that are decided, and every task of a job that is being cancelled', async () => {
    const { jobId, token } = await world.seedJob({}, 2);
    await query(`update tasks set state = 'SUCCEEDED' where job_id = $1 and ordinal = 0`, jobId);
    expect((await world.call(CLAIM, token, claimOf(0, 1, 77))).body.tasks).to.have.length(1);
    await query('update jobs set cancel_requested_at = now() where id = $1', jobId);
    await query(`update tasks set state = 'PENDING' where job_id = $1`, jobId);
    expect((await world.call(CLAIM, token, claimOf(0, 1))).body.tasks).to.deep.equal([]);
    expect((await world.call('/v1/contact', token, { running: [] })).body).to.deep.equal({ stop: true });
  });

  it('a task passes to the next generation only when the former is fenced', async () => {
    const job = await world.seedJob({}, 1);
    await world.call(CLAIM, job.token, claimOf(0));
    await query(
      `insert into instances (job_id, slot, generation, provider, launch_token, vcpus) values ($1, 1, 1, 'local', gen_random_uuid()::text, 2)`,
      job.jobId,
    );
    const other = signInstanceToken(TEST_SECRET, { ...job.claims, slot: 1 });
    expect((await world.call(CLAIM, other, claimOf(0))).body.tasks).to.deep.equal([]);
    await query('update instances set fenced_at = now() where job_id = $1 and slot = 0', job.jobId);
    expect((await world.call(CLAIM, other, claimOf(0))).body.tasks[0].attempt).to.equal(2);
    expect((await world.call(CLAIM, job.token, claimOf(0))).status).to.equal(409);
  });

  it('a signed URL takes exactly the named bytes, into the own staging prefix', async () => {
    const { jobId, token } = await world.seedJob({}, 1);
    await world.call(CLAIM, token, claimOf(0));
    const { body } = await world.call(URLS, token, filesOf(0));
    const [{ url, headers }] = body.uploads;
    expect(new URL(url).searchParams.get('X-Amz-Expires')).to.equal('900');
    const wrong = await fetch(url, { method: 'PUT', headers, body: Buffer.from('rotten') });
    expect(wrong.status).to.equal(400);
    const right = await fetch(url, { method: 'PUT', headers, body: bytes });
    expect(right.status).to.equal(200);
    const key = stagedKey(jobId, 0, 1, 'task', 0, 'result.bin');
    expect(key).to.equal(`staging/${jobId}/0.1/0/result.bin`);
    expect((await world.store.store.hash(key))?.sha256).to.equal(sha256);
  });

  it('signs nothing for tasks that do not run here, nor for names that leave the folder', async () => {
    const { token } = await world.seedJob({}, 2);
    await world.call(CLAIM, token, claimOf(0));
    expect((await world.call(URLS, token, filesOf(1))).status).to.equal(404);
    expect((await world.call(URLS, token, filesOf(9))).status).to.equal(404);
    for (const name of ['../x', '/x', 'a//b', 'a/../b', '.', '', 'a\\b', 'a\0b', ' x', 'x'.repeat(201)]) {
      expect((await world.call(URLS, token, filesOf(0, name))).status, JSON.stringify(name)).to.equal(400);
    }
    expect((await world.call(URLS, token, filesOf(0, 'poses/ligand 1.sdf'))).status).to.equal(200);
  });

  it('signs the inputs of a merge a page at a time, and no others, for the instance that merges alone', async () => {
    const count = CALL_ITEMS + 5;
    const { jobId, accountId, token, claims } = await world.seedJob({ merge: true }, count);
    await query(`insert into tasks (job_id, kind, ordinal, item_id) values ($1, 'merge', 0, 'merge')`, jobId);
    await query(
      `update tasks set state = case when ordinal = 3 then 'FAILED' else 'SUCCEEDED' end where job_id = $1 and kind = 'task'`,
      jobId,
    );
    await query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, byte_size, sha256)
       select gen_random_uuid(), $2, $1::uuid, 'task', n, $1::uuid::text || '/of-' || n, 'result.bin', 'result', 'text/plain', 1, $3
       from generate_series(0, $4::int - 1) n`,
      ...[jobId, accountId, sha256, count],
    );
    const merge = { execution: 1, kind: 'merge', ordinals: [0] };
    const nameOf = (ordinal: number) => `outputs/${ordinal}/result.bin`;
    const sign = (names: unknown, who = token, what: object = { kind: 'merge', ordinal: 0 }) =>
      world.call(INPUTS, who, { ...what, names });
    expect((await sign([nameOf(0)])).status, 'before the merge is claimed').to.equal(404);

    const { body } = await world.call(CLAIM, token, merge);
    const names = Array.from({ length: count }, (_, at) => at)
      .filter((at) => at !== 3)
      .map(nameOf);
    expect(body.tasks[0].inputs).to.deep.equal(names.map((name) => ({ from: name, as: name })));
    expect(body.inputs.map(({ name }: { name: string }) => name)).to.deep.equal(names.slice(0, CALL_ITEMS));

    const others = names.slice(CALL_ITEMS).reverse();
    const page = await sign(others);
    expect(page.status).to.equal(200);
    expect(page.body.inputs.map(({ name }: { name: string }) => name)).to.deep.equal(others);
    const [{ url, ...input }] = page.body.inputs;
    const key = `${jobId}/of-${count - 1}`;
    expect(input).to.deep.equal({ name: others[0], storageKey: key, byteSize: 1, sha256 });
    expect(url).to.include(`/${key}?`);

    for (const name of [nameOf(3), nameOf(count), 'outputs/0/other', 'prepared/x', '../x', ''])
      expect((await sign([others[0], name])).status, name).to.be.oneOf([400, 404]);
    for (const wrong of [[], names, [others[0], others[0]], ['x'.repeat(513)], 'x'])
      expect((await sign(wrong)).status).to.equal(400);
    for (const what of [
      { kind: 'task', ordinal: 0 },
      { kind: 'merge', ordinal: 1 },
    ])
      expect((await sign([nameOf(0)], token, what)).status).to.equal(404);
    expect((await sign([nameOf(0)], 'no token')).status).to.equal(401);

    const next = signInstanceToken(TEST_SECRET, { ...claims, generation: 2 });
    expect((await sign([nameOf(0)], next)).status, 'an instance that is not there').to.equal(409);
    await query('update instances set fenced_at = now() where job_id = $1', jobId);
    expect((await sign([nameOf(0)])).body.code).to.equal('FENCED');
  });

  it("signs no file, and no files of a task together, that are larger than the task's disk", async () => {
    const diskBytes = 7 + 16 * 2 ** 20;
    const { token } = await world.seedJob({ outputBytes: 7 }, 2);
    await world.call(CLAIM, token, claimOf(0, 1));
    const fileOf = (ordinal: number, name: string, byteSize: number) => ({ ordinal, name, byteSize, sha256 });
    const sign = (...files: unknown[]) => world.call(URLS, token, { kind: 'task', files });
    expect((await sign(fileOf(0, 'a', diskBytes), fileOf(1, 'a', diskBytes))).status).to.equal(200);
    for (const files of [
      [fileOf(0, 'a', diskBytes + 1)],
      [fileOf(1, 'a', 1), fileOf(0, 'a', diskBytes), fileOf(0, 'b', 1)],
      [fileOf(0, 'a', 5 * 2 ** 30)],
    ]) {
      const { status, body } = await sign(...files);
      expect([status, body.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
      expect(body.error).to.include('task 0').and.include(String(diskBytes));
    }

    const client = createGatewayClient({
      url: world.gatewayUrl,
      bearer: token,
      onFenced: (reason) => expect.fail(reason),
    });
    const asked = client.uploadUrls(
      { kind: 'task', files: [fileOf(0, 'a', diskBytes + 1)] },
      AbortSignal.timeout(5_000),
    );
    expect(await refusalOf(asked), 'is not asked for again').to.be.instanceOf(TooLargeError);
    await client.close();
  });

  it("with another job's token there is no way to a job's tasks, URLs, progress or log", async () => {
    const mine = await world.seedJob({}, 2);
    const other = await world.seedJob({}, 2);
    await world.call(CLAIM, other.token, claimOf(0));
    expect((await world.call(URLS, mine.token, filesOf(0))).status).to.equal(404);
    expect((await world.call('/v1/tasks/task/0/log?attempt=1&from=0', mine.token, bytes)).status).to.equal(
      404,
    );
    await world.call('/v1/contact', mine.token, { running: [{ kind: 'task', ordinal: 0, percent: 50 }] });
    expect((await world.tasks(other.jobId))[0]?.progress_percent).to.equal(0);
    // A request cannot even name a job, because the token says for which job the call is.
    const named = await world.call(CLAIM, mine.token, { ...claimOf(0), jobId: other.jobId });
    expect(named.status).to.equal(400);
  });

  it('a fenced generation is refused everything, with the code that ends it', async () => {
    const job = await world.seedJob({}, 1);
    await world.call(CLAIM, job.token, claimOf(0));
    await world.fence(job);
    const answers = [
      await world.call(CLAIM, job.token, claimOf(0)),
      await world.call(URLS, job.token, filesOf(0)),
      await world.call('/v1/contact', job.token, { running: [] }),
      await world.call('/v1/tasks/task/0/log?attempt=1&from=0', job.token, bytes),
    ];
    for (const { status, body } of answers) {
      expect(status).to.equal(409);
      expect(body).to.have.all.keys('error', 'code').and.include({ code: 'FENCED' });
    }
  });

  it('so is the instance of a paused job: its execution is settled', async () => {
    const { jobId, token } = await world.seedJob({}, 2);
    await world.call(CLAIM, token, claimOf(0));
    await query(`update jobs set status = 'PAUSED' where id = $1`, jobId);
    for (const [path, body] of [
      [CLAIM, claimOf(1)],
      [URLS, filesOf(0)],
      ['/v1/contact', { running: [] }],
    ] as const) {
      expect((await world.call(path, token, body)).body.code, path).to.equal('FENCED');
    }
    expect((await world.tasks(jobId)).map(({ state }) => state)).to.deep.equal(['RUNNING', 'PENDING']);
  });

  it('so is the instance of a job that has ended, and one that was terminated', async () => {
    const ended = await world.seedJob({}, 1);
    await query(`update jobs set status = 'SUCCEEDED' where id = $1`, ended.jobId);
    const terminated = await world.seedJob({}, 1);
    await query(`update instances set state = 'TERMINATED' where job_id = $1`, terminated.jobId);
    for (const { token } of [ended, terminated]) {
      expect((await world.call('/v1/contact', token, { running: [] })).body.code).to.equal('FENCED');
    }
  });

  it('nobody gets in without a genuine, unexpired instance token', async () => {
    const { claims, token } = await world.seedJob({}, 1);
    const [prefix, body, mac] = token.split('.');
    const otherBody = Buffer.from(JSON.stringify({ ...claims, slot: 5 })).toString('base64url');
    const bad = [
      '',
      'x',
      'svc_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG',
      `${prefix}.${otherBody}.${mac}`,
      `${prefix}.${body}.`,
      `${prefix}.${body}.${mac}.x`,
      signInstanceToken('cd'.repeat(32), claims),
      signInstanceToken(TEST_SECRET, { ...claims, expiresAt: Math.floor(Date.now() / 1000) - 1 }),
      signInstanceToken(TEST_SECRET, { ...claims, slot: 1.5 }),
    ];
    for (const token of bad) {
      const answer = await world.call('/v1/contact', token, { running: [] });
      expect(answer.status, token).to.equal(401);
      expect(answer.body.code).to.equal('UNAUTHORIZED');
    }
  });

  it('refuses what is not the protocol, with a closed envelope and without a stack', async () => {
    const { token } = await world.seedJob({}, 1);
    const json = { 'content-type': 'application/json' };
    const refusals = [
      { answer: await world.call(CLAIM, token, '{"a":', json), status: 400 },
      { answer: await world.call(CLAIM, token, '{"__proto__":{"a":1}}', json), status: 400 },
      { answer: await world.call(CLAIM, token, { ...claimOf(0), extra: 1 }), status: 400 },
      { answer: await world.call(CLAIM, token, claimOf(-1)), status: 400 },
      { answer: await world.call(CLAIM, token, { ...claimOf(0), execution: 2 }), status: 404 },
      { answer: await world.call(CLAIM, token, bytes), status: 415 },
      { answer: await world.call(CLAIM, token, `"${'x'.repeat(2 ** 20)}"`, json), status: 413 },
      {
        answer: await world.call('/v1/tasks/task/0/log?attempt=1&from=0', token, Buffer.alloc(2 ** 20 + 1)),
        status: 413,
      },
      { answer: await world.call('/v1/tasks/finish/0/log?attempt=1&from=0', token, bytes), status: 400 },
      { answer: await world.call('/v1/nothing', token, {}), status: 404 },
      { answer: await world.call(CLAIM, token, claimOf(0), { [PROTOCOL_HEADER]: YOUNGER }), status: 400 },
      { answer: await world.call(CLAIM, token, claimOf(0), { [PROTOCOL_HEADER]: '0' }), status: 400 },
    ];
    for (const [index, { answer, status }] of refusals.entries()) {
      expect(answer.status, String(index)).to.equal(status);
      expect(answer.body, String(index)).to.have.all.keys('error', 'code');
    }
  });

  it('makes nothing of a body with more values or levels than any call, and answers soon and briefly', async () => {
    const { token } = await world.seedJob({}, 1);
    const json = { 'content-type': 'application/json' };
    const nested = `${'['.repeat(400_000)}${']'.repeat(400_000)}`;
    const bodies = [
      [CLAIM, `{"execution":1,"kind":"task","ordinals":[${'-1,'.repeat(300_000)}-1]}`],
      [CLAIM, `{"execution":1,"kind":"task","ordinals":${nested}}`],
      [URLS, `{"kind":"task","files":[${'{},'.repeat(300_000)}{}]}`],
      ['/v1/contact', `{"running":[${'[],'.repeat(9_000)}[]]}`],
      ['/v1/contact', `{"running":[{"kind":${'{"a":'.repeat(50)}1${'}'.repeat(50)}}]}`],
    ] as const;
    for (const [path, body] of bodies) {
      const startedAt = performance.now();
      const answer = await world.call(path, token, body, json);
      expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(answer.body.error.length, 'characters').to.be.below(4_000);
      expect(performance.now() - startedAt, 'milliseconds').to.be.below(10_000);
    }
  });

  it('takes the largest call that the protocol allows', async () => {
    const { token } = await world.seedJob({}, 1000);
    const ordinals = Array.from({ length: 1000 }, (_, ordinal) => ordinal);
    expect((await world.call(CLAIM, token, claimOf(...ordinals))).status).to.equal(200);
    const files = ordinals.map((ordinal) => ({ ordinal, name: 'é'.repeat(75), byteSize: 1, sha256 }));
    expect((await world.call(URLS, token, { kind: 'task', files })).status).to.equal(200);
    const running = ordinals.map((ordinal) => ({ kind: 'task', ordinal, percent: 99.9 }));
    expect((await world.call('/v1/contact', token, { running })).status).to.equal(200);
  });

  it('writes progress at most once a second and job, and only for what runs here', async () => {
    const { jobId, token } = await world.seedJob({}, 2);
    await world.call(CLAIM, token, claimOf(0));
    const version = async (): Promise<number> =>
      (await query('select version from jobs where id = $1', jobId))[0].version;
    const before = await version();
    for (let percent = 1; percent <= 20; percent += 1) {
      const running = [0, 1].map((ordinal) => ({ kind: 'task', ordinal, percent }));
      expect((await world.call('/v1/contact', token, { running })).body).to.deep.equal({ stop: false });
    }
    expect((await world.tasks(jobId)).map(({ progress_percent }) => progress_percent)).to.deep.equal([1, 0]);
    expect(await version()).to.equal(before + 1);
    const [{ recent }] = await query(
      `select last_contact_at > now() - interval '5 seconds' as recent from instances where job_id = $1`,
      jobId,
    );
    expect(recent).to.equal(true);
  });

  it('progress stands in the way of nobody who has locked the job and then its tasks', async () => {
    const { jobId, token } = await world.seedJob({}, 1);
    await world.call(CLAIM, token, claimOf(0));
    const running = [{ kind: 'task', ordinal: 0, percent: 50 }];
    // Takes the locks in the order of a commit and of a replacement: first the job, then its tasks.
    await world.database.db.transaction(async (tx) => {
      await tx.query('select 1 from jobs where id = $1 for no key update', [jobId]);
      const contact = await world.call('/v1/contact', token, { running });
      expect(contact).to.deep.equal({ status: 200, body: { stop: false } });
      await tx.query(`update tasks set started_at = now() where job_id = $1`, [jobId]);
    });
    await until(
      'the progress is written',
      async () => (await world.tasks(jobId))[0]?.progress_percent === 50,
    );
  });

  it('keeps log chunks by place, so that a repeated one changes nothing, up to the limit', async () => {
    const { jobId, token } = await world.seedJob({}, 1);
    await world.call(CLAIM, token, claimOf(0));
    const send = (from: number) => world.call(`/v1/tasks/task/0/log?attempt=1&from=${from}`, token, bytes);
    for (const from of [0, 6, 6]) expect((await send(from)).status).to.equal(204);
    expect((await world.tasks(jobId))[0]?.log_bytes).to.equal(12);
    const rows = await query('select from_byte, to_byte from task_logs where job_id = $1 order by 1', jobId);
    expect(rows).to.deep.equal([
      { from_byte: 0, to_byte: 6 },
      { from_byte: 6, to_byte: 12 },
    ]);
    expect((await send(20 * 2 ** 20)).status).to.equal(413);
  });

  it('its sign of life says since when it serves without a gap', async () => {
    const beat = async () =>
      (await query(`select up_since, beat_at from service_heartbeats where service = 'gateway'`))[0];
    const first = await beat();
    await query(`update service_heartbeats set beat_at = now() - interval '4 seconds'`);
    await world.stopGateway();
    await world.startGateway();
    expect((await beat()).up_since).to.deep.equal(first.up_since);
    await query(`update service_heartbeats set beat_at = now() - interval '6 seconds'`);
    await world.stopGateway();
    await query(`update service_heartbeats set beat_at = now() - interval '6 seconds'`);
    await world.startGateway();
    expect((await beat()).up_since).to.be.greaterThan(first.up_since);
    const ready = await fetch(`${world.gatewayUrl}/readyz`);
    expect([ready.status, await ready.json()]).to.deep.equal([200, { ok: true }]);
  });
});
