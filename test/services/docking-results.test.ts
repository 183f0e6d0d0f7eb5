/**
 * The records of docked ligands: written by the commit itself, one for each verified ligand however often a step is repeated,
 * and what the ranking of a job is made of.
 */
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { expect } from 'chai';

import { DockingPoseEntity, DockingResultEntity } from '../../entities/docking.ts';
import type { DockingResult } from '../../entities/docking.ts';
import type { TaskReport } from '../../src/contracts/instance.ts';
import type { WorkKind } from '../../src/contracts/job.ts';
import { stagedKey } from '../../src/contracts/names.ts';
import { resultIdOf } from '../../src/domain/docking-ids.ts';
import type { DockingRecord } from '../../src/domain/docking-results.ts';
import { commitTasks } from '../../src/services/execution/commit/commit.ts';
import type { CommitResult } from '../../src/services/execution/commit/commit.ts';
import { recordResults } from '../../src/services/docking/records/results.ts';
import { checkCompleteness } from '../../src/services/execution/settle/completeness.ts';
import { writeManifest } from '../../src/services/execution/settle/manifest.ts';
import { openAgain } from '../../src/services/jobs/resume.ts';
import { inTransaction } from '../../src/services/transaction.ts';
import { createToolRegistry } from '../../src/tools/registry.ts';
import type { ToolRegistry } from '../../src/tools/registry.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { suiteHome } from '../support/home.ts';
import { wrongRankCounts } from '../support/rank-counts.ts';
import { runningJob, startAgain } from '../support/running-job.ts';
import type { RunningJob } from '../support/running-job.ts';
import { poses, reported } from '../tools/autodock-vina/outputs.ts';
import type { Written } from '../tools/autodock-vina/outputs.ts';
import { artifact, docking, ligand, LIMITS, without } from '../tools/autodock-vina/requests.ts';
import { RECORDERS } from '../support/recorders.ts';
import { TEST_TOOLS } from '../support/test-tools.ts';

const tools = createToolRegistry({ testTools: TEST_TOOLS });
const vina = tools.find('autodock-vina');
const VERIFIED = { fenced: false, verified: 1, failed: 0, redo: [] };
const CHECKED = { checks: { passed: true, failed: [], notChecked: [] } };

/** What is different about one commit. */
interface Commit {
  readonly kind?: WorkKind;
  readonly execution?: number;
  readonly generation?: number;
  readonly summary?: Readonly<Record<string, unknown>>;
  readonly registry?: ToolRegistry;
}

