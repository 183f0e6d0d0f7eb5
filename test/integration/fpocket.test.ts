/**
 * The search for pockets over the whole stack with the real program: every number and file is that of the bare program on
 * the same selected file with the same clock. The suite needs the pack, and says so where it is not installed.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';

import SCHEMA from '../../src/tools/fpocket/pockets.schema.json' with { type: 'json' };
import { repositoryRoot } from '../../scripts/test-plan.ts';
import type { InstalledPack } from '../../src/packs/pack.ts';
import type { NewAccount } from '../../src/services/identity/index.ts';
import { fpocketPack } from '../../src/tools/fpocket/pack.ts';
import { testApi } from '../support/api.ts';
import type { Answer, TestApi } from '../support/api.ts';
import { dockingCustomer, JOB_SECONDS } from '../support/docking-customer.ts';
import type { DockingCustomer, Output } from '../support/docking-customer.ts';
import { smilesLigand, storeArtifact } from '../support/docking-ligands.ts';
import type { Json } from '../support/docking-ligands.ts';
import { inLongRuns } from '../support/long.ts';
import { untilOffered } from '../support/offered.ts';
import { processApi } from '../support/process-api.ts';
import { realPack } from '../support/real-packs.ts';
import { until } from '../support/until.ts';

const WHOLE = 'examples/1a28/1a28.pdb';
const [HPV, ...OTHERS] = ['1hpv', '1k1i', '1us0'].map((id) => `test/fixtures/structures/${id}.pdb`);
const STRUCTURES = [WHOLE, HPV ?? '', ...OTHERS];
/** A request may ask for fewer pockets than the ten that are kept otherwise. */
const ASKED: Readonly<Record<string, number>> = { [HPV ?? '']: 2 };
const KEPT = 10;
const PROGESTERONE = 'CC(=O)[C@H]1CC[C@@H]2[C@@]1(CC[C@H]3[C@H]2CCC4=CC(=O)CC[C@]34C)C';
const run = promisify(execFile);
/** Compiles the library that fixes the clock, as a session does. */
const MAKE_CLOCK =
  'import sys; from pathlib import Path; from dockyard_fpocket.clock import build_clock; print(build_clock(Path(sys.argv[1])))';

interface Pocket {
  readonly centerAngstrom: readonly [number, number, number];
  readonly box: { readonly centerAngstrom: number[]; readonly sizeAngstrom: number[] };
  readonly residues: readonly { readonly chain: string }[];
  readonly volumeAngstrom3: number;
  readonly score: number;
}

interface Report {
  readonly pockets: readonly Pocket[];
  readonly pocketsFound: number;
  readonly clock: { readonly fixed: boolean; readonly seed: number };
  readonly warnings: readonly { readonly code: string }[];
  readonly provenance: { readonly program: { readonly packSha256: string } };
}

const longIt = inLongRuns(it);

