/** Results of batches as they are listed, filtered and read, from rows that commits have written. */
import { randomUUID } from 'node:crypto';

import { expect } from 'chai';

import { createDatabase } from '../../src/adapters/database.ts';
import type { Actor } from '../../src/domain/access.ts';
import { resultIdOf } from '../../src/domain/docking-ids.ts';
import type { ResultQuery } from '../../src/domain/docking-lists.ts';
import { createDockingResults } from '../../src/services/docking/results/index.ts';
import { addRun, bondTo, dock, dockedBatch, dockedRecord } from '../support/docking-batch.ts';
import type { DockedBatch } from '../support/docking-batch.ts';
import { suiteHome } from '../support/home.ts';
import { suitePatterns } from '../support/patterns.ts';
import { wrongRankCounts } from '../support/rank-counts.ts';
import { codeOf } from '../support/refusals.ts';
import type { Answers } from '../../src/domain/answers.ts';

type ResultListResponse = Answers['listDockingRunResults'];

const actorOf = ({ accountId, userId }: Pick<DockedBatch, 'accountId' | 'userId'>): Actor =>
  ({
    ...{ kind: 'key', accountId, userId, keyId: randomUUID(), environment: 'live', scopes: ['jobs:read'] },
    role: 'member',
  }) as unknown as Actor;

