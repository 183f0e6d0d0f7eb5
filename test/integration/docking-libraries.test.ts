/**
 * A stored library through the public API: a packed table with equal records and a record that is no ligand is checked by a dry run,
 * docked by AutoDock Vina, and ranked, and what is charged is what was docked.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import { repositoryRoot } from '../../scripts/test-plan.ts';
import { verifyLedger } from '../../src/services/ledger/verify.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { NOTHING } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import { packedBomb, smilesLigand } from '../support/docking-ligands.ts';
import type { Json } from '../support/docking-ligands.ts';
import { inLongRuns } from '../support/long.ts';
import { processApi } from '../support/process-api.ts';

const BATCHES = 'molecular/docking/batches';
const TABLE = [
  'Catalog ID;SMILES;MW;note',
  'A-1;Oc1ccccc1;94.1;"phenol; pure"',
  'A-2;CC(=O)O.[Na+];82.0;=1+1',
  'A-3;Oc1ccccc1;94.1;again',
  'A-4;C1CC;42.1;open ring',
].join('\r\n');

const longIt = inLongRuns(it);

describe('a batch over a stored library', function () {
  this.timeout(JOB_SECONDS * 1000 + 60_000);
  let api: TestApi;
  let owner: NewAccount;
  before(async function () {
    this.timeout(120_000);
    api = await processApi();
    owner = await api.account();
  });

  const register = async (content: string | Uint8Array<ArrayBuffer>, format: string): Promise<string> => {
    const storageKey = await api.upload(owner.liveKey, content, { filename: 'file' });
    const { status, body } = await api.call(owner.liveKey, 'POST', 'molecular/docking/artifacts', {
      storageKey,
      format,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.artifact.format).to.equal(format);
    return body.artifact.artifactId;
  };
  const create = (body: object): Promise<Answer> => api.call(owner.liveKey, 'POST', BATCHES, body);
  const read = async (id: string): Promise<Answer['body']> =>
    (await api.call(owner.liveKey, 'GET', `${BATCHES}/${id}`)).body.batch;

  /** The batch of a library against the pocket of progesterone, where the control comes back within some tenths of an Å. */
  const controlled = async (requiredRmsdAngstrom: number): Promise<Json> => {
    const receptorId = await register(
      readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8'),
      'pdb',
    );
    const path = `molecular/docking/artifacts/${receptorId}`;
    const { body: stored } = await api.call(owner.liveKey, 'GET', path);
    return {
      name: 'controlled',
      libraryArtifactId: await register('Oc1ccccc1 phenol\nCCO ethanol\n', 'smi'),
      receptor: { source: { kind: 'artifact', artifact: stored.artifact }, chains: ['A'] },
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 1, seed: 42 },
        validation: {
          nativeReference: { componentId: 'STR', chain: 'A', residue: 1 },
          requiredRmsdAngstrom,
        },
      },
    };
  };

  it('docks no ligand where its required control misses, is charged the start fee alone, and says why', async () => {
    const missed = await create(await controlled(0.1));
    expect(missed.status, JSON.stringify(missed.body)).to.equal(202);
    await api.ends(owner.liveKey, missed.body.jobId, JOB_SECONDS);
    const { status, failure, counts } = await read(missed.body.batch.id);
    expect(status, JSON.stringify(failure)).to.equal('FAILED');
    expect(failure).to.include({ code: 'CONTROL_MISSED', stage: 'control' });
    expect(failure.message).to.match(
      /^STR docked again lies \d\.\d\d Å from .* beyond the 0\.10 Å .* only the start fee/,
    );
    expect(counts).to.include({ total: 2, succeeded: 0, failed: 2 });
    const { tasks } = (await api.call(owner.liveKey, 'GET', `jobs/${missed.body.jobId}/tasks`)).body;
    for (const task of tasks) expect(task).to.include({ state: 'FAILED', attempts: 0 });
    const { body: bill } = await api.call(owner.liveKey, 'GET', `jobs/${missed.body.jobId}/bill`);
    const [{ lines, dueCents, heldCents, chargedCents, releasedCents }] = bill.executions;
    expect(lines.map(({ kind }: Json) => kind)).to.deep.equal(['start_fee']);
    expect([chargedCents, releasedCents]).to.deep.equal([dueCents, heldCents - Number(dueCents)]);
    const { body: ended } = await api.call(owner.liveKey, 'GET', `jobs/${missed.body.jobId}/status`);
    expect(ended.cost).to.include({ chargedCents: 1, accruedCost: lines[0].amountMicro / 1_000_000 });
    expect(ended).to.include({ statusReason: 'CONTROL_MISSED' });
    const { body: balance } = await api.call(owner.liveKey, 'GET', 'credits/balance');
    expect(balance.held_cents).to.equal(0);
    expect(await verifyLedger(api.db)).to.deep.equal([]);
    const outputs = await dockingCustomer(api, owner.liveKey).outputsOf(missed.body.jobId);
    expect([...outputs.keys()]).to.include('control/poses.sdf');
  });

  it('is refused with a code, and nothing is held or made', async () => {
    const before = await api.leftovers(owner.accountId);
    const codes: string[] = [];
    for (const libraryArtifactId of [
      '00000000-0000-4000-8000-000000000000',
      await register('ATOM', 'pdb'),
      await register('Compound;Structure\na;CCO\n', 'csv'),
      await register('C\n'.repeat(10_001), 'smi'),
      await register(packedBomb(), 'smi'),
    ]) {
      const { status, body } = await create({ name: 'refused', engine: 'noop', libraryArtifactId });
      codes.push(`${status} ${body.code}`);
    }
    expect(codes).to.deep.equal([
      '404 INPUT_NOT_FOUND',
      '422 ARTIFACT_MISMATCH',
      '422 LIBRARY_COLUMN_MISSING',
      '422 LIBRARY_TOO_LARGE',
      '422 LIBRARY_TOO_LARGE',
    ]);
    expect(await api.leftovers(owner.accountId)).to.deep.equal(before);
  });

  it('is refused where a control is required and none is named, and nothing is held or made', async () => {
    const stranger = await api.account();
    const answer = await api.call(stranger.liveKey, 'POST', BATCHES, {
      ...{ name: 'without a native ligand', receptor: { source: { kind: 'pdb', pdbId: '1A28' } } },
      ligands: [smilesLigand('phenol', 'Oc1ccccc1')],
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: {},
        validation: { requiredRmsdAngstrom: 2 },
      },
    });
    expect([answer.status, answer.body.code]).to.deep.equal([422, 'INPUT_MISSING']);
    expect(answer.body.error).to.contain('dockingValidation.nativeReference');
    expect(await api.leftovers(stranger.accountId)).to.deep.equal(NOTHING);
  });

  it('may have one name twice: equal structures are docked once, others get a number, and the batch says so', async () => {
    const libraryArtifactId = await register('CCO Z1\nCCCO Z2\nCCCCO Z1\nCCO Z1\n', 'smi');
    const { status, body } = await create({ name: 'names twice', engine: 'noop', libraryArtifactId });
    expect(status, JSON.stringify(body)).to.equal(202);
    expect([body.batch.ligand_count, body.batch.counts.total]).to.deep.equal([4, 3]);
    expect(body.batch.warnings).to.have.length(1);
    expect(body.batch.warnings[0]).to.include({ code: 'LIBRARY_NAME_REPEATED' });
    expect(body.batch.warnings[0].message).to.contain('Z1-2, Z1-3');
  });

  longIt('is checked by a dry run, then docked and ranked, each id of equal records once', async () => {
    const libraryArtifactId = await register(gzipSync(TABLE), 'csv');
    const receptorId = await register(
      readFileSync(join(repositoryRoot, 'examples', '1a28', '1a28.pdb'), 'utf8'),
      'pdb',
    );
    const { body: stored } = await api.call(
      owner.liveKey,
      'GET',
      `molecular/docking/artifacts/${receptorId}`,
    );
    const batch = {
      name: 'stored table',
      libraryArtifactId,
      receptor: { source: { kind: 'artifact', artifact: stored.artifact }, chains: ['A'] },
      parameters: {
        box: { derivation: { kind: 'ligand', componentId: 'STR', chain: 'A' } },
        protocol: { exhaustiveness: 1, numModes: 2, seed: 42 },
      },
    };
    const dry = await create({ ...batch, dryRun: true });
    expect(dry.status, JSON.stringify(dry.body)).to.equal(202);
    await api.ends(owner.liveKey, dry.body.jobId, JOB_SECONDS);
    const { dry_run_report: report, ligand_preparation: preparation } = await read(dry.body.batch.id);
    expect(preparation).to.deep.equal({ protonationPh: 7.4, addHydrogens: true, generate3d: true });
    expect(report).to.deep.include({
      ...{ ligands: 3, ready: 2, failures: { LIGAND_PARSE_FAILED: 1 }, warnings: { LIGAND_DESALTED: 1 } },
    });
    const charged = async (jobId: string): Promise<number> =>
      (await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`)).body.cost.chargedCents;
    const startFee = await charged(dry.body.jobId);

    const docked = await create(batch);
    expect(docked.status, JSON.stringify(docked.body)).to.equal(202);
    await api.ends(owner.liveKey, docked.body.jobId, JOB_SECONDS);
    const { body: status } = await api.call(owner.liveKey, 'GET', `jobs/${docked.body.jobId}/status`);
    expect(status.progress).to.include({ total: 3, completed: 2, failed: 1 });
    expect(status.failures[0]).to.include({ id: 'A-4', code: 'LIGAND_PARSE_FAILED' });
    expect(status.failures[0].message).to.match(/^Line 5 of the library: /);
    expect(status.cost.chargedCents).to.be.at.least(startFee).and.at.most(report.price.held_cents);
    const customer = dockingCustomer(api, owner.liveKey);
    const outputs = await customer.outputsOf(docked.body.jobId);
    const lines = (await customer.read(outputs, 'ranking.csv')).trim().split('\r\n');
    expect(lines[0]).to.match(
      /,smiles_input,smiles_docked,formal_charge,(?:\w+,)*warnings,(?:\w+,)*input_MW,input_note$/,
    );
    const cells = lines.slice(1).map((line) => line.split(','));
    expect(cells.map(([rank, id]) => [rank, id])).to.deep.equal([
      ['1', 'A-1'],
      ['2', 'A-3'],
      ['3', 'A-2'],
      ['', 'A-4'],
    ]);
    expect(cells[0]?.[3], 'equal records have one score').to.equal(cells[1]?.[3]);
    expect(lines[4], 'what failed is told as it was given').to.match(
      /,LIGAND_PARSE_FAILED,,,,vina,C1CC,,+42\.1,open ring$/,
    );
    const failed = await api.call(
      owner.liveKey,
      'GET',
      `${BATCHES}/${docked.body.batch.id}/results?status=FAILED`,
    );
    expect(failed.body.results[0]).to.include({
      ligand_id: 'A-4',
      smiles_input: 'C1CC',
      smiles_docked: null,
    });
    expect(lines[3]).to.match(/CC\(=O\)\[O-\],-1,.*LIGAND_DESALTED,.*82\.0,'=1\+1/);
    expect([...outputs.keys()].filter((name) => name.startsWith('ligands/A-3/'))).to.deep.equal([]);
  });
});