describe('fpocket', function () {
  this.timeout(JOB_SECONDS * 1000 + 30_000);
  let api: TestApi;
  let owner: NewAccount;
  let customer: DockingCustomer;
  let pack: InstalledPack;
  const texts = new Map<string, string>();

  before(async function () {
    this.timeout(400_000);
    const found = await realPack(fpocketPack);
    if (found === null) return this.skip();
    pack = found;
    for (const path of STRUCTURES) texts.set(path, await readFile(join(repositoryRoot, path), 'utf8'));
    api = await testApi();
    owner = await api.account();
    customer = dockingCustomer(api, owner.liveKey);
    return untilOffered(api, owner.liveKey, 'fpocket');
  });

  const search = (params: Json, more: Json = {}): Json => ({
    jobType: 'simulation',
    simulator: 'fpocket',
    simulationParams: { receptorAssemblyId: 'asymmetric', ...params },
    ...more,
  });
  const artifact = (content: string, format = 'pdb'): Promise<Json> =>
    storeArtifact(api, owner.liveKey, content, format);
  const searched = async (content: string, params: Json = {}): Promise<Found> => {
    const receptorArtifact = await artifact(content);
    const { jobId } = await customer.submitted(search({ receptorArtifact, ...params }));
    return foundBy(jobId);
  };
  const foundBy = async (jobId: string, on = api, key = owner.liveKey): Promise<Found> => {
    const status = (await on.ends(key, jobId, JOB_SECONDS)).body;
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    const reader = dockingCustomer(on, key);
    const outputs = await reader.outputsOf(jobId);
    return { status, outputs, report: JSON.parse(await reader.read(outputs, 'pockets.json')) as Report };
  };
  /** What an undisturbed job finds in the whole structure: three guarantees are about this result. */
  let whole: Promise<Found> | null = null;
  const wholeSearched = (): Promise<Found> => (whole ??= searched(texts.get(WHOLE) ?? ''));
  interface Found {
    readonly status: Answer['body'];
    readonly outputs: Map<string, Output>;
    readonly report: Report;
  }

  /** Runs the program by itself on a selected file; answers its files by the names that the outputs have. */
  const bare = async (selected: string): Promise<Map<string, string>> => {
    const folder = await mkdtemp(join(tmpdir(), 'dockyard-test-pockets-'));
    try {
      await writeFile(join(folder, 'selected.pdb'), selected);
      const { stdout: clock } = await run(
        pack.python ?? expect.fail('no Python'),
        ['-c', MAKE_CLOCK, folder],
        {
          env: { PATH: '/usr/bin:/bin', PYTHONPATH: join(repositoryRoot, 'science/fpocket/src') },
        },
      );
      await run(pack.programs['fpocket'] ?? expect.fail('no program'), ['-f', 'selected.pdb'], {
        cwd: folder,
        env: {
          PATH: '/usr/bin:/bin',
          ...pack.environment,
          LD_PRELOAD: clock.trim(),
          DOCKYARD_CLOCK_SECONDS: '1',
          TMPDIR: '.',
        },
      });
      const made = join(folder, 'selected_out');
      const files = new Map([['fpocket_out.pdb', await readFile(join(made, 'selected_out.pdb'), 'utf8')]]);
      files.set('info', await readFile(join(made, 'selected_info.txt'), 'utf8'));
      for (const name of await readdir(join(made, 'pockets'))) {
        files.set(`pockets/${name}`, await readFile(join(made, 'pockets', name), 'utf8'));
      }
      return files;
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  it('gives every number and file of the bare program on the same selected file', async () => {
    const isReport = new Ajv2020({ strict: false }).compile(SCHEMA);
    // A job mostly waits for its instance, so the jobs run side by side.
    const all = STRUCTURES.map((path) => {
      const asked = ASKED[path];
      if (path === WHOLE) return wholeSearched();
      return searched(texts.get(path) ?? '', asked === undefined ? {} : { maxPockets: asked });
    });
    for (const [index, { outputs, report }] of (await Promise.all(all)).entries()) {
      const path = STRUCTURES[index];
      const wanted = await bare(await customer.read(outputs, 'selected.pdb'));
      expect(isReport(report), JSON.stringify(isReport.errors)).to.equal(true);
      expect(report.clock).to.deep.equal({ fixed: true, seed: 1 });
      expect(report.provenance.program.packSha256).to.equal(pack.digest);
      const most = ASKED[path ?? ''] ?? KEPT;
      expect(report.pocketsFound).to.be.greaterThan(2);
      expect(report.pockets).to.have.length(Math.min(most, report.pocketsFound));
      const made = [...outputs.keys()].filter((name) => name.startsWith('pockets/'));
      expect(made).to.have.length(2 * report.pockets.length);
      for (const name of ['fpocket_out.pdb', ...made]) {
        expect(await customer.read(outputs, name), `${path} ${name}`).to.equal(wanted.get(name));
      }
      const numbersOf = (name: string): number[] =>
        [...(wanted.get('info') ?? '').matchAll(new RegExp(`^\\t${name} *:\\s*(\\S+)`, 'gm'))].map((found) =>
          Number(found[1]),
        );
      expect(numbersOf('Score')).to.have.length(report.pocketsFound);
      const kept = report.pockets.length;
      expect(report.pockets.map(({ score }) => score)).to.deep.equal(numbersOf('Score').slice(0, kept));
      expect(report.pockets.map((one) => one.volumeAngstrom3)).to.deep.equal(
        numbersOf('Volume').slice(0, kept),
      );
    }
  });

  longIt('finds the two progesterones of 1A28, and docks one back into the box of its pocket', async () => {
    const content = texts.get(WHOLE) ?? '';
    const { report, outputs } = await wholeSearched();
    const best = report.pockets.slice(0, 2);
    expect(best).to.have.length(2);
    const natives = ['A', 'B'].map((chain) => centreOf(content, chain));
    for (const { centerAngstrom, residues } of best) {
      const nearest = Math.min(...natives.map((native) => distance(native, centerAngstrom)));
      expect(nearest).to.be.lessThan(1);
      expect(residues.length).to.be.greaterThan(10);
    }
    expect(await customer.read(outputs, 'view.pml')).to.include('load pockets/pocket2_vert.pqr');
    const [first] = best;
    const chain = first?.residues[0]?.chain ?? expect.fail('pocket 1 has no residues');
    const status = await customer.ended({
      jobType: 'simulation',
      simulator: 'autodock-vina',
      simulationParams: {
        ...{
          receptorArtifact: await artifact(content),
          receptorAssemblyId: 'asymmetric',
          receptorChains: [chain],
        },
        ...{ boxCenterAngstrom: first?.box.centerAngstrom, boxSizeAngstrom: first?.box.sizeAngstrom },
        ...{ exhaustiveness: 2, numModes: 1, seed: 42, ligandLibrary: [smilesLigand('str', PROGESTERONE)] },
      },
    });
    expect(status.status, JSON.stringify(status.failures)).to.equal('SUCCEEDED');
    const poses = await customer.outputsOf(status.jobId);
    const docked = centreOfPose(await customer.read(poses, 'ligands/str/poses.sdf'));
    expect(distance(docked, centreOf(content, chain))).to.be.lessThan(1.5);
  });

  longIt('gives the same bytes on an instance of its own that is killed in the middle', async () => {
    const undisturbed = await wholeSearched();
    const apart = await processApi();
    const { liveKey: key } = await apart.account();
    await untilOffered(apart, key, 'fpocket');
    const receptorArtifact = await storeArtifact(apart, key, texts.get(WHOLE) ?? '', 'pdb');
    const { jobId } = await dockingCustomer(apart, key).submitted(search({ receptorArtifact }));
    const isRunning = async (): Promise<boolean> =>
      (await apart.call(key, 'GET', `jobs/${jobId}/status`)).body.progress.running > 0;
    await until('the task runs', isRunning, 60_000);
    const [row] = await apart.db.query<{ provider_id: string }[]>(
      `select provider_id from instances where job_id = $1 and fenced_at is null`,
      [jobId],
    );
    apart.stack.kill(`instance/${row?.provider_id ?? expect.fail('no instance')}`);
    const again = await foundBy(jobId, apart, key);
    expect(again.status.recovery.recoveries).to.equal(1);
    for (const [name, { sha256, kind }] of undisturbed.outputs) {
      // The report names the stored artifact, which has an id of its own; the manifest names the job.
      if (['pockets', 'manifest'].includes(kind)) continue;
      expect(again.outputs.get(name)?.sha256, name).to.equal(sha256);
    }
    expect(again.report.pockets).to.deep.equal(undisturbed.report.pockets);
  });

  it('takes a structure without a pocket as a success with an empty list', async () => {
    const lines = (texts.get(WHOLE) ?? '').split('\n').filter((line) => line.startsWith('ATOM'));
    const peptide = `${lines.slice(0, 47).join('\n')}\nTER\nEND\n`;
    const { report, status } = await searched(peptide);
    expect(report.pockets).to.deep.equal([]);
    expect(report.warnings.map(({ code }) => code)).to.include('POCKETS_NONE_FOUND');
    expect(status.cost.chargedCents).to.be.greaterThan(0);
  });

  it('refuses what the request shows without a hold or a row, and charges nothing for what the file shows', async () => {
    const content = texts.get(WHOLE) ?? '';
    const receptorArtifact = await artifact(content);
    const jobs = async (): Promise<number> =>
      Number((await api.db.query<{ n: string }[]>('select count(*) as n from jobs'))[0]?.n);
    const held = async (): Promise<number> =>
      (await api.call(owner.liveKey, 'GET', 'credits/balance')).body.held_cents;
    const before = await jobs();
    const refused: readonly (readonly [Json, number, string])[] = [
      [search({}), 422, 'INPUT_MISSING'],
      [search({ receptorArtifact, receptorPdbId: '1A28' }), 422, 'INPUT_CONFLICT'],
      [search({ receptorArtifact: { ...receptorArtifact, format: 'sdf' } }), 400, 'VALIDATION_ERROR'],
      [search({ receptorArtifact, maxPockets: 21 }), 400, 'VALIDATION_ERROR'],
      [search({ receptorArtifact }, { taskCount: 2 }), 422, 'TASK_COUNT_MISMATCH'],
    ];
    for (const [body, status, code] of refused) {
      const answer = await api.submit(owner.liveKey, body);
      expect([answer.status, answer.body.code], code).to.deep.equal([status, code]);
    }
    expect([await jobs(), await held()]).to.deep.equal([before, 0]);
    const atoms = content.split('\n').filter((line) => line.startsWith('ATOM'));
    const waters = content.split('\n').filter((line) => line.startsWith('HETATM') && line.includes('HOH'));
    const failing: readonly (readonly [string, string, Json])[] = [
      [' \n', 'RECEPTOR_UNREADABLE', {}],
      [content.slice(0, content.length / 2), 'RECEPTOR_UNREADABLE', {}],
      ['ATOM\0\0binary', 'RECEPTOR_UNREADABLE', {}],
      ['no structure at all\n', 'RECEPTOR_UNREADABLE', {}],
      [content, 'RECEPTOR_CHAIN_NOT_FOUND', { receptorChains: ['Z'] }],
      [content, 'RECEPTOR_MODEL_NOT_FOUND', { receptorModel: 7 }],
      [content, 'RECEPTOR_ASSEMBLY_NOT_FOUND', { receptorAssemblyId: '9' }],
      [`${waters.join('\n')}\nEND\n`, 'POCKETS_NO_ATOMS', {}],
      [`${atoms.slice(0, 3).join('\n')}\nEND\n`, 'POCKETS_NO_ATOMS', {}],
    ];
    const ended = failing.map(async ([file, , params]) => {
      const named = await artifact(file);
      return customer.ended(search({ receptorArtifact: named, ...params }));
    });
    for (const [index, status] of (await Promise.all(ended)).entries()) {
      const code = failing[index]?.[1];
      expect([status.status, status.failures[0]?.code], code).to.deep.equal(['FAILED', code]);
      expect(status.cost.chargedCents).to.equal(0);
    }
    expect(await held()).to.equal(0);
  });
});

function mean(points: readonly (readonly number[])[]): number[] {
  return [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + (point[axis] ?? 0), 0) / points.length);
}

/** The middle of the deposited progesterone of a chain. */
function centreOf(pdb: string, chain: string): number[] {
  const lines = pdb
    .split('\n')
    .filter((line) => line.startsWith('HETATM') && line.slice(17, 22) === `STR ${chain}`);
  return mean(lines.map((line) => [30, 38, 46].map((at) => Number(line.slice(at, at + 8)))));
}

/** The middle of the heavy atoms of the first record of an SD file. */
function centreOfPose(sdf: string): number[] {
  const atoms = sdf
    .split('\n')
    .filter((line) => /^ +-?\d+\.\d{4} +-?\d+\.\d{4} +-?\d+\.\d{4} (?!H )\S/.test(line));
  return mean(atoms.map((line) => [0, 10, 20].map((at) => Number(line.slice(at, at + 10)))));
}

function distance(one: readonly number[], other: readonly number[]): number {
  return Math.hypot(...one.map((place, axis) => place - (other[axis] ?? 0)));
}
