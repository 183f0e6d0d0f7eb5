/** Scenes as files: what is in them, who may have them, and that they are proven without the service. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';

import { expect } from 'chai';
import { openPromise } from 'yauzl';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { issueRevisionReceipts } from '../../src/services/receipts/revisions.ts';
import { createReceiptSigner } from '../../src/services/receipts/keys.ts';
import { createZipFile } from '../../src/services/scene-exports/zip-file.ts';
import { findTool } from '../../src/stack/tools.ts';
import { canonicalJson } from '../../src/tools/canonical.ts';
import { node, single, structure } from '../unit/scenes/good-scenes.ts';
import { sha256, testApi } from '../support/api.ts';
import type { TestApi } from '../support/api.ts';
import { testArchive } from '../support/archive.ts';
import { runCommand } from '../support/command-line.ts';
import { corpusFile, corpusScene, readCorpus } from '../support/scene-corpus.ts';
import { until } from '../support/until.ts';
import { sharedViewer } from '../support/viewer.ts';

const run = promisify(execFile);
const PDB = 'HETATM    1  C1  STR A   1      24.000  10.000  61.000  1.00 20.00           C\nEND\n';
const CIF = 'data_1SEX\nloop_\n_atom_site.id\n1\n';
const address = (artifactId: string): string => `/api/v1/molecular/assets/${artifactId}`;

/** The files of an archive, as another program than ours reads them. */
async function unpacked(path: string): Promise<Map<string, Buffer>> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return files;
}

async function packed(path: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  const zip = await createZipFile();
  const { Readable } = await import('node:stream');
  for (const [name, bytes] of files) await zip.add(name, Readable.from([bytes]));
  await zip.end();
  writeFileSync(path, await buffer(zip.read()));
}

