/** The data that scenes show: whole, in part, and for nobody who may not see it. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { node, single, structure } from '../unit/scenes/good-scenes.ts';
import { testArchive } from '../support/archive.ts';
import { sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { until } from '../support/until.ts';

const PDB = 'HETATM    1  C1  STR A   1      24.000  10.000  61.000  1.00 20.00           C\nEND\n';
const address = (artifactId: string): string => `/api/v1/molecular/assets/${artifactId}`;

describe('the data of scenes', () => {
  let api: TestApi;
  let key: string;
  let testKey: string;
  before(async () => {
    api = await testApi();
    const account = await api.account();
    ({ liveKey: key, testKey } = account);
    await api.db.query(
      `update api_keys set scopes = '{projects:read}' where account_id = $1 and environment = 'test'`,
      [account.accountId],
    );
  });

  const keyed = () => ({ headers: { 'Idempotency-Key': randomUUID() } });
  const asset = async (content: string, by: string = key) => {
    const storageKey = await api.upload(by, content, { filename: 'a pose.pdb' });
    const made = await api.call(by, 'POST', 'molecular/docking/artifacts', { storageKey, format: 'pdb' });
    return { id: made.body.artifact.artifactId as string, storageKey };
  };
  const scene = (...ids: readonly string[]) =>
    single(
      ...ids.map((id) => node('download', { url: address(id) }, [node('parse', { format: 'pdb' })])),
      node('canvas', { background_color: 'white' }),
    );
  const share = async (...ids: readonly string[]) => {
    const made = await api.call(
      key,
      'POST',
      'molecular/projects',
      { name: 'n', content: { scene: scene(...ids) } },
      keyed(),
    );
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const path = `molecular/projects/${made.body.id}`;
    const shared = await api.call(key, 'POST', `${path}/shares`, { expectedVersion: 1 }, keyed());
    return { path, token: shared.body.share.token as string };
  };
  const get = async (
    path: string,
    by: string | null = key,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fetch(`${api.stack.apiUrl}/api/v1/${path}`, {
      headers: { ...headers, ...(by === null ? {} : { authorization: `Bearer ${by}` }) },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const codeOf = ({ text }: { readonly text: string }): string => JSON.parse(text).code;

  it('come whole, in part, or not at all where the client has them; the digest is their tag', async () => {
    const { id } = await asset(PDB);
    const path = `molecular/assets/${id}`;
    const whole = await get(path);
    expect([whole.status, whole.text]).to.deep.equal([200, PDB]);
    const told = ['etag', 'content-type', 'content-length', 'accept-ranges', 'content-disposition'];
    expect(told.map((name) => whole.headers.get(name))).to.deep.equal([
      ...[`"${sha256(PDB)}"`, 'application/octet-stream', String(PDB.length), 'bytes'],
      "attachment; filename*=UTF-8''a%20pose.pdb",
    ]);
    for (const [range, text, place] of [
      ['bytes=0-5', PDB.slice(0, 6), `0-5`],
      ['bytes=80-', PDB.slice(80), `80-${PDB.length - 1}`],
      ['bytes=-4', PDB.slice(-4), `${PDB.length - 4}-${PDB.length - 1}`],
      ['bytes=0-99999', PDB, `0-${PDB.length - 1}`],
    ] as const) {
      const part = await get(path, key, { range });
      expect([part.status, part.text, part.headers.get('content-range')], range).to.deep.equal([
        ...[206, text, `bytes ${place}/${PDB.length}`],
      ]);
    }
    const beyond = await get(path, key, { range: `bytes=${PDB.length}-` });
    expect([beyond.status, codeOf(beyond)]).to.deep.equal([416, 'RANGE_NOT_SATISFIABLE']);
    const known = await get(path, key, { 'if-none-match': `"${sha256(PDB)}"` });
    expect([known.status, known.text]).to.deep.equal([304, '']);
  });

  it('are the own account’s alone, and of a key that reads no jobs those of its projects', async () => {
    const [shown, other] = [await asset(PDB), await asset(`${PDB} `)];
    await share(shown.id);
    const { liveKey: stranger } = await api.account();
    expect((await get(`molecular/assets/${shown.id}`, stranger)).status).to.equal(404);
    const foreign = await api.call(
      stranger,
      'POST',
      'molecular/projects',
      { name: 'n', content: { scene: scene(shown.id) } },
      keyed(),
    );
    expect([foreign.status, foreign.body.code]).to.deep.equal([422, 'SCENE_SOURCE_REFUSED']);
    expect(foreign.body.error).to.include(shown.id);
    expect((await get(`molecular/assets/${shown.id}`, testKey)).status).to.equal(200);
    for (const id of [other.id, '..%2f..%2fkeys', 'x', `${shown.id}0`])
      expect((await get(`molecular/assets/${id}`, testKey)).status, id).to.equal(404);
    expect((await get(`molecular/assets/${other.id}`)).status).to.equal(200);
  });

  it('come with a share as far as its revision names them, until it is revoked', async () => {
    const [first, second] = [await asset(PDB), await asset(`${PDB}  `)];
    const { path, token } = await share(first.id);
    const later = await api.call(
      key,
      'PUT',
      path,
      { content: { scene: scene(first.id, second.id) }, expectedVersion: 1 },
      keyed(),
    );
    expect(later.status).to.equal(200);
    const at = (id: string) => get(`public/molecular/shared/${token}/assets/${id}`, null);
    const read = await at(first.id);
    expect([read.status, read.text, read.headers.get('x-robots-tag')]).to.deep.equal([200, PDB, 'noindex']);
    expect((await at(second.id)).status, 'of a later revision').to.equal(404);
    for (const id of [randomUUID(), '..%2f..']) expect((await at(id)).status, id).to.equal(404);
    expect((await get(`public/molecular/shared/${token.slice(1)}/assets/${first.id}`, null)).status).to.equal(
      404,
    );
    await api.call(key, 'DELETE', `${path}/shares?expectedVersion=2`);
    const ended = await at(first.id);
    expect([ended.status, codeOf(ended)]).to.deep.equal([410, 'SHARE_REVOKED']);
  });

  it('are named when they are lost or changed, while the rest opens', async () => {
    // Bytes that nobody has read: those that an api has read lately are shown by it although their object is gone.
    const [lost, kept] = [await asset(`${PDB}REMARK ${randomUUID()}\n`), await asset(`${PDB}    `)];
    const { path, token } = await share(lost.id, kept.id);
    await api.store.remove([lost.storageKey]);
    for (const gone of [
      await get(`molecular/assets/${lost.id}`),
      await get(`public/molecular/shared/${token}/assets/${lost.id}`, null),
    ])
      expect([gone.status, codeOf(gone)]).to.deep.equal([410, 'SOURCE_LOST']);
    expect((await get(`public/molecular/shared/${token}/assets/${kept.id}`, null)).status).to.equal(200);
    const restored = await api.call(
      key,
      'POST',
      `${path}/revisions/1/restore`,
      { expectedVersion: 1 },
      keyed(),
    );
    expect([restored.status, restored.body.currentVersion]).to.deep.equal([200, 2]);
    await api.store.put(lost.storageKey, Buffer.from('other'), 'text/plain');
    expect(codeOf(await get(`molecular/assets/${lost.id}`))).to.equal('CHECKSUM_MISMATCH');
  });

  it('have 64 MiB at most: a larger file is refused before a byte of it is read', async () => {
    const { id: like } = await asset(`${PDB}     `);
    // Rows alone, because nothing of a file that is too large is looked for in the store.
    const ofSize = async (byteSize: number): Promise<string> => {
      const id = randomUUID();
      await api.db.query(
        `insert into artifacts (id, account_id, job_id, storage_key, name, kind, media_type, format, byte_size, sha256)
         select $1::uuid, account_id, $1::uuid, 'jobs/' || $1::text, name, kind, media_type, format, $3, sha256 from artifacts where id = $2`,
        [id, like, byteSize],
      );
      return id;
    };
    const [largest, tooLarge] = [await ofSize(64 * 1024 * 1024), await ofSize(64 * 1024 * 1024 + 1)];
    const { token } = await share(largest, tooLarge);
    for (const [path, by] of [
      ['molecular', key],
      [`public/molecular/shared/${token}`, null],
    ] as const) {
      const refused = await get(`${path}/assets/${tooLarge}`, by);
      expect([refused.status, codeOf(refused)]).to.deep.equal([422, 'SOURCE_TOO_LARGE']);
      expect(refused.text).to.include('67108865').and.include('67108864');
      const known = await get(`${path}/assets/${largest}`, by, {
        'if-none-match': `"${sha256(`${PDB}     `)}"`,
      });
      expect(known.status, 'as large as may be').to.equal(304);
    }
  });

  it('have facts, read once for each digest; what is no structure is said to be none', async () => {
    const receptor = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');
    const { id } = await asset(receptor);
    const first = await get(`molecular/assets/${id}/facts`);
    expect(first.status, first.text).to.equal(200);
    const facts = JSON.parse(first.text);
    expect(facts).to.include({ models: 1, atoms: 4262, residues: 500, waters: 180, ligandCount: 2 });
    expect([facts.assemblies, facts.chains]).to.deep.equal([
      ['1', '2'],
      [
        { id: 'A', residues: 251, first: 682, last: 932 },
        { id: 'B', residues: 249, first: 683, last: 931 },
      ],
    ]);
    expect(facts.ligands[0]).to.deep.equal({
      componentId: 'STR',
      chain: 'A',
      residue: 1,
      insertionCode: '',
      atoms: 23,
    });
    const [kept] = await api.db.query<{ made: Date }[]>(
      'select made_at as made from structure_facts where sha256 = $1',
      [sha256(receptor)],
    );
    expect(JSON.parse((await get(`molecular/assets/${id}/facts`)).text)).to.deep.equal(facts);
    const [still] = await api.db.query<{ made: Date }[]>(
      'select made_at as made from structure_facts where sha256 = $1',
      [sha256(receptor)],
    );
    expect(still).to.deep.equal(kept);
    for (const garbage of ['no structure at all\n', '\u0000\u0001', `data_x\nloop_\n_atom_site.id\n`]) {
      const refused = await get(`molecular/assets/${(await asset(garbage)).id}/facts`);
      expect([refused.status, codeOf(refused)], JSON.stringify(garbage)).to.deep.equal([
        422,
        'STRUCTURE_UNREADABLE',
      ]);
    }
  });

  describe('of the archive', () => {
    const CIF = (text: string) => Buffer.from(`data_1SCN\nloop_\n_atom_site.id\n${text}\n`);
    const arrived = async (path: string) => {
      let answer = await get(path);
      await until('the entry is here', async () => {
        if (answer.status === 202) answer = await get(path);
        return answer.status !== 202;
      });
      return answer;
    };

    it('are fetched once for all accounts by the control side, and revisions are kept apart by their digests', async () => {
      const archive = await testArchive();
      let answerNow = (_entry: Buffer): void => undefined;
      archive.deposit('1SCN.cif', new Promise<Buffer>((resolve) => (answerNow = resolve)));
      const { liveKey: other } = await api.account();
      const first = await get('molecular/structures/1SCN');
      expect([first.status, first.headers.get('retry-after')]).to.deep.equal([202, '2']);
      expect(JSON.parse(first.text)).to.include({ pdbId: '1scn', status: 'FETCHING' });
      answerNow(CIF('1'));
      const whole = await arrived('molecular/structures/1scn');
      expect([whole.status, whole.text]).to.deep.equal([200, CIF('1').toString()]);
      expect(whole.headers.get('etag')).to.equal(`"${sha256(CIF('1'))}"`);
      expect((await get('molecular/structures/1scn', other)).text).to.equal(whole.text);
      expect(archive.asked.filter((name) => name === '1SCN.cif')).to.have.length(1);
      // The archive revises the entry, and a day later somebody asks for the newest one.
      archive.deposit('1SCN.cif', CIF('2'));
      await api.db.query(
        `update structure_imports set ended_at = ended_at - interval '25 hours' where pdb_id = '1scn'`,
      );
      expect((await arrived('molecular/structures/1scn')).text).to.equal(CIF('2').toString());
      const before = await get(`molecular/structures/1scn?sha256=${sha256(CIF('1'))}`, key, {
        range: 'bytes=0-8',
      });
      expect([before.status, before.text]).to.deep.equal([206, 'data_1SCN']);
      expect((await get(`molecular/structures/1scn?sha256=${'0'.repeat(64)}`)).status).to.equal(404);
    });

    it('are shown with a share that names them, and named in a scene once they are here', async () => {
      const [here, absent] = [sha256(CIF('1')), '0'.repeat(64)];
      const at = (digest: string) => `/api/v1/molecular/structures/1scn?sha256=${digest}`;
      const save = (digest: string) => {
        const content = { scene: single(structure(at(digest))) };
        return api.call(key, 'POST', 'molecular/projects', { name: 'n', content }, keyed());
      };
      expect((await save(absent)).body.code).to.equal('SCENE_SOURCE_REFUSED');
      const made = await save(here);
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      const path = `molecular/projects/${made.body.id}/shares`;
      const { token } = (await api.call(key, 'POST', path, { expectedVersion: 1 }, keyed())).body.share;
      const shown = (digest: string) =>
        get(`public/molecular/shared/${token}/structures/1scn?sha256=${digest}`, null);
      expect((await shown(here)).text).to.equal(CIF('1').toString());
      expect((await shown(sha256(CIF('2')))).status, 'of no revision that is shared').to.equal(404);
    });

    it('are missed in words when the archive has none', async () => {
      const gone = await arrived('molecular/structures/9zzz');
      expect([gone.status, codeOf(gone)]).to.deep.equal([404, 'NOT_FOUND']);
      expect(gone.text).to.include('archive');
      expect((await get('molecular/structures/1')).status).to.equal(404);
    });
  });
});
