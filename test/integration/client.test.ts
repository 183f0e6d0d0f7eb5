/** The HTTP client against a server that fails on purpose. */
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';

import { expect } from 'chai';

import { createClient } from '../../src/client/index.ts';
import type { Client, OutputItem, RegisterArtifactRequest } from '../../src/client/index.ts';
import { failureOf } from '../support/refusals.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

const JOB = { jobType: 'simulation', simulator: 'noop' } as const;

describe('HTTP client', () => {
  let server: Server;
  let url = '';
  let client: Client;
  let handle: Handler = () => undefined;
  let folder = '';

  before(async () => {
    server = createServer((request, response) => void handle(request, response));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    client = createClient({
      apiUrl: url,
      apiKey: 'svc_live_x',
      retry: { attempts: 4, firstPauseMs: 1, longestPauseMs: 5 },
    });
    folder = await mkdtemp(join(tmpdir(), 'dockyard-client-'));
  });

  after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true, force: true });
  });

  it('repeats a submit with the same key until the service is back', async () => {
    const keys: unknown[] = [];
    handle = (request, response) => {
      keys.push(request.headers['idempotency-key']);
      if (keys.length === 1) request.socket.destroy();
      else if (keys.length === 2) answer(response, 503, { error: 'not now', code: 'SERVICE_UNAVAILABLE' });
      else answer(response, 200, { jobId: 'j' });
    };
    expect((await client.submit(JOB)).jobId).to.equal('j');
    expect(keys).to.have.length(3);
    expect(new Set(keys).size).to.equal(1);
    expect(keys[0]).to.match(/^[0-9a-f-]{36}$/);
  });

  it('sends the key of the body in the header too', async () => {
    let key: unknown;
    handle = (request, response) => {
      key = request.headers['idempotency-key'];
      answer(response, 200, { jobId: 'j' });
    };
    await client.submit({ ...JOB, idempotencyKey: 'my-own-key' });
    expect(key).to.equal('my-own-key');
  });

  it('does not repeat a refusal, and tells its code and request', async () => {
    let calls = 0;
    handle = (_request, response) => {
      calls += 1;
      response.setHeader('X-Request-Id', 'r-1');
      answer(response, 402, { error: 'Top up.', code: 'INSUFFICIENT_CREDITS' });
    };
    const error = await failureOf(client.submit(JOB));
    expect(calls).to.equal(1);
    expect(error).to.include({
      status: 402,
      code: 'INSUFFICIENT_CREDITS',
      message: 'Top up.',
      requestId: 'r-1',
    });
  });

  it('gives up after its attempts and says what the service asked for', async () => {
    let calls = 0;
    handle = (_request, response) => {
      calls += 1;
      response.setHeader('Retry-After', '0');
      answer(response, 429, { error: 'Slower.', code: 'RATE_LIMITED' });
    };
    const error = await failureOf(client.balance());
    expect(calls).to.equal(4);
    expect(error).to.include({ status: 429, code: 'RATE_LIMITED', retryAfterSeconds: 0 });
  });

  it('ends at once when the caller aborts', async () => {
    handle = () => undefined;
    const abort = new AbortController();
    const waiting = client.balance({ signal: abort.signal });
    abort.abort(new Error('enough'));
    const error = await waiting.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('message', 'enough');
  });

  it('gives each status once, waits for changes and ends with the job', async () => {
    const asked: unknown[] = [];
    const statuses = ['QUEUED', 'RUNNING', 'RUNNING', 'SUCCEEDED'];
    handle = (request, response) => {
      // A service of before the streams, or one whose proxy lets none through.
      if (request.url?.endsWith('/events') === true)
        return answer(response, 404, { error: 'There is no such path.', code: 'NOT_FOUND' });
      const known = request.headers['if-none-match'];
      asked.push([known, request.headers.prefer]);
      const step = asked.length - 1;
      response.setHeader('ETag', `"${statuses[step]}"`);
      if (known === `"${statuses[step]}"`) response.writeHead(304).end();
      else answer(response, 200, { status: statuses[step] });
    };
    const seen: string[] = [];
    for await (const status of client.watch('j', { minIntervalMs: 0 })) seen.push(status.status);
    expect(seen).to.deep.equal(['QUEUED', 'RUNNING', 'SUCCEEDED']);
    expect(asked[0]).to.deep.equal([undefined, undefined]);
    expect(asked[1]).to.deep.equal(['"QUEUED"', 'wait=25']);
  });

  it('uploads with a fresh address for each attempt and the digest it announced', async () => {
    const path = join(folder, 'up.txt');
    await writeFile(path, 'hello');
    const announced: unknown[] = [];
    const puts: string[] = [];
    handle = async (request, response) => {
      if (request.method === 'PUT') {
        const body = await text(request);
        puts.push(
          `${request.url ?? ''} ${request.headers['content-length'] ?? ''} ${String(request.headers['x-signed'])} ${body}`,
        );
        response.writeHead(puts.length === 1 ? 503 : 200).end();
        return;
      }
      announced.push([request.headers['idempotency-key'], JSON.parse((await buffer(request)).toString())]);
      const uploadUrl = `${url}/put/${announced.length}`;
      answer(response, 200, {
        uploadUrl,
        s3Key: 'k',
        method: 'PUT',
        expiresIn: 60,
        headers: { 'x-signed': 'yes', 'Content-Length': '5' },
      });
    };
    const uploaded = await client.upload({ path, contentType: 'text/plain' });
    expect(uploaded).to.deep.include({ storageKey: 'k', byteSize: 5, sha256: sha256('hello') });
    expect(puts).to.deep.equal(['/put/1 5 yes hello', '/put/2 5 yes hello']);
    expect(announced[0]).to.deep.equal(announced[1]);
  });

  it('registers an artifact and asks for the address to download it from', async () => {
    const asked: unknown[] = [];
    handle = async (request, response) => {
      const body = (await buffer(request)).toString();
      asked.push([`${request.method ?? ''} ${request.url ?? ''}`, body]);
      if (asked.length === 1) answer(response, 201, { artifact: { artifactId: 'a/1' } });
      else if (asked.length === 2) answer(response, 503, { error: 'not now', code: 'SERVICE_UNAVAILABLE' });
      else answer(response, 200, { artifactId: 'a/1', url: `${url}/get`, expiresIn: 300 });
    };
    const request = { storageKey: 'k' } as RegisterArtifactRequest;
    const { artifact } = await client.registerArtifact(request);
    const found = await client.artifactDownloadUrl(artifact.artifactId);
    expect(found).to.include({ url: `${url}/get`, expiresIn: 300 });
    const path = '/api/v1/molecular/docking/artifacts';
    expect(asked).to.deep.equal([
      [`POST ${path}`, JSON.stringify(request)],
      [`POST ${path}/a%2F1/download-url`, ''],
      [`POST ${path}/a%2F1/download-url`, ''],
    ]);
  });

  it('keeps no download whose digest is another', async () => {
    handle = (_request, response) => void response.end('other bytes');
    const output = {
      name: 'a.bin',
      url: `${url}/a`,
      byteSize: 11,
      sha256: sha256('right bytes'),
    } as OutputItem;
    const error = await failureOf(client.download(output, join(folder, 'a.bin')));
    expect(error.code).to.equal('DIGEST_MISMATCH');
    expect(await readdir(folder)).not.to.include.members(['a.bin', 'a.bin.part']);
  });

  it('keeps a download that was cut off once', async () => {
    let calls = 0;
    handle = (request, response) => {
      calls += 1;
      response.writeHead(200, { 'content-length': '11' });
      if (calls > 1) response.end('right bytes');
      else response.write('right', () => request.socket.destroy());
    };
    const output = {
      name: 'b.bin',
      url: `${url}/b`,
      byteSize: 11,
      sha256: sha256('right bytes'),
    } as OutputItem;
    await client.download(output, join(folder, 'b.bin'));
    expect(await readFile(join(folder, 'b.bin'), 'utf8')).to.equal('right bytes');
    expect(calls).to.equal(2);
  });
});

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sha256(bytes: string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
