/** Clients that are slow or send too much, over a real server with short times. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { expect } from 'chai';

import { CONNECTION_LIMITS, createApiServer } from '../../../api/http/server.ts';
import { until } from '../../support/until.ts';
import { DOCKING, KEY, TestApp } from './test-app.ts';

const LIMITS = {
  ...{ headersMs: 300, requestMs: 4_000, idleMs: 400, checkMs: 50, headerBytes: 16 * 1024 },
  ...{ answerIdleMs: 300, answerMs: 10_000, streamIdleMs: 900 },
};
const HEAD = `POST /api/v1/jobs/submit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\n`;

describe('connections', () => {
  let app: TestApp;
  let server: Server;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    app = await new TestApp({ bodyIdleMs: 200, quotas: { submit: 1_000 } }).start();
    server = createApiServer(app.callback, LIMITS);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await app.stop();
  });

  const open = async (): Promise<{ socket: Socket; ended: Promise<string> }> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString()));
    socket.on('error', () => undefined);
    const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
    await once(socket, 'connect');
    return { socket, ended };
  };
  /** Writes a text, a byte in so many milliseconds, until the connection is gone. */
  const dribble = (socket: Socket, text: string, everyMs: number): void => {
    let at = 0;
    const timer = setInterval(() => {
      if (!socket.writable || at >= text.length) clearInterval(timer);
      else socket.write(text[at++] ?? '');
    }, everyMs);
    socket.once('close', () => clearInterval(timer));
  };
  const expectRefusal = (text: string, status: number, code: string): void => {
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).to.match(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).to.include('content-type: application/json').and.include('connection: close');
    expect(Object.keys(JSON.parse(body)).sort()).to.deep.equal(['code', 'error']);
    expect(JSON.parse(body).code).to.equal(code);
  };

  it('are ended when the headers are too large or too many bytes, with the reason', async () => {
    const { socket, ended } = await open();
    socket.write(`${HEAD}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`);
    expectRefusal(await ended, 431, 'HEADERS_TOO_LARGE');
    const many = await open();
    many.socket.write(`${HEAD}${'X-A: 1\r\n'.repeat(4_000)}\r\n`);
    expectRefusal(await many.ended, 431, 'HEADERS_TOO_LARGE');
    expect(app.fakes.calls.submit).to.deep.equal([]);
  });

  it('are ended when what comes is no HTTP', async () => {
    const { socket, ended } = await open();
    socket.write('HELLO\r\n\r\n');
    expectRefusal(await ended, 400, 'VALIDATION_ERROR');
  });

  it('are ended when the headers come too slowly', async () => {
    const { socket, ended } = await open();
    dribble(socket, HEAD, 20);
    expectRefusal(await ended, 408, 'REQUEST_TIMEOUT');
  });

  it('are ended when a body stalls, and when a body comes too slowly', async () => {
    const text = JSON.stringify({ ...DOCKING, jobName: 'x'.repeat(200) });
    const stalled = await open();
    const startedAt = performance.now();
    stalled.socket.write(`${HEAD}Content-Length: ${text.length}\r\n\r\n{`);
    expectRefusal(await stalled.ended, 408, 'REQUEST_TIMEOUT');
    expect(performance.now() - startedAt, 'before the time of a whole request').to.be.below(LIMITS.requestMs);
    const slow = await open();
    slow.socket.write(`${HEAD}Content-Length: ${text.length}\r\n\r\n`);
    dribble(slow.socket, text, 50);
    expectRefusal(await slow.ended, 408, 'REQUEST_TIMEOUT');
    expect(app.fakes.calls.submit).to.deep.equal([]);
  });

  it('are served beside a hundred that never end their bodies', async () => {
    const slow = await Promise.all(Array.from({ length: 100 }, open));
    for (const { socket } of slow) socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/jobs/submit`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(DOCKING),
    });
    expect(answer.status).to.equal(200);
    const texts = await Promise.all(slow.map(({ ended }) => ended));
    expect(texts.filter((text) => !/^HTTP\/1.1 408 /.test(text))).to.deep.equal([]);
  });

  it('are told before their body that it is too large, and asked for a body that is taken', async () => {
    const expecting = (bytes: number): string =>
      `${HEAD}Expect: 100-continue\r\nContent-Length: ${bytes}\r\n\r\n`;
    const large = await open();
    large.socket.write(expecting(64 * 1024 * 1024));
    expectRefusal(await large.ended, 413, 'PAYLOAD_TOO_LARGE');
    const unknown = await open();
    unknown.socket.write(expecting(10).replace(KEY, 'svc_live_nobody'));
    expectRefusal(await unknown.ended, 401, 'UNAUTHORIZED');

    const body = JSON.stringify(DOCKING);
    const { socket, ended } = await open();
    socket.write(expecting(body.length));
    const [first] = await once(socket, 'data');
    expect(String(first)).to.match(/^HTTP\/1.1 100 Continue\r\n/);
    socket.write(body);
    expect(await ended).to.match(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK/);
  });

  it('are refused where a header that counts once stands twice or not at all, or what they expect or the coding of their body is not known', async () => {
    const refusedWith = async (head: string, body: string, status: number, code: string): Promise<string> => {
      const { socket, ended } = await open();
      socket.write(`${head}\r\n${body}`);
      const text = await ended;
      expectRefusal(text, status, code);
      return text;
    };
    const body = JSON.stringify(DOCKING);
    const sized = `${HEAD}Content-Length: ${body.length}\r\n`;
    for (const twice of [
      'Host: y',
      'host: x',
      `Authorization: Bearer ${KEY}`,
      'Content-Type: text/plain',
      'Idempotency-Key: 12345678\r\nIdempotency-Key: 12345678',
    ]) {
      const text = await refusedWith(`${sized}${twice}\r\n`, body, 400, 'VALIDATION_ERROR');
      expect(text).to.include('stands twice');
    }
    await refusedWith(sized.replace('Host: x\r\n', ''), body, 400, 'VALIDATION_ERROR');
    await refusedWith(`${sized}Expect: 200-ok\r\n`, body, 400, 'VALIDATION_ERROR');
    const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    await refusedWith(
      `${HEAD}Transfer-Encoding: gzip, chunked\r\n`,
      chunked,
      501,
      'TRANSFER_CODING_UNSUPPORTED',
    );
    expect(app.fakes.calls.submit).to.deep.equal([]);
    const { socket, ended } = await open();
    socket.write(`${HEAD}Transfer-Encoding: Chunked\r\n\r\n${chunked}`);
    expect(await ended).to.match(/^HTTP\/1.1 200 /);
  });

  it('end when nobody takes their answer, of which one at a time is made', async () => {
    const asked: string[] = [];
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      asked.push(request.url ?? '');
      response.end(Buffer.alloc(32 * 1024 * 1024));
    };
    const server2 = createApiServer(answer, LIMITS);
    await new Promise<void>((resolve) => server2.listen(0, '127.0.0.1', resolve));
    const socket = connect((server2.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(Array.from({ length: 50 }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await until('the server has given the connection up', async () => {
      const connections = await new Promise((resolve) =>
        server2.getConnections((_, count) => resolve(count)),
      );
      return connections === 0;
    });
    expect(asked).to.deep.equal(['/0']);

    await new Promise((resolve) => server2.close(resolve));

    // Who takes the answers gets all of them, in order.
    const patient = createApiServer(answer);
    await new Promise<void>((resolve) => patient.listen(0, '127.0.0.1', resolve));
    const taking = connect((patient.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(taking);
    let bytes = 0;
    taking.on('data', (chunk) => (bytes += chunk.byteLength));
    taking.write(['a', 'b', 'c'].map((path) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    await until('three answers have come', () => Promise.resolve(bytes >= 3 * 32 * 1024 * 1024));
    expect(asked).to.deep.equal(['/0', '/a', '/b', '/c']);
    taking.destroy();
    await new Promise((resolve) => patient.close(resolve));
  });

  it('of streams of events wait longer for a reader that takes nothing, and are given up at last', async () => {
    const server2 = createApiServer((_, response) => {
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
      response.write(Buffer.alloc(32 * 1024 * 1024));
    }, LIMITS);
    await new Promise<void>((resolve) => server2.listen(0, '127.0.0.1', resolve));
    const socket = connect((server2.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const startedAt = performance.now();
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [, { socket: taken }] = (await once(server2, 'request')) as [IncomingMessage, ServerResponse];
    await new Promise((resolve) => taken?.once('close', resolve));
    expect(performance.now() - startedAt).to.be.above(LIMITS.streamIdleMs);
    await new Promise((resolve) => server2.close(resolve));
  });

  it('are given back when they are idle', async () => {
    const { socket, ended } = await open();
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await ended).to.match(/^HTTP\/1.1 200 /);
  });

  it("have times in production that are ours, not Node's", async () => {
    const made = createApiServer(app.callback);
    expect([made.headersTimeout, made.requestTimeout, made.keepAliveTimeout]).to.deep.equal([
      15_000, 240_000, 75_000,
    ]);
    expect(made.maxHeadersCount).to.equal(100);
    expect(CONNECTION_LIMITS.headersMs).to.be.below(CONNECTION_LIMITS.requestMs);
    made.close();
  });
});
