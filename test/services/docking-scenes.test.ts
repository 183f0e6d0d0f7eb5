/** Scenes of docking records: made of what is recorded, of the account alone, and such that a project takes them. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { resultIdOf } from '../../src/domain/docking-ids.ts';
import { checkScene } from '../../src/scenes/check.ts';
import type { Scene } from '../../src/scenes/docking.ts';
import { createDockingResults } from '../../src/services/docking/results/index.ts';
import { ownerOf } from '../support/actors.ts';
import { bondTo, dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { suitePatterns } from '../support/patterns.ts';
import { codeOf } from '../support/refusals.ts';

const BOX = { centerAngstrom: [22, 10, 60], sizeAngstrom: [20, 20, 24] };

describe('scenes of docking records', () => {
  const home = suiteHome();
  const patterns = suitePatterns();
  let results: ReturnType<typeof createDockingResults>;
  let batch: DockedBatch;
  const files = new Map<string, string>();
  before(async () => {
    results = createDockingResults(home.db, patterns);
    batch = await dockedBatch(home, 3, [0]);
    await dock(home.db, batch.jobId, {
      0: dockedRecord([-7, -6.5], [[725, 801], []]),
      1: dockedRecord([-9], [[725]]),
    });
    await file('prepare', 0, 'receptor/prepared.pdb', 'prepared_receptor', 'pdb');
    await file('prepare', 0, 'control/native_reference.sdf', 'control', 'sdf');
    for (const ordinal of [0, 1])
      await file('task', ordinal, `ligands/l${ordinal}/poses.sdf`, 'poses', 'sdf');
    await home.db.query(`update tasks set summary = $2::jsonb where job_id = $1 and kind = 'prepare'`, [
      batch.jobId,
      JSON.stringify({ box: BOX }),
    ]);
  });

  const posesFile = (of: DockedBatch, ordinal: number, name: string) =>
    file('task', ordinal, name, 'poses', 'sdf', of);
  const file = async (
    ...[taskKind, ordinal, name, kind, format, of = batch]: [
      string,
      number,
      string,
      string,
      string,
      DockedBatch?,
    ]
  ) => {
    const id = randomUUID();
    files.set(name, `/api/v1/molecular/assets/${id}`);
    await home.db.query(
      `insert into artifacts (id, account_id, job_id, task_kind, task_ordinal, storage_key, name, kind, media_type, format, byte_size, sha256)
       values ($1::uuid, $2, $3, $4, $5, $1::uuid::text, $6, $7, 'chemical/x', $8, 1, 's')`,
      [id, of.accountId, of.jobId, taskKind, ordinal, name, kind, format],
    );
  };
  const actor = () => ownerOf(batch.accountId);
  const resultId = (ordinal: number): string => resultIdOf(batch.jobId, ordinal);
  const poseId = async (ordinal: number, mode: number): Promise<string> => {
    const { poses } = await results.poses(actor(), resultId(ordinal));
    return poses[mode - 1]?.id ?? expect.fail('no pose');
  };
  const titlesOf = (scene: Scene): unknown[] =>
    scene.kind === 'single'
      ? [scene.metadata['title']]
      : scene.snapshots.map(({ metadata }) => metadata['title']);

  it('show of a pose receptor, contacts, control and box as they are recorded', async () => {
    const scene = await results.scene(actor(), { kind: 'pose', id: await poseId(0, 1) });
    expect([scene.kind, ...titlesOf(scene)]).to.deep.equal(['single', 'Pose of l0']);
    const told = JSON.stringify(scene);
    for (const name of ['receptor/prepared.pdb', 'control/native_reference.sdf', 'ligands/l0/poses.sdf'])
      expect(told, name).to.include(files.get(name));
    const { atom, residue } = bondTo(801).receptor;
    expect(told)
      .to.include(`"auth_seq_id":${residue},"auth_atom_id":"${atom}"`)
      .and.include('"extent":[10,10,12]');
    const { faults, sources } = checkScene(JSON.parse(told));
    expect([faults, sources.length]).to.deep.equal([[], 3]);
  });

  it('show the modes of a result, and the best pose of each ligand of a run and of a batch', async () => {
    const modes = await results.scene(actor(), { kind: 'result', id: resultId(0) });
    expect(titlesOf(modes)).to.deep.equal(['l0, mode 1', 'l0, mode 2']);
    expect(JSON.stringify(modes)).to.include('"model_index":1');
    for (const of of [
      { kind: 'batch', id: batch.batchId },
      { kind: 'run', id: batch.runId },
    ] as const) {
      const best = await results.scene(actor(), of);
      // A record of the library that equals an earlier one has the pose of the earlier one.
      expect(titlesOf(best), of.kind).to.deep.equal(['l1, mode 1', 'l0, mode 1']);
      expect(checkScene(JSON.parse(JSON.stringify(best))).faults).to.deep.equal([]);
    }
  });

  it('and results are there for a job that was submitted by itself, under the id of the job', async () => {
    const alone = await dockedBatch(home, 1);
    await home.db.query('delete from docking_runs where job_id = $1', [alone.jobId]);
    const owner = ownerOf(alone.accountId);
    const of = { kind: 'run', id: alone.jobId } as const;
    expect(await codeOf(results.scene(owner, of)), 'nothing is docked').to.equal('NOT_FOUND');
    await dock(home.db, alone.jobId, { 0: dockedRecord([-8, -7]) });
    await posesFile(alone, 0, 'ligands/alone/poses.sdf');
    const { results: listed } = await results.list(owner, of, { sort: 'affinity', limit: 10 });
    const [id = ''] = listed.map((each) => each.id);
    const { poses } = await results.poses(owner, id);
    expect([listed.length, poses.length]).to.deep.equal([1, 2]);
    expect((await results.pose(owner, poses[0]?.id ?? '')).pose.result_id).to.equal(id);
    for (const each of [of, { kind: 'result', id }, { kind: 'pose', id: poses[0]?.id ?? '' }] as const) {
      const scene = await results.scene(owner, each);
      expect(JSON.stringify(scene), each.kind).to.include(files.get('ligands/alone/poses.sdf'));
      expect(await codeOf(results.scene(actor(), each)), each.kind).to.equal('NOT_FOUND');
    }
  });

  it('are of the account alone, and of what is docked', async () => {
    const others = await dockedBatch(home, 1);
    const stranger = ownerOf(others.accountId);
    const pose = await poseId(0, 1);
    for (const of of [
      { kind: 'pose', id: pose },
      { kind: 'result', id: resultId(0) },
      { kind: 'run', id: batch.runId },
      { kind: 'batch', id: batch.batchId },
    ] as const)
      expect(await codeOf(results.scene(stranger, of)), of.kind).to.equal('NOT_FOUND');
    const open = { kind: 'batch', id: others.batchId } as const;
    expect(await codeOf(results.scene(stranger, open)), 'nothing is docked').to.equal('NOT_FOUND');
  });
});
