/**
 * A receptor is inspected over the whole stack: the tool runs on an instance, the control side reads the report before
 * it counts, only the account of the request gets the report, and no account pays. The contents of reports are tested
 * in science/autodock-vina/tests/receptor/test_inspection.py.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { runCommandLine } from '../../src/cli/program.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { storeArtifact } from '../support/docking-ligands.ts';
import type { Json } from '../support/docking-ligands.ts';
import { until } from '../support/until.ts';

const PATH = 'molecular/docking/receptors/inspect';
const SECONDS = 240;
const RECEPTOR = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');

describe('POST /molecular/docking/receptors/inspect', function () {
  this.timeout(SECONDS * 1000);
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await testApi();
    owner = await api.account(0);
  });

  const ask = (artifact: Json, more: Json = {}, key = owner.liveKey): Promise<Answer> =>
    api.call(key, 'POST', PATH, { source: { kind: 'artifact', artifact }, ...more });
  /** The answer when the inspection has ended. */
  const ended = async (first: Answer): Promise<Answer> => {
    let last = first;
    const location = first.headers.get('location') ?? '';
    await until(
      'the inspection has ended',
      async () => {
        if (last.status === 202) last = await api.call(owner.liveKey, 'GET', location);
        return last.status !== 202;
      },
      SECONDS * 1000,
    );
    return last;
  };

  it('answers 50 equal questions by one uncharged job, and the next one at once', async () => {
    const artifact = await storeArtifact(api, owner.liveKey, RECEPTOR, 'pdb');
    const chains = { chains: ['A'] };
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(artifact, chains)));
    for (const answer of answers) {
      expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).to.be.oneOf([200, 202]);
      if (answer.status === 200) continue;
      expect(answer.body).to.include({ status: 'RUNNING', report: null });
      expect(answer.headers.get('retry-after')).to.match(/^\d+$/);
    }
    expect(new Set(answers.map(({ body }) => body.inspectionId)).size).to.equal(1);
    const done = await ended(answers[0] ?? expect.fail());
    expect(done.status, JSON.stringify(done.body).slice(0, 500)).to.equal(200);
    const { report } = done.body;
    expect(report).to.deep.include({ refusals: [], models: [1] });
    expect(report.assemblies.map((row: Json) => row['id'])).to.deep.equal(['1', '2']);
    expect(report.chains.map((row: Json) => [row['id'], row['isSelected']])).to.deep.equal([
      ['A', true],
      ['B', false],
    ]);
    const steroid = report.components.find((row: Json) => row['residueName'] === 'STR');
    expect(steroid).to.deep.include({ kind: 'ligand', chain: 'A', keptByDefault: false, heavyAtoms: 23 });
    expect(steroid.box).to.deep.include({
      centerAngstrom: [22.853, 10.139, 60.282],
      sizeAngstrom: [18, 18, 22.46],
    });

    const jobs = await api.db.query<{ internal: boolean; status: string; held: number }[]>(
      `select j.internal, j.status, h.held_pence::int as held from jobs j join holds h on h.job_id = j.id
       where j.account_id = $1`,
      [owner.accountId],
    );
    expect(jobs).to.deep.equal([{ internal: true, status: 'SUCCEEDED', held: 0 }]);
    expect((await api.call(owner.liveKey, 'GET', 'jobs')).body.jobs).to.deep.equal([]);

    const again = await ask(artifact, chains);
    expect(again.status).to.equal(200);
    expect(again.body).to.deep.equal(done.body);
    const [count] = await api.db.query<{ n: number }[]>(
      'select count(*)::int as n from jobs where account_id = $1',
      [owner.accountId],
    );
    expect(count?.n, 'no job for the next one').to.equal(1);
    const stranger = await api.account(0);
    const foreign = await api.call(stranger.liveKey, 'GET', `${PATH}ions/${done.body.inspectionId}`);
    expect([foreign.status, foreign.body.code]).to.deep.equal([404, 'NOT_FOUND']);
  });

  it('is what dockyard inspect shows of the same file, with the box to dock into', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dockyard-test-inspect-'));
    try {
      writeFileSync(join(folder, '1a28.pdb'), RECEPTOR);
      let out = '';
      let err = '';
      const code = await runCommandLine(['inspect', '1a28.pdb', '--chains', 'A'], {
        env: {
          ...{ HOME: folder, DOCKYARD_HOME: join(folder, 'nothing') },
          ...{ DOCKYARD_API_URL: api.stack.apiUrl, DOCKYARD_API_KEY: owner.liveKey },
        },
        folder,
        out: (text) => (out += text),
        err: (text) => (err += text),
      });
      expect(code, err).to.equal(0);
      expect(out).to.match(/STR:A:1 +ligand +23 +1 +removed +22\.853,10\.139,60\.282 +18,18,22\.46/);
      expect(out).to.contain('--receptor 1a28.pdb --ligands FILE --box-from-ligand STR:A:1');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('answers what is no structure with 422 and the code of the receptor', async () => {
    const artifact = await storeArtifact(api, owner.liveKey, 'once upon a time\n', 'pdb');
    const failed = await ended(await ask(artifact));
    expect(failed.status, JSON.stringify(failed.body)).to.equal(422);
    expect(failed.body).to.deep.equal({
      error: 'The file is neither PDB nor mmCIF.',
      code: 'RECEPTOR_UNREADABLE',
    });
  });

  it('is no simulator that can be submitted, and takes no other formats', async () => {
    for (const simulator of ['receptor-inspect', 'Receptor_Inspect']) {
      const body = { jobType: 'simulation', simulator, simulationParams: { receptorPdbId: '1A28' } };
      const refused = await api.submit(owner.liveKey, body);
      expect([refused.status, refused.body.code]).to.deep.equal([422, 'UNSUPPORTED_SIMULATOR']);
    }
    const ligand = await storeArtifact(api, owner.liveKey, 'x', 'sdf');
    const refused = await ask(ligand);
    expect([refused.status, refused.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
  });
});
