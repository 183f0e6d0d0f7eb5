/**
 * Experiments and their runs through the public API, docked by AutoDock Vina: progesterone goes back to its receptor, its contacts are
 * listed live, and the second run takes the verified result of the first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { JOB_SECONDS } from '../support/docking-customer.ts';
import { processApi } from '../support/process-api.ts';

const BASE = 'molecular/docking';
const PROGESTERONE = 'CC(=O)[C@H]1CC[C@H]2[C@@H]3CCC4=CC(=O)CC[C@]4(C)[C@H]3CC[C@]12C';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

describe('an experiment of docking', function () {
  this.timeout(JOB_SECONDS * 1000 + 60_000);
  let api: TestApi;
  let owner: NewAccount;
  let experiment: Record<string, unknown>;
  before(async function () {
    this.timeout(120_000);
    api = await processApi();
    owner = await api.account();
    const structure = readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8');
    const storageKey = await api.upload(owner.liveKey, structure, { filename: '1a28.pdb' });
    const { body } = await post('artifacts', { storageKey, format: 'pdb' });
    experiment = {
      name: 'progesterone',
      receptor: { source: { kind: 'artifact', artifact: body.artifact }, chains: ['A'], preparation: {} },
      ligand: {
        ...{ ligandId: 'progesterone', label: 'Progesterone', preparation: {} },
        source: { kind: 'smiles', smiles: PROGESTERONE },
      },
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 3, seed: 42 },
      },
    };
  });

  const post = (path: string, body: object, key?: string): Promise<Answer> =>
    api.call(
      owner.liveKey,
      'POST',
      `${BASE}/${path}`,
      body,
      key === undefined ? {} : { headers: { 'idempotency-key': key } },
    );
  const get = (path: string): Promise<Answer> => api.call(owner.liveKey, 'GET', path);
  const ended = async (path: string, key: string): Promise<Answer['body']> => {
    const { status, body } = await post(path, {}, key);
    expect(status, JSON.stringify(body)).to.equal(202);
    await api.ends(owner.liveKey, body.jobId, JOB_SECONDS);
    return body;
  };

  it('is refused with a code where it could never run, and leaves nothing', async () => {
    const codes: string[] = [];
    for (const patch of [
      { receptor: { artifactId: UNKNOWN } },
      { ligand: { artifactId: UNKNOWN } },
      { ligand: { resolutionToken: 'x'.repeat(64) } },
      { parameters: { box: { derivation: { kind: 'explicit' } }, protocol: {} } },
      { parameters: { ...(experiment['parameters'] as object), protocol: { seed: 0 } } },
    ]) {
      const { status, body } = await post('experiments', { ...experiment, ...patch });
      codes.push(`${status} ${body.code}`);
    }
    expect(codes).to.deep.equal([
      '404 NOT_FOUND',
      '404 NOT_FOUND',
      '422 LIGAND_CONFIRMATION_INVALID',
      '400 VALIDATION_ERROR',
      '400 VALIDATION_ERROR',
    ]);
    expect((await post(`experiments/${UNKNOWN}/runs`, {}, 'run-of-unknown')).status).to.equal(404);
    expect((await get(`${BASE}/experiments`)).body.experiments).to.deep.equal([]);
    expect(await api.leftovers(owner.accountId)).to.deep.equal(NOTHING);
  });

  it('is docked by its runs; contacts are listed, and a second run docks nothing again', async () => {
    const { status, body: made, headers } = await post('experiments', experiment, 'the-experiment');
    expect(status, JSON.stringify(made)).to.equal(201);
    const { id } = made.experiment;
    expect(headers.get('location')).to.equal(`/api/v1/${BASE}/experiments/${id}`);
    expect(made.experiment.parameters.box).to.include({ center: null });

    const [first, again] = await Promise.all([
      ended(`experiments/${id}/runs`, 'the-first-run'),
      ended(`experiments/${id}/runs`, 'the-first-run'),
    ]);
    expect(again.run.id).to.equal(first.run.id);
    expect(first.uiLinks.studio).to.equal(`/molecular/studio?dockingRun=${first.run.id}`);
    const { run } = (await get(`${BASE}/runs/${first.run.id}`)).body;
    expect(run).to.include({
      status: 'SUCCEEDED',
      experiment_id: id,
      seed_requested: 42,
      seed_effective: 42,
    });
    expect(run.engine).to.include({ name: 'autodock-vina', version: '1.2.7' });
    expect(run.best_affinity_kcal_mol).to.be.lessThan(-9);
    const { box } = (await get(`${BASE}/experiments/${id}`)).body.experiment.parameters;
    expect(box.center).to.have.length(3);

    const results = (query: string): Promise<Answer['body']> =>
      get(`${BASE}/runs/${run.id}/results?sort=affinity${query}`).then(({ body }) => body.results);
    const [result] = await results('');
    expect(result).to.include({ ligand_id: 'progesterone', rank: 1, status: 'SUCCEEDED', formal_charge: 0 });
    const { poses } = (await get(`${BASE}/results/${result.id}/poses`)).body;
    expect(poses[0].affinity_kcal_mol).to.equal(run.best_affinity_kcal_mol);
    const { interactions } = (await get(`${BASE}/poses/${poses[0].id}/interactions`)).body;
    const around = interactions.map(({ receptor }: Answer['body']) => receptor.residue);
    expect(around, 'the pocket of ring D').to.include(890);
    const touching = '&interaction=hydrophobic:A:TYR890';
    const elsewhere = '&interaction=hydrophobic:A:TYR777';
    expect(await results(touching)).to.have.length(1);
    expect(await results(`${touching}${elsewhere}`)).to.have.length(0);
    expect(await results(`${touching}${elsewhere}&maxMissing=1`)).to.have.length(1);

    const second = await ended(`experiments/${id}/runs`, 'the-second-run');
    const cached = (await get(`${BASE}/runs/${second.run.id}/results`)).body.results;
    expect(cached[0]).to.include({ cached_from_result_id: result.id, status: 'SUCCEEDED' });
    const chargedOf = async (jobId: string): Promise<number> =>
      (await get(`jobs/${jobId}/status`)).body.cost.chargedCents;
    expect(await chargedOf(second.jobId)).to.be.at.most(await chargedOf(first.jobId));
    const digests = async (jobId: string): Promise<unknown> =>
      (await get(`jobs/${jobId}/outputs?limit=1000`)).body.outputs
        .filter(({ name }: Answer['body']) => /^ligands\/.*(poses|result)/.test(name))
        .map(({ name, sha256 }: Answer['body']) => `${name} ${sha256}`)
        .sort();
    expect(await digests(second.jobId)).to.deep.equal(await digests(first.jobId));
    const { runs } = (await get(`${BASE}/experiments/${id}/runs`)).body;
    expect(runs.map((listed: Answer['body']) => listed.run.number)).to.deep.equal([2, 1]);
  });
});
