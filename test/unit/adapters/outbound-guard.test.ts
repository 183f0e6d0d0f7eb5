/** Connections for customers, over loopback only: the name is looked up once, and nothing of the other side gets out. */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

import { expect } from 'chai';

import { createOutboundGuard } from '../../../src/adapters/outbound/guard.ts';
import type { OutboundGuard, OutboundGuardOptions } from '../../../src/adapters/outbound/guard.ts';
import type { OutboundFault } from '../../../src/domain/outbound.ts';
import { makeCertificate } from '../../support/certificate.ts';

const LOOPBACK = ['127.0.0.0/8'];
const NAME = 'licences.example.org';

describe('connections to places that customers name', () => {
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  /** What servers were sent. */
  let heard: string[] = [];
  beforeEach(() => void (heard = []));
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const listen = async (server: net.Server, host = '127.0.0.1', port = 0): Promise<number> => {
    servers.push(server);
    server.on('connection', (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    return (server.address() as AddressInfo).port;
  };
  /** A server that answers every connection with these bytes, and ends it. */
  const saying = (text: string | Buffer): net.Server =>
    net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        heard.push(chunk.toString());
        socket.end(text);
      });
    });
  const guardOf = (options: Partial<OutboundGuardOptions> = {}): OutboundGuard =>
    createOutboundGuard({ allowedNetworks: LOOPBACK, resolve: async () => ['127.0.0.1'], ...options });
  const askHttp = async (answer: string | Buffer): Promise<OutboundFault | null> =>
    guardOf().reach({ protocol: 'http', host: NAME, port: await listen(saying(answer)) }, 'secret');

  it('look the name up once, and go to the address that was judged', async () => {
    const port = await listen(saying(''));
    const elsewhere = net.createServer(() => heard.push('reached'));
    await listen(elsewhere, '127.0.0.2', port);
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['169.254.169.254']];
    let lookUps = 0;
    const guard = createOutboundGuard({
      allowedNetworks: ['127.0.0.1/32'],
      resolve: async () => answers[lookUps++] ?? [],
    });
    const destination = { protocol: 'tcp', host: NAME, port } as const;
    expect(await guard.reach(destination, null)).to.equal(null);
    expect(lookUps).to.equal(1);
    // The second time the name leads elsewhere, which is judged anew and refused.
    expect(await guard.reach(destination, null)).to.equal('ADDRESS_REFUSED');
    expect(await guard.reach(destination, null)).to.equal('ADDRESS_REFUSED');
    expect([lookUps, heard]).to.deep.equal([3, []]);
  });

  it('are not made where one of the addresses of the name is refused, and ask nobody', async () => {
    const port = await listen(saying(''));
    for (const addresses of [
      ['127.0.0.1', '10.0.0.1'],
      ['::1', '127.0.0.1'],
      ['93.184.216.34', '169.254.169.254'],
      ['not an address'],
    ])
      expect(
        await guardOf({ resolve: async () => addresses }).reach({ protocol: 'tcp', host: NAME, port }, null),
        addresses.join(),
      ).to.equal('ADDRESS_REFUSED');
    expect(
      await guardOf({ resolve: async () => [] }).reach({ protocol: 'tcp', host: NAME, port }, null),
    ).to.equal('NAME_UNKNOWN');
  });

  it('are neither looked up nor made where the destination is refused as it is written', async () => {
    const guard = createOutboundGuard({
      allowedNetworks: [],
      resolve: () => expect.fail('the name was looked up'),
    });
    const port = await listen(net.createServer(() => heard.push('reached')));
    for (const host of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
      expect(await guard.reach({ protocol: 'tcp', host, port }, null)).to.equal('ADDRESS_REFUSED');
    for (const host of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1'])
      expect(await guard.reach({ protocol: 'tcp', host, port }, null)).to.equal('HOST_INVALID');
    expect(await guard.reach({ protocol: 'tcp', host: NAME, port: 22 }, null)).to.equal('PORT_REFUSED');
    expect(heard).to.deep.equal([]);
  });

  it('try the next address where nobody takes the first, and say when nobody takes any', async () => {
    const port = await listen(saying(''));
    const reach = (addresses: string[]): Promise<OutboundFault | null> =>
      guardOf({ resolve: async () => addresses }).reach({ protocol: 'tcp', host: NAME, port }, null);
    expect(await reach(['127.0.0.3', '127.0.0.1'])).to.equal(null);
    expect(await reach(['127.0.0.3', '127.0.0.4'])).to.equal('CONNECTION_FAILED');
  });

  it('follow no redirect', async () => {
    const target = http.createServer((_request, response) => {
      heard.push('redirected');
      response.end();
    });
    const port = await listen(target);
    for (const status of [301, 302, 303, 307, 308])
      expect(
        await askHttp(`HTTP/1.1 ${status} Moved\r\nLocation: http://127.0.0.1:${port}/\r\n\r\n`),
      ).to.equal('REDIRECTED');
    expect(heard.filter((text) => text === 'redirected')).to.deep.equal([]);
  });

  it('tell codes and not a byte of the other side', async () => {
    expect(await askHttp('HTTP/1.1 204 No Content\r\n\r\n')).to.equal(null);
    expect(await askHttp('HTTP/1.0 200 OK\r\n\r\nsecret page')).to.equal(null);
    expect(await askHttp('HTTP/1.1 401 Unauthorized\r\n\r\n')).to.equal('CREDENTIALS_REFUSED');
    expect(await askHttp('HTTP/1.1 403 No\r\n\r\n')).to.equal('CREDENTIALS_REFUSED');
    expect(await askHttp('HTTP/1.1 500 Oops\r\n\r\n')).to.equal('ANSWER_UNEXPECTED');
    for (const noise of ['SSH-2.0-OpenSSH_9\r\n', '', 'HTTP/1.1 999 No\r\n', Buffer.alloc(1_000_000, 65)])
      expect(await askHttp(noise)).to.equal('ANSWER_UNEXPECTED');
  });

  it('ask for one thing, under the name of the host, and send no secret in the clear', async () => {
    await askHttp('HTTP/1.1 200 OK\r\n\r\n');
    expect(heard.join(''))
      .to.match(/^GET \/ HTTP\/1\.1\r\n/)
      .and.to.contain(`Host: ${NAME}\r\n`);
    expect(heard.join('')).to.not.match(/secret|authorization/i);
  });

  it('have three seconds for everything together, whoever is slow', async function () {
    this.timeout(60_000);
    const silent = await listen(net.createServer(() => undefined));
    const guard = guardOf({ limitMs: 100 });
    expect(await guard.reach({ protocol: 'http', host: NAME, port: silent }, null)).to.equal('TIMED_OUT');
    expect(await guard.reach({ protocol: 'https', host: NAME, port: silent }, null)).to.equal('TIMED_OUT');
    const lost = guardOf({ limitMs: 100, resolve: () => new Promise(() => undefined) });
    expect(await lost.reach({ protocol: 'tcp', host: NAME, port: silent }, null)).to.equal('TIMED_OUT');
    // A server that sends one byte again and again never comes to an end by itself.
    const dripping = net.createServer((socket) => {
      socket.on('error', () => undefined);
      const timer = setInterval(() => socket.write('H'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    const port = await listen(dripping);
    expect(await guard.reach({ protocol: 'http', host: NAME, port }, null)).to.equal('TIMED_OUT');
    const began = performance.now();
    expect(await guardOf().reach({ protocol: 'http', host: NAME, port: silent }, null)).to.equal('TIMED_OUT');
    expect(performance.now() - began).to.be.within(2_900, 30_000);
  });

  it('send the secret over TLS, to a server with a certificate of its host', async () => {
    const certificate = await makeCertificate();
    const [cert, key] = [certificate.certFile, certificate.keyFile].map((path) => readFileSync(path, 'utf8'));
    await certificate.remove();
    const server = https.createServer({ key, cert }, ({ headers }, response) => {
      heard.push(headers.authorization ?? '');
      response.end('page');
    });
    const port = await listen(server);
    const trusting = guardOf({ certificates: cert ?? '' });
    const destination = { protocol: 'https', host: '127.0.0.1', port } as const;
    expect(await trusting.reach(destination, 's3cr3t')).to.equal(null);
    expect(heard).to.deep.equal(['Bearer s3cr3t']);
    // A certificate that nobody vouches for, and one of another host.
    expect(await guardOf().reach(destination, 's3cr3t')).to.equal('TLS_FAILED');
    expect(await trusting.reach({ ...destination, host: NAME }, 's3cr3t')).to.equal('TLS_FAILED');
    const plain = await listen(saying('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await trusting.reach({ ...destination, port: plain }, 's3cr3t')).to.equal('TLS_FAILED');
    // The secret went out once, to the one server that proved its host.
    expect(heard.filter((text) => text.includes('s3cr3t'))).to.have.length(1);
  });
});