describe('results of docking', () => {
  const home = suiteHome();
  const patterns = suitePatterns();
  let batch: DockedBatch;
  const services = (): ReturnType<typeof createDockingResults> => createDockingResults(home.db, patterns);
  const page = (more: Partial<ResultQuery> = {}, of = batch): Promise<ResultListResponse> =>
    services().list(
      actorOf(of),
      { kind: 'batch', id: of.batchId },
      { sort: 'affinity', limit: 100, ...more },
    );
  const ids = async (more: Partial<ResultQuery> = {}, of = batch): Promise<readonly string[]> =>
    (await page(more, of)).results.map(({ ligand_id }) => ligand_id);

  before(async () => {
    batch = await dockedBatch(home, 12, [2]);
    const warnings = [{ code: 'STEREO_UNSPECIFIED', message: 'one of two' }];
    const acetate = {
      smilesDocked: 'CC(=O)[O-]',
      descriptors: {
        ...{ molecularWeight: 60.052, logP: 0.091, tpsa: 37.3, donors: 1, acceptors: 1, rotatableBonds: 0 },
        ...{ qed: 0.43, alerts: [], scaffold: '' },
      },
      ...{ secondAffinityKcalMol: -6.5, secondRank: 2 },
    };
    const aspirin = {
      smilesDocked: 'CC(=O)Oc1ccccc1C(=O)O',
      descriptors: {
        ...{ molecularWeight: 230, logP: 1.31, tpsa: 63.6, donors: 1, acceptors: 3, rotatableBonds: 2 },
        ...{ qed: 0.55, alerts: ['BRENK: phenol_ester'], scaffold: 'c1ccccc1' },
      },
    };
    await dock(home.db, batch.jobId, {
      0: dockedRecord([-7, -6], [[725], [718]], { ligandEfficiency: 0.1, ...aspirin }),
      1: dockedRecord([-9, -8], [[725, 718]], { ligandEfficiency: null, warnings, ...acetate }),
      2: dockedRecord([-8, -7.5], [[], [725, 718, 719]], { ligandEfficiency: 0.5, smilesDocked: 'c1ccccc1' }),
      3: dockedRecord([-7], [[718]], { ligandEfficiency: 0.3 }),
    });
    await home.db.query(
      `update tasks set state = case ordinal when 4 then 'RUNNING' when 5 then 'FAILED' when 6 then 'FAILED' when 7 then 'CANCELLED' else state end,
         failure_code = case when ordinal in (5, 6) then 'LIGAND_EMBED_FAILED' end, failure_message = case when ordinal = 5 then 'no shape' end
       where job_id = $1 and kind = 'task' and ordinal between 4 and 7`,
      [batch.jobId],
    );
  });

  it('come with their ranks, docked ligands first, then all others by id; equal records under each id', async () => {
    const { results, final, nextCursor, uiLinks } = await page();
    expect(results.map(({ ligand_id, rank, status }) => [ligand_id, rank, status])).to.deep.equal([
      ['l1', 1, 'SUCCEEDED'],
      ['l2', 2, 'SUCCEEDED'],
      ['l2-again', 3, 'SUCCEEDED'],
      ['l0', 4, 'SUCCEEDED'],
      ['l3', 5, 'SUCCEEDED'],
      ['l10', null, 'PENDING'],
      ['l11', null, 'PENDING'],
      ['l4', null, 'RUNNING'],
      ['l5', null, 'FAILED'],
      ['l6', null, 'FAILED'],
      ['l7', null, 'CANCELLED'],
      ['l8', null, 'PENDING'],
      ['l9', null, 'PENDING'],
    ]);
    expect({ final, nextCursor }).to.deep.equal({ final: false, nextCursor: null });
    expect(uiLinks.studio).to.equal(`/molecular/studio?dockingBatch=${batch.batchId}`);
    const [first, second, again] = results;
    expect(first).to.deep.include({
      ...{ id: resultIdOf(batch.jobId, 1), label: 'Label 1', input_properties: { vendor: 'v1' } },
      ...{ library_line: 2, run_id: batch.runId, batch_id: batch.batchId, smiles_docked: 'CC(=O)[O-]' },
      ...{ cached_from_result_id: null, matched_modes: null },
    });
    expect(again?.cached_from_result_id).to.equal(second?.id);
    expect(again?.label).to.equal('Again 2');
    expect(results[8]?.failure).to.deep.equal({
      ...{ code: 'LIGAND_EMBED_FAILED', message: 'no shape', stage: 'ligand' },
    });
  });

  it('come in pages of any size with each ligand once, in every order, and by no cursor of another query', async () => {
    for (const sort of ['affinity', 'efficiency', 'ligandId'] as const) {
      const all = await ids({ sort });
      expect(all).to.have.length(13);
      for (const limit of [1, 4]) {
        const seen: string[] = [];
        let cursor: string | null | undefined;
        do {
          const part: ResultListResponse = await page({
            ...{ sort, limit },
            ...(cursor == null ? {} : { cursor }),
          });
          seen.push(...part.results.map(({ ligand_id }) => ligand_id));
          cursor = part.nextCursor;
        } while (cursor !== null);
        expect(seen).to.deep.equal(all);
      }
    }
    expect((await ids({ sort: 'efficiency' })).slice(0, 5)).to.deep.equal([
      'l2',
      'l2-again',
      'l3',
      'l0',
      'l1',
    ]);
    expect(await ids({ sort: 'ligandId' })).to.deep.equal((await ids()).toSorted());
    const { nextCursor } = await page({ limit: 1 });
    const foreign = await codeOf(page({ limit: 1, cursor: nextCursor ?? '', status: 'SUCCEEDED' }));
    expect(foreign).to.equal('VALIDATION_ERROR');
  });

  it('are filtered by score, state, warning and label', async () => {
    expect(await ids({ affinityAtMost: -8 })).to.deep.equal(['l1', 'l2', 'l2-again']);
    expect(await ids({ status: 'RUNNING' })).to.deep.equal(['l4']);
    expect(await ids({ status: 'SUCCEEDED' })).to.deep.equal(['l1', 'l2', 'l2-again', 'l0', 'l3']);
    expect(await ids({ warning: 'STEREO_UNSPECIFIED' })).to.deep.equal(['l1']);
    expect(await ids({ label: 'Label 1' })).to.deep.equal(['l1', 'l10', 'l11']);
    expect(await ids({ label: '%' })).to.deep.equal([]);
    expect(
      (await page({ affinityAtMost: -7.5, sort: 'ligandId' })).results.map(({ rank }) => rank),
    ).to.deep.equal([1, 2, 3]);
  });

  it('are filtered by the figures of their molecules and by a pattern, and say them', async () => {
    expect(await ids({ descriptor: ['logP<=2'] })).to.deep.equal(['l1', 'l0']);
    expect(await ids({ descriptor: ['logP<=2', 'molecularWeight>=200'] })).to.deep.equal(['l0']);
    expect(await ids({ descriptor: ['alerts<=0'] })).to.deep.equal(['l1']);
    expect(await ids({ smarts: 'c1ccccc1' })).to.deep.equal(['l2', 'l2-again', 'l0']);
    expect(await ids({ smarts: 'c1ccccc1', descriptor: ['logP<=2'] })).to.deep.equal(['l0']);
    const { results } = await page({ smarts: 'C(=O)[O-]' });
    expect(results.map(({ ligand_id, rank }) => [ligand_id, rank])).to.deep.equal([['l1', 1]]);
    expect(results[0]).to.deep.include({
      ...{ molecular_weight: 60.052, log_p: 0.091, h_bond_donors: 1, alerts: [], scaffold: '' },
      ...{ second_affinity_kcal_mol: -6.5, second_rank: 2 },
      key_interactions: ['hydrogen_bond:A:GLN718', 'hydrogen_bond:A:GLN725'],
    });
    const [other] = (await page({ status: 'FAILED' })).results;
    expect(other).to.deep.include({ log_p: null, alerts: null, key_interactions: null });
  });

  it('are refused for a pattern that is none, or that every molecule has', async () => {
    for (const [smarts, why] of [
      ['C((', 'cannot be used: '],
      ['*', 'every molecule has it'],
      ['[#6,!#6]', 'every molecule has it'],
    ] as const) {
      const refused: unknown = await page({ smarts }).catch((error: unknown) => error);
      expect(refused).to.have.property('code', 'VALIDATION_ERROR');
      expect(refused).to.have.property('message').that.includes(why);
    }
  });

  it('are filtered by interactions that one pose has at once, but for those that may be missing', async () => {
    const [bond, other, third] = [
      'hydrogen_bond:A:GLN725',
      'hydrogen_bond:A:GLN718',
      'hydrogen_bond:A:GLN719',
    ];
    expect(await ids({ interaction: [bond ?? ''] })).to.deep.equal(['l1', 'l2', 'l2-again', 'l0']);
    const both = await page({ interaction: [bond ?? '', other ?? '', bond ?? ''] });
    expect(both.results.map(({ ligand_id, matched_modes }) => [ligand_id, matched_modes])).to.deep.equal([
      ['l1', [1]],
      ['l2', [2]],
      ['l2-again', [2]],
    ]);
    const three = [bond ?? '', other ?? '', third ?? ''];
    expect(await ids({ interaction: three })).to.deep.equal(['l2', 'l2-again']);
    expect(await ids({ interaction: three, maxMissing: 1 })).to.deep.equal(['l1', 'l2', 'l2-again']);
    expect(await ids({ interaction: three, maxMissing: 2 })).to.have.length(5);
    expect(await ids({ interaction: ['salt_bridge:A:GLN725'] })).to.deep.equal([]);
  });

  it('are there with the next page after their commit, and those of the newest run count', async () => {
    const own = await dockedBatch(home, 3);
    await dock(home.db, own.jobId, { 1: dockedRecord([-5]) });
    expect(await ids({ status: 'SUCCEEDED' }, own)).to.deep.equal(['l1']);
    await dock(home.db, own.jobId, { 0: dockedRecord([-6]) });
    expect(await ids({ status: 'SUCCEEDED' }, own)).to.deep.equal(['l0', 'l1']);
    const next = await dockedBatch(home, 3);
    await home.db.query(`delete from docking_runs where job_id = $1`, [next.jobId]);
    await home.db.query(`delete from tasks where job_id = $1 and kind = 'task' and ordinal = 1`, [
      next.jobId,
    ]);
    await addRun(home, { ...own, jobId: next.jobId }, randomUUID(), 2);
    await dock(home.db, next.jobId, { 2: dockedRecord([-9]) });
    const results = await page({}, own);
    expect(results.results.map(({ ligand_id, rank, status }) => [ligand_id, rank, status])).to.deep.equal([
      ['l2', 1, 'SUCCEEDED'],
      ['l1', 2, 'SUCCEEDED'],
      ['l0', null, 'RUNNING'],
    ]);
    const old = await services().get(actorOf(own), resultIdOf(own.jobId, 0));
    expect(old.result).to.deep.include({ run_id: own.runId, rank: 1, best_affinity_kcal_mol: -6 });
  });

  /** The ranks of all docked ligands as the pages of a walk tell them. */
  const ranksOf = async (of: DockedBatch, more: Partial<ResultQuery>): Promise<Record<string, number>> => {
    const ranks: Record<string, number> = {};
    for (let cursor: string | null | undefined; cursor !== null;) {
      const part: ResultListResponse = await page(
        { ...more, ...(cursor === undefined ? {} : { cursor }) },
        of,
      );
      for (const { ligand_id, rank } of part.results) if (rank !== null) ranks[ligand_id] = rank;
      cursor = part.nextCursor;
    }
    return ranks;
  };
  const ranked = (scores: Readonly<Record<string, number>>): Record<string, number> => {
    const order = Object.entries(scores).sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1));
    return Object.fromEntries(order.map(([id], index) => [id, index + 1]));
  };
  it('have exact ranks on every page: of equal scores, at the bounds of steps, beyond all steps, and of ligands that were docked again', async () => {
    const own = await dockedBatch(home, 48);
    const scores: Record<string, number> = {};
    const dockAll = async (score: (ordinal: number) => number | undefined): Promise<void> => {
      const records: Record<number, ReturnType<typeof dockedRecord>> = {};
      for (let ordinal = 0; ordinal < 48; ordinal += 1) {
        const affinity = score(ordinal);
        if (affinity === undefined) continue;
        scores[`l${ordinal}`] = affinity;
        records[ordinal] = dockedRecord([affinity], [], { ligandEfficiency: ((ordinal * 7) % 11) / 10 });
      }
      await dock(home.db, own.jobId, records);
    };
    const beyond = [-1e7, -2048.0001, -2048, -2047.99, 2047.99, 2048, 1e7, 5e-324, -5e-324, 0];
    await dockAll((n) => beyond[n] ?? (n < 30 ? -9 + (n % 5) / 16 : undefined));
    await dockAll((n) => (n >= 20 && n < 44 ? -9.0625 + ((n * 5) % 7) / 32 : undefined));
    expect(await wrongRankCounts(home.db)).to.deep.equal([]);
    for (const sort of ['affinity', 'efficiency', 'ligandId'] as const)
      expect(await ranksOf(own, { sort, limit: 7 }), sort).to.deep.equal(ranked(scores));
    const some = await ranksOf(own, { affinityAtMost: -9, limit: 3 });
    const all = ranked(scores);
    expect(some).to.deep.equal(
      Object.fromEntries(Object.entries(all).filter(([id]) => (scores[id] ?? 0) <= -9)),
    );
  });

  it('have exact ranks over several runs and with equal records, where ligands are in a newer run', async () => {
    const own = await dockedBatch(home, 20, [3, 5, 7]);
    const next = await dockedBatch(home, 20);
    await home.db.query('delete from docking_runs where job_id = $1', [next.jobId]);
    await home.db.query(
      `delete from tasks where job_id = $1 and kind = 'task' and ordinal not in (5, 7, 9, 19)`,
      [next.jobId],
    );
    await addRun(home, { ...own, jobId: next.jobId }, randomUUID(), 2);
    const scoreOf = (ordinal: number): number => -8 + ((ordinal * 3) % 8) / 10;
    const upTo = (count: number) => Array.from({ length: count }, (_, ordinal) => ordinal);
    await dock(
      home.db,
      own.jobId,
      Object.fromEntries(upTo(18).map((ordinal) => [ordinal, dockedRecord([scoreOf(ordinal)])])),
    );
    await dock(home.db, next.jobId, { 5: dockedRecord([-7.75]), 19: dockedRecord([-12]) });
    const scores: Record<string, number> = Object.fromEntries(
      upTo(18)
        .filter((ordinal) => ![7, 9].includes(ordinal))
        .map((ordinal) => [`l${ordinal}`, scoreOf(ordinal)]),
    );
    Object.assign(scores, { l5: -7.75, 'l5-again': -7.75, l19: -12, 'l3-again': scoreOf(3) });
    for (const sort of ['affinity', 'efficiency', 'ligandId'] as const)
      expect(await ranksOf(own, { sort, limit: 6 }), sort).to.deep.equal(ranked(scores));
    expect((await ids({ status: 'SUCCEEDED', limit: 3 }, own)).slice(0, 3)).to.deep.equal(
      Object.keys(ranked(scores)).slice(0, 3),
    );
  });

  it('tell what has failed and how often with each code', async () => {
    const actor = actorOf(batch);
    const { failures, counts } = await services().failures(actor, batch.batchId, { limit: 1 });
    expect(counts).to.deep.equal([{ code: 'LIGAND_EMBED_FAILED', count: 2 }]);
    expect(failures).to.have.length(1);
    expect(failures[0]).to.deep.include({
      ...{
        ligand_id: 'l5',
        label: 'Label 5',
        code: 'LIGAND_EMBED_FAILED',
        message: 'no shape',
        library_line: 6,
        stage: 'ligand',
      },
      result_id: resultIdOf(batch.jobId, 5),
    });
    const none = await services().failures(actor, batch.batchId, { limit: 1, code: 'ENGINE_CRASHED' });
    expect(none).to.deep.include({ failures: [], nextCursor: null });
  });

  it('are read one by one with poses and interactions, also while the ligand waits', async () => {
    const actor = actorOf(batch);
    const { result, uiLinks } = await services().get(actor, resultIdOf(batch.jobId, 2));
    expect(result).to.deep.include({ ligand_id: 'l2', rank: 2, status: 'SUCCEEDED' });
    expect(uiLinks.studio).to.equal(`/molecular/studio?dockingResult=${result.id}`);
    const { poses } = await services().poses(actor, result.id);
    expect(poses.map(({ mode, interaction_count }) => [mode, interaction_count])).to.deep.equal([
      [1, 0],
      [2, 3],
    ]);
    const poseId = poses[1]?.id ?? '';
    const shown = await services().pose(actor, poseId);
    expect(shown.pose).to.deep.equal(poses[1]);
    const { interactions, computed } = await services().interactions(actor, poseId);
    expect(computed).to.equal(true);
    expect(interactions.map(({ receptor }) => receptor.residue)).to.deep.equal([725, 718, 719]);
    const { receptor } = bondTo(725);
    expect(interactions[0]).to.deep.include({
      ...{ pose_id: poseId, type: 'hydrogen_bond', ligand_role: 'acceptor', ligand_atoms: [3] },
      ...{ distance_angstrom: 2.9, angle_degrees: 160.5, water: null, user_id: batch.userId },
      receptor: { chain: 'A', residue: 725, insertion_code: null, residue_name: 'GLN', atom: receptor.atom },
    });
    expect(new Set(interactions.map(({ id }) => id)).size).to.equal(3);

    const again = await services().list(
      actor,
      { kind: 'run', id: batch.runId },
      { sort: 'affinity', limit: 3 },
    );
    const repeated = again.results[2];
    expect((await services().get(actor, repeated?.id ?? '')).result).to.deep.equal(repeated);
    expect((await services().poses(actor, repeated?.id ?? '')).poses).to.deep.equal(poses);
    const waiting = await services().get(actor, resultIdOf(batch.jobId, 8));
    expect(waiting.result).to.deep.include({ ligand_id: 'l8', status: 'PENDING', rank: null });
    expect((await services().poses(actor, waiting.result.id)).poses).to.deep.equal([]);
  });

  it('are read over one connection each, so that requests never wait for each other', async () => {
    const db = await createDatabase(home.database.url, { poolSize: 1 });
    try {
      const narrow = createDockingResults(db, patterns);
      const actor = actorOf(batch);
      const resultId = resultIdOf(batch.jobId, 2);
      const { poses } = await narrow.poses(actor, resultId);
      expect(poses).to.have.length(2);
      expect((await narrow.get(actor, resultId)).result.ligand_id).to.equal('l2');
      expect((await narrow.pose(actor, poses[0]?.id ?? '')).pose.mode).to.equal(1);
      expect((await narrow.failures(actor, batch.batchId, { limit: 2 })).failures).to.have.length(2);
      const of = { kind: 'batch', id: batch.batchId } as const;
      expect((await narrow.list(actor, of, { sort: 'affinity', limit: 1 })).results).to.have.length(1);
    } finally {
      await db.destroy();
    }
  });

  it('are refused to every other account, as is what does not exist', async () => {
    const stranger = actorOf(await dockedBatch(home, 1));
    const resultId = resultIdOf(batch.jobId, 2);
    const { poses } = await services().poses(actorOf(batch), resultId);
    const poseId = poses[0]?.id ?? '';
    const query = { sort: 'affinity', limit: 1 } as const;
    for (const call of [
      () => services().list(stranger, { kind: 'batch', id: batch.batchId }, query),
      () => services().list(stranger, { kind: 'run', id: batch.runId }, query),
      () => services().list(stranger, { kind: 'run', id: 'none' }, query),
      () => services().failures(stranger, batch.batchId, { limit: 1 }),
      () => services().get(stranger, resultId),
      () => services().get(actorOf(batch), resultIdOf(batch.jobId, 500)),
      () => services().poses(stranger, resultId),
      () => services().pose(stranger, poseId),
      () => services().interactions(stranger, poseId),
      () => services().interactions(actorOf(batch), randomUUID()),
    ])
      expect(await codeOf(call())).to.equal('NOT_FOUND');
  });
});
