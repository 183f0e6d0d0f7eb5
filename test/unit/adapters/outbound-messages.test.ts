/** Messages that the service sends to places that customers name, to real servers on loopback, whatever these do. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { createDestinationPolicy } from '../../../src/adapters/outbound/destinations.ts';
import { createOutboundGuard } from '../../../src/adapters/outbound/guard.ts';
import type { OutboundGuard, OutboundGuardOptions } from '../../../src/adapters/outbound/guard.ts';
import type { OutboundPost } from '../../../src/domain/outbound.ts';
import { makeAuthority } from '../../support/certificate.ts';

const NAME = 'hooks.example.org';
const MESSAGE = { path: '/hooks?of=dockyard', headers: { 'webhook-id': 'an id' }, body: '{"text":"grüße"}' };

describe('messages to places that customers name', () => {
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const listen = async (server: net.Server): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  const guardOf = (options: Partial<OutboundGuardOptions> = {}): OutboundGuard =>
    createOutboundGuard({
      allowedNetworks: ['127.0.0.0/8'],
      resolve: async () => ['127.0.0.1'],
      ...options,
    });
  const post = async (server: net.Server, options?: Partial<OutboundGuardOptions>): Promise<OutboundPost> =>
    guardOf(options).post({ protocol: 'http', host: NAME, port: await listen(server) }, MESSAGE);
  /** A server that takes a message and then writes these bytes. */
  const saying = (text: string | Buffer, isLast = true): net.Server =>
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (isLast ? socket.end(text) : socket.write(text)));
    });
  const answered = (status: number, fault: OutboundPost['fault']): OutboundPost => ({
    ...{ status, fault, body: null },
  });

  it('arrive as they were given, once, under the name of the host', async () => {
    const heard: unknown[] = [];
    const server = http.createServer((request, response) => {
      const { method, url, headers } = request;
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => {
        heard.push([method, url, headers['webhook-id'], headers.host?.split(':')[0], body]);
        response.writeHead(204).end();
      });
    });
    expect(await post(server)).to.deep.equal(answered(204, null));
    expect(heard).to.deep.equal([['POST', MESSAGE.path, 'an id', NAME, MESSAGE.body]]);
  });

  it('are good with a status of 2xx alone, and follow no redirect', async () => {
    let redirected = 0;
    const target = await listen(http.createServer(() => (redirected += 1)));
    const cases: readonly (readonly [number, OutboundPost['fault']])[] = [
      ...([200, 202, 299] as const).map((status) => [status, null] as const),
      ...([301, 302, 303, 307, 308] as const).map((status) => [status, 'REDIRECTED'] as const),
      ...([400, 401, 410, 500, 503] as const).map((status) => [status, 'ANSWER_UNEXPECTED'] as const),
    ];
    for (const [status, fault] of cases) {
      const location = `Location: http://127.0.0.1:${target}/\r\n`;
      expect(
        await post(saying(`HTTP/1.1 ${status} S\r\n${location}Content-Length: 0\r\n\r\n`)),
      ).to.deep.equal(answered(status, fault));
    }
    expect(redirected).to.equal(0);
  });

  it('end with a code where no answer comes: a reset, noise, headers without end, silence', async () => {
    const reset = net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
    expect(await post(reset)).to.deep.equal({ fault: 'ANSWER_UNEXPECTED', status: null, body: null });
    for (const noise of ['SSH-2.0-OpenSSH_9\r\n', '', `HTTP/1.1 200 OK\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`])
      expect((await post(saying(noise))).fault, noise.slice(0, 20)).to.equal('ANSWER_UNEXPECTED');
    const late = { messageLimitMs: 100 };
    const silent = { fault: 'TIMED_OUT', status: null, body: null };
    expect(await post(saying('HTTP/1.1 200', false), late)).to.deep.equal(silent);
    const port = await listen(net.createServer());
    const secured = { protocol: 'https', host: NAME, port } as const;
    expect(await guardOf(late).post(secured, MESSAGE)).to.deep.equal(silent);
  });

  it('do not wait for a body that never ends, and read no 10 MB', async () => {
    const begun = saying('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nab', false);
    expect(await post(begun, { messageLimitMs: 200 })).to.deep.equal(answered(200, null));
    let sent = 0;
    const flooding = http.createServer((_request, response) => {
      const more = (): void => {
        while (sent < 10_000_000 && response.write(Buffer.alloc(50_000, 65))) sent += 50_000;
      };
      response
        .writeHead(200)
        .on('drain', more)
        .on('error', () => undefined);
      more();
    });
    expect(await post(flooding)).to.deep.equal(answered(200, null));
    expect(sent).to.be.below(10_000_000);
  });

  it('tell the beginning of an answer of the public internet alone', () => {
    const policy = createDestinationPolicy(['127.0.0.0/8', '10.0.0.0/8']);
    expect(
      ['127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', '93.184.216.34'].map((address) =>
        policy.isPublic(address),
      ),
    ).to.deep.equal([...[false, false, false, true]]);
  });

  it('go over TLS to a server with a certificate of its host', async () => {
    const authority = await makeAuthority();
    try {
      const certificates = readFileSync(authority.caFile, 'utf8');
      const postTo = async (name: string, expired = false): Promise<OutboundPost> => {
        const { certFile, keyFile } = await authority.issue(name, { expired });
        const server = https.createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
        server.on('request', (_request, response) => response.end('taken'));
        const port = await listen(server);
        return guardOf({ certificates }).post({ protocol: 'https', host: NAME, port }, MESSAGE);
      };
      const refused = { fault: 'TLS_FAILED', status: null, body: null };
      expect(await postTo(NAME)).to.deep.equal(answered(200, null));
      expect(await postTo('other.example.org')).to.deep.equal(refused);
      expect(await postTo(NAME, true)).to.deep.equal(refused);
    } finally {
      await authority.remove();
    }
  });

  it('look the name up once at each try, and refuse where it leads elsewhere', async () => {
    const leads = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1', '10.0.0.1'], []];
    const resolve = async (): Promise<string[]> => leads.shift() ?? expect.fail('asked once more');
    const guard = guardOf({ allowedNetworks: ['127.0.0.1/32'], resolve });
    const port = await listen(saying('HTTP/1.1 200 OK\r\n\r\n'));
    const faults = [];
    while (leads.length > 0)
      faults.push((await guard.post({ protocol: 'http', host: NAME, port }, MESSAGE)).fault);
    expect(faults).to.deep.equal([null, 'ADDRESS_REFUSED', 'ADDRESS_REFUSED', 'NAME_UNKNOWN']);
    const written = await guard.post({ protocol: 'https', host: '10.0.0.1', port: 443 }, MESSAGE);
    expect(written.fault).to.equal('ADDRESS_REFUSED');
  });
});
