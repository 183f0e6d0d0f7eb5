/** Proxies that the environment names: gone through by the command line and by uploads, and named where nothing is reached. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as http from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { proxyWords } from '../../../src/client/proxy.ts';
import { createPutter } from '../../../src/client/upload/put.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** A name that nobody can look up, so that only the proxy reaches the service. */
const AWAY = 'http://service.invalid';
const NAMES = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'];

describe('proxies of the environment', function () {
  this.timeout(120_000);
  let [service, proxy, seen] = [http.createServer(), http.createServer(), [] as string[]];
  const portOf = (server: http.Server): number => (server.address() as AddressInfo).port;
  const former = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
  const set = (values: Readonly<Record<string, string | undefined>>): void => {
    for (const name of NAMES) {
      const value = values[name];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  };

  before(async () => {
    service = http.createServer((request, response) => {
      request.resume();
      response.setHeader('etag', '"1"');
      response.end(JSON.stringify({ available_cents: 1234, wallet_cents: 1234, path: request.url }));
    });
    proxy = http.createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const { pathname } = new URL(request.url ?? '');
      const onward = { agent: false, port: portOf(service), method: request.method, path: pathname };
      const passed = http.request(onward, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      request.pipe(passed);
    });
    proxy.on('connect', (request, socket) => {
      seen.push(`CONNECT ${request.url}`);
      const there = connect(portOf(service), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      for (const end of [there, socket]) end.on('error', () => undefined);
    });
    for (const server of [service, proxy]) await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => {
    seen = [];
    set({});
  });
  after(() => {
    set(former);
    for (const server of [service, proxy]) {
      server.close();
      server.closeAllConnections();
    }
  });

  const balance = async (env: Readonly<Record<string, string>>): Promise<{ out: string; err: string }> => {
    const child = spawn(process.execPath, [join(root, 'src/bin/dockyard.ts'), 'balance', '--json'], {
      env: { PATH: process.env['PATH'], DOCKYARD_API_URL: AWAY, DOCKYARD_API_KEY: 'svc_live_x', ...env },
    });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { out, err };
  };

  it('are gone through by the command line, but not to this machine', async () => {
    const address = `http://127.0.0.1:${portOf(proxy)}`;
    const [far, near] = await Promise.all([
      balance({ HTTP_PROXY: address }),
      balance({ HTTP_PROXY: 'http://127.0.0.1:9', DOCKYARD_API_URL: `http://127.0.0.1:${portOf(service)}` }),
    ]);
    for (const { out, err } of [far, near])
      expect(JSON.parse(out === '' ? err : out), err).to.include({ available_cents: 1234 });
    expect(seen).to.deep.equal(['CONNECT service.invalid:80']);
  });

  it('are gone through by uploads where Node goes through them', async () => {
    const restore = http.setGlobalProxyFromEnv({ http_proxy: `http://127.0.0.1:${portOf(proxy)}` });
    const putter = createPutter();
    try {
      const body = { byteLength: 2, chunks: () => [Buffer.from('hi')] };
      const target = { url: `${AWAY}/bucket/key`, headers: {} };
      const answer = await putter.put(target, body, AbortSignal.timeout(5_000), () => undefined);
      expect(answer.etag).to.equal('"1"');
    } finally {
      putter.close();
      restore();
    }
    expect(seen).to.deep.equal([`PUT ${AWAY}/bucket/key`]);
  });

  it('are named where an address is not reached, unless the environment excepts the address', () => {
    const words = (url: string): string => proxyWords(new URL(url));
    expect(words('https://a.example')).to.equal('');
    set({ HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY: 'b.example, .c.example' });
    expect(words('https://a.example')).to.include('HTTPS_PROXY is set').and.include('NODE_USE_ENV_PROXY=1');
    for (const url of ['http://a.example', 'https://b.example', 'https://x.c.example', 'https://127.0.0.1:1'])
      expect(words(url), url).to.equal('');
    const restore = http.setGlobalProxyFromEnv(process.env);
    try {
      expect(words('https://a.example')).to.equal(' The call goes through the proxy that HTTPS_PROXY names.');
    } finally {
      restore();
    }
  });
});
