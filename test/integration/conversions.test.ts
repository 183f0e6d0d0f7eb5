/**
 * Files are converted over the whole stack: the tool runs on an instance, the control side reads its report before the file counts, no
 * account pays, and the same file is answered again. What is converted to what is tested in science/autodock-vina/tests/conversion.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { runCommand } from '../support/command-line.ts';
import { storeArtifact } from '../support/docking-ligands.ts';
import { until } from '../support/until.ts';

const SECONDS = 240;
const RECEPTOR = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');

describe('POST /convert', function () {
  this.timeout(SECONDS * 1000);
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account(0);
  });

  const ask = (input: object, to: string, key = owner.liveKey): Promise<Answer> =>
    api.call(key, 'POST', 'convert', { input, to });
  /** The answer when the conversion has ended. */
  const ended = async (first: Answer, key = owner.liveKey): Promise<Answer> => {
    let last = first;
    const location = first.headers.get('location') ?? '';
    await until(
      'the conversion has ended',
      async () => {
        if (last.status === 202) last = await api.call(key, 'GET', location);
        return last.status !== 202;
      },
      SECONDS * 1000,
    );
    return last;
  };
  const textOf = async (artifactId: string): Promise<string> => {
    const { body } = await api.call(
      owner.liveKey,
      'POST',
      `molecular/docking/artifacts/${artifactId}/download-url`,
    );
    return (await fetch(body.url)).text();
  };

  it('answers equal requests by one uncharged job, with a file that goes on and with what it lost', async () => {
    const storageKey = await api.upload(owner.liveKey, RECEPTOR, { filename: '1a28.pdb' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask({ storageKey }, 'mmcif')));
    expect(
      new Set(answers.map(({ body }) => body.conversionId)).size,
      JSON.stringify(answers[0]?.body),
    ).to.equal(1);
    const done = await ended(answers[0] ?? expect.fail());
    expect(done.status, JSON.stringify(done.body)).to.equal(200);
    const { artifact, warnings } = done.body;
    expect(artifact).to.include({ format: 'mmcif', mediaType: 'chemical/x-mmcif' });
    expect(warnings.map(({ code }: { code: string }) => code)).to.include('METADATA_DROPPED');
    const cif = await textOf(artifact.artifactId);
    expect(cif)
      .to.match(/^data_/)
      .and.contain('_atom_site.Cartn_x');
    const jobs = await api.db.query<{ internal: boolean; status: string; held: number }[]>(
      `select j.internal, j.status, h.held_pence::int as held from jobs j join holds h on h.job_id = j.id
       where j.account_id = $1`,
      [owner.accountId],
    );
    expect(jobs).to.deep.equal([{ internal: true, status: 'SUCCEEDED', held: 0 }]);
    expect((await api.call(owner.liveKey, 'GET', 'jobs')).body.jobs).to.deep.equal([]);

    const copy = await storeArtifact(api, owner.liveKey, RECEPTOR, 'pdb');
    expect((await ask({ artifact: copy }, 'mmcif')).body, 'the same bytes again').to.deep.equal(done.body);
    const back = await ended(await ask({ artifact }, 'pdb'));
    expect(back.status, JSON.stringify(back.body)).to.equal(200);
    const atoms = (text: string): number => text.match(/^(ATOM {2}|HETATM)/gm)?.length ?? 0;
    expect(atoms(await textOf(back.body.artifact.artifactId))).to.equal(atoms(RECEPTOR));
    const stranger = await api.account(0);
    const foreign = await api.call(stranger.liveKey, 'GET', `convert/${done.body.conversionId}`);
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'NOT_FOUND']);
    expect((await ask({ artifact }, 'pdb', stranger.liveKey)).body.code).to.equal('INPUT_NOT_FOUND');
  });

  it('refuses what is no pair, what is no such file, and what the other format cannot say', async () => {
    const of = (text: string, filename: string) => api.upload(owner.liveKey, text, { filename });
    for (const [name, to] of [
      ['a.pdb', 'sdf'],
      ['a.doc', 'sdf'],
      ['a', 'pdb'],
      ['a.pdb', 'mvsj'],
    ] as const) {
      const refused = await ask({ storageKey: await of('x', name) }, to);
      expect([refused.status, refused.body.code], name).to.deep.equal([422, 'CONVERSION_UNSUPPORTED']);
      expect(refused.body.error).to.contain('pdb to mmcif, mmcif to pdb');
    }
    const scene = { projectId: '0198a7c2-5d0e-7c61-9a83-0c5c1a1f7a11', version: 1 };
    expect((await ask(scene, 'mvsx')).body.code).to.equal('NOT_FOUND');
    for (const input of [{}, { ...scene, storageKey: 'a.pdb' }, { projectId: scene.projectId }])
      expect((await ask(input, 'pdb')).status).to.equal(400);
    expect((await ask({ storageKey: 'accounts/x/a.pdb' }, 'mmcif')).body.code).to.equal('INPUT_NOT_FOUND');
    const garbage = await ended(await ask({ storageKey: await of('once upon a time\n', 'b.pdb') }, 'mmcif'));
    expect(garbage.body).to.deep.equal({
      error: 'The file is neither PDB nor mmCIF.',
      code: 'CONVERSION_INPUT_UNREADABLE',
    });
    for (const [what, content] of [
      ['that breaks off', `${RECEPTOR.slice(0, 60_000)}ATOM   9999  CA`],
      ['a zip', 'PK\u0003\u0004\u0014\u0000 a.pdb'],
    ] as const) {
      const broken = await ended(await ask({ storageKey: await of(content, 'd.pdb') }, 'mmcif'));
      expect([broken.status, broken.body.code], what).to.deep.equal([422, 'CONVERSION_INPUT_UNREADABLE']);
    }
    const bare =
      'ROOT\nATOM      1  C   UNL     1       0.000   0.000   0.000  1.00  0.00     0.000 C \nENDROOT\n';
    const guess = await ended(await ask({ storageKey: await of(bare, 'c.pdbqt') }, 'sdf'));
    expect([guess.status, guess.body.code]).to.deep.equal([422, 'CONVERSION_IMPOSSIBLE']);
    const huge = {
      ...(await storeArtifact(api, owner.liveKey, 'HEADER\nEND\n', 'pdb')),
      byteSize: 300_000_000,
    };
    expect((await ask({ artifact: huge }, 'mmcif')).body.code).to.equal('PAYLOAD_TOO_LARGE');
  });

  it('runs twice at once for an account, and says where the answer will be', async () => {
    const busy = await api.account(0);
    const storageKey = await api.upload(busy.liveKey, RECEPTOR, { filename: '1a28.pdb' });
    // Questions whose jobs are about to be admitted.
    const open = [randomUUID(), randomUUID()];
    await api.db.query(
      `insert into inspections (id, account_id, cache_key, job_id, start_by, kind)
       select id, $1, id::text, gen_random_uuid(), now() + interval '5 minutes', 'conversion' from unnest($2::uuid[]) id`,
      [busy.accountId, open],
    );
    const third = await ask({ storageKey }, 'mmcif', busy.liveKey);
    expect([third.status, third.body.code], JSON.stringify(third.body)).to.deep.equal([
      429,
      'CONVERSION_LIMIT',
    ]);
    expect(Number(third.headers.get('retry-after'))).to.be.greaterThan(0);
    const running = await api.call(busy.liveKey, 'GET', `convert/${open[0]}`);
    expect(running.status).to.equal(202);
    expect(running.body).to.deep.include({ conversionId: open[0], status: 'RUNNING', artifact: null });
    expect(running.headers.get('location')).to.equal(`/api/v1/convert/${open[0]}`);
    expect(Number(running.headers.get('retry-after'))).to.be.greaterThan(0);
    for (const id of [randomUUID(), 'x', '..%2f..'])
      expect((await api.call(busy.liveKey, 'GET', `convert/${id}`)).status, id).to.equal(404);
    await api.db.query('delete from inspections where id = $1', [open[0]]);
    const next = await ended(await ask({ storageKey }, 'mmcif', busy.liveKey), busy.liveKey);
    expect(next.status, JSON.stringify(next.body)).to.equal(200);
  });

  it('is what dockyard convert does, in a file beside the old one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-convert-'));
    try {
      writeFileSync(join(folder, 'drugs é.smi'), 'CC(=O)Oc1ccccc1C(=O)O aspirin\n');
      const env = { HOME: folder, DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.liveKey };
      const made = await runCommand(['convert', 'drugs é.smi', '--to', 'sdf'], env, folder);
      expect(made.code, made.err).to.equal(0);
      expect(made.out).to.match(/^drugs é\.sdf\nCONFORMERS_MADE: /);
      expect(readFileSync(join(folder, 'drugs é.sdf'), 'utf8')).to.match(/^aspirin\n/);
      const wrong = await runCommand(['convert', 'drugs é.smi', '--to', 'mmcif'], env, folder);
      expect([wrong.code, wrong.out]).to.deep.equal([2, '']);
      expect(wrong.err).to.contain('smi to sdf');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
