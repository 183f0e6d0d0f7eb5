/** Streams of events over HTTP: through cuts, proxies and the end of a session, as programs, browsers and the client read them. */
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { AccountEvent, JobStatusResponse } from '../../src/client/types.ts';
import { PartParser } from '../../src/client/stream.ts';
import { noopJob, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { idsOf, lastIdOf, readPartsOf } from '../support/event-parts.ts';
import type { PartReader } from '../support/event-parts.ts';
import { sessionOf } from '../support/session-of.ts';
import { until } from '../support/until.ts';

interface OpenStream extends PartReader {
  readonly response: IncomingMessage;
}

describe('streams of events over HTTP', function () {
  this.timeout(120_000);
  let api: TestApi;
  const closing: (() => unknown)[] = [];
  before(async () => {
    api = await testApi();
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  const keyed = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
  const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(`${api.stack.apiUrl}/api/v1/${path}`, { headers, agent: false }, resolve);
      request.once('error', reject).end();
      closing.push(() => request.destroy());
    });
  const openStream = async (path: string, headers: Readonly<Record<string, string>>): Promise<OpenStream> => {
    const response = await ask(path, headers);
    expect(response.statusCode).to.equal(200);
    return { response, ...readPartsOf(response) };
  };
  const write = (accountId: string, count = 1): Promise<unknown> =>
    api.db.query(
      `insert into events (account_id, kind, subject, payload)
       select $1, 'project.saved', gen_random_uuid(), '{"version":1}' from generate_series(1, $2::int)`,
      [accountId, count],
    );
  const stored = async (accountId: string): Promise<string[]> => {
    const rows = await api.db.query<{ public_id: string }[]>(
      'select public_id from events where account_id = $1 order by id',
      [accountId],
    );
    return rows.map((row) => row.public_id);
  };

  it('tell a job as it goes: its status at once and as it changes, its results, and each event once', async () => {
    const owner = await api.account();
    const { jobId } = (await api.submit(owner.liveKey, noopJob(3))).body;
    const stream = await openStream(`jobs/${jobId}/events`, keyed(owner.liveKey));
    const { headers } = stream.response;
    expect(headers['content-type']).to.equal('text/event-stream; charset=utf-8');
    expect(headers['cache-control']).to.equal('private, no-store, no-transform');
    expect(headers['x-accel-buffering']).to.equal('no');
    await stream.sees('the last event', ({ data }) => data.includes('job.succeeded'));
    const isLast = ({ name, data }: { name: string; data: string }): boolean =>
      name === 'status' && JSON.parse(data).status.status === 'SUCCEEDED';
    const { data } = await stream.sees('the last status', isLast);
    await stream.sees(
      'the last results',
      (part) => part.name === 'results.changed' && part.data.includes('"completed":3'),
    );
    const { body, headers: told } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`);
    expect(JSON.parse(data).status).to.deep.equal(body);
    expect(told.get('etag')).to.equal(`W/"${JSON.parse(data).version}"`);
    const versions = stream.parts.flatMap((part) =>
      part.name === 'status' ? [JSON.parse(part.data).version] : [],
    );
    expect(new Set(versions).size).to.equal(versions.length);
    const listed = (await api.call(owner.liveKey, 'GET', `events?subject=${jobId}&limit=200`)).body.events;
    const all = listed.map(({ id }: AccountEvent) => id);
    expect(all.slice(-stream.ids().length)).to.deep.equal(stream.ids());
  });

  it('lose and repeat nothing over a hundred cuts at random, while much is written', async () => {
    const owner = await api.account();
    const start = (await api.call(owner.liveKey, 'GET', 'events?latest=true')).body.nextCursor;
    const seen: string[] = [];
    let after: string = start;
    let cuts = 0;
    let isWriting = true;
    const writing = (async () => {
      for (; cuts < 100; await new Promise((resolve) => setTimeout(resolve, 5)))
        await write(owner.accountId, 3);
      isWriting = false;
    })();
    while (cuts < 100) {
      const response = await ask('events/stream', { ...keyed(owner.liveKey), 'last-event-id': after });
      const parser = new PartParser();
      const parts = [];
      let left = Math.floor(Math.random() * 2_500);
      for await (const chunk of response as AsyncIterable<Buffer>) {
        parts.push(...parser.parts(chunk.subarray(0, left)));
        left -= chunk.length;
        if (left <= 0) break;
      }
      response.destroy();
      cuts += 1;
      seen.push(...idsOf(parts));
      after = lastIdOf(parts) ?? after;
    }
    await writing;
    expect(isWriting).to.equal(false);
    const last = await openStream(`events/stream?after=${after}`, keyed(owner.liveKey));
    const all = await stored(owner.accountId);
    await until('the rest', () => seen.length + last.ids().length >= all.length);
    expect([...seen, ...last.ids()]).to.deep.equal(await stored(owner.accountId));
    expect(seen.length).to.be.above(50);
  });

  it('are left by the client where a proxy holds them back, which then polls and misses nothing', async () => {
    const owner = await api.account();
    const proxy = await bufferingProxy(api.stack.apiUrl);
    closing.push(
      () => proxy.close(),
      () => proxy.closeAllConnections(),
    );
    const apiUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = createClient({ apiUrl, apiKey: owner.liveKey });
    const leaving = new AbortController();
    const started = Promise.withResolvers<undefined>();
    const seen: string[] = [];
    const following = (async () => {
      const options = { silenceMs: 300, signal: leaving.signal, onCursor: () => started.resolve(undefined) };
      for await (const { type } of client.events(options)) {
        seen.push(type);
        if (type === 'job.succeeded') return;
      }
    })();
    await started.promise;
    const { jobId } = await client.submit(noopJob());
    const statuses: JobStatusResponse[] = [];
    for await (const status of client.watch(jobId, { silenceMs: 300 })) statuses.push(status);
    expect(statuses.at(-1)?.status).to.equal('SUCCEEDED');
    await following;
    expect(seen).to.include.members(['job.submitted', 'job.running', 'job.succeeded']);
    expect(new Set(seen.filter((type) => type !== 'job.queued')).size).to.equal(
      seen.filter((type) => type !== 'job.queued').length,
    );
  });

  it('are gone on with by the client after a cut, and give each status once', async () => {
    const owner = await api.account();
    let opened = 0;
    const cutting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      opened += 1;
      return opened > 1 ? response : new Response(cutAfter(response, 700), { headers: response.headers });
    };
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey, fetch: cutting });
    const { jobId } = await client.submit(noopJob(2, { seconds: 1 }));
    const versions: string[] = [];
    for await (const status of client.watch(jobId)) versions.push(JSON.stringify(status));
    expect(opened).to.be.above(1);
    expect(JSON.parse(versions.at(-1) ?? '').status).to.equal('SUCCEEDED');
    expect(new Set(versions).size).to.equal(versions.length);
  });

  it('are closed by a program that leaves a watch in the middle', async () => {
    const owner = await api.account();
    const closed: boolean[] = [];
    const counting: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
      const at = closed.push(false) - 1;
      init?.signal?.addEventListener('abort', () => (closed[at] = true), { once: true });
      return response;
    };
    const client = createClient({ apiUrl: api.stack.apiUrl, apiKey: owner.liveKey, fetch: counting });
    const { jobId } = await client.submit(noopJob(1, { seconds: 60 }));
    const leaveWatch = async (): Promise<void> => {
      for await (const { jobId: id } of client.watch(jobId)) {
        expect(id).to.equal(jobId);
        break;
      }
    };
    await leaveWatch();
    expect(closed).to.deep.equal([true]);
    // Twenty are open at most, so places that were not given back would be missed.
    for (let n = 0; n < 25; n += 1) await leaveWatch();
    expect(closed).to.deep.equal(Array.from({ length: 26 }, () => true));
    await client.cancel(jobId);
  });

  it('end within three seconds of sign-out', async () => {
    const owner = await api.account();
    const session = await sessionOf(api, owner.accountId);
    const [mine, key] = [
      await openStream('events/stream', session.headers),
      await openStream('events/stream', keyed(owner.liveKey)),
    ];
    await mine.sees('the opening', ({ id }) => id !== null);
    const startedAt = performance.now();
    const out = await api.call(null, 'POST', 'auth/sign-out', undefined, { headers: session.headers });
    expect(out.status).to.be.below(300);
    await until('the stream has ended', () => mine.hasEnded());
    expect(performance.now() - startedAt).to.be.below(3_000);
    expect(key.hasEnded()).to.equal(false);
  });

  it('are refused with words that say what to do', async () => {
    const [owner, other] = [await api.account(), await api.account()];
    const { jobId } = (await api.submit(other.liveKey, noopJob())).body;
    const codeOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
      const { status, body } = await api.call(owner.liveKey, 'GET', path, undefined, { headers });
      return status === 200 ? (/event: reset/.exec(body)?.[0] ?? '200') : `${status} ${body.code}`;
    };
    expect(await codeOf(`jobs/${jobId}/events`)).to.equal('404 NOT_FOUND');
    expect(await codeOf('events/stream?types=job.unknown')).to.equal('400 VALIDATION_ERROR');
    expect(await codeOf('events/stream?types=key.created')).to.equal('403 SESSION_REQUIRED');
    expect(await codeOf(`events/stream?after=${'x'.repeat(1_025)}`)).to.equal('400 VALIDATION_ERROR');
    expect(await codeOf('events/stream', { 'last-event-id': 'garbage' })).to.equal('event: reset');
    expect(await codeOf('events/stream')).to.equal('200');
    const twenty = [];
    for (let n = 0; n < 20; n += 1) twenty.push(await openStream('events/stream', keyed(other.liveKey)));
    const refused = await api.call(other.liveKey, 'GET', 'events/stream');
    expect([refused.status, refused.body.code]).to.deep.equal([429, 'STREAM_LIMIT']);
    expect(Number(refused.headers.get('retry-after'))).to.be.above(0);
  });
});

/** A proxy that hands an answer on once it is whole, as some do. */
async function bufferingProxy(target: string): Promise<Server> {
  const server = createServer((request, response) => {
    const { method, headers, url = '' } = request;
    const upstream = httpRequest(`${target}${url}`, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', () => response.destroy());
      answer.once('end', () => {
        const { 'transfer-encoding': _, ...others } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, others).end(Buffer.concat(chunks));
      });
    });
    upstream.once('error', () => response.destroy());
    response.once('close', () => upstream.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** The body of an answer, which asks to come back at once, broken off after so many bytes. */
function cutAfter(response: Response, bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const soon = Buffer.from(chunk)
        .toString()
        .replace(/^retry: \d+/, 'retry: 20');
      controller.enqueue(Buffer.from(soon).subarray(0, left));
      left -= chunk.length;
      if (left <= 0) controller.error(new Error('cut'));
    },
  });
  return response.body?.pipeThrough(cut) ?? expect.fail('no body');
}
