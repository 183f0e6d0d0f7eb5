/** Projects over HTTP: versions, keys, tags and shares as the contract says. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { node, single, structure } from '../unit/scenes/good-scenes.ts';
import { testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';

const CONTENT = {
  scene: { ...single(node('canvas', { background_color: 'white' })), ä: '\u2028' },
  sources: [],
  notes: 'kept',
  unknown: { deep: [1, null] },
};

describe('projects over HTTP', () => {
  let api: TestApi;
  let key: string;
  before(async () => {
    api = await testApi();
    ({ liveKey: key } = await api.account());
  });

  const keyed = (idempotencyKey: string = randomUUID()) => ({
    headers: { 'Idempotency-Key': idempotencyKey },
  });
  const create = (body: object = { name: 'Kinase', content: CONTENT }, idempotencyKey?: string) =>
    api.call(key, 'POST', 'molecular/projects', body, keyed(idempotencyKey));
  const made = async (): Promise<string> => (await create()).body.id;
  const at = (id: string, rest = ''): string => `molecular/projects/${id}${rest}`;

  it('create, save, restore, list, read and delete', async () => {
    const created = await create();
    expect(created.status).to.equal(201);
    const { id } = created.body;
    expect(created.headers.get('location')).to.equal(`/api/v1/molecular/projects/${id}`);
    const saved = await api.call(
      key,
      'PUT',
      at(id),
      { content: { notes: 'b' }, expectedVersion: 1, message: 'second' },
      keyed(),
    );
    expect([saved.status, saved.body.currentVersion]).to.deep.equal([200, 2]);
    const restored = await api.call(
      key,
      'POST',
      at(id, '/revisions/1/restore?expectedVersion=2'),
      undefined,
      keyed(),
    );
    expect([restored.status, restored.body.currentVersion]).to.deep.equal([200, 3]);
    const read = await api.call(key, 'GET', at(id));
    expect(read.body).to.deep.include({ currentVersion: 3, content: CONTENT });
    const revisions = await api.call(key, 'GET', at(id, '/revisions?limit=2'));
    expect(
      revisions.body.revisions.map((each: { version: number; sourceVersion: number | null }) => [
        each.version,
        each.sourceVersion,
      ]),
    ).to.deep.equal([
      [3, 1],
      [2, null],
    ]);
    const next = await api.call(key, 'GET', at(id, `/revisions?limit=2&cursor=${revisions.body.nextCursor}`));
    expect(next.body).to.deep.include({ nextCursor: null }).and.have.nested.property('revisions.length', 1);
    const listed = await api.call(key, 'GET', 'molecular/projects?limit=1');
    expect(listed.body.projects).to.have.length(1);
    expect((await api.call(key, 'DELETE', at(id, '?expectedVersion=2'))).body).to.include({
      code: 'VERSION_CONFLICT',
      currentVersion: 3,
    });
    expect((await api.call(key, 'DELETE', at(id), { expectedVersion: 3 })).status).to.equal(204);
    expect((await api.call(key, 'GET', at(id))).status).to.equal(404);
  });

  it('refuse a version that is none, or two that differ, before anything is written', async () => {
    const id = await made();
    for (const expectedVersion of [0, -1, 1.5, '1', null, 1e10, [1]])
      expect(
        (await api.call(key, 'PUT', at(id), { content: {}, expectedVersion }, keyed())).status,
        String(expectedVersion),
      ).to.equal(400);
    for (const sent of ['0', '-1', '01', '1e0', '1.0', '', '%201'])
      expect(
        (await api.call(key, 'PUT', at(id, `?expectedVersion=${sent}`), { content: {} }, keyed())).status,
        sent,
      ).to.equal(400);
    for (const [query, body] of [
      ['', {}],
      ['?expectedVersion=2', { expectedVersion: 1 }],
    ] as const)
      expect(
        (await api.call(key, 'PUT', at(id, query), { content: {}, ...body }, keyed())).body.error,
      ).to.include('expectedVersion');
    for (const version of ['0', '1e0', '1234567890', 'x'])
      expect((await api.call(key, 'GET', at(id, `/revisions/${version}`))).status, version).to.equal(404);
    expect((await api.call(key, 'GET', at(id))).body.currentVersion).to.equal(1);
    const both = await api.call(
      key,
      'PUT',
      at(id, '?expectedVersion=1'),
      { content: {}, expectedVersion: 1 },
      keyed(),
    );
    expect(both.status).to.equal(200);
  });

  it('refuse a scene that nobody could open later, and name all that is wrong with it', async () => {
    const refused = async (content: object) => (await create({ name: 'n', content })).body;
    const wrong = await refused({ scene: single(node('canvas', { colour: 1 }), node('teapot')) });
    expect(wrong.code).to.equal('SCENE_INVALID');
    expect(wrong.error)
      .to.include('content.scene.root.children[0].params.colour: ')
      .and.include('children[1].kind: ');
    const foreign = await refused({ scene: single(structure('https://files.rcsb.org/download/1a28.cif')) });
    expect(foreign.code).to.equal('SCENE_SOURCE_REFUSED');
    expect(foreign.error)
      .to.include('children[0].params.url')
      .and.include('GET /api/v1/molecular/structures/');
    const signed = [
      'https://store.example/a?X-Amz-Signature=00',
      'https://a.blob.example/a?sp=r&sig=00',
      key,
    ];
    for (const notes of signed)
      expect((await refused({ notes })).code, notes).to.equal('CONTENT_HOLDS_SECRET');
    const id = await made();
    const share = await api.call(
      key,
      'POST',
      at(id, '/shares?expectedVersion=1'),
      { content: { scene: 1 } },
      keyed(),
    );
    expect(share.body.code).to.equal('SCENE_INVALID');
    expect((await api.call(key, 'GET', at(id))).body.currentVersion, 'nothing is saved').to.equal(1);
  });

  it('ask for a key, and answer an equal request under the key with the bytes of the first answer', async () => {
    const without = await api.call(key, 'POST', 'molecular/projects', { name: 'n', content: {} });
    expect([without.status, without.body.code]).to.deep.equal([400, 'IDEMPOTENCY_KEY_REQUIRED']);
    const name = randomUUID();
    const [first, second] = [
      await create({ name, content: {} }, name),
      await create({ name, content: {} }, name),
    ];
    expect([
      first.headers.get('idempotency-replayed'),
      second.headers.get('idempotency-replayed'),
    ]).to.deep.equal([null, 'true']);
    expect([second.status, second.headers.get('location')]).to.deep.equal([
      201,
      first.headers.get('location'),
    ]);
    expect(JSON.stringify(second.body)).to.equal(JSON.stringify(first.body));
    const [id, saveKey] = [first.body.id, randomUUID()];
    const saveAt = (version: number) =>
      api.call(key, 'PUT', at(id, `?expectedVersion=${version}`), { content: {} }, keyed(saveKey));
    expect([(await saveAt(1)).status, (await saveAt(1)).status]).to.deep.equal([200, 200]);
    expect((await saveAt(2)).body.code, 'the version in the query belongs to the request').to.equal(
      'IDEMPOTENCY_KEY_REUSED',
    );
    const unnamed = await api.call(
      key,
      'POST',
      at(id, '/shares?expectedVersion=2'),
      { name: 'lost' },
      keyed(),
    );
    expect(unnamed.body.error, 'a name that nothing is saved under').to.include('content');
    const other = await create({ name: 'other', content: {} }, name);
    expect([other.status, other.body.code]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('are at their paths of before, too, which say since when and until when', async () => {
    const id = await made();
    const path = `/api/molecular/projects/${id}`;
    const saved = await api.call(key, 'PUT', path, { content: {}, expectedVersion: 1 }, keyed());
    expect([saved.status, saved.body.currentVersion]).to.deep.equal([200, 2]);
    const { headers } = await api.call(key, 'GET', path);
    expect(headers.get('link')).to.equal('</api/v1/molecular/projects>; rel="successor-version"');
    const [since, until] = [
      Number(headers.get('deprecation')?.slice(1)),
      Date.parse(headers.get('sunset') ?? ''),
    ];
    expect((until / 1000 - since) / 86_400).to.be.at.least(90);
    expect((await api.call(key, 'GET', at(id))).headers.get('deprecation')).to.equal(null);
  });

  it('answer 304 to whoever has the revision', async () => {
    const id = await made();
    for (const path of [at(id), at(id, '/revisions/1')]) {
      const etag = (await api.call(key, 'GET', path)).headers.get('etag') ?? '';
      const again = await api.call(key, 'GET', path, undefined, { headers: { 'If-None-Match': etag } });
      expect(again.status, path).to.equal(304);
    }
  });

  it('show a share to everybody with its token, from any origin and to no search engine, until it is revoked', async () => {
    const id = await made();
    const shared = await api.call(key, 'POST', at(id, '/shares'), { expectedVersion: 1 }, keyed());
    const { token, link, shareId } = shared.body.share;
    expect([shared.status, link]).to.deep.equal([201, `/molecular/shared/${token}`]);
    await api.call(key, 'PUT', at(id), { content: { notes: 'private' }, expectedVersion: 1 }, keyed());
    const shown = await api.call(null, 'GET', `public/molecular/shared/${token}`);
    expect(shown.body).to.deep.include({ name: 'Kinase', version: 1, content: CONTENT });
    for (const [name, value] of [
      ['x-robots-tag', 'noindex'],
      ['referrer-policy', 'no-referrer'],
      ['access-control-allow-origin', '*'],
    ])
      expect(shown.headers.get(name ?? ''), name).to.equal(value);
    const wrong = await api.call(null, 'GET', `public/molecular/shared/${token.slice(1)}`);
    expect(wrong.status).to.equal(404);
    const left = await api.call(key, 'DELETE', at(id, `/shares?expectedVersion=2&shareId=${shareId}`));
    expect([left.status, left.body.share]).to.deep.equal([200, null]);
    const ended = await api.call(null, 'GET', `public/molecular/shared/${token}`);
    expect([ended.status, ended.body.code]).to.deep.equal([410, 'SHARE_REVOKED']);
  });

  it('refuse a content that is no object or too large, with the path of what is wrong', async () => {
    for (const content of [null, [], 'text', 1])
      expect((await create({ name: 'n', content })).body.error, JSON.stringify(content)).to.include(
        'content',
      );
    const large = await create({ name: 'n', content: { notes: 'x'.repeat(5 * 1024 * 1024) } });
    expect([large.status, large.body.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
    const raw = (text: string) =>
      api.call(key, 'POST', 'molecular/projects', undefined, {
        ...keyed(),
        raw: `{"name":"n","content":${text}}`,
      });
    for (const text of [
      '{"a":1e400}',
      '{"a":"\\ud800"}',
      '{"\\udfff":1}',
      `${'['.repeat(1000)}${']'.repeat(1000)}`,
      '{"__proto__":{"a":1}}',
      '{"scene":[{"kind":"single","kind":"multiple"}]}',
      `{"notes":"${'x'.repeat(100_000)}","notes":""}`,
    ]) {
      const answer = await raw(text);
      expect(answer.status, text.slice(0, 40)).to.equal(400);
      expect(answer.body.error, 'the place of the mistake').to.match(/"content\.|nested deeper/);
    }
    const notes = 'x'.repeat(5 * 1024 * 1024 - '{"notes":""}'.length);
    expect((await create({ name: 'n', content: { notes } })).status, 'five mebibytes').to.equal(201);
    expect((await create({ name: 'n', content: { notes: `${notes}x` } })).status, 'and a byte').to.equal(413);
  });

  it('restore their head and no version of another project; a deleted project is shared no more, nor does a token show it', async () => {
    const [id, other] = [await made(), await made()];
    await api.call(key, 'PUT', at(other), { content: {}, expectedVersion: 1 }, keyed());
    const restore = (version: string) =>
      api.call(key, 'POST', at(id, `/revisions/${version}/restore`), { expectedVersion: 1 }, keyed());
    for (const version of ['2', '0', '1234567890']) expect((await restore(version)).status).to.equal(404);
    expect((await restore('1')).body).to.include({ currentVersion: 2 });
    const share = () => api.call(key, 'POST', at(id, '/shares'), { expectedVersion: 2 }, keyed());
    const { token } = (await share()).body.share;
    const shown = (sent: string) => api.call(null, 'GET', `public/molecular/shared/${sent}`);
    expect((await shown(token)).status).to.equal(200);
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`;
    for (const sent of [
      token.slice(0, -1),
      `${token}A`,
      changed,
      token.toLowerCase(),
      '%00',
      '..%2f..',
      'x'.repeat(201),
    ])
      expect((await shown(sent)).body, sent).to.include({ code: 'NOT_FOUND' });
    await api.call(key, 'DELETE', at(id, '?expectedVersion=2'));
    expect((await share()).status).to.equal(404);
    expect((await shown(token)).body).to.include({ code: 'SHARE_REVOKED' });
  });

  it('are cited by format and by Accept, and have a signed receipt', async () => {
    const id = await made();
    const path = at(id, '/revisions/1/citation');
    const cite = async (query = '', accept = '*/*'): Promise<[number, string | null, string]> => {
      const answer = await fetch(`${api.stack.apiUrl}/api/v1/${path}${query}`, {
        headers: { Authorization: `Bearer ${key}`, Accept: accept },
      });
      return [answer.status, answer.headers.get('content-type'), await answer.text()];
    };
    const { body } = await api.call(key, 'GET', at(id));
    const [status, type, text] = await cite();
    expect([status, type]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    expect(text).to.include('Kinase, version 1 [molecular project]').and.include(body.contentSha256);
    const [, bibtexType, bibtex] = await cite('', 'application/x-bibtex');
    expect([bibtexType, bibtex.startsWith(`@misc{dockyard-${id}-v1,\n`)]).to.deep.equal([
      'application/x-bibtex; charset=utf-8',
      true,
    ]);
    const [, , csl] = await cite('?format=csl-json', 'text/plain');
    expect(JSON.parse(csl)[0]).to.include({ type: 'dataset', title: 'Kinase', version: '1' });
    expect((await cite('?format=ris'))[0]).to.equal(400);
    expect((await api.call(key, 'GET', at(id, '/revisions/2/citation'))).status).to.equal(404);
    const receipt = await api.call(key, 'GET', at(id, '/revisions/1/receipt'));
    expect([receipt.status, receipt.body.code ?? receipt.body.receipt?.version]).to.be.deep.oneOf([
      [409, 'RECEIPT_NOT_READY'],
      [200, 1],
    ]);
    expect((await api.call(key, 'GET', at(id, '/revisions/2/receipt'))).status).to.equal(404);
  });
});
