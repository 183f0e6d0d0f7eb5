import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { HostTable, instanceIdOf } from '../../../src/local-host/host-table.ts';

const launchedAt = '2026-01-01T00:00:00.000Z';
const recordOf = (token: string) =>
  ({ id: instanceIdOf(token), token, state: 'running', launchedAt, endedAt: null }) as const;

describe("the compute host's table", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'dockyard-table-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('knows after a restart what it was told last', async () => {
    const table = new HostTable(folder);
    const a = recordOf('a');
    await Promise.all([
      table.put(a),
      table.put({ ...a, state: 'gone', endedAt: launchedAt }),
      table.put(recordOf('b')),
    ]);
    const again = new HostTable(folder);
    expect(again.get('a')?.state).to.equal('gone');
    expect(again.get('b')).to.deep.equal({ ...recordOf('b'), token: null });
    expect(again.get('c')).to.equal(null);
  });

  it('drops what a crash has torn', async () => {
    await new HostTable(folder).put(recordOf('a'));
    writeFileSync(join(folder, `${instanceIdOf('b')}.json`), '{"id":');
    writeFileSync(join(folder, `${instanceIdOf('c')}.json.new`), JSON.stringify(recordOf('c')));
    expect(new HostTable(folder).all()).to.deep.equal([{ ...recordOf('a'), token: null }]);
  });

  it('keeps no token on disk', async () => {
    const secret = 'a-launch-token-that-no-tool-may-read';
    const table = new HostTable(folder);
    await table.put({ ...recordOf('new'), id: instanceIdOf(secret), token: secret });
    expect(table.get(secret)?.token).to.equal(secret);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).to.have.length(1);
    expect(texts.filter((text) => text.includes(secret))).to.deep.equal([]);
    expect(new HostTable(folder).get(secret)?.state).to.equal('running');
  });

  it('forgets what has been gone for a week, and nothing else', async () => {
    const table = new HostTable(folder);
    await table.put({ ...recordOf('old'), state: 'gone', endedAt: '2026-01-01T00:00:00.000Z' });
    await table.put({ ...recordOf('new'), state: 'gone', endedAt: '2026-01-09T00:00:00.000Z' });
    await table.put(recordOf('running'));
    await table.prune(new Date('2026-01-10T00:00:00.000Z'));
    expect(table.all().map(({ token }) => token)).to.deep.equal(['new', 'running']);
    expect(readdirSync(folder)).to.have.length(2);
  });
});
