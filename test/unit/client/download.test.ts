/** Downloads by the client, from a server that closes every connection after its answer, as object stores do. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { fetchOutput } from '../../../src/client/files.ts';

const BODY = randomBytes(4 * 1024 * 1024);
const SHA256 = createHash('sha256').update(BODY).digest('hex');
const RETRY = { attempts: 1, firstPauseMs: 1, longestPauseMs: 1 };

describe('a download', () => {
  let folder: string;
  let base: string;
  const server = createServer((request, response) => {
    response.shouldKeepAlive = false;
    if (request.url === '/refused') response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    else response.end(request.url === '/other' ? BODY.subarray(1) : BODY);
  });
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dockyard-download-'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  const fetchTo = (path: string, name: string): Promise<void> =>
    fetchOutput(
      { retry: RETRY },
      { url: `${base}${path}`, sha256: SHA256, byteSize: BODY.byteLength, name },
      join(folder, name),
      undefined,
    );
  const failure = async (work: Promise<void>): Promise<{ code?: unknown; message?: unknown }> => {
    try {
      await work;
    } catch (error) {
      return error as { code?: unknown };
    }
    throw new Error('it did not fail');
  };

  it('is whole, also several at once, and leaves nothing else behind', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index}.bin`);
    await Promise.all(names.map((name) => fetchTo('/', name)));
    for (const name of names) expect((await readFile(join(folder, name))).equals(BODY)).to.equal(true);
    expect((await readdir(folder)).toSorted()).to.deep.equal(names.toSorted());
  });

  it('makes the folders that its path names', async () => {
    await fetchTo('/', 'ligands/caffeine/poses.sdf');
    expect((await readFile(join(folder, 'ligands/caffeine/poses.sdf'))).equals(BODY)).to.equal(true);
    rmSync(join(folder, 'ligands'), { recursive: true });
  });

  it('that cannot be written here fails by what this machine says', async () => {
    await symlink(join(folder, 'nowhere', 'file'), join(folder, 'closed.bin.part'));
    expect((await failure(fetchTo('/', 'closed.bin'))).code).to.equal('ENOENT');
  });

  it('of other bytes is not kept', async () => {
    expect((await failure(fetchTo('/other', 'other.bin'))).code).to.equal('DIGEST_MISMATCH');
    expect(await readdir(folder)).not.to.include('other.bin');
  });

  it('that the store refuses says what to do', async () => {
    const { code, message } = await failure(fetchTo('/refused', 'refused.bin'));
    expect(code).to.equal('TRANSFER_REFUSED');
    expect(message).to.contain('AccessDenied').and.to.contain('expired');
  });
});