describe('exports of scenes', () => {
  let api: TestApi;
  let key: string;
  let ownTestKey: string;
  let accountId: string;
  let folder: string;
  before(async () => {
    api = await testApi();
    ({ liveKey: key, testKey: ownTestKey, accountId } = await api.account());
    folder = mkdtempSync(join(tmpdir(), 'dockyard-exports-'));
    (await testArchive()).deposit('1SEX.cif', Buffer.from(CIF));
    await until('the entry is here', async () => (await get('molecular/structures/1sex')).status === 200);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const get = async (path: string, by = key) => {
    const answer = await fetch(`${api.stack.apiUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${by}` },
    });
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };
  const keyed = () => ({ headers: { 'Idempotency-Key': randomUUID() } });
  const asset = async (content: string, filename = 'a pose.pdb', format = 'pdb') => {
    const storageKey = await api.upload(key, content, { filename });
    const made = await api.call(key, 'POST', 'molecular/docking/artifacts', { storageKey, format });
    return { id: made.body.artifact.artifactId as string, storageKey };
  };
  const sceneOf = (ids: readonly string[], ...more: ReturnType<typeof structure>[]) =>
    single(
      ...ids.map((id) => node('download', { url: address(id) }, [node('parse', { format: 'pdb' })])),
      ...more,
    );
  const entry = () => structure(`/api/v1/molecular/structures/1sex?sha256=${sha256(CIF)}`);
  const project = async (content: object): Promise<string> => {
    const made = await api.call(key, 'POST', 'molecular/projects', { name: 'Pocket', content }, keyed());
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    return made.body.id;
  };
  const sign = () =>
    issueRevisionReceipts({
      db: api.db,
      signer: createReceiptSigner(api.stack.env['DOCKYARD_RECEIPT_KEYS'] ?? ''),
      issuer: 'https://dockyard.example.org',
    });
  const exportPath = (id: string, format: string) =>
    `molecular/projects/${id}/revisions/1/export?format=${format}`;
  const codeOf = ({ bytes }: { readonly bytes: Buffer }): string => JSON.parse(bytes.toString()).code;
  const cli = (...argv: readonly string[]) =>
    runCommand(argv, { HOME: folder, DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: key }, folder);
  /** A package of two equal poses, another one and an entry, exported by the command line. */
  const exported = async (name: string) => {
    const [first, twin, other] = [await asset(PDB), await asset(PDB), await asset(`${PDB} `)];
    const scene = sceneOf([first.id, twin.id, other.id], entry());
    const id = await project({ scene, notes: 'Å' });
    await sign();
    const made = await cli('project', 'export', id, '--out', name);
    expect(made.code, made.err).to.equal(0);
    return { id, scene, path: join(folder, name) };
  };

  it('carry their data under names with endings, equal files once, and what was signed', async () => {
    const { id, scene, path } = await exported('one.mvsx');
    const files = await unpacked(path);
    expect([...files.keys()]).to.deep.equal([
      ...['index.mvsj', 'content.json', 'receipt.json', 'receipt-keys.json', 'README.md'],
      ...['data/a-pose.pdb', 'data/a-pose-2.pdb', 'data/1sex.cif', 'SHA256SUMS'],
    ]);
    expect(files.get('content.json')?.toString()).to.equal(canonicalJson({ scene, notes: 'Å' }));
    expect(files.get('data/1sex.cif')?.toString()).to.equal(CIF);
    const urls = [...(files.get('index.mvsj')?.toString() ?? '').matchAll(/"url":"([^"]+)"/g)].map(
      ([, url]) => url,
    );
    expect(urls).to.deep.equal(['data/a-pose.pdb', 'data/a-pose.pdb', 'data/a-pose-2.pdb', 'data/1sex.cif']);
    expect(files.get('README.md')?.toString()).to.include('Pocket, version 1').and.include(sha256(PDB));
    const again = await get(exportPath(id, 'mvsx'));
    expect(again.bytes.equals(readFileSync(path)), 'the same bytes again').to.equal(true);
    expect([again.headers.get('content-type'), again.headers.get('content-length')]).to.deep.equal([
      ...['application/zip', String(again.bytes.length)],
    ]);
  });

  it('are proven without a network, and a byte that is changed in any file is found and named', async () => {
    const { path } = await exported('kinase.mvsx');
    const offline = (...argv: readonly string[]) =>
      runCommand(
        ['project', 'verify', ...argv, '--json'],
        { HOME: folder, DOCKYARD_API_URL: 'http://127.0.0.1:9' },
        folder,
      );
    const good = await offline('kinase.mvsx');
    expect([good.code, good.data.proven, good.data.dataFiles], good.out).to.deep.equal([0, true, 3]);
    const strangers = await runCommand(
      ['project', 'verify', 'kinase.mvsx'],
      { HOME: join(folder, 'x') },
      folder,
    );
    expect([strangers.code, strangers.out.includes('not among the known keys')]).to.deep.equal([1, true]);
    const files = await unpacked(path);
    writeFileSync(join(folder, 'receipt-keys.json'), files.get('receipt-keys.json') ?? '');
    const [, block = ''] =
      /```python\n(import base64, hashlib, json, zipfile\n[^]*?)```/.exec(
        readFileSync(join(repositoryRoot, 'docs', 'projects.md'), 'utf8'),
      ) ?? [];
    expect(block.trim().split('\n').length, 'lines in docs/projects.md').to.be.within(10, 15);
    const python = () => run(findTool('science-dev', process.env), ['-I', '-c', block], { cwd: folder });
    await python();
    for (const [name, bytes] of files) {
      const changed = Buffer.from(bytes);
      const at = Math.floor(bytes.length / 2);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await packed(path, new Map([...files, [name, changed]]));
      const bad = await offline('kinase.mvsx');
      expect([bad.code, bad.data.proven], name).to.deep.equal([1, false]);
      if (name !== 'SHA256SUMS') expect(bad.data.file, bad.data.message).to.equal(name);
      const failure = await python().then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(failure, name).to.match(/InvalidSignature|AssertionError|Error/);
    }
    const without = new Map([...files].filter(([name]) => name !== 'data/1sex.cif'));
    await packed(path, without);
    expect((await offline('kinase.mvsx')).data.message).to.include('the entry 1sex');
    await packed(path, new Map([...files, ['data/more.pdb', Buffer.from('x')]]));
    expect((await offline('kinase.mvsx')).data.file).to.equal('data/more.pdb');
    writeFileSync(path, 'PK');
    expect((await offline('kinase.mvsx')).data.message).to.include('not whole');
    const none = await offline('none.mvsx');
    expect([none.code, none.err.includes('none.mvsx cannot be read')], none.err).to.deep.equal([2, true]);
  });

  it('are scenes alone where all data is public, and name the package where it is not', async () => {
    const { id: hidden } = await asset(PDB);
    const archived = await project({ scene: sceneOf([], entry()) });
    const open = await get(exportPath(archived, 'mvsj'));
    expect(open.status, open.bytes.toString()).to.equal(200);
    expect(open.bytes.toString()).to.include(`${(await testArchive()).url}/1SEX.cif`);
    const mixed = await project({ scene: sceneOf([hidden], entry()) });
    const refused = await get(exportPath(mixed, 'mvsj'));
    expect([refused.status, codeOf(refused)]).to.deep.equal([422, 'EXPORT_NOT_PUBLIC']);
    expect(refused.bytes.toString()).to.include('.mvsx').and.include(hidden);
    const shared = await api.call(
      key,
      'POST',
      `molecular/projects/${mixed}/shares`,
      { expectedVersion: 1 },
      keyed(),
    );
    const { token } = shared.body.share;
    const told = JSON.parse((await get(exportPath(mixed, 'mvsj'))).bytes.toString());
    const urls = told.root.children.map(({ params }: { params: { url: string } }) => params.url);
    expect(new Set(urls.map((url: string) => new URL(url).pathname.split('/')[6]))).to.deep.equal(
      new Set([token]),
    );
    const bodies = await Promise.all(
      urls.map(async (url: string) =>
        (await fetch(new URL(new URL(url).pathname + new URL(url).search, api.stack.apiUrl))).text(),
      ),
    );
    expect(bodies).to.deep.equal([PDB, CIF]);
    await api.call(key, 'DELETE', `molecular/projects/${mixed}/shares?expectedVersion=1`);
    expect(codeOf(await get(exportPath(mixed, 'mvsj')))).to.equal('EXPORT_NOT_PUBLIC');
  });

  it('need the scopes of both, a scene, and a receipt; what is lost is named and the rest is there', async () => {
    const [lost, kept] = [await asset(`${PDB}  `), await asset(`${PDB}   `)];
    const id = await project({ scene: sceneOf([lost.id, kept.id]) });
    expect(codeOf(await get(exportPath(await project({ notes: '' }), 'mvsx')))).to.equal('SCENE_MISSING');
    expect(codeOf(await get(exportPath(randomUUID(), 'mvsx')))).to.equal('NOT_FOUND');
    const early = await get(exportPath(id, 'mvsx'));
    if (early.status !== 200) expect(codeOf(early)).to.equal('RECEIPT_NOT_READY');
    await sign();
    await api.store.remove([lost.storageKey]);
    const path = join(folder, 'lost.mvsx');
    writeFileSync(path, (await get(exportPath(id, 'mvsx'))).bytes);
    const files = await unpacked(path);
    expect([...files.keys()].filter((name) => name.startsWith('data/'))).to.have.length(1);
    expect(files.get('README.md')?.toString()).to.include('## Lost').and.include(lost.id);
    const { testKey: stranger } = await api.account();
    expect(codeOf(await get(exportPath(id, 'mvsx'), stranger))).to.equal('NOT_FOUND');
    await api.db.query(
      `update api_keys set scopes = '{convert}' where account_id = $1 and environment = 'test'`,
      [accountId],
    );
    expect(codeOf(await get(exportPath(id, 'mvsx'), ownTestKey))).to.equal('INSUFFICIENT_SCOPE');
  });

  it('open in the unmodified viewer with the network cut, docked poses of each kind too: atoms and camera as recorded', async function () {
    // A browser draws ten scenes by the processor alone.
    this.timeout(900_000);
    const viewer = await sharedViewer();
    // Without a browser on this machine there is no viewer, and the test says so by being left out.
    if (viewer === null) return this.skip();
    const corpus = readCorpus();
    const reached = new URL(api.stack.apiUrl).origin;
    const own = new Map<string, string>();
    for (const name of ['cartoon', 'docking-batch', 'docking-run', 'docking-result', 'docking-pose']) {
      let text = corpusScene(name);
      for (const recorded of new Set(text.match(/(?<=assets\/)[0-9a-f-]{36}/g))) {
        const file = corpus.assets[recorded] ?? expect.fail(recorded);
        const content = corpusFile(file).toString();
        if (!own.has(recorded)) own.set(recorded, (await asset(content, file, file.slice(-3))).id);
        text = text.replaceAll(recorded, own.get(recorded) ?? '');
      }
      const id = await project({ scene: JSON.parse(text) });
      await api.call(key, 'POST', `molecular/projects/${id}/shares`, { expectedVersion: 1 }, keyed());
      await sign();
      const [mvsx, mvsj] = [await get(exportPath(id, 'mvsx')), await get(exportPath(id, 'mvsj'))];
      const told = mvsj.bytes.toString();
      const { origin } = new URL(/"url":"(http[^"]+)"/.exec(told)?.[1] ?? expect.fail('no public address'));
      const open = Buffer.from(told.replaceAll(origin, reached));
      for (const shown of [
        await viewer.show({ bytes: mvsx.bytes, format: 'mvsx' }),
        await viewer.show({ bytes: open, format: 'mvsj', origins: [reached] }),
      ]) {
        const { atoms, camera } = corpus.scenes[name] ?? expect.fail(name);
        expect([shown.faults, shown.refused, shown.atoms], name).to.deep.equal([[], [], atoms]);
        for (const part of ['position', 'target', 'up'] as const)
          for (const [axis, value] of camera[part].entries())
            expect(shown.camera[part][axis], `${name}, ${part}`).to.be.closeTo(value, 1e-3);
      }
    }
  });

  it('of docked poses are asked for on the command line by one record, and a record that is not there is named', async () => {
    for (const argv of [
      [],
      ['--run', randomUUID(), '--pose', randomUUID()],
      [randomUUID(), '--pose', randomUUID()],
    ]) {
      const { code, err } = await cli('project', 'export', ...argv);
      expect([code, err.includes('Name one scene')], argv.join(' ')).to.deep.equal([2, true]);
    }
    for (const kind of ['batch', 'run', 'result', 'pose']) {
      const { code, err } = await cli('project', 'export', `--${kind}`, randomUUID());
      expect([code, err.includes(`no such ${kind}`)], err).to.deep.equal([2, true]);
    }
  });

  it('are conversions of a revision, too: the same bytes, kept as one artifact', async () => {
    const { id, path } = await exported('converted.mvsx');
    const ask = (to: string) =>
      api.call(key, 'POST', 'convert', { input: { projectId: id, version: 1 }, to });
    const made = await ask('mvsx');
    expect(made.status, JSON.stringify(made.body)).to.equal(200);
    const { artifact, conversionId, warnings } = made.body;
    expect([artifact.format, artifact.sha256, warnings]).to.deep.equal([
      'mvsx',
      sha256(readFileSync(path)),
      [],
    ]);
    expect((await ask('mvsx')).body).to.deep.equal(made.body);
    expect((await api.call(key, 'GET', `convert/${conversionId}`)).body).to.deep.equal(made.body);
    const { body } = await api.call(
      key,
      'POST',
      `molecular/docking/artifacts/${artifact.artifactId}/download-url`,
    );
    expect(sha256(Buffer.from(await (await fetch(body.url)).arrayBuffer()))).to.equal(artifact.sha256);
    expect((await ask('mvsj')).body.code).to.equal('EXPORT_NOT_PUBLIC');
    expect((await ask('pdb')).body.code).to.equal('CONVERSION_UNSUPPORTED');
    const kept = await api.db.query<unknown[]>(
      `select 1 from artifacts where account_id = $1 and kind = 'scene'`,
      [accountId],
    );
    expect(kept).to.have.length(1);
  });
});
