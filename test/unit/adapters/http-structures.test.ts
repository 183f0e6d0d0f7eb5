import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { createHttpStructures } from '../../../src/adapters/structures/http.ts';
import type { HttpStructuresOptions } from '../../../src/adapters/structures/http.ts';

const CIF = 'data_1A28\n#\nloop_\n_atom_site.group_PDB\n_atom_site.id\nATOM 1\n';

type Handler = (request: IncomingMessage, answer: ServerResponse, call: number) => void;

describe('structures over HTTP', () => {
  let server: Server;
  let handler: Handler;
  let paths: string[];

  before(async () => {
    server = createServer((request, answer) => {
      paths.push(request.url ?? '');
      handler(request, answer, paths.length);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(() => {
    paths = [];
  });

  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/download`;
  const source = (options: Partial<HttpStructuresOptions> = {}) =>
    createHttpStructures({
      baseUrl: `${url()}/`,
      log: { warn: () => undefined },
      backOffSeconds: 0.01,
      ...options,
    });
  const answers = (...texts: (string | number)[]): Handler => {
    return (_request, answer, call) => {
      const next = texts[Math.min(call, texts.length) - 1];
      if (typeof next === 'number') answer.writeHead(next).end('no');
      else answer.writeHead(200).end(next);
    };
  };
  const failure = async (options?: Partial<HttpStructuresOptions>): Promise<string> => {
    const fetched = await source(options).fetch('1a28');
    if (fetched.ok) throw new Error('was fetched');
    expect(fetched.reason).to.equal('unreachable');
    return fetched.message;
  };

  it('gets the mmCIF file of an entry byte for byte, whatever the case of its id', async () => {
    handler = (_request, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(CIF));
    const fetched = await source().fetch('1a28');
    if (!fetched.ok) throw new Error(fetched.message);
    expect(Buffer.from(fetched.body).toString()).to.equal(CIF);
    expect(fetched).to.include({ format: 'mmcif', sourceUrl: `${url()}/1A28.cif` });
    expect(paths).to.deep.equal(['/download/1A28.cif']);
  });

  it('says at once that there is no such entry', async () => {
    for (const status of [404, 410]) {
      handler = answers(status);
      const fetched = await source().fetch('9ZZZ');
      expect(fetched).to.include({ ok: false, reason: 'absent' });
      expect(fetched.ok ? '' : fetched.message).to.include('9ZZZ');
    }
    expect(paths).to.have.length(2);
  });

  it('tries again what may pass: overload, cut connections, error pages with status 200', async () => {
    handler = (request, answer, call) => {
      if (call === 1) answer.writeHead(503).end();
      else if (call === 2) request.socket.destroy();
      else if (call === 3) answer.writeHead(200).end('<html>maintenance</html>');
      else answer.writeHead(200).end(CIF);
    };
    expect(await source().fetch('1A28')).to.include({ ok: true });
    expect(paths).to.have.length(4);
  });

  it('gives up after its tries, and at once on what will not pass', async () => {
    handler = answers(500);
    expect(await failure())
      .to.include('1A28')
      .and.include('500');
    expect(paths).to.have.length(4);
    handler = answers(403);
    expect(await failure()).to.include('403');
    expect(paths).to.have.length(5);
  });

  it('takes no other entry, and nothing without atoms', async () => {
    handler = answers(CIF.replace('1A28', '1HPV'));
    expect(await failure({ attempts: 1 })).to.include('1HPV');
    handler = answers('data_1A28\n_entry.id 1A28\n');
    expect(await failure({ attempts: 1 })).to.include('no atoms');
  });

  it('reads no more than its bound, announced or not', async () => {
    handler = answers(CIF + '#'.repeat(2000));
    expect(await failure({ maxBytes: 1000 })).to.include('1000 bytes');
    handler = (_request, answer) => {
      answer.writeHead(200);
      answer.write(CIF);
      const more = setInterval(() => answer.write('#'.repeat(500)), 5);
      answer.on('close', () => clearInterval(more));
    };
    expect(await failure({ maxBytes: 1000 })).to.include('1000 bytes');
    expect(paths).to.have.length(2);
  });

  it('leaves an archive that is silent, or sends for ever', async () => {
    handler = (_request, answer) => {
      answer.writeHead(200);
      answer.write(CIF);
    };
    const startedAt = performance.now();
    expect(await failure({ attempts: 2, idleSeconds: 0.1 })).to.include('too long');
    handler = (_request, answer) => {
      answer.writeHead(200);
      const more = setInterval(() => answer.write('#'), 20);
      answer.on('close', () => clearInterval(more));
    };
    expect(await failure({ attempts: 1, attemptSeconds: 0.2 })).to.include('too long');
    expect(performance.now() - startedAt).to.be.below(30_000);
  });

  it('says that the archive cannot be reached', async () => {
    expect(await failure({ baseUrl: 'http://127.0.0.1:1/x', attempts: 2 })).to.include('cannot be reached');
  });
});