describe('the records of docked ligands', () => {
  const home = suiteHome();
  // Whatever is written, written over or removed, the counts by which ranks are told are those of the results.
  afterEach(async () => expect(await wrongRankCounts(home.db)).to.deep.equal([]));

  /** A running job of so many ligands, `l0` and on; the first of them runs. */
  const dockingJob = (count = 40): Promise<RunningJob> => {
    const ligandLibrary = Array.from({ length: count }, (_, n) => ligand(`l${n}`));
    const request = without(
      docking({ receptorArtifact: artifact('pdb'), ligandLibrary }),
      'receptorPdbId',
      'ligandIdentity',
    );
    const plan = vina.planning.plan(request, LIMITS);
    return runningJob(home, ['prepare', 'control'], { simulator: 'autodock-vina', request, plan });
  };
  /** Stages and commits the outputs of a first task or of a step. */
  const commit = async (jobId: string, written: Written, more: Commit = {}): Promise<CommitResult> => {
    const { kind = 'task', execution = 1, generation = 1, summary = null, registry = tools } = more;
    for (const [name, { text: content, mediaType }] of Object.entries(written))
      await home.store.put(stagedKey(jobId, 0, generation, kind, 0, name), Buffer.from(content), mediaType);
    const report: TaskReport = {
      ...{ ordinal: 0, end: 'done', seconds: 1, summary },
      outputs: reported(written),
    };
    const deps = { db: home.db, store: home.store, tools: registry, recorders: RECORDERS };
    return commitTasks(deps, { jobId, execution, slot: 0, generation, kind, reports: [report] });
  };
  const first = (energies: readonly number[] = [-7.25, -6.5]): Written =>
    poses('ligands/l0', 'l0', energies, CHECKED);
  const resultsOf = (jobId: string): Promise<DockingResult[]> =>
    home.db.getRepository(DockingResultEntity).find({ where: { jobId }, order: { ordinal: 'ASC' } });
  const posesOf = async (resultId: string): Promise<readonly unknown[]> => {
    const rows = await home.db
      .getRepository(DockingPoseEntity)
      .find({ where: { resultId }, order: { mode: 'ASC' } });
    return rows.map(({ mode, affinityKcalMol }) => [mode, affinityKcalMol]);
  };
  const poseCount = (): Promise<number> => home.db.getRepository(DockingPoseEntity).count();
  const finalizing = async (jobId: string): Promise<void> => {
    await home.db.query(
      `update tasks set state = 'CANCELLED' where job_id = $1 and state in ('PENDING', 'RUNNING')`,
      [jobId],
    );
    await home.db.query(`update jobs set status = 'FINALIZING' where id = $1`, [jobId]);
  };
  /** A registry whose docking tool stops after its verdict until `go`, as a worker that is frozen there. */
  const heldAfterVerdict = (): { registry: ToolRegistry; reached: Promise<unknown>; go: () => void } => {
    const reached = Promise.withResolvers<null>();
    const gate = Promise.withResolvers<null>();
    const verify: Tool['outputs']['verify'] = async (...of) => {
      const verdict = await vina.outputs.verify(...of);
      reached.resolve(null);
      await gate.promise;
      return verdict;
    };
    const tool = { ...vina, outputs: { ...vina.outputs, verify } };
    return {
      registry: { ...tools, find: () => tool },
      reached: reached.promise,
      go: () => {
        gate.resolve(null);
      },
    };
  };

  it('have what the verified result says, whatever the summary says', async () => {
    const { jobId } = await dockingJob();
    const told = {
      ...{ bestAffinityKcalMol: -7.25, ligandEfficiency: 0.269, sizeIndependentEfficiency: 2.697 },
      ligand: { heavyAtoms: 27, formalCharge: -1, smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]' },
      warnings: [{ code: 'STEREO_UNSPECIFIED', message: 'one of two' }],
    };
    const written = poses('ligands/l0', 'l0', [-7.25, -6.5], { ...CHECKED, told });
    const summary = { bestAffinityKcalMol: -99, ligandEfficiency: 9, poseCount: 1 };
    expect(await commit(jobId, written, { summary })).to.deep.equal(VERIFIED);
    const [record, ...more] = await resultsOf(jobId);
    expect(more).to.deep.equal([]);
    expect(record).to.deep.include({
      ...{ ordinal: 0, execution: 1, ligandId: 'l0', bestAffinityKcalMol: -7.25, ligandEfficiency: 0.269 },
      ...{ sizeIndependentEfficiency: 2.697, poseCount: 2, bestPoseFailedChecks: 0, plausiblePoseCount: 2 },
      ...{ heavyAtoms: 27, formalCharge: -1, smilesInput: 'CC(=O)O', smilesDocked: 'CC(=O)[O-]' },
      warnings: [{ code: 'STEREO_UNSPECIFIED', message: 'one of two' }],
    });
    expect(record?.resultSha256).to.match(/^[0-9a-f]{64}$/);
    expect(await posesOf(record?.id ?? '')).to.deep.equal([
      [1, -7.25],
      [2, -6.5],
    ]);
  });

  it('have the states of a ligand, by whose number its task is charged, however often the task is done', async () => {
    const { jobId } = await dockingJob();
    const planned = 'atoms-21-30-states';
    await home.db.query(`update tasks set price_class = $2 where job_id = $1 and kind = 'task'`, [
      ...[jobId, planned],
    ]);
    const commitStates = async (count: number): Promise<unknown> => {
      const each = Array.from({ length: count }, (_, n) => ({
        ...{ state: n + 1, smiles: 'C', formalCharge: 0, costKcalMol: n, bestAffinityKcalMol: -7.25 },
        totalKcalMol: n - 7.25,
      }));
      const told = { ligand: { smilesDocked: 'C' }, states: { onPaper: 99, won: 1, each } };
      const done = poses('ligands/l0', 'l0', [-7.25, -6.5], { ...CHECKED, told });
      expect(await commit(jobId, done)).to.deep.equal(VERIFIED);
      const [result] = await resultsOf(jobId);
      expect(result?.states).to.deep.include({ onPaper: 99, won: 1 });
      expect((result?.states as DockingRecord['states'])?.each).to.have.length(count);
      const [task] = await home.db.query<{ price_class: string }[]>(
        `select price_class from tasks where job_id = $1 and kind = 'task' and ordinal = 0`,
        [jobId],
      );
      // As a task is opened again whose outputs were lost.
      await home.db.query(`update tasks set state = 'PENDING' where job_id = $1 and ordinal = 0`, [jobId]);
      await startAgain(home.db, jobId);
      return task?.price_class;
    };
    expect(await commitStates(8)).to.equal(`${planned} of 2-8`);
    expect(await commitStates(1)).to.equal(`${planned} of 1`);
    expect(await commitStates(16)).to.equal(planned);
    expect(await commit(jobId, first())).to.deep.equal(VERIFIED);
    expect(await resultsOf(jobId)).to.have.nested.property('[0].states', null);
  });

  it('carry the interactions of each mode and the contacts by which they are found, and lose what is not there any more', async () => {
    const { jobId } = await dockingJob();
    const bond = (residue: number, ligandRole = 'acceptor'): object => ({
      ...{ type: 'hydrogen_bond', ligandRole, ligandAtoms: [3], distanceAngstrom: 2.9, angleDegrees: 160.5 },
      receptor: { chain: 'A', residue, insertionCode: '', residueName: 'GLN', atom: 'NE2' },
    });
    const touched = async (): Promise<unknown> =>
      home.db.query(
        `select contact, block, modes from docking_contacts where job_id = $1 order by contact, block`,
        [jobId],
      );
    const write = (energies: readonly number[], interactions: unknown): Promise<CommitResult> =>
      commit(jobId, poses('ligands/l0', 'l0', energies, { interactions }));
    expect(await write([-7, -6], [bond(725), bond(725, 'donor')])).to.deep.equal(VERIFIED);
    const [record] = await resultsOf(jobId);
    expect(record?.id).to.equal(resultIdOf(jobId, 0));
    const [mode] = await home.db
      .getRepository(DockingPoseEntity)
      .find({ where: { resultId: record?.id ?? '' }, order: { mode: 'ASC' } });
    expect(mode?.interactions).to.deep.equal([bond(725), bond(725, 'donor')]);
    expect(await touched()).to.deep.equal([{ contact: 'hydrogen_bond:A:GLN725', block: 0, modes: 17 }]);

    // As a task is opened again whose outputs were lost: their rows go with it.
    await home.db.query('delete from artifacts where job_id = $1 and task_ordinal = 0', [jobId]);
    await home.db.query(
      `update tasks set state = 'RUNNING', attempts = attempts + 1 where job_id = $1 and ordinal = 0`,
      [jobId],
    );
    const many = Array.from({ length: 17 }, (_, n) => -7 + n / 10);
    expect(await write(many, [bond(-5)])).to.deep.equal(VERIFIED);
    expect(await touched()).to.deep.equal([
      { contact: 'hydrogen_bond:A:GLN-5', block: 0, modes: 0x1111111111111 },
      { contact: 'hydrogen_bond:A:GLN-5', block: 1, modes: 0x1111 },
    ]);
  });

  it('are one for a ligand that is committed again, and by two attempts at once', async () => {
    const { jobId } = await dockingJob();
    const held = heldAfterVerdict();
    const early = commit(jobId, first(), { registry: held.registry });
    await held.reached;
    expect(await commit(jobId, first())).to.deep.equal(VERIFIED);
    const [before, ...more] = await resultsOf(jobId);
    held.go();
    expect(await early).to.deep.equal(VERIFIED);
    expect(await commit(jobId, first())).to.deep.equal(VERIFIED);
    expect(more).to.deep.equal([]);
    expect(await resultsOf(jobId)).to.deep.equal([before]);
    expect(await posesOf(before?.id ?? '')).to.have.length(2);
  });

  it('are not written by an instance that is lost between the verdict and the commit; the next attempt writes one', async () => {
    const { jobId } = await dockingJob();
    const held = heldAfterVerdict();
    const lost = commit(jobId, first([-9]), { registry: held.registry });
    await held.reached;
    await home.db.query('update instances set fenced_at = now() where job_id = $1', [jobId]);
    await home.db.query(
      `insert into instances (job_id, slot, generation, provider, launch_token, state, vcpus) values ($1, 0, 2, 'local', $2, 'RUNNING', 2)`,
      [jobId, randomUUID()],
    );
    await home.db.query(
      `update tasks set attempts = attempts + 1, generation = 2 where job_id = $1 and ordinal = 0`,
      [jobId],
    );
    held.go();
    expect(await lost).to.include({ fenced: true });
    expect(await resultsOf(jobId)).to.deep.equal([]);
    expect(await commit(jobId, first(), { generation: 2 })).to.deep.equal(VERIFIED);
    const results = await resultsOf(jobId);
    expect(results.map((one) => one.bestAffinityKcalMol)).to.deep.equal([-7.25]);
  });

  it('stay over a resume, whose execution writes one for each ligand that was missing', async () => {
    const { jobId } = await dockingJob();
    expect(await commit(jobId, first())).to.deep.equal(VERIFIED);
    const [kept] = await resultsOf(jobId);
    await inTransaction(home.db, (tx) => openAgain(tx, jobId, 2));
    expect(await resultsOf(jobId)).to.deep.equal([kept]);

    const other = await dockingJob();
    await home.db.query(
      `update tasks set state = 'FAILED', failure_code = 'ENGINE_CRASHED' where job_id = $1 and ordinal = 0`,
      [other.jobId],
    );
    await inTransaction(home.db, (tx) => openAgain(tx, other.jobId, 2));
    await startAgain(home.db, other.jobId);
    for (let turn = 0; turn < 2; turn += 1)
      expect(await commit(other.jobId, first(), { execution: 2 })).to.deep.equal(VERIFIED);
    const results = await resultsOf(other.jobId);
    expect(results.map(({ ordinal, execution }) => [ordinal, execution])).to.deep.equal([[0, 2]]);
  });

  it('go with the outputs of a ligand that did not stay in the store, and come again with the next', async () => {
    const { jobId } = await dockingJob();
    const before = await poseCount();
    expect(await commit(jobId, first())).to.deep.equal(VERIFIED);
    await finalizing(jobId);
    const [object] = await home.db.query<{ storage_key: string }[]>(
      `select storage_key from artifacts where job_id = $1 and kind = 'poses'`,
      [jobId],
    );
    await home.store.remove([object?.storage_key ?? '']);
    expect(await checkCompleteness(home, jobId)).to.include({ setBack: 1 });
    expect(await resultsOf(jobId)).to.deep.equal([]);
    expect(await poseCount()).to.equal(before);
    await startAgain(home.db, jobId);
    expect(await commit(jobId, first([-8]))).to.deep.equal(VERIFIED);
    const results = await resultsOf(jobId);
    expect(results.map((one) => [one.bestAffinityKcalMol, one.poseCount])).to.deep.equal([[-8, 1]]);
  });

  it('are not made of a control, nor of outputs that do not verify', async () => {
    const { jobId } = await dockingJob();
    const control = poses('control', 'native:STR:A:1');
    expect(await commit(jobId, control, { kind: 'control' })).to.deep.equal(VERIFIED);
    expect(await commit(jobId, poses('ligands/l0', 'l0', [-6.5, -7.25]))).to.deep.include({ redo: [0] });
    expect(await resultsOf(jobId)).to.deep.equal([]);
  });

  const recordOf = (affinities: readonly number[]): DockingRecord => ({
    ...{ kind: 'docking', resultSha256: 'a'.repeat(64), bestAffinityKcalMol: affinities[0] ?? 0 },
    ...{ ligandEfficiency: 0.25, sizeIndependentEfficiency: null, poseCount: affinities.length },
    ...{ bestPoseFailedChecks: null, plausiblePoseCount: null, heavyAtoms: 9, formalCharge: 0 },
    ...{ smilesInput: 'C', smilesDocked: 'C', warnings: [], toolchainSha256: null, cpuClass: null },
    ...{
      engineVersion: null,
      descriptors: null,
      secondAffinityKcalMol: null,
      secondRank: null,
      states: null,
    },
    poses: affinities.map((affinityKcalMol, index) => ({
      ...{ mode: index + 1, affinityKcalMol, secondAffinityKcalMol: null },
      ...{ rmsdLowerAngstrom: 0, rmsdUpperAngstrom: 0, failedChecks: null, interactions: null },
    })),
  });

  it('keep their ids when they are written over, and lose the poses that there are no more', async () => {
    const { jobId } = await dockingJob();
    const write = (...affinities: readonly number[]): Promise<void> =>
      inTransaction(home.db, (tx) =>
        recordResults(tx, { jobId, execution: 1 }, [
          { ordinal: 0, ligandId: 'l0', record: recordOf(affinities) },
        ]),
      );
    await write(-7, -6, -5);
    const [before] = await resultsOf(jobId);
    for (const [affinities, count] of [
      [[-8, -7.5], 2],
      [[-8, -7.5, -7, -6], 4],
    ] as const) {
      await write(...affinities);
      const [after, ...more] = await resultsOf(jobId);
      expect(more).to.deep.equal([]);
      expect(after).to.deep.include({ id: before?.id, bestAffinityKcalMol: -8, poseCount: count });
      const wanted = affinities.map((affinity, index) => [index + 1, affinity]);
      expect(await posesOf(before?.id ?? '')).to.deep.equal(wanted);
    }
  });

  it('rank a library over many pages, equal scores by id, byte by byte as one sort in memory ranks it', async function () {
    this.timeout(240_000);
    const count = 2_500;
    const job = await dockingJob(count);
    const { jobId } = job;
    // Few different scores, so that equal scores stand on both sides of the end of a page.
    const scoreOf = (n: number): number => -5 - (n % 3) / 8;
    const isDocked = (n: number): boolean => n % 7 !== 3;
    for (let from = 0; from < count; from += 500) {
      const part = Array.from({ length: 500 }, (_, n) => from + n).filter(isDocked);
      await inTransaction(home.db, (tx) =>
        recordResults(
          tx,
          { jobId, execution: 1 },
          part.map((n) => ({ ordinal: n, ligandId: `l${n}`, record: recordOf([scoreOf(n)]) })),
        ),
      );
    }
    await home.db.query(
      `update tasks set state = case when ordinal % 7 <> 3 then 'SUCCEEDED' when ordinal % 2 = 0 then 'FAILED' else 'CANCELLED' end,
         failure_code = case when ordinal % 14 = 10 then 'LIGAND_PARSE_FAILED' end where job_id = $1 and kind = 'task'`,
      [jobId],
    );
    expect(await commit(jobId, poses('control', 'native:STR:A:1'), { kind: 'control' })).to.deep.equal(
      VERIFIED,
    );
    const numbers = Array.from({ length: count }, (_, n) => n);
    const ranked = numbers
      .filter(isDocked)
      .sort((a, b) => scoreOf(a) - scoreOf(b) || (`l${a}` < `l${b}` ? -1 : 1))
      .map(
        (n, at) =>
          `${at + 1},l${n},the l${n},${scoreOf(n)},0.25,1,SUCCEEDED,,,,,vina,C,C,0,${','.repeat(11)}\r\n`,
      );
    const others = numbers
      .filter((n) => !isDocked(n))
      .map(
        (n) =>
          `,l${n},the l${n},,,,${n % 2 === 0 ? 'FAILED,LIGAND_PARSE_FAILED' : 'CANCELLED,'},,,,vina,Oc1ccccc1${','.repeat(14)}\r\n`,
      );
    for (let turn = 0; turn < 2; turn += 1) {
      await writeManifest({ ...home, db: home.db, store: home.store, tools }, { jobId, isProven: true });
      const [file] = await home.db.query<{ storage_key: string; byte_size: number }[]>(
        `select storage_key, byte_size from artifacts where job_id = $1 and name = 'ranking.csv'`,
        [jobId],
      );
      const object = await home.store.read(file?.storage_key ?? '');
      const ranking = object === null ? '' : await text(object.stream);
      expect(Buffer.byteLength(ranking)).to.equal(file?.byte_size);
      const lines = ranking.slice(ranking.indexOf('\r\n') + 2);
      expect(lines === [...ranked, ...others].join(''), lines.slice(0, 300)).to.equal(true);
    }
  });
});
