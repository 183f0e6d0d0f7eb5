/** Downloads from a store that breaks off, ignores ranges, lets addresses expire and sends other bytes. */
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { fetchToFile } from '../../../src/cli/customer/download.ts';
import type { Fetched } from '../../../src/cli/customer/download.ts';
import { createPlaces, makeRoom } from '../../../src/cli/customer/safe-path.ts';
import { refusalOf } from '../../support/refusals.ts';
import { until } from '../../support/until.ts';

const BYTES = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
const sha256 = createHash('sha256').update(BYTES).digest('hex');

describe('downloads', () => {
  let [folder, root, url] = ['', '', ''];
  let server: Server;
  let asked: (string | undefined)[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'dockyard-test-download-'));
    server = createServer((request, response) => {
      asked.push(request.headers.range);
      handle(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    rmSync(root, { recursive: true });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(root, 'job-'));
    asked = [];
    handle = serve;
  });

  /** Answers a request as the store of the test does. */
  const serve = (request: IncomingMessage, response: ServerResponse, bytes: Buffer = BYTES): void => {
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    if (start >= bytes.length) response.writeHead(416).end();
    else response.writeHead(start > 0 ? 206 : 200).end(bytes.subarray(start));
  };
  const file = (): string => join(folder, 'poses.sdf');
  const part = (): string => join(folder, `.poses.sdf.${sha256.slice(0, 16)}.part`);
  const fetchIt = (refresh = (): Promise<string> => Promise.resolve(url)): Promise<Fetched> =>
    fetchToFile({ name: 'poses.sdf', url, byteSize: BYTES.length, sha256 }, file(), {
      refresh,
      firstPauseMs: 1,
    });
  const expectWhole = (): void => {
    expect(readFileSync(file()).equals(BYTES)).to.equal(true);
    expect(readdirSync(folder)).to.deep.equal(['poses.sdf']);
  };

  it('leave a file that is there with the right bytes alone', async () => {
    expect(await fetchIt()).to.deep.equal({ outcome: 'fetched', bytesMoved: BYTES.length });
    expect(await fetchIt()).to.deep.equal({ outcome: 'kept', bytesMoved: 0 });
    expect(asked).to.have.length(1);
    writeFileSync(file(), BYTES.subarray(1));
    expect(await fetchIt()).to.include({ outcome: 'fetched' });
    expectWhole();
  });

  it('go on behind the bytes of an earlier run', async () => {
    writeFileSync(part(), BYTES.subarray(0, 40_000));
    expect(await fetchIt()).to.deep.equal({ outcome: 'resumed', bytesMoved: 60_000 });
    expect(asked).to.deep.equal(['bytes=40000-']);
    expectWhole();
  });

  it('go on by themselves when the connection breaks off', async () => {
    handle = (request, response) => {
      if (asked.length > 2) return serve(request, response);
      const start = Number(/\d+/.exec(request.headers.range ?? '0')?.[0]);
      response.writeHead(start > 0 ? 206 : 200, { 'content-length': BYTES.length - start });
      response.write(BYTES.subarray(start, start + 30_000), () => setTimeout(() => response.destroy(), 20));
    };
    expect(await fetchIt()).to.include({ outcome: 'fetched' });
    expect(asked).to.deep.equal([undefined, 'bytes=30000-', 'bytes=60000-']);
    expectWhole();
  });

  it('outlive a store that closes the connection behind its answer', async () => {
    handle = (_request, response) => {
      const { socket } = response;
      if (socket === null) throw new Error('no socket');
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${BYTES.length}\r\nconnection: close\r\n\r\n`);
      socket.end(BYTES);
    };
    const paths = Array.from({ length: 20 }, (_, index) => join(folder, `${index}.sdf`));
    for (const path of paths) {
      const tools = { refresh: () => Promise.resolve(url), firstPauseMs: 1 };
      await fetchToFile({ name: 'poses.sdf', url, byteSize: BYTES.length, sha256 }, path, tools);
    }
    expect(asked).to.have.length(20);
  });

  it('begin again where the store knows no ranges, and where the part is damaged', async () => {
    writeFileSync(part(), BYTES.subarray(0, 10));
    handle = (_request, response) => void response.writeHead(200).end(BYTES);
    await fetchIt();
    expectWhole();
    rmSync(file());
    handle = serve;
    writeFileSync(part(), Buffer.alloc(40_000));
    asked = [];
    await fetchIt();
    expect(asked).to.deep.equal(['bytes=40000-', undefined]);
    expectWhole();
  });

  it('ask for a new address when theirs has expired', async () => {
    let refreshed = 0;
    handle = (request, response) => {
      if (request.url === '/') response.writeHead(403).end('<Code>AccessDenied</Code>');
      else serve(request, response);
    };
    await fetchIt(() => Promise.resolve(`${url}fresh${(refreshed += 1)}`));
    expect(refreshed).to.equal(1);
    expectWhole();
  });

  it('keep nothing of bytes that are not the announced ones', async () => {
    for (const wrong of [Buffer.alloc(BYTES.length), Buffer.concat([BYTES, Buffer.from('more')])]) {
      handle = (request, response) => serve(request, response, wrong);
      const error = await refusalOf(fetchIt());
      expect(error).to.include({ code: 'DIGEST_MISMATCH' });
      expect(readdirSync(folder)).to.deep.equal([]);
    }
  });

  it('give up on a store that is gone, and keep what they have', async () => {
    handle = (_request, response) => {
      if (asked.length > 1) return void response.destroy();
      response.writeHead(200, { 'content-length': BYTES.length });
      response.write(BYTES.subarray(0, 500));
      void until(
        'the part has the first bytes',
        () => statSync(part(), { throwIfNoEntry: false })?.size === 500,
      ).then(() => response.destroy());
    };
    expect(await refusalOf(fetchIt())).to.include({ code: 'CONNECTION_LOST' });
    expect(readFileSync(part())).to.have.length(500);
    handle = (_request, response) => void response.writeHead(404).end();
    asked = [];
    expect(await refusalOf(fetchIt())).to.include({ code: 'TRANSFER_REFUSED', status: 404 });
    expect(asked).to.have.length(1);
  });
});

describe('places of downloads', () => {
  const output = (
    name: string,
    taskIndex: number | null = null,
    artifactId = name,
  ): Parameters<ReturnType<typeof createPlaces>>[0] => ({
    name,
    taskIndex,
    artifactId,
  });

  it('lie below the folder, whatever the outputs are called', () => {
    const placeOf = createPlaces(2);
    const places = [
      ['../../etc/passwd', 'etc/passwd'],
      ['/var/lib/x', 'var/lib/x'],
      ['a/./b/../c', 'a/b/c'],
      ['..\\..\\windows\\system.ini', 'windows/system.ini'],
      ['...', 'output'],
      ['', 'output.e3b0c442'],
      ['a\u0000b\u202ec:d', 'a_b_c_d'],
      ['con.txt', '_con.txt'],
      ['ligands/x/poses.sdf', 'ligands/x/poses.sdf'],
    ] as const;
    for (const [name, place] of places) expect(placeOf(output(name)), JSON.stringify(name)).to.equal(place);
    const long = placeOf(output('é'.repeat(300)));
    expect(Buffer.byteLength(long)).to.equal(200);
  });

  it('differ for outputs that differ, and are the same for the same output', () => {
    const placeOf = createPlaces(2);
    expect(placeOf(output('result.bin', 0, 'a'))).to.equal('tasks/0/result.bin');
    expect(placeOf(output('result.bin', 1, 'b'))).to.equal('tasks/1/result.bin');
    expect(placeOf(output('result.bin', 1, 'b'))).to.equal('tasks/1/result.bin');
    expect(placeOf(output('Result.bin', 1, 'c'))).to.match(/^tasks\/1\/Result\.bin\.[0-9a-f]{8}$/);
    expect(placeOf(output('manifest.json'))).to.equal('manifest.json');
  });

  it('of a job of one task are the names of its outputs, so that a view finds what it loads', () => {
    const placeOf = createPlaces(1);
    for (const name of ['selected.pdb', 'hits.tsv', 'pockets/pocket1_atm.pdb']) {
      expect(placeOf(output(name, 0))).to.equal(name);
    }
    expect(placeOf(output('view.pml'))).to.equal('view.pml');
    expect(placeOf(output('VIEW.pml', 0, 'task')), 'no output replaces another').to.match(
      /^VIEW\.pml\.[0-9a-f]{8}$/,
    );
  });

  it('are not behind a link that leads out of the folder', async () => {
    const root = mkdtempSync(join(tmpdir(), 'dockyard-test-places-'));
    try {
      for (const name of ['inside', 'outside']) mkdirSync(join(root, name));
      symlinkSync(join(root, 'outside'), join(root, 'inside', 'ligands'));
      const error = await refusalOf(makeRoom(join(root, 'inside'), 'ligands/x/poses.sdf'));
      expect(error).to.include({ code: 'UNSAFE_PATH' });
      expect(readdirSync(join(root, 'outside'))).to.deep.equal([]);
      expect(await makeRoom(join(root, 'inside'), 'a/b/c')).to.equal(join(root, 'inside', 'a', 'b', 'c'));
      expect(readdirSync(join(root, 'inside', 'a'))).to.deep.equal(['b']);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
