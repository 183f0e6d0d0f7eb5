/**
 * kill -9 of api, control worker, Temporal, database and store at every step of an upload: the customer gets one
 * answer, and no orphans are left.
 */
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { expect } from 'chai';

import type { Answer, TestApi } from '../support/api.ts';
import { IS_FULL, measured, RECOVERY_MS, timed } from '../support/faults/times.ts';
import { faultWorld } from '../support/faults/world.ts';
import type { Customer, FaultWorld } from '../support/faults/world.ts';
import { inLongRuns, IS_LONG } from '../support/long.ts';
import { bytesOf, multipartClient, PART, stored } from '../support/multipart.ts';
import type { MultipartClient } from '../support/multipart.ts';
import { digestOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** So many that the store takes a while to put them together. */
const MANY_PARTS = 40;
const SIZE = timed({ scaled: 2 * PART + 10, full: 200_000_000 });
/** How long after a message the kill comes, in milliseconds. */
const DELAYS_MS = timed({ scaled: [30], full: [0, 10, 30, 60, 100, 200, 400, 800] });
const ALL = [['control'], ['api'], ['temporal'], ['postgres'], ['storage'], ['api', 'control', 'temporal']];
const SERVERS = ['api', 'control', 'temporal', 'storage'];
const AGAIN_MS = 200;

const longIt = inLongRuns(it);

describe('kill -9 at every step of an upload', function () {
  this.timeout(RECOVERY_MS * (IS_FULL ? 20 : 2));
  let world: FaultWorld;
  let customer: Customer;
  let uploads: MultipartClient;
  const bytes = bytesOf(SIZE);
  const sha256 = digestOf(bytes);

  /** A client that repeats every call without an answer, as each client of the API may. */
  const insisting: TestApi['call'] = async (key, method, path, body, options) => {
    const giveUpAt = performance.now() + RECOVERY_MS;
    for (;;) {
      const answer = await once(key, method, path, body, options);
      const passing =
        answer === null || answer.status >= 500 || answer.body.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!passing) return answer;
      if (performance.now() > giveUpAt)
        throw new Error(`${method} ${path} is not answered: ${answer?.status}`);
      await sleep(AGAIN_MS);
    }
  };
  const once = async (
    ...[key, method, path, body, options]: Parameters<TestApi['call']>
  ): Promise<Answer | null> => {
    try {
      const answer = await fetch(`${world.stack.apiUrl}/api/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${String(key)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options?.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
    } catch {
      return null;
    }
  };
  const killSoon = async (names: readonly string[], delayMs: number): Promise<void> => {
    await sleep(delayMs);
    await world.killAndRestart(...names);
  };
  const leftOf = (): Promise<string[]> => stored(world, customer.accountId);
  const each = (
    step: string,
    scaled: readonly string[],
    run: (names: readonly string[], delayMs: number) => Promise<void>,
  ): void => {
    for (const names of timed({ scaled: scaled.map((name) => [name]), full: ALL })) {
      it(`${step}: ${names.join(', ')}`, async () => {
        for (const delayMs of DELAYS_MS) {
          const startedAt = performance.now();
          await run(names, delayMs);
          measured(`${step}, kill of ${names.join(', ')} after ${delayMs} ms`, {
            seconds: (performance.now() - startedAt) / 1000,
          });
        }
      });
    }
  };

  before(async function () {
    this.timeout(120_000);
    world = await faultWorld();
  });
  beforeEach(async () => {
    customer = await world.customer();
    uploads = multipartClient({ call: insisting }, customer.key);
  });

  each('while it is opened', IS_LONG ? ['api'] : [], async (names, delayMs) => {
    const options = { headers: { 'idempotency-key': `open-${randomUUID()}` } };
    const file = { size: SIZE, partSize: PART };
    const [answer] = await Promise.all([uploads.init(file, options), killSoon(names, delayMs)]);
    expect(answer.status).to.equal(201);
    const again = await uploads.init(file, options);
    expect(again.body.uploadId).to.equal(answer.body.uploadId);
    const rows = await world.rows<{ id: string }>(
      'select id from uploads where account_id = $1 and ended_at is null',
      [customer.accountId],
    );
    expect(rows.map(({ id }) => id)).to.deep.equal([answer.body.uploadId]);
    expect((await uploads.abort(answer.body.uploadId)).status).to.equal(204);
    expect(await leftOf()).to.deep.equal([]);
  });

  each('while it is completed and verified', ['control'], async (names, delayMs) => {
    const upload = (await uploads.init({ size: SIZE, partSize: PART, sha256 })).body;
    const parts = await uploads.send(upload, bytes);
    const [first, second] = await Promise.all([
      uploads.complete(upload.uploadId, parts),
      uploads.complete(upload.uploadId, parts),
      killSoon(names, delayMs),
    ]);
    expect(second.body).to.deep.equal(first.body);
    expect(first.status, JSON.stringify(first.body)).to.equal(200);
    expect((await uploads.complete(upload.uploadId, parts)).body).to.deep.equal(first.body);
    expect(first.body).to.include({ sha256, size: SIZE, key: upload.key });
    expect((await world.store.hash(upload.key))?.sha256).to.equal(sha256);
    expect(await leftOf()).to.include(upload.key);
    for (const key of await leftOf()) expect(key).not.to.include('uploadId=');
  });

  it('while the store puts its parts together: completed from them when the store is back', async () => {
    const many = bytesOf(MANY_PARTS * PART);
    const upload = (await uploads.init({ size: many.byteLength, partSize: PART })).body;
    const parts = await uploads.send(upload, many);
    const completion = uploads.complete(upload.uploadId, parts);
    const multiparts = join(world.fileOf(''), '.sgwtmp', 'multipart');
    const beingMade = (): string[] => globSync('*/*.inprogress', { cwd: multiparts });
    while (beingMade().length === 0) await nextTurn();
    world.stack.pause('storage');
    expect(beingMade(), 'the store was paused while it made the object').to.have.length(1);
    await world.killAndRestart('storage');
    const { status, body } = await completion;
    expect(status, JSON.stringify(body)).to.equal(200);
    expect((await world.store.hash(upload.key))?.sha256).to.equal(digestOf(many));
    expect(globSync('*/*', { cwd: multiparts })).to.deep.equal([]);
  });

  each('while it is aborted', IS_LONG ? ['api'] : [], async (names, delayMs) => {
    const upload = (await uploads.init({ size: SIZE, partSize: PART })).body;
    await uploads.send(upload, bytes.subarray(0, SIZE), [1]);
    const [answer] = await Promise.all([uploads.abort(upload.uploadId), killSoon(names, delayMs)]);
    expect(answer.status).to.equal(204);
    expect(await leftOf()).to.deep.equal([]);
    expect((await uploads.status(upload.uploadId)).body.code).to.equal('UPLOAD_ABORTED');
  });

  longIt('between its parts: what is stored stays, and is not sent again', async () => {
    const upload = (await uploads.init({ size: SIZE, partSize: PART, checksumAlgorithm: 'sha256' })).body;
    const some = await uploads.send(upload, bytes, [1, 2]);
    await world.killAndRestart(...timed({ scaled: ['api', 'storage'], full: SERVERS }));
    const seen = await uploads.status(upload.uploadId);
    expect(seen.body.received.map(({ partNumber }: { partNumber: number }) => partNumber)).to.deep.equal([
      1, 2,
    ]);
    const rest = await uploads.send(upload, bytes, seen.body.missing);
    const done = await uploads.complete(upload.uploadId, [...some, ...rest]);
    expect(done.body).to.include({ integrity: 'parts-sha256', size: SIZE });
    expect((await world.store.hash(upload.key))?.sha256).to.equal(sha256);
  });

  it('whose workflow is lost: the next message revives it', async () => {
    const upload = (await uploads.init({ size: SIZE, partSize: PART })).body;
    const other = (await uploads.init({ size: SIZE, partSize: PART })).body;
    const parts = await uploads.send(upload, bytes);
    const temporal = await world.temporal();
    for (const { uploadId } of [upload, other]) {
      await temporal.workflow.getHandle(`upload/${uploadId}`).terminate('lost on purpose');
    }
    expect((await uploads.complete(upload.uploadId, parts)).status).to.equal(200);
    expect((await uploads.abort(other.uploadId)).status).to.equal(204);
    expect(await leftOf()).to.deep.equal([upload.key]);
  });

  longIt('that nobody ends: the sweep does, once its time and its workflow are gone', async () => {
    const upload = (await uploads.init({ size: SIZE, partSize: PART })).body;
    await uploads.send(upload, bytes, [1]);
    const temporal = await world.temporal();
    await temporal.workflow.getHandle(`upload/${upload.uploadId}`).terminate('lost on purpose');
    await world.rows(`update uploads set expires_at = now() - interval '3 hours' where id = $1`, [
      upload.uploadId,
    ]);
    await temporal.schedule.getHandle('sweep').trigger();
    await until(
      'the upload has expired',
      async () => {
        const [row] = await world.rows<{ state: string }>('select state from uploads where id = $1', [
          upload.uploadId,
        ]);
        return row?.state === 'EXPIRED';
      },
      30_000,
    );
    expect(await leftOf()).to.deep.equal([]);
    expect((await uploads.status(upload.uploadId)).body.code).to.equal('UPLOAD_EXPIRED');
  });
});
