/**
 * Docking over the whole stack: 1A28 by the public API, with real Python sessions on real instances. One library with
 * good and bad ligands; the same library in another order and other shards; a fetched receptor; refused receptors.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import SCHEMA from '../../src/tools/autodock-vina/result.schema.json' with { type: 'json' };
import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { findTool } from '../../src/stack/tools.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { docking, dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import type { DockingCustomer, Output } from '../support/docking-customer.ts';
import { badLigands, goodLigands, smilesLigand, storeArtifact } from '../support/docking-ligands.ts';
import type { BadLigand, Json } from '../support/docking-ligands.ts';
import { inLongRuns } from '../support/long.ts';
import { processApi } from '../support/process-api.ts';
import { until } from '../support/until.ts';

const RECEPTOR_FILE = join(repositoryRoot, 'examples', '1a28', '1a28.pdb');
const TO_MMCIF = `
import sys, gemmi
structure = gemmi.read_structure(sys.argv[1])
structure.name = '1A28'
sys.stdout.write(structure.make_mmcif_document().as_string())
`;
const PREPARED = [
  'receptor/prepared.pdb',
  'receptor/prepared.pdbqt',
  'receptor/preparation.json',
  'box.json',
];

const longIt = inLongRuns(it);

describe('docking', function () {
  this.timeout(JOB_SECONDS * 1000 + 30_000);
  let api: TestApi;
  let owner: NewAccount;
  let customer: DockingCustomer;
  let receptor: string;
  let good: Json[];
  let bad: BadLigand[];

  before(async function () {
    this.timeout(120_000);
    receptor = readFileSync(RECEPTOR_FILE, 'utf8');
    const mmcif = execFileSync(findTool('science-python', process.env), ['-c', TO_MMCIF, RECEPTOR_FILE]);
    const shared = await processApi();
    shared.deposit('1A28.cif', mmcif);
    api = shared;
    owner = await api.account();
    customer = dockingCustomer(api, owner.liveKey);
    good = await goodLigands(api, owner.liveKey);
    bad = await badLigands(api, owner.liveKey);
  });

  /** Kills the job's instance when one ligand is verified and others are not. */
  const killInTheMiddle = async (jobId: string): Promise<void> => {
    const isInTheMiddle = async (): Promise<boolean> => {
      const { body } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/status`);
      return body.progress.completed > 0;
    };
    await until('one ligand is verified', isInTheMiddle, JOB_SECONDS * 1000);
    const [row] = await api.db.query<{ provider_id: string }[]>(
      `select provider_id from instances where job_id = $1 and fenced_at is null`,
      [jobId],
    );
    api.stack.kill(`instance/${row?.provider_id ?? expect.fail('no instance')}`);
  };
  const freeOfHolds = async (): Promise<void> => {
    const balance = await api.call(owner.liveKey, 'GET', 'credits/balance');
    expect(balance.body.held_cents).to.equal(0);
  };

  /** The first job, with which the other jobs are compared. */
  let first: { status: Answer['body']; outputs: Map<string, Output>; report: Json };

  it('docks what is good, fails each bad ligand alone with its code, and charges for what was docked', async () => {
    const receptorKey = await api.upload(owner.liveKey, receptor, { filename: '1a28.pdb' });
    const ligandLibrary = [...good, ...bad.map(({ ligand }) => ligand)];
    const body = docking(
      {
        ligandLibrary,
        dockingValidation: {
          nativeReference: { componentId: 'STR' },
          requiredRmsdAngstrom: 2,
        },
      },
      { sceneFile: receptorKey, taskCount: ligandLibrary.length },
    );
    const estimate = await api.call(owner.testKey, 'POST', 'jobs/estimate', {
      ...body,
      sceneFile: undefined,
    });
    const { jobId, heldCents } = await customer.submitted(body);
    expect(heldCents).to.equal(estimate.body.heldCents);
    const status = (await api.ends(owner.liveKey, jobId, JOB_SECONDS)).body;
    const outputs = await customer.outputsOf(jobId);
    expect(status.status, JSON.stringify(status.failures)).to.equal('PARTIALLY_SUCCEEDED');
    expect(status.progress).to.include({ unit: 'ligand', completed: good.length, failed: bad.length });
    expect(Object.fromEntries(status.failures.map((one: Json) => [one['id'], one['code']]))).to.deep.equal(
      Object.fromEntries(bad.map(({ ligand, code }) => [ligand['ligandId'], code])),
    );
    const { cost } = status;
    expect(cost.releasedCents).to.equal(heldCents - Number(cost.chargedCents));
    expect(cost.chargedCents).to.be.within(1, heldCents);
    await freeOfHolds();
    const report: Json = JSON.parse(await customer.read(outputs, 'receptor/preparation.json'));
    first = { status, outputs, report };
  });

  it('leaves the documented outputs, and nothing of what failed', async () => {
    const ids = good.map((ligand) => String(ligand['ligandId']));
    const perLigand = ids.flatMap((id) =>
      ['poses.sdf', 'poses.pdbqt', 'result.json', 'dock.log'].map((name) => `ligands/${id}/${name}`),
    );
    const control = ['poses.sdf', 'poses.pdbqt', 'result.json', 'dock.log', 'native_reference.sdf'].map(
      (name) => `control/${name}`,
    );
    const made = ['ranking.csv', 'view.pml', 'manifest.json'];
    expect([...first.outputs.keys()]).to.have.members([...PREPARED, ...perLigand, ...control, ...made]);
    const kinds = new Set([...first.outputs.values()].map(({ kind }) => kind));
    expect([...kinds]).to.have.members([
      'prepared_receptor',
      'preparation_report',
      'box',
      'ranking',
      'manifest',
      'view',
      'poses',
      'poses_pdbqt',
      'result',
      'log',
      'control',
    ]);
    for (const { name, ligandId } of first.outputs.values()) {
      expect(ligandId, name).to.equal(name.startsWith('ligands/') ? name.split('/')[1] : null);
    }
  });

  it('writes results as their JSON Schema has them', async () => {
    const validate = new Ajv2020({
      allErrors: true,
      allowUnionTypes: true,
      formats: { 'date-time': true },
    }).compile(SCHEMA);
    const results = [...first.outputs.keys()].filter((name) => name.endsWith('result.json'));
    expect(results).to.have.length(good.length + 1);
    for (const name of results) {
      expect(
        validate(JSON.parse(await customer.read(first.outputs, name))),
        `${name}: ${JSON.stringify(validate.errors)}`,
      ).to.equal(true);
    }
  });

  it('ranks the ligands by affinity, as their results have it', async () => {
    const lines = (await customer.read(first.outputs, 'ranking.csv')).trimEnd().split('\r\n').slice(1);
    expect(lines).to.have.length(good.length + bad.length);
    const ranked = lines.filter((line) => /^\d/.test(line)).map((line) => line.split(','));
    expect(ranked.map(([rank]) => Number(rank))).to.deep.equal(good.map((_, index) => index + 1));
    let last = -Infinity;
    for (const cells of ranked) {
      const result = JSON.parse(
        await customer.read(first.outputs, `ligands/${String(cells[1])}/result.json`),
      );
      const affinity = Number(cells.at(-24));
      expect(affinity).to.equal(result.result.bestAffinityKcalMol);
      const { poses, sizeIndependentEfficiency } = result.result;
      const plausible = poses.filter((pose: { checks: { passed: boolean } }) => pose.checks.passed).length;
      expect(cells.slice(-19, -15)).to.deep.equal([
        ...[sizeIndependentEfficiency, poses[0].checks.failed.length, plausible].map(String),
        'vina',
      ]);
      const { smilesInput, smilesDocked, formalCharge } = result.result.ligand;
      expect(cells.slice(-15, -12)).to.deep.equal([smilesInput ?? '', smilesDocked, String(formalCharge)]);
      expect(affinity).to.be.at.least(last);
      last = affinity;
    }
    expect(
      lines.filter((line) => line.startsWith(',')).every((line) => /,FAILED,LIGAND_/.test(line)),
    ).to.equal(true);
  });

  it('records each docked ligand with all its modes as its result has them, and nothing of what failed', async () => {
    const rows = await api.db.query<Json[]>(
      `select ligand_id, result_sha256 as sha256, best_affinity_kcal_mol as best, formal_charge as charge, smiles_docked as smiles,
         heavy_atoms as atoms, warnings, (select jsonb_agg(jsonb_build_array(mode, affinity_kcal_mol, rmsd_lower_angstrom,
           rmsd_upper_angstrom, failed_checks) order by mode) from docking_poses p where p.result_id = r.id) as poses
       from docking_results r where job_id = $1 order by ordinal`,
      [first.status.jobId],
    );
    expect(rows.map((row) => row['ligand_id'])).to.deep.equal(good.map((ligand) => ligand['ligandId']));
    for (const { ligand_id: id, ...record } of rows) {
      const file = JSON.parse(await customer.read(first.outputs, `ligands/${String(id)}/result.json`));
      const { ligand, poses, warnings, bestAffinityKcalMol: best } = file.result;
      expect(record, String(id)).to.deep.equal({
        ...{ sha256: file.sha256, best, warnings },
        ...{ charge: ligand.formalCharge, smiles: ligand.smilesDocked, atoms: ligand.heavyAtoms },
        poses: poses.map((pose: Json & { checks: { failed: string[] } }) => [
          ...[pose['mode'], pose['affinityKcalMol'], pose['rmsdLowerAngstrom'], pose['rmsdUpperAngstrom']],
          pose.checks.failed.length,
        ]),
      });
    }
  });

  it('shows box, receptor and control in the status, the control uncounted and uncharged', () => {
    const { docking: shown } = first.status;
    expect(shown.box.derivation).to.equal('ligand');
    expect(shown.box.receptorHeavyAtoms).to.be.above(50);
    expect(shown.receptor.cacheHit).to.equal(false);
    expect(shown.validation).to.include({ component_id: 'STR', passed: true });
    expect(shown.validation.rmsd_top_angstrom).to.be.at.most(2);
    expect(first.status.progress.total).to.equal(good.length + bad.length);
  });

  it('lists every output in the manifest, with the effective box and seed', async () => {
    const manifest = JSON.parse(await customer.read(first.outputs, 'manifest.json'));
    expect(manifest.effectiveSeed).to.equal(42);
    expect(manifest.docking).to.deep.equal(first.status.docking);
    const listed = new Map(manifest.outputs.map((output: Output) => [output.name, output]));
    for (const output of first.outputs.values()) {
      if (output.name === 'manifest.json') continue;
      const { kind, taskIndex, ligandId, sha256 } = output;
      expect(listed.get(output.name), output.name).to.include({ kind, taskIndex, ligandId, sha256 });
    }
    expect(listed.size).to.equal(first.outputs.size - 1);
  });

  it('gives the same bytes in other shards and another order, and uses the prepared receptor again', async () => {
    const receptorArtifact = await storeArtifact(api, owner.liveKey, receptor, 'pdb');
    const status = await customer.ended(
      docking({
        receptorArtifact,
        ligandLibrary: good.toReversed(),
        dockingExecution: { shardSize: 10, preparedReceptor: first.report['preparedReceptor'] },
      }),
    );
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    expect(status.docking.receptor.cacheHit).to.equal(true);
    expect(status.docking.receptor.cacheKey).to.equal(first.status.docking.receptor.cacheKey);
    expect(status.warnings.map(({ code }: { code: string }) => code)).to.not.include(
      'PREPARED_RECEPTOR_STALE',
    );
    await sameAsFirst(await customer.outputsOf(status.jobId), PREPARED);
  });

  longIt(
    'gives the same bytes when the instance is killed in the middle, and docks nothing twice',
    async () => {
      const receptorArtifact = await storeArtifact(api, owner.liveKey, receptor, 'pdb');
      // The job has many more ligands, so that some are left undecided however quick the machine is.
      const others = [1, 2].flatMap((round) =>
        good.map((one) => ({ ...one, ligandId: `again-${round}-${String(one['ligandId'])}` })),
      );
      const { jobId } = await customer.submitted(
        docking({ receptorArtifact, ligandLibrary: [...good, ...others] }),
      );
      await killInTheMiddle(jobId);
      const status = (await api.ends(owner.liveKey, jobId, JOB_SECONDS)).body;
      expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
      expect(status.recovery.recoveries).to.equal(1);
      const { tasksKept } = status.recovery.events[0];
      expect(tasksKept).to.be.at.least(1);
      const { body } = await api.call(owner.liveKey, 'GET', `jobs/${jobId}/tasks`);
      const once = body.tasks.filter((task: { attempts: number }) => task.attempts === 1);
      expect(once.length).to.be.at.least(tasksKept);
      const [recorded] = await api.db.query<Json[]>(
        'select count(*)::int as all, count(distinct ligand_id)::int as ligands from docking_results where job_id = $1',
        [jobId],
      );
      const count = good.length + others.length;
      expect(recorded).to.deep.equal({ all: count, ligands: count });
      await sameAsFirst(await customer.outputsOf(jobId), PREPARED);
      await freeOfHolds();
    },
  );

  const sameAsFirst = async (
    outputs: ReadonlyMap<string, Output>,
    more: readonly string[],
  ): Promise<void> => {
    for (const name of [...more, ...good.flatMap((ligand) => posesOf(ligand))]) {
      expect(outputs.get(name)?.sha256, name).to.equal(first.outputs.get(name)?.sha256);
    }
    for (const ligand of good) {
      const name = `ligands/${String(ligand['ligandId'])}/result.json`;
      const [mine, theirs] = [
        await customer.read(outputs, name),
        await customer.read(first.outputs, name),
      ].map((text) => JSON.parse(text));
      expect(mine.sha256, name).to.equal(theirs.sha256);
      expect(mine.result, name).to.deep.equal(theirs.result);
    }
  };

  it('fetches a receptor by its PDB id, and says that a preparation of other bytes is stale', async () => {
    const status = await customer.ended(
      docking({
        receptorPdbId: '1a28',
        ligandIdentity: smilesLigand('phenol', 'Oc1ccccc1'),
        dockingExecution: { shardSize: 1, preparedReceptor: first.report['preparedReceptor'] },
      }),
    );
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    expect(status.docking.receptor.cacheHit).to.equal(false);
    const stale = status.warnings.find(({ code }: { code: string }) => code === 'PREPARED_RECEPTOR_STALE');
    expect(stale?.message).to.include('receptorIdentitySha256');
    // The same molecule from another file has the same place and the same poses.
    const outputs = await customer.outputsOf(status.jobId);
    for (const name of ['box.json', ...posesOf({ ligandId: 'phenol' })]) {
      expect(outputs.get(name)?.sha256, name).to.equal(first.outputs.get(name)?.sha256);
    }
  });

  it('fails a job whose PDB entry is not there, charges nothing and releases the hold', async () => {
    const status = await customer.ended(docking({ receptorPdbId: '9zzz', ligandLibrary: good.slice(0, 2) }));
    expect(status.status).to.equal('FAILED');
    expect(status.failures, JSON.stringify(status.failures)).to.have.length(1);
    expect(status.failures[0]).to.include({ index: null, code: 'RECEPTOR_NOT_FOUND' });
    expect(status.failures[0].message).to.include('9ZZZ');
    expect(status.cost).to.include({ chargedCents: 0 });
    await freeOfHolds();
  });

  function posesOf(ligand: Json): string[] {
    return ['poses.sdf', 'poses.pdbqt'].map((file) => `ligands/${String(ligand['ligandId'])}/${file}`);
  }
});
