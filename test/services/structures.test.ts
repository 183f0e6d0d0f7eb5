/** Imports of entries of the archive: how many an account has at once, what is asked again, and what an archive that is away leaves. */
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import type { StructureFetch } from '../../src/adapters/structures/structures.ts';
import type { Actor } from '../../src/domain/access.ts';
import { createStructures, recordImport } from '../../src/services/molecular/structures.ts';
import { newOwner } from '../support/actors.ts';
import { suiteHome } from '../support/home.ts';
import { codeOf } from '../support/refusals.ts';

const CIF = (content: string): StructureFetch => ({
  ...{ ok: true, body: Buffer.from(content), format: 'mmcif', mediaType: 'chemical/x-mmcif' },
  sourceUrl: 'http://archive.example/1abc.cif',
});
const AWAY: StructureFetch = { ok: false, reason: 'unreachable', message: 'away' };

describe('imports of entries of the archive', () => {
  const home = suiteHome();
  const started: string[] = [];
  let structures: ReturnType<typeof createStructures>;
  let owner: Actor;
  beforeEach(async () => {
    started.length = 0;
    await home.db.query('truncate structure_imports, deposited_structures');
    const workflows = { importStructure: async (pdbId: string) => void started.push(pdbId) };
    structures = createStructures({ db: home.db, store: home.store, workflows });
    owner = await newOwner(home.db);
  });

  const ask = async (pdbId: string, by: Actor = owner): Promise<string> => {
    const found = await structures.read(by, pdbId, null);
    return found.kind === 'fetching' ? 'fetching' : text(await found.file.open());
  };
  const ends = (pdbId: string, fetched: StructureFetch): Promise<void> =>
    recordImport({ db: home.db, store: home.store, structures: { fetch: async () => fetched } }, pdbId);
  const later = (interval: string): Promise<unknown> =>
    home.db.query(
      `update structure_imports set asked_at = asked_at - $1::interval, ended_at = ended_at - $1::interval`,
      [interval],
    );

  it('are five at once for each account; a further one begins when one has ended', async () => {
    for (const pdbId of ['1aaa', '1aab', '1aac', '1aad', '1aae', '1aaf'])
      expect(await ask(pdbId)).to.equal('fetching');
    expect(started).to.deep.equal(['1aaa', '1aab', '1aac', '1aad', '1aae']);
    expect(await ask('1aag', await newOwner(home.db)), 'of another account').to.equal('fetching');
    await ends('1aaa', CIF('a'));
    expect(await ask('1aaf')).to.equal('fetching');
    expect(started.slice(5)).to.deep.equal(['1aag', '1aaf']);
    expect([await ask('1AAA'), started.length]).to.deep.equal(['a', 7]);
  });

  it('are asked for again where the message may be lost, and not before', async () => {
    await ask('1abc');
    await ask('1abc');
    expect(started).to.deep.equal(['1abc']);
    await later('31 seconds');
    await ask('1abc');
    expect(started).to.deep.equal(['1abc', '1abc']);
  });

  it('may run twice, and keep each revision', async () => {
    await ask('1abc');
    for (const content of ['a', 'a', 'b']) await ends('1abc', CIF(content));
    expect(await ask('1abc')).to.equal('b');
    const [row] = await home.db.query<{ count: number }[]>('select count(*)::int from deposited_structures');
    expect(row?.count).to.equal(2);
  });

  it('leave the newest revision that is known when the archive is away, else say so and try again soon', async () => {
    await ask('1abc');
    await ends('1abc', AWAY);
    expect(await codeOf(structures.read(owner, '1abc', null))).to.equal('SERVICE_UNAVAILABLE');
    await later('31 seconds');
    expect(await ask('1abc')).to.equal('fetching');
    await ends('1abc', CIF('a'));
    await later('25 hours');
    expect(await ask('1abc')).to.equal('fetching');
    await ends('1abc', AWAY);
    expect(await ask('1abc')).to.equal('a');
  });
});
